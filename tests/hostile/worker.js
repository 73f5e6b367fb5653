// The Worker as it is deployed, which also makes its module anew and tells how much memory that has.
import worker from "../../worker/src/index.js";
import { enter } from "../../pkg/instance.js";
import { memoryBytes } from "../../pkg/wasm/order_cost.js";

export default {
  fetch(request, env, ctx) {
    if (request.method === "PUT") renew();
    return request.method === "POST" ? worker.fetch(request, env, ctx) : Response.json(memoryBytes());
  },
};

/** What is thrown as a trap is taken for one. */
function renew() {
  try {
    enter(() => {
      throw new WebAssembly.RuntimeError("for the test");
    });
  } catch {
    // The instance has been replaced.
  }
}

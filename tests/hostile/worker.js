// The deployed Worker. It can also replace its module instance and report the size of the module's memory.
import { enter } from "../../pkg/core/instance.js";
import { memoryBytes } from "../../pkg/wasm/order_cost.js";
import worker from "../../worker/src/worker.js";

export default {
  fetch(request, env, ctx) {
    if (request.method === "PUT") renew();
    return request.method === "POST" ? worker.fetch(request, env, ctx) : Response.json(memoryBytes());
  },
};

/** Throws what counts as a trap, so that the instance is replaced. */
function renew() {
  try {
    enter(() => {
      throw new WebAssembly.RuntimeError("for the test");
    });
  } catch {
    // The instance is now replaced.
  }
}

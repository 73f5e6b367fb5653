// The Worker under soak: the deployed one, over a module with planted faults, which also tells how much memory that has.
import worker from "../../worker/src/index.js";
import { memoryBytes } from "../../target/faulty-pkg/wasm/order_cost.js";

export default {
  fetch(request, env, ctx) {
    if (request.method === "GET") return Response.json(memoryBytes());
    return worker.fetch(request, env, ctx);
  },
};

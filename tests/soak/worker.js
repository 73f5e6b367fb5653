// The deployed Worker for the soak, with a module with planted faults. It also reports the size of the module's memory.
import { memoryBytes } from "../../target/faulty-pkg/wasm/order_cost.js";
import worker from "../../worker/src/worker.js";

export default {
  fetch(request, env, ctx) {
    if (request.method === "GET") return Response.json(memoryBytes());
    return worker.fetch(request, env, ctx);
  },
};

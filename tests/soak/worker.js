// The deployed Worker for the soak, with a module with planted faults. It also reports the size of the module's memory.
import worker from "../../worker/src/index.js";
import { memoryBytes } from "../../target/faulty-pkg/wasm/order_cost.js";

export default {
  fetch(request, env, ctx) {
    if (request.method === "GET") return Response.json(memoryBytes());
    return worker.fetch(request, env, ctx);
  },
};

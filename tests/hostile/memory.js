// A separate thread, and so a separate instance: measures how much of the module's memory one order takes.
import { parentPort, workerData } from "node:worker_threads";
import { createPricer } from "order-cost";
import { initSync } from "../../pkg/wasm/order_cost.js";
import { answeringHost } from "./host.js";
import { ZONES } from "./orders.js";

const { body, entry } = workerData;
const memoryBytes = () => initSync().memory.buffer.byteLength;

const pricer = await createPricer(answeringHost(), { deliveryZones: ZONES });
const before = memoryBytes();
const order = entry === "calculateJson" ? body : JSON.parse(body);
const outcome = await pricer[entry](order).then(
  () => "priced",
  ({ message }) => message.slice(0, 100),
);
parentPort.postMessage({ bytes: memoryBytes() - before, outcome });

// The service on Node, as `npm start` runs it.
//   node benches/run-service.mjs <work folder> <result file> <the axum example> <products> <seconds per load> <rounds> <orders of a rolling restart> <starts> <switches>
import { writeFileSync } from "node:fs";
import { startProgram } from "../tests/node/program.js";
import { whileReloaded, whileUpdated } from "../tests/node/rolling.js";
import { makeShop, measureMemory, measureSpeed, measureStack, measureStarts, measureSwitch } from "./service/index.js";

const [folder, resultFile, axum, ...counts] = process.argv.slice(2);
const [products, seconds, rounds, orders, starts, switches] = counts.map(Number);

const shop = await makeShop(folder, products);
console.log("starting");
const started = { 1: await measureStarts(shop, 1, starts), 2: await measureStarts(shop, 2, starts) };
const memory = await measureMemory(shop);
const speed = await measureSpeed(shop, axum, { folder, seconds, rounds });
console.log("switching versions under load");
const switched = [];
for (let count = 0; count < switches; count += 1) switched.push({ ...(await measureSwitch(shop)), stack: await measureStack(shop) });

const start = () => startProgram({ WORKERS: "2", CATALOGUE_DIR: shop.catalogue });
const rolling = [];
for (const { how, whileRestarted } of [
  { how: "SIGHUP", whileRestarted: whileReloaded },
  { how: "two instances, SIGTERM", whileRestarted: whileUpdated },
]) {
  console.log(`${orders.toLocaleString("en")} orders during restarts: ${how}`);
  const { sent, lost, wrong, restarts } = await whileRestarted(start, shop.orders, orders);
  for (const fault of [...lost, ...wrong].slice(0, 5)) console.error(fault);
  rolling.push({ how, sent, lost: lost.length, wrong: wrong.length, restarts });
}
writeFileSync(resultFile, JSON.stringify({ products, started, memory, speed, switched, rolling }));

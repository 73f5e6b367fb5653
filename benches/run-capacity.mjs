// What orders take of the platform: questions, CPU time, memory, log lines; alone in a process, so that all of it is theirs.
//   node benches/run-capacity.mjs <folder of a built version> <result file> <its products a branch> <batches>
import { writeFileSync } from "node:fs";
import { measureCoupons, measureDecisions, measureIsolate, measureLines, measureLog, measureReceipts, textsOf } from "./edge/index.js";

const [folder, resultFile, products, batches] = process.argv.slice(2);
const texts = await textsOf(folder);
const ofCatalogue = /** @type {const} */ ([texts, Number(products)]);
const catalogue = { keys: texts.size, bytes: [...texts.values()].reduce((sum, text) => sum + text.length, 0) };
const lines = await measureLines(...ofCatalogue, Number(batches));
const coupons = await measureCoupons(...ofCatalogue);
const isolate = await measureIsolate(...ofCatalogue);
const logBytes = await measureLog(...ofCatalogue);
const receipts = await measureReceipts(...ofCatalogue, Number(batches));
const decisions = await measureDecisions(...ofCatalogue, Number(batches));
writeFileSync(
  resultFile,
  JSON.stringify({ products: Number(products), catalogue, lines, coupons, isolate, logBytes, receipts, decisions }),
);

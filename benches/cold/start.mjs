// A fresh process: prints the milliseconds from before the import of an entrant to its first result.
//   node benches/cold/start.mjs <script in uses/> <file of what is given>
import { readFileSync } from "node:fs";

const [use, file] = process.argv.slice(2);
const given = JSON.parse(readFileSync(file, "utf8"));

const start = performance.now();
const { default: firstUse } = await import(`./uses/${use}.js`);
await firstUse(given);
console.log(performance.now() - start);

// Writes the demo shop's version of the catalogue as the files that a page reads it from: one for each text.
//   node xtask/shop/catalogue.mjs <folder>
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { entriesOf, seedVersion } from "../../tests/worker/catalogue.js";

const [folder] = process.argv.slice(2);

for (const [key, text] of Object.entries(entriesOf(await seedVersion()))) {
  const file = join(folder, ...key.split(":"));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

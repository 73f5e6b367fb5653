// Fills in what is generated of a package's types, in a copy of pkg-template.
//   node xtask/package/types.mjs <package folder> <what xtask-reference printed>
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withOrderTypes } from "./order-types.mjs";

const [folder, reference] = process.argv.slice(2);
for (const name of ["entries/index.d.ts", "http/worker.d.ts"]) {
  const file = join(folder, name);
  writeFileSync(file, withOrderTypes(readFileSync(file, "utf8"), JSON.parse(readFileSync(reference, "utf8"))));
}

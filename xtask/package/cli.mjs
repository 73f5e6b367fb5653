// Bundles the command line with its libraries. Writes their licences beside it.
//   node xtask/package/cli.mjs <package folder>
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bundleCli } from "./cli-bundle.mjs";

const folder = resolve(process.argv[2]);
const libraries = await bundleCli(join(folder, "command.js"));
const licences = libraries.map(({ name, version, licenceText }) => `${"-".repeat(80)}\n${name} ${version}\n\n${licenceText}\n`);
writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), ["command.js contains these libraries.\n", ...licences].join("\n"));

// Writes the lock files of the package's examples; the package itself has none. Existing entries stay.
//   node tests/matrix/examples/lock.js
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../commands.js";
import { exampleManifest, temporaryDirectory } from "../workspace.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const EXAMPLES = fileURLToPath(new URL("../../../pkg/examples", import.meta.url));

for (const name of await readdir(EXAMPLES)) {
  const directory = temporaryDirectory();
  const [made, kept] = [directory, path.join(HERE, name)].map((folder) => path.join(folder, "package-lock.json"));
  await writeFile(path.join(directory, "package.json"), await exampleManifest(name));
  if (existsSync(kept)) await cp(kept, made);
  await run("npm", ["install", "--package-lock-only", "--no-audit", "--no-fund"], directory);
  await mkdir(path.dirname(kept), { recursive: true });
  await cp(made, kept);
}

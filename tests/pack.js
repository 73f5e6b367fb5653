// The package as npm would publish it.
import { execSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../pkg", import.meta.url));

/** Packs pkg/ into `directory`. Returns the path of the tarball and the paths of its files. */
export function pack(directory) {
  const command = `npm pack --json --pack-destination "${directory}"`;
  const [{ filename, files }] = JSON.parse(execSync(command, { cwd: PACKAGE, stdio: ["ignore", "pipe", "pipe"] }));
  return { tarball: path.join(directory, filename), files: files.map((file) => file.path) };
}

// What an application loads for each entry of the package.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export async function sizes({ root, pkg }) {
  const { entrySizes, sizeTable } = await import(pathToFileURL(join(root, "xtask/package/sizes.mjs")).href);
  return sizeTable(await entrySizes(pkg));
}

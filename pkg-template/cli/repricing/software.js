// What prices orders: the version of the package and the SHA-256 of its module, as a capture names them.
import packageJson from "../../package.json" with { type: "json" };

/** @typedef {{ version?: string, module?: string }} Software */

/** @returns {Promise<Required<Software>>} */
export async function ourSoftware() {
  const { default: module } = await import(new URL("wasm/sha256.js", import.meta.url).href); // beside the bundled cli.js
  return { version: packageJson.version, module };
}

// Writes what a package contains of others, as CycloneDX: the crates in its modules and the libraries in its command line.
//   node xtask/package/sbom.mjs <package folder> <file>
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Contrib, Enums, Models, Serialize, Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { bundleCli } from "./cli-bundle.mjs";

const ROOT = resolve(import.meta.dirname, "../..");
const SPEC = Spec.Spec1dot6;

/** @typedef {{ name: string, version: string, license: string, description?: string, hash?: [Enums.HashAlgorithm, string] }} Part */

const licences = new Contrib.License.Factories.LicenseFactory(() => {}); // `cargo xtask audit` checks the expressions

/**
 * The document's text. It has no time and no random number, so the same package has the same text.
 * @param {string} folder
 */
export async function sbomOf(folder) {
  const manifest = readJson(join(folder, "package.json"));
  const component = componentOf("npm", manifest);
  const bom = new Models.Bom({ metadata: new Models.Metadata({ component }) });
  for (const part of [standardLibrary(), ...(await libraries())]) {
    bom.components.add(part);
    component.dependencies.add(part.bomRef);
  }
  for (const crate of crates(component)) bom.components.add(crate);
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(SPEC));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/**
 * What is wrong with a document by the schema of CycloneDX; null if nothing is.
 * @param {string} text
 */
export const faultsOf = (text) => new Validation.JsonStrictValidator(SPEC.version).validate(text);

/** Cargo does not count it among the crates. */
function standardLibrary() {
  const [version] = partsOf(/channel = "(.+)"/, readFileSync(join(ROOT, "rust-toolchain.toml"), "utf8"));
  return componentOf("generic", { name: "rust-std", version, license: "MIT OR Apache-2.0" });
}

/**
 * The crates that are compiled to wasm, without macros and what only builds or tests need. Links them to each other.
 * @param {Models.Component} root
 */
function crates(root) {
  const options = ["--edges", "normal,no-proc-macro", "--prefix", "depth", "--no-dedupe", "--format", "|{p}|{l}"];
  const args = ["tree", "--locked", "--package", "order-cost", "--target", "wasm32-unknown-unknown", ...options];
  const lock = readFileSync(join(ROOT, "Cargo.lock"), "utf8");
  const lines = execFileSync("cargo", args, { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
  /** @type {Map<string, Models.Component>} */
  const found = new Map();
  const path = [root];
  for (const line of lines.slice(1)) {
    const [depth, crate, license] = line.split("|");
    const [name, version] = partsOf(/^(\S+) v(\S+)/, crate);
    const component = found.get(crate) ?? componentOf("cargo", { name, version, license, hash: checksum(lock, name, version) });
    found.set(crate, component);
    path[Number(depth)] = component;
    path[Number(depth) - 1].dependencies.add(component.bomRef);
  }
  return found.values();
}

/**
 * @param {string} lock
 * @param {string} name
 * @param {string} version
 * @returns {Part["hash"]}
 */
function checksum(lock, name, version) {
  const [sha256] = partsOf(/^checksum = "(.+)"$/m, lock.split(`name = "${name}"\nversion = "${version}"\n`)[1]);
  return [Enums.HashAlgorithm["SHA-256"], sha256];
}

async function libraries() {
  const { packages } = readJson(join(ROOT, "xtask/package-lock.json"));
  return (await bundleCli()).map((library) => {
    const [, base64] = packages[`node_modules/${library.name}`].integrity.split("sha512-");
    return componentOf("npm", { ...library, hash: [Enums.HashAlgorithm["SHA-512"], Buffer.from(base64, "base64").toString("hex")] });
  });
}

/**
 * @param {string} registry
 * @param {Part} part
 */
function componentOf(registry, { name, version, license, description, hash }) {
  const purl = `pkg:${registry}/${name.replace("@", "%40")}@${version}`;
  const [group, plainName] = partsOf(/^(?:(@.+)\/)?(.+)$/, name);
  const component = new Models.Component(Enums.ComponentType.Library, plainName, { bomRef: purl, purl, group, version, description });
  component.licenses.add(licences.makeFromString(license.replaceAll("/", " OR ")));
  if (hash) component.hashes.set(...hash);
  return component;
}

/**
 * What the groups of a pattern match.
 * @param {RegExp} pattern
 * @param {string} text
 */
function partsOf(pattern, text) {
  const found = pattern.exec(text);
  if (!found) throw new Error(`nothing matches ${pattern}`);
  return found.slice(1);
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

if (process.argv[1] === import.meta.filename) {
  const [folder, file] = process.argv.slice(2);
  const text = await sbomOf(folder);
  const faults = await faultsOf(text);
  if (faults !== null) throw new Error(`the bill of materials is not valid: ${JSON.stringify(faults)}`);
  writeFileSync(file, text);
  console.log(`${JSON.parse(text).components.length} components`);
}

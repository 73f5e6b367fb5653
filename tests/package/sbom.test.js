// The bill of materials of a release names what is in the package, and no more.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { faultsOf, sbomOf } from "../../xtask/package/sbom.mjs";

const PACKAGE = fileURLToPath(new URL("../../pkg", import.meta.url));

let text, bom;
before(async () => {
  text = await sbomOf(PACKAGE);
  bom = JSON.parse(text);
});

const named = (registry) => bom.components.map(({ purl }) => purl).filter((purl) => purl.startsWith(`pkg:${registry}/`));

test("it is valid CycloneDX, and one without a type is not", async () => {
  assert.equal(await faultsOf(text), null);
  const { type, ...untyped } = bom.components[0];
  assert.notEqual(await faultsOf(JSON.stringify({ ...bom, components: [untyped] })), null);
});

test("it names the libraries whose licences are in the package", () => {
  const licences = readFileSync(path.join(PACKAGE, "THIRD-PARTY-LICENSES.txt"), "utf8");
  const libraries = Array.from(
    licences.matchAll(/^-{80}\n(.+) (\S+)$/gm),
    ([, name, version]) => `pkg:npm/${name.replace("@", "%40")}@${version}`,
  );
  assert.ok(libraries.length > 3);
  assert.deepEqual(named("npm").sort(), libraries.sort());
});

test("it names the crates of the module, not those of builds and tests", () => {
  const crates = named("cargo").map((purl) => /cargo\/(.+)@/.exec(purl)[1]);
  for (const name of ["geo", "rust_decimal", "wasm-bindgen"]) assert.ok(crates.includes(name), name);
  for (const name of ["serde_json", "syn", "tokio", "wasm-bindgen-macro"]) assert.ok(!crates.includes(name), name);
  assert.equal(named("generic").length, 1); // Rust's standard library
});

test("each part has its version and its licence, and what comes from a registry its hash", () => {
  for (const { purl, version, licenses, hashes } of bom.components) {
    assert.match(version, /^\d+\.\d+\.\d+/, purl);
    assert.equal(licenses.length, 1, purl);
    assert.equal(hashes?.length ?? 0, purl.startsWith("pkg:generic/") ? 0 : 1, purl);
  }
});

test("each part is reached from the package", () => {
  const dependencies = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  const reached = new Set();
  const reach = (ref) => reached.has(ref) || (reached.add(ref), dependencies.get(ref).forEach(reach));
  reach(bom.metadata.component["bom-ref"]);
  assert.equal(reached.size, bom.components.length + 1);
});

// The table of variables, which code makes: it has those of the shadow Worker, with their defaults.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { defaults } from "../../worker/migration/src/options.js";
import { variables } from "../../www/docs/tables/variables.mjs";

const made = await variables({ root: fileURLToPath(new URL("../..", import.meta.url)) });

test("the shadow Worker's variables, their defaults and what they mean", () => {
  const [, ofShadow] = made.split("## The shadow Worker");
  const rows = Array.from(ofShadow.matchAll(/^\| `([A-Z_]+)` \| (\S+) \| (.+) \|$/gm), ([, name, value, meaning]) => [name, value.replaceAll("`", ""), meaning]);
  const textOf = (value) => (typeof value === "boolean" ? String(Number(value)) : String(value));
  const stated = Object.entries(defaults()).map(([name, value]) => [name, value === undefined ? "none" : name === "SERVE" ? "legacy" : textOf(value)]);
  assert.deepEqual(Object.fromEntries(rows), Object.fromEntries(stated));
  for (const [name, , meaning] of rows) assert.match(meaning, /\w.*\.$/, name);
});

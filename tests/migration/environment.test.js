// What `cargo xtask dev --shadow` takes from the environment.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { readEnvironment } from "../../xtask/shop/environment.mjs";

const SCRIPT = fileURLToPath(new URL("../../xtask/shop/shadow.mjs", import.meta.url));

test("each Worker gets its variables", () => {
  const shadow = { LEGACY_URL: "http://127.0.0.1:9000", SERVE: "calculatecost4=new" };
  const pricing = { ROW_TOTAL: "list", EXPRESS_SURCHARGE: "firstExpress" };
  assert.deepEqual(readEnvironment({ PATH: "/bin", ...shadow, ...pricing, DIFFERENCES: "floats" }), {
    shadow,
    pricing,
    differences: "floats",
  });
  assert.deepEqual(readEnvironment({ SERVER: "x", SERVICE: "y" }), { shadow: {}, pricing: {}, differences: undefined });
});

const WRONG = [
  [{ LEGACY_URL: "nonsense" }, /^Variable LEGACY_URL: expected an http or https URL/],
  [{ LEGACY_URI: "http://old.example" }, /^Variable LEGACY_URI is unknown: did you mean LEGACY_URL\?$/],
  [{ ROW_TOTALS: "list" }, /^Variable ROW_TOTALS is unknown: did you mean ROW_TOTAL\?$/],
  [{ ROW_TOTAL: "lists" }, /^Variable ROW_TOTAL: expected one of effective, list, got "lists"$/],
  [{ DIFFERENCES: "float" }, /^Variable DIFFERENCES: unknown difference "float"/],
  [{ REDACT_KEY: "x" }, /^Variable REDACT_KEY: expected 32 characters or more, got 1$/],
];

for (const [env, message] of WRONG) {
  test(`${JSON.stringify(env)} is refused`, () => assert.throws(() => readEnvironment(env), { message }));
}

test("a slip is one line, without a stack", () => {
  const { status, stderr } = spawnSync(process.execPath, [SCRIPT, "1"], {
    env: { ...process.env, LEGACY_URL: "nonsense" },
    encoding: "utf8",
  });
  assert.equal(status, 1);
  assert.equal(stderr, "Variable LEGACY_URL: expected an http or https URL without a user or password\n");
});

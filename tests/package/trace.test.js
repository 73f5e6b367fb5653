// What `cargo xtask trace` makes of a release's stack traces: a planted trap shows where it happened.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const MODULE = new URL("../../pkg/wasm/order_cost_bg.wasm", import.meta.url);

/** Beyond the memory of a new instance. */
const NOWHERE = 0x7fff0000;

/** The stack of a trap in the package's own module: a record that is nowhere in its memory. */
async function trapped() {
  const { initSync } = await import("../../pkg/wasm/order_cost.js");
  const { checkPrice } = initSync({ module: new WebAssembly.Module(readFileSync(MODULE)) });
  try {
    checkPrice(NOWHERE, 100);
  } catch (error) {
    assert.ok(error instanceof WebAssembly.RuntimeError, String(error));
    return error.stack;
  }
  throw new Error("nothing was thrown");
}

const trace = (input, ...args) => spawnSync("cargo", ["xtask", "trace", ...args], { cwd: ROOT, input, encoding: "utf8" });

test("the trap of a release is found by its symbols", async () => {
  const stack = await trapped();
  assert.match(stack, /wasm-function\[\d+\]/);
  assert.doesNotMatch(stack, /order_cost::/, "the module has no names");
  // As a log line has it.
  const line = JSON.stringify({ event: "order", code: "INTERNAL", cause: stack });
  const places = [...trace(`${line}\n`).stdout.matchAll(/wasm-function\[\d+ ([^\]]+)\]/g)].map(([, name]) => name);
  assert.deepEqual(places.slice(1, 4), ["order_cost::json::text", "order_cost::js::checks::check_price", "checkPrice"]);
});

test("a file that has no symbols is refused", () => {
  const { status, stderr } = trace("", "--symbols", "README.md");
  assert.equal(status, 1);
  assert.match(stderr, /README\.md has no symbols: expected the function 0 in line 1/);
});

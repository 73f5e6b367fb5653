// What `cargo xtask trace` makes of a release's stack traces: a planted trap shows where it happened.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Beyond the memory of a new instance. */
const NOWHERE = 0x7fff0000;

/** The stack of a trap in a module of the package: one of its functions gets what is nowhere in its memory. */
async function trapped(file, fail) {
  const { initSync } = await import(`../../pkg/wasm/order_cost.js?${file}`); // bindings of its own
  const exports = initSync({ module: new WebAssembly.Module(readFileSync(new URL(`../../pkg/wasm/${file}`, import.meta.url))) });
  try {
    fail(exports);
  } catch (error) {
    assert.ok(error instanceof WebAssembly.RuntimeError, String(error));
    return error.stack;
  }
  throw new Error("nothing was thrown");
}

const trace = (input, ...args) => spawnSync("cargo", ["xtask", "trace", ...args], { cwd: ROOT, input, encoding: "utf8" });

/** The names of the functions in a stack, as a log line has it. */
function named(stack, ...options) {
  const { stdout, stderr } = trace(`${JSON.stringify({ event: "order", code: "INTERNAL", cause: stack })}\n`, ...options);
  const names = [...stdout.matchAll(/wasm-function\[\d+ ([^\]]+)\]/g)].map(([, name]) => name);
  assert.ok(names.length > 0, stderr);
  return names;
}

test("the trap of a release is found by its symbols", async () => {
  const stack = await trapped("order_cost_bg.wasm", ({ checkPrice }) => checkPrice(NOWHERE, 100));
  assert.match(stack, /wasm-function\[\d+\]/);
  assert.doesNotMatch(stack, /order_cost::/, "the module has no names");
  assert.deepEqual(named(stack).slice(1, 4), ["order_cost::json::text", "order_cost::js::checks::check_price", "checkPrice"]);
});

test("that of order-cost/calculate by its own", async () => {
  const stack = await trapped("calculate.wasm", ({ job_advance: advance }) => advance(NOWHERE));
  assert.equal(named(stack, "--calculate")[0], "job_advance");
});

test("a text without a place in the module is refused", () => {
  for (const text of ["", "Internal error", "wasm-function[99999]"]) {
    const { status, stderr } = trace(text);
    assert.equal(status, 1, text);
    assert.match(stderr, /no function of .*\.symbols is in the text: expected places such as wasm-function\[348\]/);
  }
});

test("a file that has no symbols is refused", () => {
  const { status, stderr } = trace("", "--symbols", "README.md");
  assert.equal(status, 1);
  assert.match(stderr, /README\.md has no symbols: expected the function 0 in line 1/);
});

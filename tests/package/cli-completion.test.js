// order-cost completion: the scripts, and what bash completes with its own.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { run } from "./command.js";

const SHELLS = ["bash", "zsh", "fish"];
const scripts = {};
for (const shell of SHELLS) scripts[shell] = (await run(["completion", shell])).stdout;

const bash = (code) => {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `${scripts.bash}\n${code}`], { encoding: "utf8" });
  assert.deepEqual([status, stderr], [0, ""]);
  return stdout.split("\n").filter(Boolean);
};

/** What bash offers for the last of the words. */
const completed = (...words) => {
  const all = ["order-cost", ...words].map((word) => `'${word}'`).join(" ");
  return bash(`COMP_WORDS=(${all}); COMP_CWORD=${words.length}; _order_cost; printf '%s\\n' "\${COMPREPLY[@]}"`);
};

const helped = async (args, pattern) => Array.from((await run([...args, "--help"])).stdout.matchAll(pattern), ([, name]) => name);
const commands = await helped([], /^ {2}([a-z][a-z-]+) [[<]/gm);

test("bash completes the commands and the flags that --help lists", async () => {
  assert.ok(commands.length > 7);
  assert.deepEqual(completed(""), commands);
  assert.deepEqual(completed("re"), ["replay"]);
  for (const command of commands) {
    const flags = (await helped([command], /^ {2}(?:-\w, )?(--[\w-]+)/gm)).filter((flag) => flag !== "--version");
    assert.ok(flags.length > 1, command);
    assert.deepEqual(completed(command, "--").sort(), flags.sort(), command);
  }
});

test("bash completes the values of an option, also behind a =", () => {
  assert.deepEqual(completed("price", "--format", ""), ["json", "table"]);
  assert.deepEqual(completed("price", "order.json", "--format", "t"), ["table"]);
  assert.deepEqual(completed("price", "--format", "="), ["json", "table"]);
  assert.deepEqual(completed("price", "--format", "=", "j"), ["json"]);
  assert.deepEqual(completed("completion", ""), SHELLS);
  assert.deepEqual(completed("--no-color", "completion", "z"), ["zsh"]);
});

test("bash completes file names everywhere else", () => {
  for (const words of [
    ["price", ""],
    ["price", "--facts", "f"],
    ["verify", "a", ""],
  ])
    assert.deepEqual(completed(...words), []);
  assert.deepEqual(bash("complete -p order-cost"), ["complete -o default -F _order_cost order-cost"]);
});

test("the script of each shell has every command and every flag", async () => {
  for (const command of commands) {
    const flags = await helped([command], /^ {2}(?:-\w, )?--([\w-]+)/gm);
    for (const shell of SHELLS) for (const name of [command, ...flags]) assert.ok(scripts[shell].includes(name), `${shell}: ${name}`);
  }
});

test("an unknown shell is wrong usage", async () => {
  const { code, stderr } = await run(["completion", "csh"]);
  assert.equal(code, 2);
  assert.match(stderr, /'csh' is invalid for argument 'shell'\. Allowed choices are bash, zsh, fish\./);
});

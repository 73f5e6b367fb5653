// What stops the start on Node: one sentence, and an exit code.
import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { after, afterEach, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { settingsOf } from "../../worker/src/node/settings.js";
import { killAll, startProgram } from "./program.js";

/** A port that is taken. */
let port;
let server;

before(async () => {
  server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  port = server.address().port;
});
after(() => server.close());
afterEach(killAll);

for (const [what, variables, sentence] of [
  ["an invalid variable", { WORKERS: "many" }, 'Variable WORKERS: expected an integer of 1 or more, got "many"'],
  [
    "a variable of the service that is invalid",
    { DEADLINE_MS: "soon" },
    'Variable DEADLINE_MS: expected an integer of 0 or more, got "soon"',
  ],
  [
    "a period that no timer can count",
    { RATE_LIMIT_SECONDS: "2147484" },
    'Variable RATE_LIMIT_SECONDS: expected an integer of at most 2147483, got "2147484"',
  ],
  ["a misspelt variable", { RATE_LIMITS: "5" }, "Variable RATE_LIMITS is unknown: did you mean RATE_LIMIT?"],
  ["a misspelt policy, which would change prices", { ROW_TOTALS: "list" }, "Variable ROW_TOTALS is unknown: did you mean ROW_TOTAL?"],
  [
    "the address of a Service in Kubernetes",
    { METRICS_PORT: "tcp://10.0.0.1:80" },
    'Variable METRICS_PORT: expected a port, got "tcp://10.0.0.1:80", which Kubernetes makes of a Service: set enableServiceLinks to false',
  ],
  [
    "a blank key, which would leave the service open",
    { API_KEYS: "" },
    "Variable API_KEYS: expected keys, or no such variable if anybody may order, got a blank value",
  ],
  ["two catalogues", { CATALOGUE_DIR: "x", CATALOGUE_URL: "http://x" }, "Variables CATALOGUE_DIR and CATALOGUE_URL: expected one of them"],
]) {
  test(what, async () => {
    const program = startProgram(variables);
    assert.deepEqual(await program.ended, { code: 1, signal: null });
    assert.deepEqual([program.lines, program.errors], [[], [`order-cost: ${sentence}`]]);
  });
}

for (const [what, folder, cause] of [
  ["a folder of captures that is not there", "/nowhere/decisions", "it is not there"],
  ["a file in place of the folder of captures", fileURLToPath(import.meta.url), "it is no folder"],
]) {
  test(what, async () => {
    const program = startProgram({ DECISIONS_DIR: folder, REDACT_KEY: "k".repeat(32) });
    assert.deepEqual(await program.ended, { code: 1, signal: null });
    const sentence = `Variable DECISIONS_DIR: expected a folder that the service can write into, got "${folder}": ${cause}`;
    assert.deepEqual([program.lines, program.errors], [[], [`order-cost: ${sentence}`]]);
  });
}

for (const [name, variables] of [
  ["PORT", () => ({ PORT: `${port}` })],
  ["METRICS_PORT", () => ({ METRICS_PORT: `${port}` })],
]) {
  test(`${name} is in use`, async () => {
    const program = startProgram(variables());
    assert.deepEqual(await program.ended, { code: 1, signal: null });
    assert.deepEqual(program.errors, []);
    const [{ level, message, cause }, ...more] = program.records("fault");
    assert.deepEqual([level, message, more], ["error", `127.0.0.1:${port} cannot be listened on`, []]);
    assert.match(cause, /EADDRINUSE/);
  });
}

test("a file of variables that is not there", async () => {
  const program = startProgram({}, { args: ["--env-file", "/nowhere"] });
  assert.notEqual((await program.ended).code, 0);
  assert.equal(program.errors.length, 1);
  assert.match(program.errors[0], /\/nowhere/);
});

test("--help, and an unknown option", async () => {
  const help = startProgram({}, { args: ["--help"] });
  assert.equal((await help.ended).code, 0);
  assert.match(help.lines[0], /^Usage: npm start/);
  const wrong = startProgram({}, { args: ["--port"] });
  assert.equal((await wrong.ended).code, 2);
  assert.deepEqual(wrong.errors, ["order-cost: Unknown option '--port'"]);
});

test("a name near a variable that is loud without its value is a warning", async () => {
  const program = startProgram({ WORKER: "7", CATALOGUE_DRI: "x" });
  await program.url;
  const warned = program
    .records("start")
    .filter(({ level }) => level === "warn")
    .map(({ message }) => message);
  assert.deepEqual(warned, [
    "Variable WORKER is unknown: did you mean WORKERS?",
    "Variable CATALOGUE_DRI is unknown: did you mean CATALOGUE_DIR?",
  ]);
});

test("names that an environment has anyway are not taken for misspelt ones", () => {
  const names = ["HOME", "PATH", "PWD", "USER", "SHELL", "TERM", "LANG", "TZ", "HOSTNAME", "LOGNAME", "SHLVL", "NODE_ENV", "NODE_OPTIONS"];
  // Kubernetes sets these for the services beside it.
  const injected = ["COUPONS", "RATES", "VOUCHERS", "CATALOGUE"].flatMap((service) =>
    ["PORT", "SERVICE_HOST", "SERVICE_PORT", "PORT_80_TCP"].map((of) => `${service}_${of}`),
  );
  settingsOf(Object.fromEntries([...names, ...injected].map((name) => [name, "x"])));
});

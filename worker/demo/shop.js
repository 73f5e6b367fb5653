// `npm run demo`: the demo shop on this machine, without containers, with captures and receipts. It keeps all in demo-shop/.
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";

process.chdir(join(import.meta.dirname, ".."));

const { PORT: first = "8787", DEMO_DIR: folder = "demo-shop", ...env } = process.env;
const file = join(folder, "service.env");
const catalogue = join(folder, "catalogue");
const decisions = join(folder, "decisions");
const HOST = "127.0.0.1";

/** The parts beside the service, and the variable that says where each listens. */
const PARTS = { rates: "NATIONWIDE_URL", coupons: "COUPONS_URL", vouchers: "VOUCHERS_URL" };

const [port, ...partPorts] = [0, 1, 2, 3].map((more) => Number(first) + more);
for (const one of [port, ...partPorts]) await refuseTaken(one);
mkdirSync(decisions, { recursive: true });
// It stays as it is: other keys could not tell what the captures and receipts before are of.
if (!existsSync(file)) writeFileSync(file, variables(), { mode: 0o600 });
execFileSync(process.execPath, ["demo/fill.js"], { env: { ...env, CATALOGUE_DIR: catalogue }, stdio: "inherit" });
await run();

/** Before anything starts: the parts would end each with a stack of its own. */
async function refuseTaken(one) {
  try {
    const server = createServer().listen(one, HOST);
    await once(server, "listening");
    await once(server.close(), "close");
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    console.error(`The demo cannot listen on ${HOST}:${one}: ${message}. It takes four ports in a row; with PORT=9000, from 9000 on.`);
    process.exit(1);
  }
}

function variables() {
  const receiptKey = execFileSync(process.execPath, ["src/receipts/make-key.js"], { encoding: "utf8" });
  return [
    ...[`CATALOGUE_DIR=${catalogue}`, "API_KEYS=demo-key", "LOG_SAMPLE=1"],
    ...[`DECISIONS_DIR=${decisions}`, "DECISION_SAMPLE=1", `REDACT_KEY=${randomBytes(32).toString("hex")}`, `RECEIPT_KEY=${receiptKey}`],
  ].join("\n");
}

/** Until the service ends, or a part of the shop does: nothing works without it, so that is a failure. */
async function run() {
  let isStopping = false;
  const start = (args, more) => spawn(process.execPath, args, { env: { ...env, ...more }, stdio: "inherit" });
  const parts = Object.keys(PARTS).map((part, index) => {
    const child = start(["--disable-warning=ExperimentalWarning", "demo/main.js", part], { HOST, PORT: partPorts[index] });
    child.once("exit", () => {
      if (!isStopping) process.exitCode = 1;
      service.kill();
    });
    return child;
  });
  const urls = Object.values(PARTS).map((name, index) => [name, `http://${HOST}:${partPorts[index]}`]);
  const service = start(["src/node/main.js", "--env-file", file], { PORT: port, ...Object.fromEntries(urls) });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
  function stop() {
    isStopping = true;
    service.kill();
  }
  const [code] = await once(service, "exit");
  process.exitCode ||= code ?? (isStopping ? 0 : 1); // none: a signal has ended it
  isStopping = true;
  for (const part of parts) part.kill();
}

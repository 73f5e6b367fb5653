// `npm run demo`: the demo shop on this machine, without containers, with captures and receipts. It keeps all in demo-shop/.
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseEnv } from "node:util";

process.chdir(join(import.meta.dirname, ".."));

const { PORT: port = "8787", DEMO_DIR: folder = "demo-shop", ...env } = process.env;
const file = join(folder, "service.env");
const catalogue = join(folder, "catalogue");
const decisions = join(folder, "decisions");

/** The parts beside the service, and the variable that says where each listens. */
const PARTS = { rates: "NATIONWIDE_URL", coupons: "COUPONS_URL", vouchers: "VOUCHERS_URL" };

mkdirSync(decisions, { recursive: true });
// It stays as it is: other keys could not tell what the captures and receipts before are of.
if (!existsSync(file)) writeFileSync(file, variables(), { mode: 0o600 });
execFileSync(process.execPath, ["demo/fill.js"], { env: { ...env, CATALOGUE_DIR: catalogue }, stdio: "inherit" });
await run(parseEnv(readFileSync(file, "utf8")));

function variables() {
  const urls = Object.values(PARTS).map((name, index) => `${name}=http://127.0.0.1:${Number(port) + 1 + index}`);
  const receiptKey = execFileSync(process.execPath, ["src/receipts/make-key.js"], { encoding: "utf8" });
  return [
    ...[`PORT=${port}`, `CATALOGUE_DIR=${catalogue}`, ...urls, "API_KEYS=demo-key", "LOG_SAMPLE=1"],
    ...[`DECISIONS_DIR=${decisions}`, "DECISION_SAMPLE=1", `REDACT_KEY=${randomBytes(32).toString("hex")}`, `RECEIPT_KEY=${receiptKey}`],
  ].join("\n");
}

/** Until the service ends, or a part of the shop does: nothing works without it, so that is a failure. */
async function run(values) {
  let isStopping = false;
  const start = (args, more) => spawn(process.execPath, args, { env: { ...env, ...more }, stdio: "inherit" });
  const parts = Object.entries(PARTS).map(([part, name]) => {
    const child = start(["--disable-warning=ExperimentalWarning", "demo/main.js", part], {
      HOST: "127.0.0.1",
      PORT: new URL(values[name]).port,
    });
    child.once("exit", () => {
      if (!isStopping) process.exitCode = 1;
      service.kill();
    });
    return child;
  });
  const service = start(["src/node/main.js", "--env-file", file]);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
  function stop() {
    isStopping = true;
    service.kill();
  }
  const [code] = await once(service, "exit");
  process.exitCode ||= code;
  isStopping = true;
  for (const part of parts) part.kill();
}

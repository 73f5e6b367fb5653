// Runs a command while the Worker, its two services and the seed are in workerd. `{url}` in an argument is the Worker's
// address. If the command fails, what the Worker logged of its own faults follows.
//   node tests/contract/serve.mjs <command> [<argument>…]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { voucherKey } from "../../worker/src/look-ups/voucher-keys.js";
import { publish, seedVersion } from "../worker/catalogue.js";
import { bundle, startWorkerd } from "../worker/workerd.js";

const CONFIGS = ["worker/wrangler.dev.jsonc", "worker/services/nationwide/wrangler.jsonc", "worker/services/coupons/wrangler.jsonc"];

/** Refused orders are logged at a lower level. */
const isFault = (line) => !/"level":"(info|warn)"/.test(line);

const [command, ...args] = process.argv.slice(2);
const workers = await Promise.all(CONFIGS.map(bundle));
const workerd = await startWorkerd(workers);
try {
  const [{ name }] = workers;
  await seed(await workerd.kv(name, "CATALOGUE"), await workerd.kv(name, "VOUCHERS"));
  process.exitCode = await run(await workerd.url(name));
  if (process.exitCode !== 0) console.error(workerd.logs.filter(isFault).join("\n"));
} finally {
  await workerd.stop();
}

async function seed(catalogue, vouchers) {
  await publish(catalogue, await seedVersion());
  const records = JSON.parse(readFileSync(new URL("../../worker/seed/vouchers.json", import.meta.url), "utf8"));
  await Promise.all(Object.entries(records).map(([id, record]) => vouchers.put(voucherKey(id), JSON.stringify(record))));
}

/** The command's exit code; 1 if a signal ended it. */
async function run(url) {
  const child = spawn(
    command,
    args.map((argument) => argument.replace("{url}", url)),
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  const [code] = await once(child, "exit");
  return code ?? 1;
}

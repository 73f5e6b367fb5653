// One's own prices, as README.md has a newcomer type it: beside a running service, with the seed in use.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { blocksOf } from "../package/snippets.js";
import { copyCommands } from "./copied-commands.js";
import { startDev } from "./dev.js";
import { temporaryFolder } from "./versions.js";

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const blocks = blocksOf(join(ROOT, "README.md")).filter(({ heading, language }) => heading === "At the edge" && language === "sh");
const [order, walk] = ["SAVE20", "npm run data -- build"].map((part) => blocks.find(({ code }) => code.includes(part)).code);

/** Types the block's lines one after another, as a shell gets them; the id is the one that `build` printed. */
async function type(code, folder) {
  const [building, switching] = code.split("npm run data -- push");
  const run = (script) => execute("bash", ["-ec", script], { cwd: folder });
  const [id] = (await run(building)).stdout.match(/^[0-9a-f]{16}$/m);
  await run(`cd worker\nnpm run data -- push${switching.replace("<id that build printed>", id)}`);
  return id;
}

test("the commands of README.md: the running service prices the next order with the new version", async (context) => {
  const { folder, untracked, stores } = await copyCommands(context);
  const seed = await temporaryFolder(context);
  for (const [script, ...words] of [["worker/seed/generate.mjs", "--data", seed], ["xtask/seed.mjs", seed, stores]]) {
    execFileSync(process.execPath, [join(ROOT, script), ...words]);
  }
  const url = await startDev(context, stores);
  const [, path, body] = order.match(/^curl http:\/\/127\.0\.0\.1:8787(\S+) -d '(.*)'$/m);
  const price = () => fetch(new URL(path, url), { method: "POST", body });
  assert.equal((await (await price()).json()).grandTotal, 522);
  const before = untracked();

  const id = await type(walk, folder);

  assert.equal(untracked(), before, "git ignores what the commands make");
  const response = await price();
  assert.equal(response.headers.get("x-order-cost-data"), id);
  assert.equal((await response.json()).grandTotal, 160);
});

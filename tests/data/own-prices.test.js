// One's own prices as the tutorial has a newcomer type them, but beside a running service with the seed in use.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../folder.js";
import { blocksOf } from "../package/snippets.js";
import { copyCommands } from "./copied-commands.js";
import { startDev } from "./dev.js";
import { typist } from "./typed.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const blocks = blocksOf(join(ROOT, "www/docs/tutorials/service.md")).filter(({ language }) => language === "sh");
const [making, ordering, publishing] = ["npm run data -- build", "curl", "npm run dev"].map(
  (part) => blocks.find(({ code }) => code.includes(part)).code,
);

test("the commands of the tutorial: the running service prices the next order with the new version", async (context) => {
  const { worker, untracked, stores } = await copyCommands(context);
  const seed = temporaryFolder(context);
  for (const [script, ...words] of [
    ["worker/seed/generate.mjs", "--data", seed],
    ["xtask/shop/seed.mjs", seed, stores],
  ]) {
    execFileSync(process.execPath, [join(ROOT, script), ...words]);
  }
  const url = await startDev(context, stores);
  const [, path, body] = ordering.match(/http:\/\/127\.0\.0\.1:8787(\S+) -d '(.*?)'/);
  const price = async () => {
    const response = await fetch(new URL(path, url), { method: "POST", body });
    return { id: response.headers.get("x-order-cost-data"), total: (await response.json()).grandTotal };
  };
  const { inBash, type } = await typist(context, worker);
  const seeded = await price();
  assert.equal(seeded.total, 492);
  const before = untracked();

  const [id] = (await inBash(making)).stdout.match(/^[0-9a-f]{16}$/m);
  const [push, activate] = publishing.replace("<id>", id).split("\n");
  await type(push);
  await assert.rejects(type(activate), "without the seed's products");
  assert.deepEqual(await price(), seeded);
  await type(`${activate} --force`);

  assert.equal(untracked(), before, "git ignores what the commands make");
  assert.deepEqual(await price(), { id, total: 130 });
  await type("npm run data -- rollback");
  assert.deepEqual(await price(), seeded);
});

// Who a command says that it is, and what of a note it takes.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { actor, plain } from "../../worker/data/versions/actor.js";
import { temporaryFolder } from "../folder.js";

/** An environment in which git has no user, or the user of these settings. */
async function environment(context, settings = "") {
  const config = join(temporaryFolder(context), "gitconfig");
  await writeFile(config, settings);
  return { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: "1", GIT_DIR: "/nowhere" };
}

test("ORDER_COST_ACTOR, else git's user, else the machine's", async (context) => {
  const ann = await environment(context, "[user]\n\tname = Ann\n\temail = ann@shop.example\n");
  assert.equal(await actor({ ...ann, ORDER_COST_ACTOR: "the nightly job" }), "the nightly job");
  assert.equal(await actor({ ...ann, ORDER_COST_ACTOR: " " }), "Ann <ann@shop.example>");
  assert.equal(await actor(await environment(context, "[user]\n\tname = Ann\n")), "Ann");
  assert.match(await actor(await environment(context)), /^\S+@\S+$/);
  assert.match(await actor({ ...ann, PATH: "/nowhere" }), /^\S+@\S+$/, "there is no git");
});

test("notes are one line without control characters, of at most 500 characters", () => {
  assert.equal(plain(" new\r\n\tprices \u001b[31m\u202e\u0000 "), "new prices  [31m");
  assert.equal(plain("ราคาใหม่ 🍚"), "ราคาใหม่ 🍚");
  assert.equal(plain("🍚".repeat(600)), "🍚".repeat(500));
});

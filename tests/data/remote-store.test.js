// The store of an account: the real wrangler against a stand-in for Cloudflare's API.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { activate, rollback } from "../../worker/data/activate.js";
import { Fault } from "../../worker/data/fault.js";
import { gc } from "../../worker/data/gc.js";
import { push } from "../../worker/data/push.js";
import { openStore } from "../../worker/data/store.js";
import { cases } from "../effort.js";
import { startPush } from "./child.js";
import { CONFIG, startCloudflare } from "./cloudflare.js";
import { SILENT } from "./memory-store.js";
import { largeVersion, smallVersion, temporaryFolder, writeVersion } from "./versions.js";

let cloudflare;
let savedEnv;

before(async () => {
  cloudflare = await startCloudflare();
  savedEnv = { ...process.env };
});

beforeEach(() => {
  Object.assign(process.env, cloudflare.env);
  cloudflare.keys = new Map();
  cloudflare.trouble = () => undefined;
  forget();
});

after(() => {
  process.env = savedEnv;
  return cloudflare?.stop();
});

function forget() {
  cloudflare.calls.length = 0;
  cloudflare.writes.length = 0;
}

async function optionsFor(context, more = {}) {
  const config = join(await temporaryFolder(context), "wrangler.jsonc");
  await writeFile(config, CONFIG);
  return { remote: true, env: "staging", config, pauses: [1], ...more };
}

const open = async (context, more) => openStore(await optionsFor(context, more));

async function assertFault(promise, message) {
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof Fault, String(error.stack));
    assert.match(error.message, message);
    assert.ok(!error.message.includes("\n"), "one line");
    return true;
  });
}

const published = async ({ manifest, texts }) => {
  for (const [key, text] of texts) cloudflare.keys.set(key, text);
  cloudflare.keys.set(`version:${manifest.id}`, JSON.stringify({ ...manifest, pushedAt: manifest.builtAt }));
};
const current = () => JSON.parse(cloudflare.keys.get("current") ?? "null");

test("what is put can be read, listed and deleted", async (context) => {
  const store = await open(context);
  await store.put([
    { key: "a:1", value: 'น้ำปลา "1"\nRESPONSE: {}\n-- END CF API RESPONSE\n' },
    { key: "b", value: "3" },
  ]);
  assert.deepEqual(
    await store.get(["a:1", "c"]),
    new Map([
      ["a:1", 'น้ำปลา "1"\nRESPONSE: {}\n-- END CF API RESPONSE\n'],
      ["c", null],
    ]),
  );
  assert.deepEqual(await store.list("a:"), ["a:1"]);
  assert.deepEqual(await store.list(""), ["a:1", "b"]);
  await store.delete(["a:1"]);
  assert.deepEqual(await store.list(""), ["b"]);
  assert.deepEqual(cloudflare.calls, ["PUT bulk", "POST bulk/get", "GET keys", "GET keys", "DELETE bulk", "GET keys"]);
});

test("more keys than one call takes", async (context) => {
  const store = await open(context);
  const keys = Array.from({ length: 1100 }, (_, index) => `shard:${String(index).padStart(4, "0")}`);
  await store.put(keys.map((key) => ({ key, value: key })));
  assert.deepEqual(cloudflare.writes, [1000, 100]);
  assert.deepEqual(await store.list("shard:"), keys, "two pages");
  const some = keys.slice(0, 120);
  assert.deepEqual(await store.get(some), new Map(some.map((key) => [key, key])));
});

test("without CLOUDFLARE_ACCOUNT_ID wrangler asks for the account, and the answer is still found", async (context) => {
  delete process.env.CLOUDFLARE_ACCOUNT_ID;
  cloudflare.keys.set("b", "3");
  const store = await open(context);
  assert.deepEqual(await store.get(["b"]), new Map([["b", "3"]]));
  assert.deepEqual(cloudflare.calls, ["GET /memberships", "POST bulk/get"]);
});

test("429 is tried again, and then said", async (context) => {
  const store = await open(context);
  cloudflare.trouble = (_, number) => (number === 1 ? 429 : undefined);
  await store.put([{ key: "current", value: "1" }]);
  assert.equal(cloudflare.calls.length, 2);
  cloudflare.trouble = () => 429;
  forget();
  const message =
    "cannot write current in CATALOGUE of staging: Cloudflare answered 429: service unavailable (code 10001)";
  await assertFault(store.put([{ key: "current", value: "2" }]), new RegExp(`^${message.replace(/[()]/g, "\\$&")}$`));
  assert.equal(cloudflare.calls.length, 2);
  assert.equal(cloudflare.keys.get("current"), "1");
});

test("a bulk write that Cloudflare takes in part is tried again, though wrangler calls it a success", async (context) => {
  const store = await open(context);
  const entries = ["a", "b"].map((key) => ({ key, value: key }));
  cloudflare.trouble = (_, number) => (number === 1 ? { leftOut: ["b"] } : undefined);
  await store.put(entries);
  assert.deepEqual([...cloudflare.keys.keys()], ["a", "b"]);
  cloudflare.trouble = () => ({ leftOut: ["b"] });
  await assertFault(store.put(entries), /^cannot write 2 keys in CATALOGUE of staging: Cloudflare left out b$/);
});

test("other failures are said at once: what, where and why", async (context) => {
  const store = await open(context);
  cloudflare.trouble = () => 500;
  await assertFault(
    store.list("shard:"),
    /^cannot list the keys that begin with shard: in CATALOGUE of staging: Cloudflare answered 500: service unavailable/,
  );
  cloudflare.trouble = () => "break";
  await assertFault(
    store.delete(["a", "b"]),
    /^cannot delete 2 keys in CATALOGUE of staging: Cloudflare's API cannot be reached$/,
  );
  assert.equal(cloudflare.calls.length, 2);
  cloudflare.trouble = () => undefined;
  process.env.CLOUDFLARE_API_TOKEN = "wrong";
  await assertFault(
    store.get(["a"]),
    /^cannot read a in CATALOGUE of staging: Cloudflare answered 403: Authentication error \(code 10000\)$/,
  );
  delete process.env.CLOUDFLARE_API_TOKEN;
  await assertFault(store.get(["a"]), /CLOUDFLARE_API_TOKEN/);
});

test("wrangler.jsonc: no such environment, no namespace, a placeholder, no file", async (context) => {
  const refused = async (more, message) => assertFault(open(context, more), message);
  await refused({ env: undefined }, /^--remote needs --env NAME/);
  await refused({ env: "test" }, /^wrangler\.jsonc has no environment "test": expected staging or unprepared or bare$/);
  await refused({ env: "bare" }, /^wrangler\.jsonc, env\.bare has no id for the binding CATALOGUE/);
  await refused(
    { env: "unprepared" },
    /^wrangler\.jsonc, env\.unprepared: CATALOGUE still has the placeholder "<id of the namespace>": expected the id that/,
  );
  await refused({ config: "/nowhere/wrangler.jsonc" }, /^cannot read \/nowhere\/wrangler\.jsonc/);
  const own = fileURLToPath(new URL("../../worker/wrangler.jsonc", import.meta.url));
  await refused(
    { config: own, env: "production" },
    /^wrangler\.jsonc, env\.production: CATALOGUE still has the placeholder/,
  );
});

test("a push that is killed while it uploads: the next one uploads only the rest", async (context) => {
  const version = await largeVersion(20);
  const folder = await writeVersion(context, version);
  await published(await smallVersion(1));
  const options = await optionsFor(context);
  const child = startPush(options, folder, cloudflare.env);
  // pushing:, then the first batch; the second is never answered.
  const second = new Promise((reached) => {
    cloudflare.trouble = (call) => {
      if (call !== "PUT bulk" || cloudflare.writes.length < 2) return undefined;
      reached();
      return new Promise(() => {});
    };
  });
  await second;
  await child.kill();
  cloudflare.trouble = () => undefined;
  assert.ok(cloudflare.keys.has(`pushing:${version.manifest.id}`));
  assert.ok(!cloudflare.keys.has(`version:${version.manifest.id}`));
  const there = [...version.texts.keys()].filter((key) => cloudflare.keys.has(key)).length;
  assert.ok(there > 0 && there < 20, `${there}`);
  const { uploaded } = await push(await openStore(options), folder, SILENT);
  assert.equal(uploaded, 20 - there);
  assertPublished(version);
});

function assertPublished({ manifest, texts }) {
  for (const [key, text] of texts) assert.ok(cloudflare.keys.get(key) === text, key);
  assert.ok(cloudflare.keys.has(`version:${manifest.id}`));
  assert.ok(!cloudflare.keys.has(`pushing:${manifest.id}`));
}

// ---------------------------------------------------------------- one failure after another

const TROUBLES = [500, "break", "lost"];
/** A change lets the first calls of each command fail, the night all of them: wrangler takes a second each. */
const FAILING = cases(2);

/**
 * Runs a command until it succeeds. Its first call fails in the first run, its second one in the second, and so on; each
 * in a way of its own. The tests of each command let every call fail alone.
 */
async function failOneAfterAnother(act, check) {
  for (let failing = 1; ; failing += 1) {
    forget();
    cloudflare.trouble = (_, number) => (number === failing && failing <= FAILING ? TROUBLES[failing % 3] : undefined);
    const failure = await act().then(
      () => undefined,
      (error) => error,
    );
    cloudflare.trouble = () => undefined;
    if (!failure) return failing - 1;
    await assertFault(
      Promise.reject(failure),
      /^cannot (read|write|list|delete) .* in CATALOGUE of staging: Cloudflare|^gc deleted nothing/,
    );
    check(`call ${failing}: ${cloudflare.calls[failing - 1]}`);
  }
}

test(`push, activate and gc, with a failure at each of the first ${FAILING} calls; rollback`, async (context) => {
  const store = await open(context);
  const used = await smallVersion(1);
  const version = await smallVersion(2, { zones: "{}" });
  await published(used);
  await activate(store, used.manifest.id);
  const before = cloudflare.keys.get("current");
  const folder = await writeVersion(context, version);

  const untouched = (what) => {
    assert.equal(cloudflare.keys.get("current"), before, what);
    assertPublished(used);
  };
  assert.ok((await failOneAfterAnother(() => push(store, folder, SILENT), untouched)) >= Math.min(4, FAILING));
  assertPublished(version);
  untouched("pushed");

  const both = [used.manifest.id, version.manifest.id];
  const oneOfBoth = (what) => assert.ok(both.includes(current().id), what);
  assert.ok((await failOneAfterAnother(() => activate(store, both[1]), oneOfBoth)) >= Math.min(3, FAILING));
  assert.equal(current().id, both[1]);
  assert.equal(current().predecessors.length, 1);

  assert.equal((await rollback(store)).id, both[0]);
  assert.equal(current().predecessors[0].rolledBack, true);

  cloudflare.keys.set("current", JSON.stringify({ ...current(), predecessors: [] }));
  const usedOnly = (what) => {
    assert.equal(current().id, both[0], what);
    assertPublished(used);
  };
  assert.ok((await failOneAfterAnother(() => gc(store, { keep: 0 }), usedOnly)) >= Math.min(5, FAILING));
  usedOnly("collected");
  const left = [...used.texts.keys(), "current", `version:${both[0]}`];
  assert.deepEqual([...cloudflare.keys.keys()].sort(), left.sort());
});

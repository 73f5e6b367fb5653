// The store of an account, on a stand-in for Cloudflare's API.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Fault } from "../../worker/command-line/fault.js";
import { Pace } from "../../worker/command-line/pace.js";
import { Cloudflare } from "../../worker/data/store/cloudflare-api.js";
import { push } from "../../worker/data/store/push.js";
import { openStore } from "../../worker/data/store/store.js";
import { activate, rollback } from "../../worker/data/versions/activate.js";
import { gc } from "../../worker/data/versions/gc.js";
import { manifestTexts } from "../../worker/data/versions/version.js";
import { allAtNight } from "../effort.js";
import { temporaryFolder } from "../folder.js";
import { startPush } from "./child.js";
import { Clock, CONFIG, startCloudflare } from "./cloudflare.js";
import { keysIn, SILENT } from "./memory-store.js";
import { largeVersion, smallVersion, writeVersion } from "./versions.js";

let cloudflare;
let clock;

before(async () => (cloudflare = await startCloudflare()));

beforeEach(() => {
  clock = new Clock();
  cloudflare.now = clock.now;
  cloudflare.keys = new Map();
  cloudflare.trouble = () => undefined;
  cloudflare.forget();
});

after(() => cloudflare?.stop());

async function optionsFor(context, more = {}) {
  const config = join(temporaryFolder(context), "wrangler.jsonc");
  await writeFile(config, CONFIG);
  return { remote: true, env: "staging", config, ...more };
}

const client = (environment = cloudflare.env) => new Cloudflare({ environment, pace: new Pace(clock) });

const open = async (context, more) => openStore(await optionsFor(context, { cloudflare: client(), ...more }));

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
    { key: "a:1", value: 'น้ำปลา "1"\n' },
    { key: "b", value: "3" },
  ]);
  assert.deepEqual(
    await store.get(["a:1", "c"]),
    new Map([
      ["a:1", 'น้ำปลา "1"\n'],
      ["c", null],
    ]),
  );
  assert.deepEqual(await keysIn(store, "a:"), ["a:1"]);
  assert.deepEqual(await keysIn(store), ["a:1", "b"]);
  await store.delete(["a:1"]);
  assert.deepEqual(await keysIn(store), ["b"]);
  assert.deepEqual(cloudflare.calls, ["PUT bulk", "POST bulk/get", "GET keys", "GET keys", "POST bulk/delete", "GET keys"]);
});

test("as few calls as Cloudflare's limits allow", async (context) => {
  const store = await open(context);
  const keys = Array.from({ length: 10_100 }, (_, index) => `shard:${String(index).padStart(5, "0")}`);
  await store.put(keys.map((key) => ({ key, value: key })));
  assert.deepEqual(cloudflare.writes, [10_000, 100]);
  cloudflare.forget();
  assert.deepEqual(await keysIn(store, "shard:"), keys);
  assert.equal(cloudflare.calls.length, 11);
  const pages = [];
  for await (const page of store.listPages("shard:0")) pages.push(page.length);
  assert.deepEqual(pages, Array(10).fill(1000));
  cloudflare.forget();
  const some = keys.slice(0, 200);
  assert.deepEqual(await store.get(some), new Map(some.map((key) => [key, key])));
  assert.deepEqual([cloudflare.calls.length, cloudflare.counts.keys], [2, 200]);
  cloudflare.forget();
  await store.delete(keys);
  assert.deepEqual([cloudflare.calls.length, cloudflare.keys.size], [2, 0]);
});

test("a batch of 12 MB is within Cloudflare's limit, though JSON doubles it", async (context) => {
  const store = await open(context);
  const entries = Array.from({ length: allAtNight(14, 30) }, (_, index) => ({ key: `${index}`, value: '"'.repeat(1e6) }));
  await store.put(entries);
  assert.deepEqual(cloudflare.writes, allAtNight([12, 2], [12, 12, 6]));
  assert.ok(cloudflare.counts.bytes > 2e6 * entries.length, `${cloudflare.counts.bytes}`);
});

test("what is too large to be answered at once is read in halves", async (context) => {
  const store = await open(context);
  const keys = Array.from({ length: 100 }, (_, index) => `version:${index}`);
  for (const key of keys) cloudflare.keys.set(key, key.padEnd(2 ** 18 + 1));
  const found = await store.get(keys);
  assert.ok(keys.every((key) => found.get(key) === cloudflare.keys.get(key)));
  assert.equal(cloudflare.calls.length, 3);
});

test("a text alone that is too large is said", async (context) => {
  const store = await open(context);
  cloudflare.keys.set("zones:1", " ".repeat(25e6 + 1));
  const said = "Cloudflare answered 413: Total size of request exceeds the limit of 25MB \\(code 10000\\)";
  await assertFault(store.get(["zones:1", "current"]), new RegExp(`^cannot read 2 keys in CATALOGUE of staging: ${said}$`));
});

test("the largest manifests are read without a refusal", async (context) => {
  const store = await open(context);
  const keys = Array.from({ length: 120 }, (_, index) => `version:${index}`);
  for (const key of keys) cloudflare.keys.set(key, "x".repeat(2 ** 18));
  const read = [];
  for await (const [key] of manifestTexts(store, keys)) read.push(key);
  assert.deepEqual(read, keys);
  assert.deepEqual(cloudflare.calls, Array(3).fill("POST bulk/get"));
});

test("many texts take as long as Cloudflare's limit asks, and no call is refused", async (context) => {
  const store = await open(context);
  const waits = allAtNight(1, 2);
  const calls = 1250 * waits;
  for (let asked = 0; asked < calls; asked += 1) await store.get([`${asked}`]);
  assert.equal(cloudflare.calls.length, calls);
  assert.deepEqual(clock.lines, Array(waits).fill("Cloudflare's limit: waiting 300 s"));
});

test("429 is tried again, and then said", async (context) => {
  const store = await open(context);
  cloudflare.trouble = (_, number) => (number === 1 ? 429 : undefined);
  await store.put([{ key: "current", value: "1" }]);
  assert.equal(cloudflare.calls.length, 2);
  cloudflare.trouble = () => 429;
  cloudflare.forget();
  const message = "cannot write current in CATALOGUE of staging: Cloudflare answered 429: service unavailable (code 10001)";
  await assertFault(store.put([{ key: "current", value: "2" }]), new RegExp(`^${message.replace(/[()]/g, "\\$&")}$`));
  assert.equal(cloudflare.calls.length, 5);
  assert.equal(cloudflare.keys.get("current"), "1");
});

test("a bulk write that Cloudflare takes in part: only what it left out is sent again", async (context) => {
  const store = await open(context);
  const entries = ["a", "b"].map((key) => ({ key, value: key }));
  cloudflare.trouble = (_, number) => (number === 1 ? { leftOut: ["b"] } : undefined);
  await store.put(entries);
  assert.deepEqual([...cloudflare.keys.keys()], ["a", "b"]);
  assert.deepEqual(cloudflare.writes, [2, 1]);
  cloudflare.trouble = () => ({ leftOut: ["b"] });
  await assertFault(store.put(entries), /^cannot write 2 keys in CATALOGUE of staging: Cloudflare left out b$/);
  cloudflare.forget();
  cloudflare.trouble = (_, number) => (number === 1 ? { leftOut: ["a"] } : undefined);
  await store.delete(["a", "b"]);
  assert.deepEqual([cloudflare.keys.size, cloudflare.calls.length], [0, 2]);
});

test("failures are said: what, where and why", async (context) => {
  const store = await open(context);
  cloudflare.trouble = () => 500;
  await assertFault(
    keysIn(store, "shard:"),
    /^cannot list the keys that begin with shard: in CATALOGUE of staging: Cloudflare answered 500: service unavailable/,
  );
  cloudflare.trouble = () => "break";
  await assertFault(
    store.delete(["a", "b"]),
    /^cannot delete 2 keys in CATALOGUE of staging: Cloudflare's API cannot be reached \(UND_ERR_SOCKET\)$/,
  );
  cloudflare.trouble = () => undefined;
  const wrong = await open(context, { cloudflare: client({ ...cloudflare.env, CLOUDFLARE_API_TOKEN: "wrong" }) });
  await assertFault(
    wrong.get(["a"]),
    /^cannot read a in CATALOGUE of staging: Cloudflare answered 403: Authentication error \(code 10000\)$/,
  );
  const anonymous = await open(context, { cloudflare: client({ ...cloudflare.env, CLOUDFLARE_API_TOKEN: undefined }) });
  await assertFault(anonymous.get(["a"]), /^cannot read a in CATALOGUE of staging: not logged in: set CLOUDFLARE_API_TOKEN/);
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
  await refused({ config: own, env: "production" }, /^wrangler\.jsonc, env\.production: CATALOGUE still has the placeholder/);
});

test("a push that is killed while it uploads: the next one uploads only the rest", async (context) => {
  const version = await largeVersion(14);
  const folder = await writeVersion(context, version);
  await published(await smallVersion(1));
  const options = await optionsFor(context);
  const child = startPush(options, folder, cloudflare.env);
  // pushing:, the first batch and a note of it; the second batch is never answered.
  const second = new Promise((reached) => {
    cloudflare.trouble = (call) => {
      if (call !== "PUT bulk" || cloudflare.writes.length < 3) return undefined;
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
  assert.ok(there > 0 && there < version.texts.size, `${there}`);
  const { uploaded } = await push(await openStore({ ...options, cloudflare: client() }), folder, SILENT);
  assert.equal(uploaded, version.texts.size - there);
  assertPublished(version);
});

function assertPublished({ manifest, texts }) {
  for (const [key, text] of texts) assert.ok(cloudflare.keys.get(key) === text, key);
  assert.ok(cloudflare.keys.has(`version:${manifest.id}`));
  assert.ok(!cloudflare.keys.has(`pushing:${manifest.id}`));
}

// ---------------------------------------------------------------- one failure after another

const TROUBLES = [500, "break", "lost"];

/**
 * Runs a command until it succeeds. In the first run its first call fails, and each try of it; in the second run the
 * second; and so on, each in a way of its own. The tests of each command let every call fail alone.
 */
async function failOneAfterAnother(act, check) {
  for (let failing = 1; ; failing += 1) {
    cloudflare.forget();
    cloudflare.trouble = (_, number) => (number >= failing ? TROUBLES[failing % 3] : undefined);
    const failure = await act().then(
      () => undefined,
      (error) => error,
    );
    cloudflare.trouble = () => undefined;
    if (!failure) return failing - 1;
    await assertFault(Promise.reject(failure), /^cannot (read|write|list|delete) .* in CATALOGUE of staging: Cloudflare/);
    check(`call ${failing}: ${cloudflare.calls[failing - 1]}`);
  }
}

test("push, activate and gc, with a failure at each of their calls; rollback", async (context) => {
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
  assert.ok((await failOneAfterAnother(() => push(store, folder, SILENT), untouched)) >= 4);
  assertPublished(version);
  untouched("pushed");

  const both = [used.manifest.id, version.manifest.id];
  const oneOfBoth = (what) => assert.ok(both.includes(current().id), what);
  assert.ok((await failOneAfterAnother(() => activate(store, both[1]), oneOfBoth)) >= 3);
  assert.equal(current().id, both[1]);
  assert.equal(current().predecessors.length, 1);

  assert.equal((await rollback(store)).id, both[0]);
  assert.equal(current().predecessors[0].rolledBack, true);

  // As if it had been in use for days.
  cloudflare.keys.set("current", JSON.stringify({ ...current(), predecessors: [], history: undefined }));
  const usedOnly = (what) => {
    assert.equal(current().id, both[0], what);
    assertPublished(used);
  };
  assert.ok((await failOneAfterAnother(() => gc(store, { keep: 0 }), usedOnly)) >= 5);
  usedOnly("collected");
  const left = [...used.texts.keys(), "current", `version:${both[0]}`];
  const found = [...cloudflare.keys.keys()].filter((key) => !key.startsWith("history:"));
  assert.deepEqual(found.sort(), left.sort());
});

// What `status` says, and its history.
import assert from "node:assert/strict";
import { test } from "node:test";
import { activate, cancel, rollback } from "../../worker/data/versions/activate.js";
import { history, status } from "../../worker/data/versions/status.js";
import { MemoryStore } from "./memory-store.js";
import { makeVersion, smallVersion } from "./versions.js";

const time = (hour, minute = 0) => new Date(Date.UTC(2026, 10, 23, hour, minute));
const at =
  (...moment) =>
  () =>
    time(...moment);
const put = (store, key, value) => store.keys.set(key, JSON.stringify(value));
const HINT = ["", 'Versions that were never activated, and pushes under way: "gc --keep 5 --dry-run".'];

function publish(store, { manifest, texts }, more) {
  for (const [key, text] of texts) store.keys.set(key, text);
  put(store, `version:${manifest.id}`, { ...manifest, pushedAt: "2026-11-23T08:00:00.000Z", ...more });
  return manifest.id;
}

async function storeWith(count) {
  const store = new MemoryStore();
  const ids = [];
  for (let price = 1; price <= count; price += 1) ids.push(publish(store, await smallVersion(price)));
  return { store, ids };
}

async function linesOf(store, now) {
  const lines = [];
  for await (const line of history(store, now)) lines.push(line);
  return lines;
}

test("an empty store", async () => {
  assert.deepEqual(await status(new MemoryStore()), [
    "No version is in use: build, push and activate one. If one was in use, current is lost: activate that one.",
    ...HINT,
  ]);
  assert.deepEqual(await linesOf(new MemoryStore()), ["No history yet: the next activate or rollback begins it."]);
});

test("in use, planned, before, and published (the latest first), with person and reason", async () => {
  const store = new MemoryStore();
  const codes = Array.from({ length: 100_000 }, (_, index) => index);
  const large = await makeVersion({ branches: { 1000: [codes] }, zones: "{}" });
  const used = publish(store, large, { pushedAt: "2026-11-23T09:00:00.000Z", pushedBy: "Bob\u001b[2J", note: "weekly" });
  const old = publish(store, await smallVersion(1));
  const left = publish(store, await smallVersion(2), { pushedAt: "2026-11-23T08:30:00.000Z" });
  const planned = publish(store, await smallVersion(3), { pushedAt: "2026-11-23T09:30:00.000Z" });
  publish(store, await smallVersion(4)); // never activated
  await activate(store, old, {}, at(8, 30));
  await activate(store, left, {}, at(9));
  await rollback(store, {}, at(9, 30));
  await activate(store, used, { by: "Ann <ann@shop.example>", note: "new prices" }, at(10));
  await activate(store, planned, { by: "Ann", at: "2026-12-01T17:00:00.000Z" }, at(11));
  store.calls.length = 0;
  const content = `100,000 records, 1 branch, zones ${large.manifest.zones.slice(0, 8)}`;
  assert.deepEqual(await status(store, time(12)), [
    `In use: ${used} since 2026-11-23 10:00:00 UTC: ${content}`,
    "  by Ann <ann@shop.example>: new prices",
    `Planned: ${planned} from 2026-12-01 17:00:00 UTC`,
    "  by Ann",
    "",
    "Before:",
    `  ${old} from 2026-11-23 09:30:00 UTC to 2026-11-23 10:00:00 UTC`,
    `  ${left} from 2026-11-23 09:00:00 UTC to 2026-11-23 09:30:00 UTC, rolled back`,
    "",
    "Published:",
    `  ${planned} pushed 2026-11-23 09:30:00 UTC: 4 records, 2 branches, no zones`,
    `  ${used} pushed 2026-11-23 09:00:00 UTC: ${content}, in use`,
    "    by Bob [2J: weekly",
    `  ${left} pushed 2026-11-23 08:30:00 UTC: 4 records, 2 branches, no zones`,
    `  ${old} pushed 2026-11-23 08:00:00 UTC: 4 records, 2 branches, no zones`,
    ...HINT,
  ]);
  assert.ok(store.calls.every((call) => /^get (current|history:|version:)/.test(call)));
});

test("a plan whose time has come is in use since then", async () => {
  const { store, ids } = await storeWith(2);
  await activate(store, ids[0], {}, at(8));
  await activate(store, ids[1], { by: "Ann", at: time(10).toISOString() }, at(9));
  assert.match((await status(store, time(9, 59)))[0], new RegExp(`^In use: ${ids[0]} since`));
  const lines = await status(store, time(10));
  assert.match(lines[0], new RegExp(`^In use: ${ids[1]} since 2026-11-23 10:00:00 UTC`));
  assert.equal(lines[1], "  by Ann");
  assert.ok(lines.includes(`  ${ids[0]} from 2026-11-23 08:00:00 UTC to 2026-11-23 10:00:00 UTC`));
  store.keys.delete(`version:${ids[1]}`);
  const [refusal, used] = await status(store, time(10));
  assert.match(refusal, /is not published: push it again/);
  assert.match(used, new RegExp(`^In use: ${ids[0]} since`), "the Worker stays with it");
});

test("what another format wrote is named, and does no harm", async () => {
  const { store, ids } = await storeWith(2);
  await activate(store, ids[0], {}, at(8));
  await activate(store, ids[1], {}, at(9));
  put(store, `version:${ids[0]}`, { format: 3 });
  store.keys.set(`version:${ids[1]}`, "no JSON");
  const lines = await status(store);
  assert.ok(
    lines.includes(`  version:${ids[0]} is refused: expected format 1 or 2, got 3; use the version of these commands that wrote it`),
  );
  assert.ok(lines.includes(`  version:${ids[1]} is refused: expected JSON; push the folder of that version again, or delete the key`));
  put(store, "current", { format: 3 });
  assert.deepEqual(await status(store), [
    "current is refused: expected format 1 or 2, got 3; use the version of these commands that wrote it",
    ...HINT,
  ]);
});

test("a current that was spoilt: what its history names is shown", async () => {
  const { store, ids } = await storeWith(1);
  await activate(store, ids[0], {}, at(8));
  put(store, "current", { ...store.read("current"), zones: "0".repeat(32) });
  const lines = await status(store);
  assert.match(lines[0], /^current is refused: id: expected/);
  assert.ok(lines.includes(`  ${ids[0]} pushed 2026-11-23 08:00:00 UTC: 4 records, 2 branches, no zones`));
  assert.match((await linesOf(store)).join("\n"), new RegExp(`${ids[0]} activated`));
});

test("the history, the newest first: who, when, what and why", async () => {
  const { store, ids } = await storeWith(3);
  const [a, b, c] = ids;
  const by = "Ann <ann@shop.example>";
  const plan = (hour) => ({ by, at: time(hour).toISOString() });
  await activate(store, a, { by }, at(1));
  await activate(store, b, { by, note: "new prices" }, at(2));
  await rollback(store, { by: "Bob", note: "rice is free" }, at(3));
  await activate(store, b, plan(8), at(4));
  await cancel(store, { by }, at(5));
  await activate(store, b, plan(8), at(6));
  await activate(store, c, plan(9), at(7));
  await activate(store, b, plan(20), at(10));
  const expected = [
    `2026-11-23 10:00:00 UTC  ${b} planned for 2026-11-23 20:00:00 UTC`,
    `  by ${by}`,
    "",
    `2026-11-23 07:00:00 UTC  ${c} planned: in use since 2026-11-23 09:00:00 UTC, in place of ${a}`,
    `  by ${by}`,
    "",
    `2026-11-23 06:00:00 UTC  ${b} planned for 2026-11-23 08:00:00 UTC: it did not come to that`,
    `  by ${by}`,
    "",
    `2026-11-23 05:00:00 UTC  the plan of ${b} taken back`,
    `  by ${by}`,
    "",
    `2026-11-23 04:00:00 UTC  ${b} planned for 2026-11-23 08:00:00 UTC: it did not come to that`,
    `  by ${by}`,
    "",
    `2026-11-23 03:00:00 UTC  back to ${a}, from ${b}`,
    "  by Bob: rice is free",
    "",
    `2026-11-23 02:00:00 UTC  ${b} activated, in place of ${a}`,
    `  by ${by}: new prices`,
    "",
    `2026-11-23 01:00:00 UTC  ${a} activated`,
    `  by ${by}`,
  ];
  assert.deepEqual(await linesOf(store, time(11)), expected);
  const [due] = await linesOf(store, time(20));
  assert.equal(due, `2026-11-23 10:00:00 UTC  ${b} planned: in use since 2026-11-23 20:00:00 UTC, in place of ${c}`);
});

test("a broken link is said, and what is newer is shown", async () => {
  const { store, ids } = await storeWith(3);
  for (const [hour, id] of ids.entries()) await activate(store, id, {}, at(hour));
  const { previous } = store.read(`history:${store.read("current").history}`);
  const key = `history:${previous}`;
  for (const [spoil, damage] of [
    [() => store.keys.delete(key), "missing"],
    [() => store.keys.set(key, "{}"), "altered"],
  ]) {
    spoil();
    const lines = await linesOf(store, time(9));
    assert.match(lines[0], new RegExp(`${ids[2]} activated`));
    assert.deepEqual(lines.slice(-2), ["", `${key} is ${damage}: nobody knows what was before`]);
  }
  const { history: newest } = store.read("current");
  store.keys.delete(`history:${newest}`);
  assert.deepEqual(await linesOf(store), [`history:${newest} is missing: nobody knows what was before`]);
});

test("the newest 100, and whether there are more", async () => {
  const { store, ids } = await storeWith(2);
  const switchTimes = async (from, to) => {
    for (let minute = from; minute < to; minute += 1) await activate(store, ids[minute % 2], {}, at(0, minute));
  };
  await switchTimes(0, 100);
  assert.equal((await linesOf(store)).at(-1), "  by unknown");
  await switchTimes(100, 101);
  const lines = await linesOf(store);
  assert.equal(lines.filter((line) => line.startsWith("2026")).length, 100);
  assert.equal(lines.at(-1), "These are the newest 100; there are older ones.");
});

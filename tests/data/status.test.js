// What `status` says.
import assert from "node:assert/strict";
import { test } from "node:test";
import { status } from "../../worker/data/status.js";
import { MemoryStore } from "./memory-store.js";
import { makeVersion, smallVersion } from "./versions.js";

const ROLLED_BACK = "0123456789abcdef";

const put = (store, key, value) => store.keys.set(key, JSON.stringify(value));

test("an empty store", async () => {
  assert.deepEqual(await status(new MemoryStore()), ["No version yet: build, push and activate one."]);
});

test("published, and nothing in use", async () => {
  const store = new MemoryStore();
  const { manifest } = await smallVersion(1);
  put(store, `version:${manifest.id}`, { ...manifest, pushedAt: "2026-11-23T09:00:00.000Z" });
  assert.deepEqual(await status(store), [
    "No version is in use yet: activate one of those published.",
    "",
    "Published:",
    `  ${manifest.id} pushed 2026-11-23 09:00:00 UTC: 4 records, 2 branches, no zones`,
  ]);
});

test("in use, before, published (the latest first) and under way", async () => {
  const store = new MemoryStore();
  const codes = Array.from({ length: 100_000 }, (_, index) => index);
  const { manifest } = await makeVersion({ branches: { 1000: [codes] }, zones: "{}" });
  const { manifest: older } = await smallVersion(1);
  const { manifest: coming } = await smallVersion(2);
  put(store, "current", {
    ...manifest,
    activatedAt: "2026-11-23T10:00:00.000Z",
    predecessors: [
      { id: ROLLED_BACK, from: "2026-11-23T09:30:00.000Z", to: "2026-11-23T10:00:00.000Z", rolledBack: true },
      { id: older.id, from: "2026-11-23T08:30:00.000Z", to: "2026-11-23T09:30:00.000Z" },
    ],
  });
  put(store, `version:${older.id}`, { ...older, pushedAt: "2026-11-23T08:10:00.000Z" });
  put(store, `version:${manifest.id}`, { ...manifest, pushedAt: "2026-11-23T09:00:00.000Z" });
  put(store, `pushing:${coming.id}`, { ...coming, startedAt: "2026-11-23T11:00:00.000Z" });
  assert.deepEqual(await status(store), [
    `In use: ${manifest.id} since 2026-11-23 10:00:00 UTC: 100,000 records, 1 branch, zones ${manifest.zones.slice(0, 8)}`,
    "",
    "Before:",
    `  ${ROLLED_BACK} from 2026-11-23 09:30:00 UTC to 2026-11-23 10:00:00 UTC, rolled back`,
    `  ${older.id} from 2026-11-23 08:30:00 UTC to 2026-11-23 09:30:00 UTC`,
    "",
    "Published:",
    `  ${manifest.id} pushed 2026-11-23 09:00:00 UTC: 100,000 records, 1 branch, zones ${manifest.zones.slice(0, 8)}, in use`,
    `  ${older.id} pushed 2026-11-23 08:10:00 UTC: 4 records, 2 branches, no zones`,
    "",
    "Pushes under way:",
    `  ${coming.id} since 2026-11-23 11:00:00 UTC: 4 records, 2 branches, no zones`,
  ]);
});

test("what another format wrote is named, and does no harm", async () => {
  const store = new MemoryStore();
  put(store, "current", { format: 2 });
  store.keys.set("version:x", "no JSON");
  put(store, "pushing:y", { format: 3 });
  assert.deepEqual(await status(store), [
    "current is refused: expected format 1, got 2; use the version of these commands that wrote it",
    "",
    "Published:",
    "  version:x is refused: expected JSON; push the folder of that version again, or delete the key",
    "",
    "Pushes under way:",
    "  pushing:y is refused: expected format 1, got 3; use the version of these commands that wrote it",
  ]);
});

// Which manifests are read, and what is said of the others.
import assert from "node:assert/strict";
import { test } from "node:test";
import { historyIn, idOf, ManifestFault, readCurrent, readManifest } from "../../pkg/catalogue/manifest.js";

const HASH = "0123456789abcdef0123456789abcdef";
const ID = HASH.slice(16);
const TIME = "2026-11-23T08:30:00.000Z";
const BRANCH = { records: 1, layers: [HASH] };
const CONTENT = { onto: null, zones: HASH, zonesFrom: null, bases: { all: [HASH, HASH] }, branches: { 1000: BRANCH } };
const OLD_BRANCH = { records: 1, bytes: 12, shardCount: 2, shards: [HASH, ""] };
const OLD = { format: 1, bases: undefined, branches: { 1000: OLD_BRANCH } };

/** A manifest with the id of its content. */
async function signed(change = {}) {
  const manifest = { format: 2, id: ID, builtAt: TIME, ...CONTENT, ...change };
  return { ...manifest, id: "id" in change ? change.id : await idOf(manifest) };
}

const IN_USE = {
  activatedAt: TIME,
  predecessors: [
    { id: ID, from: TIME, to: TIME },
    { id: ID, from: TIME, to: TIME, rolledBack: true },
  ],
};
const read = (manifest) => readManifest(JSON.stringify(manifest));
const fault = (message) => (error) => {
  assert.ok(error instanceof ManifestFault, error.stack);
  assert.equal(error.message, message);
  return true;
};

test("an id that was made once stays the id of its content", async () => {
  assert.equal(await idOf({ ...CONTENT, ...OLD }), "a250678e1c25b77e");
  assert.equal(await idOf(CONTENT), "cd340dbb39fda43d");
});

for (const change of [
  {},
  { zones: null },
  { branches: {} },
  { onto: ID, zonesFrom: ID },
  { changes: [HASH] },
  { branches: { x: { records: 0, list: HASH }, y: { records: 1, layers: [], base: "all" } } },
  OLD,
  { ...OLD, branches: { x: { records: 0, bytes: 0, shardCount: 4, list: HASH } } },
  {
    branches: JSON.parse(
      `{"__proto__": ${JSON.stringify(BRANCH)}, "2": ${JSON.stringify(BRANCH)}, "ร้าน\\ud800": ${JSON.stringify(BRANCH)}}`,
    ),
  },
  { pushedAt: TIME, startedAt: TIME, later: "a field that a later version adds" },
]) {
  test(`read: ${JSON.stringify(change).slice(0, 60)}`, async () => {
    const manifest = await signed(change);
    const plain = JSON.parse(JSON.stringify(manifest));
    assert.deepEqual(await read(manifest), plain);
    const current = { ...plain, ...IN_USE, next: { id: ID, at: TIME }, history: HASH };
    assert.deepEqual(await readCurrent(JSON.stringify(current)), current);
  });
}

const HASHES = "a list of 2 hashes, or list in its place";
for (const [change, message] of [
  ...["", "a\nb", "ก", 5, null, HASH, "../../x", "0123456789ABCDEF"].map((id) => [{ id }, "id: expected 16 hexadecimal digits"]),
  ...["", "nothash", 5, undefined, [HASH], "x".repeat(600)].map((zones) => [{ zones }, "zones: expected 32 hexadecimal digits, or null"]),
  ...[[], null, "x", undefined].map((branches) => [{ branches }, "branches: expected an object"]),
  ...["", 5, "../../x", undefined, HASH].map((onto) => [{ onto }, "onto: expected 16 hexadecimal digits, or null"]),
  ...["", 5, undefined].map((zonesFrom) => [{ zonesFrom }, "zonesFrom: expected 16 hexadecimal digits, or null"]),
  ...["", 5, undefined, "2026-11-23", "2026-13-23T08:30:00.000Z"].map((builtAt) => [
    { builtAt },
    "builtAt: expected a time such as 2026-11-23T08:30:00.000Z",
  ]),
  [{ pushedAt: "now" }, "pushedAt: expected a time such as 2026-11-23T08:30:00.000Z"],
  ...[
    [null, ": expected an object"],
    [{}, ".records: expected a whole number"],
    [{ ...BRANCH, records: -1 }, ".records: expected a whole number"],
    [{ ...BRANCH, layers: undefined }, ".layers: expected a list of hashes, or list in its place"],
    [{ ...BRANCH, list: HASH }, ".layers: expected a list of hashes, or list in its place"],
    [{ ...BRANCH, layers: [1] }, ".layers: expected a list of hashes"],
    [{ ...BRANCH, layers: HASH }, ".layers: expected a list of hashes"],
    [{ ...BRANCH, base: 5 }, ".base: expected a name"],
    [{ ...BRANCH, base: "none" }, ".base: expected a name in bases"],
    [{ ...BRANCH, base: "constructor" }, ".base: expected a name in bases"],
    [{ records: 1, list: "nothash" }, ".list: expected 32 hexadecimal digits"],
  ].map(([branch, expected]) => [{ branches: { 1000: branch } }, `branches["1000"]${expected}`]),
  ...[
    [null, ": expected an object"],
    [{}, ".records: expected a whole number"],
    [{ ...OLD_BRANCH, records: -1 }, ".records: expected a whole number"],
    [{ ...OLD_BRANCH, bytes: 1.5 }, ".bytes: expected a whole number"],
    [{ ...OLD_BRANCH, shardCount: 0, shards: [] }, ".shardCount: expected a power of two"],
    [{ ...OLD_BRANCH, shardCount: 3, shards: ["", "", ""] }, ".shardCount: expected a power of two"],
    [{ ...OLD_BRANCH, shards: [HASH] }, `.shards: expected ${HASHES}`],
    [{ ...OLD_BRANCH, shards: [1, 2] }, `.shards: expected ${HASHES}`],
    [{ ...OLD_BRANCH, shards: [null, null] }, `.shards: expected ${HASHES}`],
    [{ ...OLD_BRANCH, shards: undefined }, `.shards: expected ${HASHES}`],
    [{ ...OLD_BRANCH, list: HASH }, `.shards: expected ${HASHES}`],
    [{ ...OLD_BRANCH, shards: undefined, list: "nothash" }, ".list: expected 32 hexadecimal digits"],
  ].map(([branch, expected]) => [{ ...OLD, branches: { 1000: branch } }, `branches["1000"]${expected}`]),
  ...[undefined, null, []].map((bases) => [{ bases }, "bases: expected an object"]),
  ...[null, [1], "x"].map((layers) => [{ bases: { all: layers } }, 'bases["all"]: expected a list of hashes']),
  [{ changes: [1] }, "changes: expected a list of hashes"],
  ...[5, `1 1\n${HASH}\n\n`, "1 1\n"].map((text) => [
    { layers: { [HASH]: text } },
    `layers["${HASH}"]: expected the text that this hash names`,
  ]),
]) {
  test(`refused: ${JSON.stringify(change).slice(0, 60)}`, async () => {
    await assert.rejects(
      async () => read(await signed(change)),
      (error) => {
        assert.ok(error instanceof ManifestFault);
        assert.ok(error.message.startsWith(`${message}, got `), error.message);
        return error.message.length < 200;
      },
    );
  });
}

test("refused: a content that is not that of the id", async () => {
  const manifest = await signed();
  for (const change of [
    { zones: null },
    { onto: ID },
    { zonesFrom: ID },
    { branches: {} },
    { branches: { 1001: BRANCH } },
    { changes: [HASH] },
    { bases: {} },
  ]) {
    const altered = { ...manifest, ...change };
    const message = `id: expected ${await idOf(altered)}, the hash of the content, got "${manifest.id}"`;
    await assert.rejects(read(altered), fault(message));
  }
});

for (const [change, message] of [
  [{ activatedAt: undefined }, "activatedAt: expected a time such as 2026-11-23T08:30:00.000Z, got undefined"],
  [{ predecessors: undefined }, "predecessors: expected a list, got undefined"],
  [{ predecessors: [null] }, "predecessors[0]: expected an object, got null"],
  [{ next: "x" }, 'next: expected an object, got "x"'],
  [{ next: { id: ID, at: "soon" } }, 'next.at: expected a time such as 2026-11-23T08:30:00.000Z, got "soon"'],
  [{ history: "x" }, 'history: expected 32 hexadecimal digits, got "x"'],
  [{ predecessors: [{ ...IN_USE.predecessors[0], id: "x" }] }, 'predecessors[0].id: expected 16 hexadecimal digits, got "x"'],
  [{ predecessors: [{ ...IN_USE.predecessors[0], rolledBack: 1 }] }, "predecessors[0].rolledBack: expected true, got 1"],
]) {
  test(`refused in current: ${message}`, async () => {
    const text = JSON.stringify({ ...(await signed()), ...IN_USE, ...change });
    assert.ok(await readManifest(text), "it is a manifest");
    await assert.rejects(readCurrent(text), fault(message));
    assert.equal(historyIn(text), undefined);
  });
}

for (const [text, message, isOtherFormat] of [
  ["{", "expected JSON", false],
  ["null", "expected format 1 or 2, got undefined", false],
  ['{"format":"1"}', 'expected format 1 or 2, got "1"', false],
  ['{"format":3}', "expected format 1 or 2, got 3", true],
]) {
  test(`refused: ${text}`, async () => {
    await assert.rejects(readManifest(text), (error) => fault(message)(error) && error.isOtherFormat === isOtherFormat);
    assert.equal(historyIn(text), undefined);
  });
}

test("the history of a current whose content was altered", async () => {
  const manifest = await signed();
  assert.deepEqual(historyIn(JSON.stringify({ ...manifest, ...IN_USE, zones: 5 })), { id: manifest.id, ...IN_USE });
  const planned = { ...IN_USE, next: { id: ID, at: TIME }, history: HASH };
  assert.deepEqual(historyIn(JSON.stringify({ ...manifest, ...planned, zones: 5 })), { id: manifest.id, ...planned });
});

// The life of a catalogue against a model: versions as plain maps, and a stack of those in use. Whatever is built, activated,
// planned, taken back and deleted, the reader of the package prices from the version that the model names, and as it says.
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mock, test } from "node:test";
import { createCatalogue } from "order-cost/catalogue";
import { build } from "../../worker/data/build/build.js";
import { push } from "../../worker/data/store/push.js";
import { activate, cancel, rollback } from "../../worker/data/versions/activate.js";
import { gc } from "../../worker/data/versions/gc.js";
import { temporaryFolder } from "../folder.js";
import fc, { allAtNight, cases } from "../property.js";
import { MemoryStore, SILENT } from "./memory-store.js";

const CODES = [1, 2, 3, 4];
const BRANCHES = ["a", "b", "c"];
const MINUTE = 60_000;
const START = Date.parse("2026-11-25T08:00:00.000Z");

const price = fc.integer({ min: 1, max: 9 });
const row = fc.tuple(fc.constantFrom(...BRANCHES), fc.constantFrom(...CODES), price);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("change"), rows: fc.array(row, { minLength: 1, maxLength: 4 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("back") }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("again"), which: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("plan"), which: fc.nat(9), minutes: fc.integer({ min: 11, max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("cancel") }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait"), minutes: fc.integer({ min: 5, max: 90 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("gc") }) },
);

const folder = temporaryFolder();

/** What the model knows: every version's rows by id, and the ids in use, the latest last. */
class Model {
  versions = new Map();
  stack = [];
  plan;

  get current() {
    return this.stack.at(-1);
  }

  use(id) {
    this.stack = [...this.stack.filter((other) => other !== id), id];
    this.plan = undefined;
  }

  /** The time has come. */
  passTo(now) {
    if (this.plan && this.plan.at <= now) this.use(this.plan.id);
  }
}

class Life {
  store = new MemoryStore();
  model = new Model();
  seen = new Set();
  now = START;
  #time = () => new Date(this.now);

  async publish(rows, onto) {
    const prices = join(folder, "prices.csv");
    await writeFile(prices, `branchId,cprcode,price\n${[...rows].map(([key, value]) => `${key.replace(" ", ",")},${value}\n`).join("")}`);
    const report = { fault: (text) => assert.fail(text), notice() {}, progress: () => ({ update() {}, clear() {}, stop() {} }) };
    const out = join(folder, "out");
    await rm(out, { recursive: true, force: true });
    const { manifest } = await build({ prices, noZones: true, onto, mostLayers: 2, shardBytes: 60, out }, async () => this.store, report);
    await push(this.store, out, SILENT, { now: this.#time });
    return manifest.id;
  }

  async change({ rows }) {
    const whole = new Map([
      ...(this.model.versions.get(this.model.current) ?? []),
      ...rows.map(([branchId, code, value]) => [`${branchId} ${code}`, value]),
    ]);
    const changed = new Map(rows.map(([branchId, code, value]) => [`${branchId} ${code}`, value]));
    const id = await this.publish(this.model.current ? changed : whole, this.model.current !== undefined);
    this.model.versions.set(id, whole);
    await this.#switch(id);
  }

  async #switch(id) {
    await activate(this.store, id, {}, this.#time);
    this.model.use(id);
  }

  async back() {
    if (this.model.stack.length < 2) return assert.rejects(rollback(this.store, {}, this.#time));
    await rollback(this.store, {}, this.#time);
    this.model.stack.pop();
    this.model.plan = undefined;
  }

  /** A version that was in use before, if `gc` has left it. */
  #earlier(which) {
    const ids = this.model.stack.filter((id) => id !== this.model.current && this.store.keys.has(`version:${id}`));
    return ids[which % ids.length];
  }

  async again({ which }) {
    const id = this.#earlier(which);
    if (id !== undefined) await this.#switch(id);
  }

  async plan({ which, minutes }) {
    const id = this.#earlier(which);
    if (id === undefined) return;
    const at = this.now + minutes * MINUTE;
    await activate(this.store, id, { at: new Date(at).toISOString() }, this.#time);
    this.model.plan = { id, at };
  }

  async cancel() {
    if (!this.model.plan) return assert.rejects(cancel(this.store, {}, this.#time));
    await cancel(this.store, {}, this.#time);
    this.model.plan = undefined;
  }

  async wait({ minutes }) {
    this.now += minutes * MINUTE;
    const { plan } = this.model;
    this.model.passTo(this.now);
    if (plan && !this.model.plan) this.seen.add("a plan came due");
  }

  async gc() {
    await gc(this.store, { keep: 1 }, this.#time);
  }

  /** A page, a Worker or a server that has just started. */
  async check() {
    mock.timers.setTime(this.now);
    const read = async (names) => new Map(names.map((name) => [name, this.store.keys.get(name) ?? null]));
    const version = await createCatalogue({ read }).version();
    assert.equal(version.id, this.model.current);
    const rows = this.model.versions.get(version.id);
    for (const branchId of BRANCHES) {
      const found = await version.lookupPrices(CODES.map((cprcode) => ({ cprcode, branchId })));
      const wanted = CODES.map((code) => rows.get(`${branchId} ${code}`));
      assert.deepEqual(
        found,
        wanted.map((value) => (value === undefined ? null : `{"price":${value}}`)),
      );
    }
  }
}

test("any history of builds, switches, plans, rollbacks and deletions prices as the model does", async (t) => {
  mock.timers.enable({ apis: ["Date"], now: START });
  t.after(() => mock.timers.reset());
  const seen = new Map();
  const once = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), async (steps) => {
    const life = new Life();
    await life.change({ rows: BRANCHES.flatMap((branchId) => CODES.map((code) => [branchId, code, code])) });
    for (const one of steps) {
      await life[one.do](one);
      life.seen.add(one.do);
      await life.check();
    }
    for (const what of life.seen) seen.set(what, (seen.get(what) ?? 0) + 1);
  });
  await fc.assert(once, { numRuns: allAtNight(12, cases(30)) });
  for (const what of ["change", "back", "again", "plan", "cancel", "gc", "a plan came due"])
    assert.ok(seen.get(what) > allAtNight(0, 2), `${what}: ${seen.get(what)}`);
});

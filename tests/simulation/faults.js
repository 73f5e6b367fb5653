// Breaks the module's instance when an action says so: the next use of one of its entries traps.
import assert from "node:assert/strict";

const wasm = await import(new URL("wasm/order_cost.js", import.meta.resolve("order-cost")));

const ERRORS = {
  "a trap": () => new WebAssembly.RuntimeError("unreachable"),
  "a stack overflow": () => new RangeError("Maximum call stack size exceeded"),
};
export const KINDS = Object.keys(ERRORS);

/** The entries of a basket, of its facts and of an order that may break. */
export const ENTRIES = {
  BasketHandle: ["edit", "setQuantity", "refresh", "askAgain", "ask", "follow", "leave", "changes", "response"],
  FactsHandle: ["answer", "fail", "late", "useless"],
  Job: ["ask", "answer", "fail", "late", "advance", "response"],
  Pricing: ["start"],
};

const EDITS = ["edit", "setQuantity", "refresh"];

export class Faults {
  #shop;
  #armed;
  #ends = [];
  /**
   * Who has used a basket's handle first: a timer of the basket may begin in what another has asked. Nobody knows whose a
   * handle is that zones for another have made again; it does not break until its basket is edited.
   */
  #owners = new WeakMap();

  constructor(shop) {
    this.#shop = shop;
    for (const [type, entries] of Object.entries(ENTRIES)) for (const entry of entries) this.#watch(wasm[type].prototype, type, entry);
  }

  /** `entry`: for instance "Job.answer". */
  arm(entry, kind) {
    this.#armed = { entry, kind };
  }

  disarm() {
    this.#armed = undefined;
  }

  end() {
    for (const end of this.#ends) end();
  }

  #watch(prototype, type, entry) {
    const original = prototype[entry];
    const faults = this;
    prototype[entry] = function (...args) {
      faults.#strike(this, type, entry);
      return original.apply(this, args);
    };
    this.#ends.push(() => (prototype[entry] = original));
  }

  #strike(handle, type, entry) {
    const owner = this.#ownerOf(handle, type, entry);
    if (this.#armed?.entry !== `${type}.${entry}` || owner === undefined) return;
    const { kind } = this.#armed;
    this.disarm();
    this.stale = { handle, type };
    for (const life of this.#shop.lives) life.lost();
    owner.broke(entry);
    throw ERRORS[kind]();
  }

  #ownerOf(handle, type, entry) {
    const { owner } = this.#shop;
    if (!["BasketHandle", "FactsHandle"].includes(type)) return owner;
    // Whoever edits a basket is known; its handle may have been made again while another was at work.
    if (EDITS.includes(entry)) this.#owners.set(handle, owner);
    if (!this.#owners.has(handle)) this.#owners.set(handle, this.#shop.haveZonesCome ? undefined : owner);
    return this.#owners.get(handle);
  }

  /** After damage, another instance is in use: what was made in the old one is of no use. */
  checkReplaced() {
    if (!this.stale) return;
    const { handle, type } = this.stale;
    this.stale = undefined;
    const use = {
      BasketHandle: () => handle.follow(),
      FactsHandle: () => handle.forgetCalls(),
      Job: () => handle.withoutRows(),
      Pricing: () => handle.maxBodyBytes,
    }[type];
    assert.throws(use, /stale/, "the damaged instance is in use");
  }
}

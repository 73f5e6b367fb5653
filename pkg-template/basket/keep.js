// Keeps a basket in the browser's storage. What is found there may be anything: of what is not whole, nothing counts.
import { isObject } from "../shared/index.js";
import { kept } from "./kept.js";

const NAME = "order-cost.basket";

/** That of the text. */
const VERSION = 1;

const MAX_AGE_MS = 15 * 60_000;

/** Keeps a basket now, and whenever the page is hidden. See keep.d.ts. */
export function keep(basket, storage, { name = NAME, vouchers = false } = {}) {
  const save = () => {
    const isOwned = ownerOf(basket.order) !== "";
    const found = basket[kept](vouchers && isOwned);
    if (found) write(storage, name, JSON.stringify({ version: VERSION, at: Date.now(), ...found }));
  };
  const end = new AbortController();
  globalThis.addEventListener?.("pagehide", save, { signal: end.signal });
  globalThis.document?.addEventListener("visibilitychange", save, { signal: end.signal });
  save();
  return () => end.abort();
}

/** The basket that was kept, or an empty one, and its facts. See keep.d.ts. */
export function restore(pricer, storage, { name = NAME, maxAgeMs = MAX_AGE_MS, ownerId, ...options } = {}) {
  const make = (order, known, ofBasket) => {
    const facts = pricer.facts(known, { maxAgeMs });
    const owned = ownerId === undefined ? order : { ...order, ownerId };
    return { facts, basket: pricer.basket(owned, { ...options, facts, [kept]: ofBasket }) };
  };
  const found = read(storage, name);
  if (found && isFor(ownerId, found.order)) {
    const { order, facts, settledTotals, own, at } = found;
    const isOwn = ownerId !== "" && ownerOf(order) === ownerId;
    const ofBasket = {
      settledTotals: areTotals(settledTotals, pricer) ? Object.freeze(settledTotals) : null,
      own: isOwn ? own.filter((answer) => isNew(answer, maxAgeMs, at)) : [],
    };
    try {
      return make(order, facts, ofBasket);
    } catch {
      // The order or the facts are damaged. If the options are wrong, it throws again.
    }
  }
  return make({ productList: [] });
}

/** Without a storage it is `localStorage`: to name it throws where a browser blocks it. */
const storageOf = (storage) => storage ?? globalThis.localStorage;

function write(storage, name, text) {
  try {
    storageOf(storage).setItem(name, text);
  } catch {
    // It is full or blocked: the basket lasts as long as the page.
  }
}

/** What was kept; undefined if it is nothing that `keep` writes. */
function read(storage, name) {
  try {
    const found = JSON.parse(storageOf(storage).getItem(name));
    const { version, order, own } = found;
    return version === VERSION && isObject(order) && Array.isArray(order.productList) && Array.isArray(own) ? found : undefined;
  } catch {
    return undefined;
  }
}

const ownerOf = (order) => order.ownerId ?? "";

/** Whether the order may be this customer's: it is theirs, or nobody's yet. */
const isFor = (ownerId, order) => ownerId === undefined || ["", ownerId].includes(ownerOf(order));

/** Whether it is an answer that found something, and not too old. That of coupons ages once its page is left, at `left`. */
function isNew(answer, maxAgeMs, left) {
  const [kind, name, text, at] = Array.isArray(answer) ? answer : [];
  if ([kind, name, text].some((part) => typeof part !== "string") || typeof at !== "number") return false;
  const hasTime = at > 0;
  const age = Date.now() - (kind === "coupons" && hasTime && left > at ? left : at);
  return text.startsWith("{") && age >= 0 && age < maxAgeMs;
}

/** Whether it has what totals have. */
function areTotals(value, pricer) {
  if (!isObject(value)) return false;
  const empty = pricer.basket();
  const names = Object.entries(empty.totals);
  empty.free();
  return Object.keys(value).length === names.length && names.every(([name, like]) => typeof value[name] === typeof like);
}

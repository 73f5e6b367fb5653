// Pairs the responses of two inputs by a key, in any order. The texts stay in their files; memory holds about 60 bytes
// for each response of a side.
import { createHash } from "node:crypto";
import { exactText, readExact } from "../../shared/index.js";
import { figure } from "../screen/index.js";
import { ResponseIndex } from "./response-index.js";

export class PairsByKey {
  #sides;
  #path;
  #bytesCompared = 0;
  /** A sentence if few keys are distinct: then the path is hardly the key. */
  doubt;

  /** `path` is the key, such as `orderId`. */
  constructor(inputs, path) {
    this.#sides = inputs.map((input) => new ResponseIndex(input));
    this.#path = path;
  }

  /** Each side is read twice: for its keys, and for its texts. */
  get size() {
    const sizes = this.#sides.map(({ size }) => size);
    return sizes.includes(undefined) ? undefined : 2 * (sizes[0] + sizes[1]);
  }

  get bytesRead() {
    return this.#sides.reduce((bytes, side) => bytes + side.bytesRead, this.#bytesCompared);
  }

  /**
   * Yields `{ id, left, right }` in the order of the left side, then what only the right side has; and undefined now and
   * then while it reads the keys.
   */
  async *[Symbol.asyncIterator]() {
    try {
      for (const side of this.#sides) for await (const _ of side.fill(this.#path)) yield;
      const [left, right] = this.#sides;
      const partners = new Partners(left, right);
      this.doubt = this.#doubtOf(partners.keys);
      for (let index = 0; index < left.count; index += 1) yield this.#pair(index, partners.ofLeft[index]);
      for (let index = 0; index < right.count; index += 1) if (partners.ofRight[index] < 0) yield this.#pair(-1, index);
    } finally {
      for (const side of this.#sides) side.close();
    }
  }

  #doubtOf(keys) {
    const found = keys.find(({ orders, distinct }) => 2 * distinct < orders);
    if (!found) return undefined;
    const [distinct, orders] = [found.distinct, found.orders].map(figure);
    return `${distinct} ${found.distinct === 1 ? "key" : "keys"} for ${orders} orders: is ${this.#path} the key?`;
  }

  #pair(leftIndex, rightIndex) {
    const [left, right] = [leftIndex, rightIndex].map((index, side) => (index < 0 ? undefined : this.#sides[side].read(index)));
    for (const record of [left, right]) this.#bytesCompared += record ? record.bytes + 1 : 0; // with its new line
    return { id: this.#sides[0].keyOf(left) ?? this.#sides[1].keyOf(right) ?? (left ?? right).place, left, right };
  }
}

const NONE = -1;

/** The partner of each response, by their indices. */
class Partners {
  #left;
  #right;

  constructor(left, right) {
    this.#left = left;
    this.#right = right;
    this.ofLeft = new Int32Array(left.count).fill(NONE);
    this.ofRight = new Int32Array(right.count).fill(NONE);
    const [lefts, rights] = [left.keyed(), right.keyed()];
    this.keys = [left.keyCount(lefts), right.keyCount(rights)];
    for (let at = 0, other = 0; at < lefts.length && other < rights.length; ) {
      const order = left.compareKeys(lefts[at], right, rights[other]);
      if (order < 0) at += 1;
      else if (order > 0) other += 1;
      else {
        const [end, otherEnd] = [left.groupEnd(lefts, at), right.groupEnd(rights, other)];
        this.#pairGroup(lefts.subarray(at, end), rights.subarray(other, otherEnd));
        [at, other] = [end, otherEnd];
      }
    }
    // An order that failed has no key: only {"error": …}.
    this.#pairNeighbours();
    this.#pairGroup(this.#unpaired(left, this.ofLeft), this.#unpaired(right, this.ofRight));
  }

  #pairUp(left, right) {
    this.ofLeft[left] = right;
    this.ofRight[right] = left;
  }

  /** Of responses with equal keys identical ones pair first, the rest in order. */
  #pairGroup(lefts, rights) {
    if (lefts.length > 1 || rights.length > 1) this.#pairIdentical(lefts, rights);
    const free = rights.filter((index) => this.ofRight[index] < 0);
    let next = 0;
    for (const index of lefts) {
      if (this.ofLeft[index] < 0 && next < free.length) this.#pairUp(index, free[next++]);
    }
  }

  #pairIdentical(lefts, rights) {
    const waiting = new Map();
    for (const index of rights.toReversed()) {
      const digest = digestOf(this.#right.read(index).text);
      if (!waiting.has(digest)) waiting.set(digest, []);
      waiting.get(digest).push(index);
    }
    for (const index of lefts) {
      const partner = waiting.get(digestOf(this.#left.read(index).text))?.pop();
      if (partner !== undefined) this.#pairUp(index, partner);
    }
  }

  /** Pairs responses of which one has no key, if the responses before and after them are pairs. */
  #pairNeighbours() {
    const next = nextPaired(this.ofLeft);
    for (let left = 0; left < this.ofLeft.length; left += 1) {
      const right = left === 0 ? 0 : this.ofLeft[left - 1] + 1;
      const isFree = this.ofLeft[left] < 0 && right < this.ofRight.length && this.ofRight[right] < 0;
      if (!isFree || (left > 0 && right === 0)) continue;
      if (this.#left.hasKey(left) && this.#right.hasKey(right)) continue;
      const after = next[left];
      const afterRight = after < this.ofLeft.length ? this.ofLeft[after] : this.ofRight.length;
      if (afterRight - right === after - left) this.#pairUp(left, right);
    }
  }

  #unpaired(side, partners) {
    return Uint32Array.from(partners.keys()).filter((index) => partners[index] < 0 && !side.hasKey(index));
  }
}

/** For each index the next one that has a partner, or the length. */
function nextPaired(partners) {
  const next = new Uint32Array(partners.length);
  let found = partners.length;
  for (let index = partners.length - 1; index >= 0; index -= 1) {
    next[index] = found;
    if (partners[index] >= 0) found = index;
  }
  return next;
}

/** Equal for texts that differ only in the order of keys and in white space. */
function digestOf(text) {
  return createHash("sha256")
    .update(exactText(readExact(text), { sorted: true }))
    .digest("base64");
}

// Where each response of an input stands and a digest of its key, in columns of numbers: 100,000 responses take a few
// megabytes. The texts are read again when they are needed.
import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Failure, keyOf, responses } from "../files/index.js";

export class ResponseIndex {
  #input;
  #path;
  #texts;
  #placeOf;
  #digests = [new Column(), new Column()];
  #offsets = new Column();
  #lengths = new Column();
  #numbers = new Column();
  #count = 0;

  constructor(input) {
    this.#input = input;
  }

  get size() {
    return this.#input.size;
  }

  get bytesRead() {
    return this.#input.bytesRead;
  }

  get count() {
    return this.#count;
  }

  /** Reads the input. Yields now and then, so that progress can be shown. */
  async *fill(path) {
    this.#path = path;
    let keyed = 0;
    let orders = 0;
    for await (const record of responses(this.#input)) {
      const key = keyOf(record.value, path);
      if (key !== undefined) keyed += 1;
      if (typeof record.value?.error !== "string") orders += 1;
      this.#add(record, key);
      if (this.#count % 1000 === 0) yield;
    }
    if (orders > 0 && keyed === 0) throw new Failure(`${this.#input.name}: no response has ${path}, the key`);
  }

  #add(record, key) {
    this.#texts ??= record.offset === undefined || this.#input.size === undefined ? new Spool() : new Texts(this.#input.name);
    const [offset, length] = this.#texts.keep(record);
    this.#offsets.push(offset);
    this.#lengths.push(length);
    digest(key).forEach((number, index) => this.#digests[index].push(number));
    this.#count += 1;
    this.#placeOf ??= placing(record);
    this.#numbers.push(record.line ?? this.#count);
  }

  hasKey(index) {
    return this.#digests[0].at(index) !== NO_KEY;
  }

  /** The indices of the responses that have a key, sorted by key; equal keys in the order of the input. */
  keyed() {
    const indices = Uint32Array.from({ length: this.#count }, (_, index) => index).filter((index) => this.hasKey(index));
    return indices.sort((a, b) => this.compareKeys(a, this, b) || a - b);
  }

  compareKeys(index, other, otherIndex) {
    for (const part of [0, 1]) {
      const difference = this.#digests[part].at(index) - other.#digests[part].at(otherIndex);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Where the group of equal keys ends that begins at `start` of sorted indices. */
  groupEnd(sorted, start) {
    let end = start + 1;
    while (end < sorted.length && this.compareKeys(sorted[start], this, sorted[end]) === 0) end += 1;
    return end;
  }

  /** How many of the sorted indices have keys of their own. */
  keyCount(sorted) {
    const distinct = sorted.filter((index, at) => at === 0 || this.compareKeys(sorted[at - 1], this, index) !== 0).length;
    return { orders: sorted.length, distinct };
  }

  read(index) {
    const bytes = this.#texts.read(this.#offsets.at(index), this.#lengths.at(index));
    const text = `${bytes}`;
    return { text, place: this.#placeOf(this.#numbers.at(index)), bytes: bytes.length };
  }

  keyOf(record) {
    return record && keyOf(JSON.parse(record.text), this.#path);
  }

  close() {
    this.#texts?.close();
  }
}

function placing({ name, line, items }) {
  if (line !== undefined) return (number) => `${name}:${number}`;
  return items === undefined ? () => name : (number) => `${name}, item ${number}`;
}

const NO_KEY = -1;

/** 96 bits of a hash as two numbers: no two of a billion keys have the same. */
function digest(key) {
  if (key === undefined) return [NO_KEY, NO_KEY];
  const hash = createHash("sha256").update(key).digest();
  return [hash.readUIntBE(0, 6), hash.readUIntBE(6, 6)];
}

/** The lines of a file, which is read again at an offset. */
class Texts {
  /** @type {number} */
  #file;

  /** @param {string} name */
  constructor(name) {
    this.#file = openSync(name, "r");
  }

  /**
   * @param {{ offset: number, bytes: Buffer }} record
   * @returns {[offset: number, length: number]}
   */
  keep({ offset, bytes }) {
    return [offset, bytes.length];
  }

  /**
   * @param {number} offset
   * @param {number} length
   */
  read(offset, length) {
    const bytes = Buffer.allocUnsafe(length);
    for (let read = 0, count = -1; read < length && count !== 0; read += count) {
      count = readSync(this.#file, bytes, read, length - read, offset + read);
    }
    return bytes;
  }

  close() {
    closeSync(this.#file);
  }
}

/** The same for what cannot be read again, such as a pipe: a copy in a temporary file. */
class Spool extends Texts {
  /** @type {string} */
  #folder;
  /** @type {number} */
  #file;
  #end = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "order-cost-verify-"));
    const file = openSync(join(folder, "responses"), "w");
    super(join(folder, "responses"));
    this.#folder = folder;
    this.#file = file;
  }

  /**
   * @param {{ bytes: Buffer }} record
   * @returns {[offset: number, length: number]}
   */
  keep({ bytes }) {
    const offset = this.#end;
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    this.#end += bytes.length;
    return [offset, bytes.length];
  }

  close() {
    super.close();
    closeSync(this.#file);
    rmSync(this.#folder, { recursive: true });
  }
}

/** A list of numbers that grows. */
class Column {
  #numbers = new Float64Array(1024);
  #length = 0;

  push(number) {
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length] = number;
    this.#length += 1;
  }

  at(index) {
    return this.#numbers[index];
  }
}

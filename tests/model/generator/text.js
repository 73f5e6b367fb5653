/** JSON text in the styles of people, libraries and bugs: the same value in unusual notation. */

/** A number as text, for values that a double cannot hold. */
export class Raw {
  constructor(text) {
    this.text = text;
  }

  /** Makes a plain JSON.stringify of a value with such a number fail. */
  toJSON() {
    throw new Error(`${this.text} needs writeJson`);
  }
}

/** The members of an object in sequence, duplicates included. */
export class Members {
  constructor(entries) {
    this.entries = entries;
  }

  toJSON() {
    throw new Error("duplicate keys need writeJson");
  }
}

export function needsText(value) {
  if (value instanceof Raw || value instanceof Members) return true;
  return value !== null && typeof value === "object" && Object.values(value).some(needsText);
}

/** The habits that a style can have. */
export const HABITS = ["white space", "escapes", "shuffled keys", "unknown keys", "number forms"];

/** D49: what a client of the old routes may do. No habit of a strict order. */
export const OTHER_TYPES = "other types";

const NUMBER = /^-?(0|[1-9]\d{0,15})(\.\d+)?$/;

export function writeJson(value, random, habits = []) {
  const has = (habit) => habits.includes(habit);

  function space() {
    return has("white space") && random.chance(0.3) ? random.pick([" ", "\n", "\t", "\r\n", "  "]) : "";
  }

  function write(node) {
    if (has(OTHER_TYPES) && random.chance(0.15)) return write(otherType(node));
    if (node instanceof Raw) return node.text;
    if (typeof node === "string") return string(node);
    if (typeof node === "number") return number(node);
    if (Array.isArray(node)) return list("[", "]", node.map(write));
    if (node !== null && typeof node === "object") return list("{", "}", members(node).map(member));
    return JSON.stringify(node);
  }

  function otherType(node) {
    if (typeof node === "number" || typeof node === "boolean") return `${node}`;
    if (node instanceof Raw) return node.text;
    if (typeof node !== "string") return node;
    return NUMBER.test(node) ? new Raw(node) : random.pick([node.toLowerCase(), node]);
  }

  function list(open, close, texts) {
    const items = texts.map((text) => `${space()}${text}${space()}`);
    return `${open}${items.length > 0 ? items.join(",") : space()}${close}`;
  }

  function member([name, value]) {
    return `${string(name)}${space()}:${space()}${write(value)}`;
  }

  function members(node) {
    if (node instanceof Members) return node.entries;
    const entries = Object.entries(node);
    if (has("unknown keys") && random.chance(0.3)) entries.push([random.pick(UNKNOWN_KEYS), random.pick(UNKNOWN_VALUES)]);
    return has("shuffled keys") ? random.shuffle(entries) : entries;
  }

  function string(value) {
    if (!has("escapes")) return JSON.stringify(value);
    const units = Array.from({ length: value.length }, (_, index) => value[index]);
    return `"${units.map(character).join("")}"`;
  }

  function character(unit) {
    if (unit === "/" && random.chance(0.5)) return "\\/";
    if (!random.chance(0.2) && !/[\ud800-\udfff]/.test(unit)) return JSON.stringify(unit).slice(1, -1);
    const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${random.chance(0.5) ? hex : hex.toUpperCase()}`;
  }

  function number(value) {
    const plain = JSON.stringify(value);
    if (!has("number forms") || !/^-?\d{1,9}$/.test(plain) || random.chance(0.5)) return plain;
    const forms = [`${plain}.0`, `${plain}e0`, `${plain}.000E+00`];
    return random.pick(value === 0 ? forms : [...forms, `${plain}0e-1`, `${plain}00e-02`]);
  }

  return space() + write(value) + space();
}

const UNKNOWN_KEYS = ["x", "note", "__proto__", "constructor", "toString", "ฉลาก", "Price", ""];
const UNKNOWN_VALUES = [null, 0, -1.5, "x", "ข้าว", true, [], {}, [[null]], { a: { b: [1, "2"] } }];

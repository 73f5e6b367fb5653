// What the values of a JSON document have to be. A reader returns the value, or says where it expected what.

/** `where`: the member that holds it. */
export class Misshapen extends Error {
  constructor(where, what) {
    super(`${where}: expected ${what}`);
  }
}

export function whole(value, where, what = "orders") {
  if (!Number.isSafeInteger(value) || value < 0) throw new Misshapen(where, `a number of ${what}`);
  return value;
}

export function list(value, where) {
  if (!Array.isArray(value)) throw new Misshapen(where, "a list");
  return value;
}

export function text(value, where) {
  if (typeof value !== "string") throw new Misshapen(where, "a text");
  return value;
}

export function textOrNull(value, where) {
  if (value !== null && typeof value !== "string") throw new Misshapen(where, "a text, or null");
  return value;
}

export const listOf = (read) => (value, where) => list(value, where).map((one) => read(one, where));

export const optional = (read) => (value, where) => (value === undefined || value === null ? value : read(value, where));

/** Takes no other members than those that have a reader. */
export const objectOf = (readers) => (value, where) => {
  if (typeof value !== "object" || value === null) throw new Misshapen(where, "an object");
  return Object.fromEntries(Object.entries(readers).map(([name, read]) => [name, read(value[name], where)]));
};

export const texts = listOf(text);

// Finds members in the bytes of JSON without parsing it: numbers keep their digits, and what nobody asks for costs little.
// It throws a ScanFault where the bytes cannot be JSON, as far as it looks.

// Numbers, which the bundler writes into the loops: a variable would be read again for every byte.
const SPACE = 0x20;
const QUOTE = 0x22; // "
const COMMA = 0x2c; // ,
const COLON = 0x3a; // :
const OPEN_LIST = 0x5b; // [
const BACKSLASH = 0x5c; // \
const CLOSE_LIST = 0x5d; // ]
const OPEN_OBJECT = 0x7b; // {
const CLOSE_OBJECT = 0x7d; // }
const CURLY = 0x20; // [ | CURLY is {, and ] | CURLY is }

/** The bytes are no JSON, or not what was asked for. */
export class ScanFault extends Error {}

/** Names to look for. They are compared as they are written: our writers escape no letter. */
export const namesOf = (...names) => names.map((name) => Buffer.from(name));

/**
 * The bytes of some members of an object, in the sequence of their names; undefined for one that it does not have. Of
 * members with one name the last counts (D9).
 * @param {Buffer} bytes
 * @param {Buffer[]} names
 * @returns {(Buffer | undefined)[]}
 */
export function membersOf(bytes, names) {
  const spans = new Int32Array(2 * names.length);
  const end = skipSpace(bytes, findMembers(bytes, skipSpace(bytes, 0), names, spans));
  if (end < bytes.length) throw new ScanFault("something follows the object");
  return names.map((_, index) => (spans[2 * index + 1] === 0 ? undefined : bytes.subarray(spans[2 * index], spans[2 * index + 1])));
}

/**
 * Finds where the members of the object at a place begin and end, and notes it in `spans`; 0 for one that it does not have.
 * Returns where the object ends.
 * @param {Buffer} bytes
 * @param {number} start
 * @param {Buffer[]} names
 * @param {Int32Array} spans
 * @param {number} [first] where in `spans` the first one is noted
 */
function findMembers(bytes, start, names, spans, first = 0) {
  expect(bytes, start, OPEN_OBJECT);
  let at = skipSpace(bytes, start + 1);
  while (bytes[at] !== CLOSE_OBJECT) {
    const value = valueStart(bytes, at);
    const end = valueEnd(bytes, value);
    for (let place = 0; place < names.length; place += 1) {
      if (!isNamed(bytes, at, names[place])) continue;
      spans[first + 2 * place] = value;
      spans[first + 2 * place + 1] = end;
    }
    at = nextPart(bytes, end, CLOSE_OBJECT);
  }
  return at + 1;
}

/**
 * Where the value of an object's first member of a name begins, which the object has. Nothing behind it is read.
 * @param {Buffer} bytes
 * @param {Buffer} name
 */
export function firstValue(bytes, name) {
  expect(bytes, 0, OPEN_OBJECT);
  let at = skipSpace(bytes, 1);
  while (!isNamed(bytes, at, name)) at = nextPart(bytes, valueEnd(bytes, valueStart(bytes, at)), CLOSE_OBJECT);
  return valueStart(bytes, at);
}

/**
 * Where members of the objects in a list begin and end: for each object two numbers for each name.
 * @param {Buffer} bytes
 * @param {Buffer[]} names
 * @param {number} [start] of the list
 * @returns {Int32Array}
 */
export function spansInList(bytes, names, start = 0) {
  const width = 2 * names.length;
  let spans = new Int32Array(32 * width);
  let length = 0;
  expect(bytes, start, OPEN_LIST);
  let at = skipSpace(bytes, start + 1);
  while (bytes[at] !== CLOSE_LIST) {
    if (length === spans.length) spans = doubled(spans);
    at = nextPart(bytes, findMembers(bytes, at, names, spans, length), CLOSE_LIST);
    length += width;
  }
  return spans.subarray(0, length);
}

function doubled(spans) {
  const more = new Int32Array(2 * spans.length);
  more.set(spans);
  return more;
}

export const isObject = (bytes) => bytes[0] === OPEN_OBJECT;
export const isList = (bytes) => bytes[0] === OPEN_LIST;
export const isString = (bytes) => bytes[0] === QUOTE;

/** Whether the member at a place has this name. */
function isNamed(bytes, at, name) {
  const start = at + 1;
  if (bytes[start + name.length] !== QUOTE) return false;
  for (let index = 0; index < name.length; index += 1) if (bytes[start + index] !== name[index]) return false;
  return true;
}

/** Where the value of the member at a place begins. */
function valueStart(bytes, at) {
  expect(bytes, at, QUOTE);
  const colon = skipSpace(bytes, stringEnd(bytes, at));
  expect(bytes, colon, COLON);
  return skipSpace(bytes, colon + 1);
}

function expect(bytes, at, unit) {
  if (bytes[at] !== unit) throw new ScanFault(`expected ${String.fromCharCode(unit)} at ${at}`);
}

function nextPart(bytes, end, close) {
  const at = skipSpace(bytes, end);
  if (bytes[at] === close) return at;
  expect(bytes, at, COMMA);
  return skipSpace(bytes, at + 1);
}

function skipSpace(bytes, start) {
  let at = start;
  while (bytes[at] <= SPACE) at += 1;
  return at;
}

export function valueEnd(bytes, start) {
  const first = bytes[start];
  if (first === QUOTE) return stringEnd(bytes, start);
  if (first === OPEN_OBJECT || first === OPEN_LIST) return nestedEnd(bytes, start);
  let at = start;
  // Behind the end a byte is undefined, and no comparison with it holds.
  while (bytes[at] > SPACE && bytes[at] !== COMMA && bytes[at] !== CLOSE_OBJECT && bytes[at] !== CLOSE_LIST) at += 1;
  if (at === start) throw new ScanFault(`expected a value at ${at}`);
  return at;
}

function nestedEnd(bytes, start) {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = stringEnd(bytes, at) - 1;
    else if ((byte | CURLY) === OPEN_OBJECT) depth += 1;
    else if ((byte | CURLY) === CLOSE_OBJECT && (depth -= 1) === 0) return at + 1;
  }
  throw new ScanFault("it ends too early");
}

function stringEnd(bytes, start) {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at += 1;
  }
  throw new ScanFault("it ends too early");
}

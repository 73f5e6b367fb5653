// Finds members in JSON text without parsing it, so that numbers keep their digits. The text must be JSON.

const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from('"\\,[]{}', (sign) => sign.charCodeAt(0));
const SPACE = 0x20;

/**
 * Calls `onMember` with the name of each member of the object that begins at a place, and where its value begins and ends.
 * @param {string} text
 * @param {number} start
 * @param {(name: string, start: number, end: number) => void} onMember
 */
export function eachMember(text, start, onMember) {
  let at = skipSpace(text, start + 1);
  while (text.charCodeAt(at) !== CLOSE_OBJECT) {
    const nameEnd = stringEnd(text, at);
    const name = nameIn(text, at, nameEnd);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const valueEnd = endOf(text, valueStart);
    onMember(name, valueStart, valueEnd);
    at = nextItem(text, valueEnd);
  }
}

/** The same of the items of a list. */
export function eachItem(text, start, onItem) {
  let at = skipSpace(text, start + 1);
  while (text.charCodeAt(at) !== CLOSE_LIST) {
    const end = endOf(text, at);
    onItem(at, end);
    at = nextItem(text, end);
  }
}

/**
 * The texts of some members of the object that begins at a place, in the sequence of their names; undefined for one that it
 * does not have, or if no object begins there. Of members with one name the last counts (D9).
 * @param {string} text
 * @param {readonly string[]} names
 * @returns {(string | undefined)[]}
 */
export function membersOf(text, names, start = skipSpace(text, 0)) {
  const found = new Array(names.length).fill(undefined);
  if (text.charCodeAt(start) !== OPEN_OBJECT) return found;
  eachMember(text, start, (name, from, to) => {
    const place = names.indexOf(name);
    if (place >= 0) found[place] = text.slice(from, to);
  });
  return found;
}

function nameIn(text, start, end) {
  const name = text.slice(start + 1, end - 1);
  return name.includes("\\") ? JSON.parse(text.slice(start, end)) : name;
}

function nextItem(text, end) {
  const at = skipSpace(text, end);
  return text.charCodeAt(at) === COMMA ? skipSpace(text, at + 1) : at;
}

function skipSpace(text, start) {
  let at = start;
  while (text.charCodeAt(at) <= SPACE) at += 1;
  return at;
}

function endOf(text, start) {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return stringEnd(text, start);
  if (first === OPEN_OBJECT || first === OPEN_LIST) return nestedEnd(text, start);
  let at = start + 1;
  for (let unit = text.charCodeAt(at); at < text.length && unit > SPACE && unit !== COMMA && unit !== CLOSE_OBJECT && unit !== CLOSE_LIST; ) {
    unit = text.charCodeAt((at += 1));
  }
  return at;
}

function nestedEnd(text, start) {
  let depth = 1;
  let at = start + 1;
  while (depth > 0) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = stringEnd(text, at);
      continue;
    }
    if (unit === OPEN_OBJECT || unit === OPEN_LIST) depth += 1;
    else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) depth -= 1;
    at += 1;
  }
  return at;
}

function stringEnd(text, start) {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(text, quote) {
  let before = quote;
  while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 1;
}

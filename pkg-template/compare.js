/** Compares two responses, field by field. See compare.d.ts. */
export function compareOrders(left, right) {
  const differences = [];
  const bothTexts = typeof left === "string" && typeof right === "string";
  compare("", read(left), read(right), { bothTexts, differences });
  return differences;
}

/** During a comparison every string starts with this mark, keys too. */
const STRING = "s";
/** A number becomes a string that starts with this mark and keeps the number's original text. */
const NUMBER = "n";
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function read(order) {
  const text = typeof order === "string" ? order : JSON.stringify(order);
  JSON.parse(text); // Throws if the text is not JSON, before the marks change it.
  const marked = text.replace(STRING_OR_NUMBER, (token) => (token[0] === '"' ? `"${STRING}${token.slice(1)}` : `"${NUMBER}${token}"`));
  return JSON.parse(marked);
}

function compare(path, left, right, run) {
  const [leftType, rightType] = [typeOf(left), typeOf(right)];
  const differ = (kind) => run.differences.push({ path, left: plain(left), right: plain(right), kind });
  if (leftType === "undefined" || rightType === "undefined") differ("missing");
  else if (leftType !== rightType) differ("type");
  else if (leftType === "number") compareNumbers(left.slice(1), right.slice(1), run, differ);
  else if (leftType === "array") {
    for (let i = 0; i < Math.max(left.length, right.length); i += 1) compare(`${path}[${i}]`, left[i], right[i], run);
  } else if (leftType === "object") {
    for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
      compare(`${path && `${path}.`}${key.slice(1)}`, own(left, key), own(right, key), run);
    }
  } else if (left !== right) differ("value");
}

function compareNumbers(left, right, { bothTexts }, differ) {
  if (left === right) return;
  const [a, b] = [decimal(left), decimal(right)];
  if (a === undefined || b === undefined) return differ("value");
  const scale = a.scale > b.scale ? a.scale : b.scale;
  const difference = a.digits * 10n ** (scale - a.scale) - b.digits * 10n ** (scale - b.scale);
  if (difference === 0n) {
    if (bothTexts) differ("numberFormat");
    return;
  }
  const size = difference < 0n ? -difference : difference;
  differ(size * 1000n < 5n * 10n ** scale ? "underHalfSatang" : "value");
}

/** The exact value as digits × 10^-scale. Undefined for exponents beyond ±1000, which cost too much to compute. */
function decimal(number) {
  const [mantissa, exponent = "0"] = number.toLowerCase().split("e");
  const [whole, fraction = ""] = mantissa.split(".");
  const shift = Number(exponent);
  if (Math.abs(shift) > 1000) return undefined;
  const digits = BigInt(whole + fraction); // `whole` carries the sign: "-0" and "5" give -5.
  const scale = BigInt(fraction.length - shift);
  return scale < 0n ? { digits: digits * 10n ** -scale, scale: 0n } : { digits, scale };
}

function typeOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "string" && value[0] === NUMBER ? "number" : typeof value;
}

/** The value without marks, as JSON.parse returns it. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key.slice(1), plain(inner)]));
  }
  if (typeof value !== "string") return value;
  return value[0] === NUMBER ? Number(value.slice(1)) : value.slice(1);
}

function own(object, key) {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

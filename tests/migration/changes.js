// An old service's answer: the new one's, changed in the ways that old services differ.
import { Digits, Members, TooDeep, readJson, writeJson } from "../../worker/migration/src/redaction/json.js";

/** Changes an answer in a few places, unless it is nested too deep for that. */
export function changedAnswer(random, text) {
  const root = { value: read(text) };
  if (root.value === undefined) return text;
  random.times(random.integer(1, 4), () => {
    const places = placesIn(root);
    random.pick(CHANGES)(random, random.pick(places));
  });
  return writeJson(root.value);
}

function read(text) {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}

/** Every value: `{ value, put, drop, add }`. */
function placesIn(root) {
  const places = [];
  const visit = (value, put, parent) => {
    places.push({ value, put, parent });
    if (Array.isArray(value)) value.forEach((item, index) => visit(item, (other) => (value[index] = other), value));
    else if (value instanceof Members) value.list.forEach((member) => visit(member[1], (other) => (member[1] = other), value));
  };
  visit(root.value, (other) => (root.value = other));
  return places.length > 1 ? places.slice(1) : places; // not the answer itself
}

const CHANGES = [
  (_, { value, put }) => put(value instanceof Digits ? other(value, (text) => (/[.e]/i.test(text) ? text : `${text}.00`)) : value),
  (_, { value, put }) => put(value instanceof Digits && isPlain(value) ? new Digits((Number(value.text) + 0.001).toString()) : value),
  (random, { value, put }) => put(value instanceof Digits ? new Digits(`${random.integer(0, 9999)}.5`) : value),
  (random, { value, put }) => put(typeof value === "string" ? `${value}${random.pick(["", " ", "x", "ก"])}` : value),
  (_, { put }) => put(null),
  (_, { put }) => put("text in its place"),
  (_, { put }) => put(readJson('{"an":"object","of":[1,2.50,{"a":1}]}')),
  (_, { value, put }) => Array.isArray(value) && put(value.toReversed()),
  (_, { value, put }) => Array.isArray(value) && put(value.slice(1)),
  (random, { parent }) => parent instanceof Members && parent.list.splice(random.integer(0, parent.list.length), 1),
  (random, { parent }) => parent instanceof Members && parent.list.push([random.pick(["note", "__proto__", "ที่อยู่", "0812345678"]), "more"]),
  (random, { parent }) => parent instanceof Members && (parent.list = random.shuffle(parent.list)),
];

const isPlain = ({ text }) => /^-?\d{1,9}(\.\d{1,4})?$/.test(text);
const other = (value, change) => new Digits(change(value.text));

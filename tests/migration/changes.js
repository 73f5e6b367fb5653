// An old service's answer: the new one's, changed in the ways that old services differ.
import { NotJson } from "../model/json.js";
import { readJson, writeJson } from "./double/tree.js";

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
    if (error instanceof NotJson) return undefined;
    throw error;
  }
}

/** Every value: `{ value, put, parent }`. */
function placesIn(root) {
  const places = [];
  const visit = (value, put, parent) => {
    places.push({ value, put, parent });
    value.items?.forEach((item, index) => visit(item, (other) => (value.items[index] = other), value));
    value.members?.forEach((member) => visit(member.value, (other) => (member.value = other), value));
  };
  visit(root.value, (other) => (root.value = other));
  return places.length > 1 ? places.slice(1) : places; // not the answer itself
}

const number = (raw) => ({ type: "number", raw });
const string = (value) => ({ type: "string", value, raw: JSON.stringify(value) });
const isNumber = ({ type }) => type === "number";

const CHANGES = [
  (_, { value, put }) => isNumber(value) && put(number(/[.e]/i.test(value.raw) ? value.raw : `${value.raw}.00`)),
  (_, { value, put }) => isNumber(value) && isPlain(value) && put(number((Number(value.raw) + 0.001).toString())),
  (random, { value, put }) => isNumber(value) && put(number(`${random.integer(0, 9999)}.5`)),
  (random, { value, put }) => value.type === "string" && put(string(`${value.value}${random.pick(["", " ", "x", "ก"])}`)),
  (_, { put }) => put({ type: "null", raw: "null" }),
  (_, { put }) => put(string("text in its place")),
  (_, { put }) => put(readJson('{"an":"object","of":[1,2.50,{"a":1}]}')),
  (_, { value, put }) => value.items && put({ type: "array", items: value.items.toReversed() }),
  (_, { value, put }) => value.items && put({ type: "array", items: value.items.slice(1) }),
  (random, { parent }) => parent?.members?.splice(random.integer(0, parent.members.length), 1),
  (random, { parent }) =>
    parent?.members?.push({ rawName: `"${random.pick(["note", "__proto__", "ที่อยู่", "0812345678"])}"`, value: string("more") }),
  (random, { parent }) => parent?.members && (parent.members = random.shuffle(parent.members)),
];

const isPlain = ({ raw }) => /^-?\d{1,9}(\.\d{1,4})?$/.test(raw);

// Finds places of JSON text in its syntax tree.

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);
const isValue = ({ name }) => VALUES.has(name);

/** The name of a property, as a string. */
export function nameOf(property, doc) {
  const name = property?.getChild("PropertyName");
  return name ? stringIn(doc.sliceString(name.from, name.to)) : undefined;
}

function stringIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text.replace(/^"|"$/g, ""); // it is being typed
  }
}

/** The values in a list, or the value of a property. */
function valuesIn(node) {
  const values = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (isValue(child)) values.push(child);
  return values;
}

/** The keys and indices from the whole document to a node. */
export function keysTo(node, doc) {
  const keys = [];
  for (let { parent } = node; parent; { parent } = node) {
    if (parent.name === "Property") keys.unshift(nameOf(parent, doc));
    if (parent.name === "Array") keys.unshift(valuesIn(parent).findIndex(({ from }) => from >= node.from));
    node = parent;
  }
  return keys;
}

/**
 * Where a value stands; where it is missing, the nearest one around it.
 * @param {import("@lezer/common").Tree} tree
 * @param {import("@codemirror/state").Text} doc
 * @param {readonly (string | number)[]} keys
 * @param {boolean} [isKey] whether the key itself is meant, not its value
 * @returns {{ from: number, to: number }}
 */
export function placeOf(tree, doc, keys, isKey) {
  let [node] = valuesIn(tree.topNode);
  for (const key of keys) {
    const next = node && inside(node, key, doc);
    if (!next) return around(node, tree);
    node = next;
  }
  const name = isKey && node?.parent.getChild("PropertyName");
  return name ? { from: name.from, to: name.to } : around(node, tree);
}

/** Of several properties of one name the last counts. */
function inside(node, key, doc) {
  if (node.name === "Array") return valuesIn(node)[key];
  if (node.name !== "Object") return undefined;
  const property = node.getChildren("Property").findLast((one) => nameOf(one, doc) === String(key));
  return property && (valuesIn(property)[0] ?? property);
}

/** Of a long value only its beginning is marked. */
function around(node, { length }) {
  if (!node) return { from: 0, to: Math.min(1, length) };
  const isLong = node.name === "Object" || node.name === "Array";
  return { from: node.from, to: isLong ? Math.min(node.from + 1, length) : node.to };
}

/** Where a text stops being JSON, for an engine that does not say. */
export function firstErrorIn(tree) {
  let offset;
  tree.iterate({ enter: ({ type, from }) => void (offset ??= type.isError ? from : undefined) });
  return offset ?? 0;
}

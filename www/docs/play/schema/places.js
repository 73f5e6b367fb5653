// Finds places of JSON text in its syntax tree.

/**
 * @typedef {import("@lezer/common").Tree} Tree
 * @typedef {import("@lezer/common").SyntaxNode} SyntaxNode
 * @typedef {import("@codemirror/state").Text} Text
 * @typedef {import("./schema.js").Keys} Keys
 */

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);

/** @param {SyntaxNode} node */
const isValue = ({ name }) => VALUES.has(name);

/**
 * The name of a property, as a string; empty while it has none.
 * @param {SyntaxNode} property
 * @param {Text} doc
 */
export function nameOf(property, doc) {
  const name = property.getChild("PropertyName");
  return name ? stringIn(doc.sliceString(name.from, name.to)) : "";
}

/**
 * @param {string} text
 * @returns {string}
 */
function stringIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text.replace(/^"|"$/g, ""); // it is being typed
  }
}

/**
 * The values in a list, or the value of a property.
 * @param {SyntaxNode} node
 */
function valuesIn(node) {
  /** @type {SyntaxNode[]} */
  const values = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (isValue(child)) values.push(child);
  return values;
}

/**
 * The keys and indices from the whole document to a node.
 * @param {SyntaxNode} node
 * @param {Text} doc
 */
export function keysTo(node, doc) {
  /** @type {Keys} */
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
 * @param {Tree} tree
 * @param {Text} doc
 * @param {Readonly<Keys>} keys
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
  const name = isKey && node?.parent?.getChild("PropertyName");
  return name ? { from: name.from, to: name.to } : around(node, tree);
}

/**
 * Of several properties of one name the last counts.
 * @param {SyntaxNode} node
 * @param {string | number} key
 * @param {Text} doc
 */
function inside(node, key, doc) {
  if (node.name === "Array") return valuesIn(node)[Number(key)];
  if (node.name !== "Object") return undefined;
  const property = node.getChildren("Property").findLast((one) => nameOf(one, doc) === String(key));
  return property && (valuesIn(property)[0] ?? property);
}

/**
 * Of a long value only its beginning is marked.
 * @param {SyntaxNode | undefined} node
 * @param {Tree} tree
 */
function around(node, { length }) {
  if (!node) return { from: 0, to: Math.min(1, length) };
  const isLong = node.name === "Object" || node.name === "Array";
  return { from: node.from, to: isLong ? Math.min(node.from + 1, length) : node.to };
}

/**
 * Where a text stops being JSON, for an engine that does not say.
 * @param {Tree} tree
 */
export function firstErrorIn(tree) {
  /** @type {number | undefined} */
  let offset;
  tree.iterate({ enter: ({ type, from }) => void (offset ??= type.isError ? from : undefined) });
  return offset ?? 0;
}

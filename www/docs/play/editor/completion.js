// Offers keys and values of a JSON Schema at the cursor.
import { snippet, startCompletion } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { keysTo, nameOf, shapesAt, typesOf } from "../schema/index.js";

/**
 * @typedef {import("@codemirror/state").EditorState} EditorState
 * @typedef {import("@codemirror/autocomplete").Completion} Completion
 * @typedef {import("../schema/schema.js").Keys} Keys
 * @typedef {import("../schema/schema.js").Schema} Schema
 * @typedef {(keys: Keys) => { label: string, detail?: string }[]} More what else may stand at a place: in an object its keys,
 *   elsewhere JSON texts
 * @typedef {{ from: number, to: number }} Token
 * @typedef {{ isKey: true, keys: Keys, present: Set<string>, hasValue: boolean }} KeyPlace `present`: the other keys
 * @typedef {{ isKey?: false, keys: Keys }} ValuePlace
 */

const SCALARS = new Set(["String", "PropertyName", "Number", "True", "False", "Null"]);

/**
 * @param {Schema} schema
 * @param {More} more
 * @returns {import("@codemirror/autocomplete").CompletionSource}
 */
export const schemaCompletion =
  (schema, more) =>
  ({ state, pos, explicit }) => {
    const token = tokenAt(state, pos);
    if (token.from === pos && !explicit) return null;
    const place = placeAt(state, token);
    if (!place) return null;
    const options = place.isKey ? keyOptions(schema, more, place) : valueOptions(schema, more, place);
    return options.length > 0 ? { from: token.from, options: options.map(replacing), validFor: /^"?[^"\s:,]*$/ } : null;
  };

/**
 * Replaces the whole token at the cursor, with the quote that the editor has closed.
 * @param {Completion} option
 * @returns {Completion}
 */
function replacing({ apply, ...option }) {
  const write = typeof apply === "function" ? apply : snippet(escaped(apply ?? option.label));
  return { ...option, apply: (view, chosen, from, to) => write(view, chosen, from, tokenAt(view.state, to).to) };
}

/**
 * What is being typed, if anything is.
 * @param {EditorState} state
 * @param {number} pos
 * @returns {Token}
 */
function tokenAt(state, pos) {
  const { name, from, to } = syntaxTree(state).resolveInner(pos, -1);
  if (SCALARS.has(name) && from < pos && pos <= to) return { from, to };
  const line = state.doc.lineAt(pos);
  return { from: line.from + line.text.slice(0, pos - line.from).search(/"?[\w/-]*$/), to: pos };
}

/**
 * Whether a key or a value stands there, by the mark before it.
 * @param {EditorState} state
 * @param {Token} token
 * @returns {KeyPlace | ValuePlace | undefined}
 */
function placeAt(state, { from, to }) {
  const { doc } = state;
  const before = doc.sliceString(0, from).trimEnd();
  const at = before.length - 1;
  if (before.endsWith(":")) {
    const property = enclosing(state, at, ["Property"]);
    return property && { keys: [...keysTo(property, doc), nameOf(property, doc)] };
  }
  if (!/[[{,]$/.test(before)) return at < 0 ? { keys: [] } : undefined;
  const holder = enclosing(state, at + 1, ["Object", "Array"]);
  if (holder?.name === "Array") return { keys: [...keysTo(holder, doc), 0] };
  if (!holder) return undefined;
  const others = holder.getChildren("Property").filter((property) => property.from !== from);
  const hasValue = doc
    .sliceString(to, to + 100)
    .trimStart()
    .startsWith(":");
  return { isKey: true, keys: keysTo(holder, doc), present: new Set(others.map((property) => nameOf(property, doc))), hasValue };
}

/**
 * @param {EditorState} state
 * @param {number} pos
 * @param {string[]} names of kinds of nodes
 */
function enclosing(state, pos, names) {
  /** @type {import("@lezer/common").SyntaxNode | null} */
  let node = syntaxTree(state).resolveInner(pos, -1);
  while (node && !names.includes(node.name)) node = node.parent;
  return node ?? undefined;
}

/**
 * @param {Schema} schema
 * @param {More} more
 * @param {KeyPlace} place
 * @returns {Completion[]}
 */
function keyOptions(schema, more, { keys, present, hasValue }) {
  const listed = shapesAt(schema, keys).flatMap(({ properties = {}, required = [] }) =>
    Object.keys(properties).map((name) => ({ name, detail: undefined, isRequired: required.includes(name) })),
  );
  const named = more(keys).map(({ label, detail }) => ({ name: label, detail, isRequired: false }));
  return [...listed, ...named]
    .filter(({ name }) => !present.has(name))
    .map(({ name, detail, isRequired }) => {
      const shapes = shapesAt(schema, [...keys, name]);
      return {
        label: JSON.stringify(name),
        displayLabel: name,
        type: "property",
        detail: detail ?? (isRequired ? "required" : typesOf(shapes[0] ?? {})[0]),
        info: shapes[0]?.description,
        boost: isRequired ? 1 : 0,
        apply: hasValue ? JSON.stringify(name) : withValue(JSON.stringify(name), shapes, more([...keys, name])),
      };
    });
}

/**
 * Writes a key and room for its value; where there are values to choose from, offers them.
 * @param {string} key
 * @param {Schema[]} shapes
 * @param {ReturnType<More>} known
 * @returns {Completion["apply"]}
 */
function withValue(key, shapes, known) {
  const hasChoices = known.length > 0 || shapes.some(hasValues);
  const write = snippet(`${escaped(key)}: ${hasChoices ? "${}" : holeFor(shapes[0] ?? {})}`);
  return (view, chosen, from, to) => {
    write(view, chosen, from, to);
    if (hasChoices) startCompletion(view);
  };
}

/** @param {Schema} shape */
const hasValues = (shape) => shape.enum !== undefined || typesOf(shape).includes("boolean");

/**
 * @param {Schema} schema
 * @param {More} more
 * @param {ValuePlace} place
 * @returns {Completion[]}
 */
function valueOptions(schema, more, { keys }) {
  const texts = shapesAt(schema, keys).flatMap((shape) => [
    ...(shape.enum ?? []).map((value) => ({ label: JSON.stringify(value), info: shape.description })),
    ...(typesOf(shape).includes("boolean") ? [{ label: "true" }, { label: "false" }] : []),
    ...(shape.properties ? [{ label: `{ … } ${shape.title ?? ""}`.trim(), apply: objectOf(shape) }] : []),
  ]);
  return [...more(keys), ...texts].map((option) => ({ type: "constant", ...option }));
}

/**
 * An object with what is required.
 * @param {Schema} shape
 */
const objectOf = (shape) =>
  snippet(`{ ${(shape.required ?? []).map((name) => `"${name}": ${holeFor(shapesAt(shape, [name])[0] ?? {})}`).join(", ") || "${}"} }`);

/**
 * A value to be typed over.
 * @param {Schema} shape
 */
function holeFor(shape) {
  const [type] = typesOf(shape);
  if (type === "string") return `"\${${shape.enum?.[0] ?? ""}}"`;
  if (type === "array") return "[${}]";
  if (type === "object") return "{ ${} }";
  if (type === "boolean") return "${false}";
  return type === undefined ? "${}" : `\${${shape.default ?? 1}}`;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[{}$]/g, "\\$&");

// Offers keys and values of a JSON Schema at the cursor.
import { snippet, startCompletion } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import { keysTo, nameOf } from "./places.js";
import { shapesAt, typesOf } from "./schema.js";

const SCALARS = new Set(["String", "PropertyName", "Number", "True", "False", "Null"]);

/**
 * @param {object} schema
 * @param {(keys: (string | number)[]) => { label: string, detail?: string }[]} more what else may stand at a place: in an
 *   object its keys, elsewhere JSON texts
 * @returns {import("@codemirror/autocomplete").CompletionSource}
 */
export const schemaCompletion =
  (schema, more) =>
  ({ state, pos, explicit }) => {
    const token = tokenAt(state, pos);
    if (token.from === pos && !explicit) return null;
    const place = placeAt(state, token);
    const options = place && (place.isKey ? keyOptions : valueOptions)(schema, more, place);
    return options?.length > 0 ? { from: token.from, options: options.map(replacing), validFor: /^"?[^"\s:,]*$/ } : null;
  };

/** Replaces the whole token at the cursor, with the quote that the editor has closed. */
function replacing({ apply, ...option }) {
  const write = typeof apply === "function" ? apply : snippet(escaped(apply ?? option.label));
  return { ...option, apply: (view, chosen, from, to) => write(view, chosen, from, tokenAt(view.state, to).to) };
}

/** What is being typed, if anything is. */
function tokenAt(state, pos) {
  const { name, from, to } = syntaxTree(state).resolveInner(pos, -1);
  if (SCALARS.has(name) && from < pos && pos <= to) return { from, to };
  const line = state.doc.lineAt(pos);
  return { from: pos - /"?[\w/-]*$/.exec(line.text.slice(0, pos - line.from))[0].length, to: pos };
}

/** Whether a key or a value stands there, by the mark before it. */
function placeAt(state, { from, to }) {
  const { doc } = state;
  const before = doc.sliceString(0, from).trimEnd();
  const at = before.length - 1;
  if (before.endsWith(":")) {
    const property = enclosing(state, at, ["Property"]);
    return property && { keys: [...keysTo(property.parent, doc), nameOf(property, doc)] };
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

function enclosing(state, pos, names) {
  let node = syntaxTree(state).resolveInner(pos, -1);
  while (node && !names.includes(node.name)) node = node.parent;
  return node;
}

function keyOptions(schema, more, { keys, present, hasValue }) {
  const listed = shapesAt(schema, keys).flatMap(({ properties = {}, required = [] }) =>
    Object.keys(properties).map((name) => ({ name, isRequired: required.includes(name) })),
  );
  const named = more(keys).map(({ label, detail }) => ({ name: label, detail }));
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

/** Writes a key and room for its value; where there are values to choose from, offers them. */
function withValue(key, shapes, known) {
  const hasChoices = known.length > 0 || shapes.some(hasValues);
  const write = snippet(`${escaped(key)}: ${hasChoices ? "${}" : holeFor(shapes[0] ?? {})}`);
  return (view, ...rest) => {
    write(view, ...rest);
    if (hasChoices) startCompletion(view);
  };
}

const hasValues = (shape) => shape.enum !== undefined || typesOf(shape).includes("boolean");

function valueOptions(schema, more, { keys }) {
  const texts = shapesAt(schema, keys).flatMap((shape) => [
    ...(shape.enum ?? []).map((value) => ({ label: JSON.stringify(value), info: shape.description })),
    ...(typesOf(shape).includes("boolean") ? [{ label: "true" }, { label: "false" }] : []),
    ...(shape.properties ? [{ label: `{ … } ${shape.title ?? ""}`.trim(), apply: objectOf(shape) }] : []),
  ]);
  return [...more(keys), ...texts].map((option) => ({ type: "constant", ...option }));
}

/** An object with what is required. */
const objectOf = (shape) =>
  snippet(`{ ${(shape.required ?? []).map((name) => `"${name}": ${holeFor(shapesAt(shape, [name])[0] ?? {})}`).join(", ") || "${}"} }`);

/** A value to be typed over. */
function holeFor(shape) {
  const [type] = typesOf(shape);
  if (type === "string") return `"\${${shape.enum?.[0] ?? ""}}"`;
  if (type === "array") return "[${}]";
  if (type === "object") return "{ ${} }";
  if (type === "boolean") return "${false}";
  return type === undefined ? "${}" : `\${${shape.default ?? 1}}`;
}

const escaped = (text) => text.replace(/[{}$]/g, "\\$&");

/**
 * @typedef {{ read: (node, path: string) => unknown, required?: string }} Field
 */

/**
 * What is read of fields. Optional ones may be absent.
 * @template {Record<string, Field>} Fields
 * @typedef {{ [Name in keyof Fields as Fields[Name] extends { required: string } ? Name : never]: ReturnType<Fields[Name]["read"]> }
 *   & { [Name in keyof Fields]?: ReturnType<Fields[Name]["read"]> }} RecordOf
 */

/**
 * Reads the known members of a JSON object in document order, so that the first fault is the first in the text. A field
 * is `{ read(node, path), required?: phrase }`. `fail(path, what)` throws. D7: null means absent. D9: the last
 * duplicate wins, and each must be valid. D2: unknown members are ignored.
 * @template {Record<string, Field>} Fields
 * @param {Fields} fields
 */
export function readRecord(node, path, fields, fail) {
  if (node.type !== "object") fail(path, "expected an object");
  const record = {};
  for (const { name, value } of node.members) {
    if (!Object.hasOwn(fields, name)) continue;
    const field = fields[name];
    const place = join(path, name);
    if (value.type !== "null") record[name] = field.read(value, place);
    else if (field.required) fail(place, field.required);
    else delete record[name];
  }
  for (const [name, { required }] of Object.entries(fields)) {
    if (required && !Object.hasOwn(record, name)) fail(join(path, name), required);
  }
  return /** @type {RecordOf<Fields>} */ (record);
}

/** The items of an array; `readItem(node, path)` reads each. */
export function readList(node, path, readItem, fail) {
  if (node.type !== "array") fail(path, "expected an array");
  return node.items.map((item, index) => readItem(item, `${path}[${index}]`));
}

function join(path, name) {
  return path ? `${path}.${name}` : name;
}

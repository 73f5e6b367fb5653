const WIDTH = 110;

/** Readable JSON text: two spaces of indentation; a value that fits on one line stays on one line. */
export function layout(value, indent = 0, room = WIDTH - indent) {
  const line = oneLine(value);
  if (line.length <= room || typeof value !== "object") return line;
  const pad = " ".repeat(indent + 2);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const entries = Array.isArray(value) ? value.map((item) => ["", item]) : Object.entries(value).map(named);
  const lines = entries.map(([label, item]) => {
    return `${pad}${label}${layout(item, indent + 2, WIDTH - indent - 2 - label.length)}`;
  });
  return `${open}\n${lines.join(",\n")}\n${" ".repeat(indent)}${close}`;
}

function named([name, value]) {
  return [`${JSON.stringify(name)}: `, value];
}

function oneLine(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(oneLine).join(", ")}]`;
  const members = Object.entries(value).map((entry) => `${named(entry)[0]}${oneLine(entry[1])}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

// The lines of the log, from the code that writes them.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { keysOf, nodes, parsed, propertiesOf } from "./comments.mjs";
import { code, sentence, table } from "./markdown.mjs";

/** The programs that log, the folder of each, the file that says what its events and fields mean, and what makes its lines. */
const PROGRAMS = [
  {
    heading: "The service",
    folder: "worker/src",
    types: "worker/src/log/log.js",
    lines: { order: ["worker/src/orders/order-line.js", "orderLine", ["message", "cause"]] },
  },
  {
    heading: "The shadow Worker",
    folder: "worker/migration/src",
    types: "worker/migration/src/line.js",
    lines: { shadow: ["worker/migration/src/line.js", "shadowLine", []] },
  },
];

export async function logFields({ root }) {
  return PROGRAMS.map((program) => {
    const { events, fields } = logOf(root, program);
    return [
      `## ${program.heading}`,
      table(
        ["`event`", "When", "Fields beside `level` and `event`"],
        events.map(({ name, says, has }) => [code(name), sentence(says), has.map(code).join(", ")]),
      ),
      table(
        ["Field", "Meaning"],
        fields.map(({ name, says }) => [code(name), sentence(says)]),
      ),
    ].join("\n\n");
  }).join("\n\n");
}

function logOf(root, { folder, types, lines }) {
  const written = fieldsByEvent(join(root, folder));
  for (const [event, [file, maker, spread]] of Object.entries(lines))
    written.set(event, [...returnedBy(join(root, file), maker), ...spread]);
  const [events, fields] = ["LogEvents", "LogFields"].map(
    (name) => new Map(propertiesOf(join(root, types), name).map(({ name, says }) => [name, says])),
  );
  const names = new Set([...fields.keys(), ...[...written.values()].flat()]);
  return {
    events: [...new Set([...events.keys(), ...written.keys()])].map((name) => ({
      name,
      says: events.get(name) ?? "",
      has: written.get(name) ?? [],
    })),
    fields: [...names].map((name) => ({ name, says: fields.get(name) ?? "" })),
  };
}

/**
 * The fields that `log(level, "event", { … })` names, by event.
 * @param {string} folder
 */
function fieldsByEvent(folder) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"))) {
    for (const node of nodes(parsed(join(folder, file)))) {
      if (!ts.isCallExpression(node) || node.expression.getText() !== "log") continue;
      const [, event, fields] = node.arguments;
      if (!ts.isStringLiteralLike(event)) throw new Error(`${file} logs an event that is not written out: ${event.getText()}`);
      const keys = fields && ts.isObjectLiteralExpression(fields) ? keysOf(fields) : [];
      found.set(event.text, [...new Set([...(found.get(event.text) ?? []), ...keys])]);
    }
  }
  return found;
}

/**
 * The fields of the object that a function returns.
 * @param {string} file
 * @param {string} name
 */
function returnedBy(file, name) {
  const [maker] = [...nodes(parsed(file))].filter((node) => ts.isFunctionDeclaration(node) && node.name?.text === name);
  const returned = [...nodes(maker)].filter(ts.isReturnStatement).flatMap(({ expression }) => expression ?? []);
  const [literal] = returned.filter(ts.isObjectLiteralExpression);
  return keysOf(literal).filter((key) => key !== "event");
}

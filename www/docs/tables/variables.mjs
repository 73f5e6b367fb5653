// The variables of the service, from the code that reads them.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { POLICIES, variable } from "order-cost/internal";
import { entriesOf } from "./comments.mjs";
import { code, sentence, table } from "./markdown.mjs";

/** Where variables are read: the heading of the table, the file, and its defaults. */
const SOURCES = [
  {
    heading: "The service",
    file: "worker/src/options/options.js",
    defaultsIn: ({ defaults }) => defaults(),
    silencesIn: ({ silences }) => silences(),
  },
  {
    heading: "On Node",
    file: "worker/src/node/platform/variables.js",
    defaultsIn: ({ VARIABLES }) => membersOf(VARIABLES, 0),
    silencesIn: ({ VARIABLES }) => membersOf(VARIABLES, 2),
  },
  {
    heading: "The shadow Worker",
    file: "worker/migration/src/options.js",
    defaultsIn: ({ defaults }) => defaults(),
    silencesIn: () => ({}),
  },
];

export async function variables({ root }) {
  const tables = await Promise.all(
    SOURCES.map(async (source) => {
      const rows = (await variablesOf(root, source)).map(({ name, byDefault, means }) => [code(name), byDefault, sentence(means)]);
      return `## ${source.heading}\n\n${table(["Variable", "Default", "Meaning"], rows)}`;
    }),
  );
  return tables.join("\n\n");
}

/** What the silence of a variable would do, so that a slip in its name stops the start. */
const SILENCE = {
  door: "A slip in its name stops the start: its silence would open a door.",
  price: "A slip in its name stops the start: its silence could change a price.",
};

async function variablesOf(root, { file, defaultsIn, silencesIn }) {
  const path = join(root, file);
  const module = await import(pathToFileURL(path).href);
  const [values, silences] = [defaultsIn(module), silencesIn(module)];
  const comments = new Map(entriesOf(path, "VARIABLES").map(({ name, ...comment }) => [name, comment]));
  const policies = policyMeanings();
  return Object.entries(values).map(([name, value]) => {
    const comment = comments.get(name);
    const means = [sentence(comment?.says ?? policies.get(name) ?? ""), SILENCE[silences[name]]].filter(Boolean).join(" ");
    return { name, byDefault: comment?.default ?? shown(value), means };
  });
}

/** A policy has a variable each, and its meaning in the table of policies. */
function policyMeanings() {
  return new Map(
    Object.entries(POLICIES).map(([name, { values, what }]) => [
      variable(name),
      `${what}: ${values.map(code).join(", ")}. The policy [${code(name)}](../reference/options.md#policies)`,
    ]),
  );
}

const membersOf = (entries, place) => Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, entry[place]]));

function shown(value) {
  if (value === undefined || (typeof value === "object" && Object.keys(value).length === 0)) return "none";
  return code(typeof value === "boolean" ? Number(value) : value);
}

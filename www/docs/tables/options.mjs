// The options of a pricer, from src/options.rs.
import { code, table, withDecisions } from "./markdown.mjs";
import { reference } from "./reference.mjs";

/** Those that stand alone: a policy and a limit have tables of their own. */
export async function options({ root }) {
  return valued("Option", reference(root).options);
}

export async function limits({ root }) {
  return valued("Limit", reference(root).limits);
}

/** A row for each value, the default first. */
export async function policies({ root }) {
  const rows = reference(root).policies.flatMap(({ name, means, values }) =>
    values.map(({ word, means: effect }, index) => [
      index === 0 ? `${code(name)}: ${withDecisions(means)}` : "",
      `${code(`"${word}"`)}${index === 0 ? " (default)" : ""}`,
      withDecisions(effect),
    ]),
  );
  return table(["Policy", "Value", "Meaning"], rows);
}

function valued(kind, entries) {
  const rows = entries.map(({ name, values, default: byDefault, means }) => [code(name), values, byDefault, withDecisions(means)]);
  return table([kind, "Values", "Default", "Meaning"], rows);
}

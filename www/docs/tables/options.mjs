// The options of a pricer, from src/options.rs.
import { code, table, withDecisions } from "./markdown.mjs";
import { reference } from "./reference.mjs";

/** Those that stand alone: a policy and a limit have tables of their own. */
export async function options({ root }) {
  const rows = reference(root).options.flatMap((option) => (option.values ? ofWords(option) : [ofNumber(option)]));
  return table(["Option", "Value", "Meaning"], rows);
}

export async function limits({ root }) {
  return table(["Limit", "Value", "Meaning"], reference(root).limits.map(ofNumber));
}

export async function policies({ root }) {
  return table(["Policy", "Value", "Meaning"], reference(root).policies.flatMap(ofWords));
}

const ofNumber = ({ name, means, expected, default: byDefault }) => [code(name), `${expected} (default: ${byDefault})`, withDecisions(means)];

/** A row for what the option is for, and one for each value, the default first. */
function ofWords({ name, means, values }) {
  const effects = values.map(({ word, means: effect }, index) => ["", code(`"${word}"`) + (index === 0 ? " (default)" : ""), withDecisions(effect)]);
  return [[code(name), "", withDecisions(means)], ...effects];
}

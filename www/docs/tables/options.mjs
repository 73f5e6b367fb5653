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

const ofNumber = ({ name, means, expected, default: byDefault }) => [
  code(name),
  `${expected} (default: ${byDefault})`,
  withDecisions(means),
];

/** A row for each value, the default first. That one says what the option is for, too. */
function ofWords({ name, means, values }) {
  return values.map(({ word, means: effect }, index) => {
    const value = code(`"${word}"`);
    return index === 0 ? [`${code(name)}: ${withDecisions(means)}`, `${value} (default)`, effect] : [code(name), value, effect];
  });
}

// What `--suggest` prints.
import { kebab, variable } from "../../policies.js";
import { figure } from "../figure.js";
import { chosenIn } from "./policies.js";

/** The suggestion in each form that it can be set in. */
export function suggestionText({ policy, different, before, orders, cannotTell, notOurs }) {
  const chosen = chosenIn(policy);
  const lines = [];
  if (notOurs === orders) return NOT_OURS;
  if (chosen.length === 0) lines.push(`No policy makes fewer orders differ: ${figure(different)} of ${figure(orders)} do with the default.`);
  else {
    lines.push(`With these policies ${figure(different)} of ${figure(orders)} orders differ, without ${figure(before)}:`, "");
    const forms = [
      ["option", `policy: { ${chosen.map(([name, value]) => `${name}: "${value}"`).join(", ")} }`],
      ["variables", chosen.map(([name, value]) => `${variable(name)}=${value}`).join(" ")],
      ["flags", chosen.map(([name, value]) => `--${kebab(name)} ${value}`).join(" ")],
    ];
    lines.push(...forms.map(([form, text]) => `  ${form.padEnd(9)}   ${text}`));
  }
  if (cannotTell.length > 0) lines.push("", `No order tells how these should be, so they keep their default: ${cannotTell.join(", ")}.`);
  if (notOurs > 0) lines.push("", `${figure(notOurs)} answers of the right side could not be priced again: they count as they are.`);
  return lines.join("\n");
}

const NOT_OURS = "The right side was not priced by this package with its default policy, so that nothing can be suggested.";

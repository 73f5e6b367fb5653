// What `--suggest` prints.
import { DEFAULT_POLICY, kebab, variable } from "../../core/index.js";
import { figure } from "../screen/index.js";
import { changedFrom, chosenIn } from "./policies.js";

/** The suggestion in each form that it can be set in. */
export function suggestionText({ policy, start, different, before, orders, cannotTell, notOurs, notJudged }) {
  const lines = [];
  if (notOurs === orders) return NOT_OURS;
  const isDefault = start !== null && chosenIn(start).length === 0;
  // What the right side was made with may be unknown: then all that orders decide is named.
  const isTakenBack = (name, value) => (start === null ? !cannotTell.includes(name) : value !== start[name]);
  const isBest = policy === null || (start !== null && changedFrom(start, policy).length === 0);
  if (isBest) {
    lines.push(
      `No policy makes fewer orders differ: ${figure(different)} of ${figure(orders)} do ${isDefault ? "with the default" : "as they are"}.`,
    );
  } else {
    lines.push(`With these policies ${figure(different)} of ${figure(orders)} orders differ, without ${figure(before)}:`, "");
    const chosen = Object.entries(policy).filter(([name, value]) => value !== DEFAULT_POLICY[name] || isTakenBack(name, value));
    const forms = [
      ["option", `policy: { ${namedIn(chosen)} }`],
      ["variables", chosen.map(([name, value]) => `${variable(name)}=${value}`).join(" ")],
      ["flags", chosen.map(([name, value]) => `--${kebab(name)} ${value}`).join(" ")],
    ];
    lines.push(...forms.map(([form, text]) => `  ${form.padEnd(9)}   ${text}`));
  }
  const keep =
    start !== null && cannotTell.every((name) => start[name] === DEFAULT_POLICY[name]) ? "keep their default" : "stay as they are";
  if (cannotTell.length > 0) lines.push("", `No order tells how these should be, so they ${keep}: ${cannotTell.join(", ")}.`);
  if (notJudged > 0) lines.push("", HIDDEN);
  if (notJudged > 0 && policy?.settlementPrice === "rowTotal") lines.push("", NO_SETTLEMENT_PRICE);
  if (notOurs > 0) lines.push("", `${figure(notOurs)} answers of the right side could not be priced again: they count as they are.`);
  return lines.join("\n");
}

const namedIn = (policies) => policies.map(([name, value]) => `${name}: "${value}"`).join(", ");

const NOT_OURS = "The right side was not priced by this package with one policy, so that nothing can be suggested.";

const NO_SETTLEMENT_PRICE =
  'settlementPrice: "rowTotal" gives what the answers show: leave it out if no price record has a settlementPrice.';

/** An answer made with `settlementPrice: "rowTotal"` does not show the records'. */
const HIDDEN =
  "Some policies were not judged: they use amounts of the records that the answers hide. Captures show them: order-cost replay --suggest.";

// Sets of policies: all combinations, and those that an order can tell apart.
import { DEFAULT_POLICY, POLICIES, POLICY_NAMES } from "../../core/index.js";

/** Every combination of the values of these policies, each with the default for the others. */
export function combinations(names = POLICY_NAMES) {
  return names.reduce(
    (sets, name) => sets.flatMap((set) => POLICIES[name].values.map((value) => ({ ...set, [name]: value }))),
    [DEFAULT_POLICY],
  );
}

/** The policies that a set changes. */
export const changedFrom = (start, policy) => Object.entries(policy).filter(([name, value]) => value !== start[name]);

/** Those that are not the default. */
export const chosenIn = (policy) => changedFrom(DEFAULT_POLICY, policy);

/** The list price takes part in what other policies choose. */
const WITH_LIST = { ...DEFAULT_POLICY, rowTotal: "list" };

/** The policies that change the answer to an order. `answerOf` prices it by a policy. */
export async function decisive(answerOf) {
  const names = [];
  const references = await Promise.all([DEFAULT_POLICY, WITH_LIST].map(async (policy) => [policy, await answerOf(policy)]));
  for (const [name, { values }] of Object.entries(POLICIES)) {
    for (const [policy, answer] of references) {
      const others = values.filter((value) => value !== policy[name]);
      const answers = await Promise.all(others.map((value) => answerOf({ ...policy, [name]: value })));
      if (answers.every((other) => other === answer)) continue;
      names.push(name);
      break;
    }
  }
  return names;
}

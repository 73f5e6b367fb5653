// Two answers side by side: other policies, other facts, or both.
import { POLICIES } from "../order-cost/policies.js";
import { element } from "../../page/dom.js";
import { differencesOf } from "./differences.js";

export function createComparisonView() {
  const node = element("div", {});

  /**
   * @param {import("./run.js").Run[]} runs
   * @param {import("./state.js").State} state
   */
  function show([one, other], { policy, facts, other: { policy: otherPolicy, facts: otherFacts = facts } }) {
    const changed = Object.entries(POLICIES).flatMap(([name, { values: [usual] }]) => {
      const [left, right] = [policy[name] ?? usual, otherPolicy[name] ?? usual];
      return left === right ? [] : [element("li", {}, element("code", {}, name), `: ${left} → ${right}`)];
    });
    const isSame = changed.length === 0 && facts === otherFacts;
    node.replaceChildren(
      element("h2", {}, "What differs"),
      isSame
        ? element("p", { class: "play-empty" }, "A and B are the same so far. Choose other policies for B, or change its facts.")
        : element("ul", { class: "play-changed" }, ...changed, facts !== otherFacts && element("li", {}, "the facts")),
      ...(one.priced && other.priced ? differencesOf(one.priced.text, other.priced.text, ["A", "B"]).filter(Boolean) : []),
    );
  }

  return { node, show };
}

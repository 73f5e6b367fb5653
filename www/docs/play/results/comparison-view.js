// Two answers side by side: other policies, other facts, or both.
import { POLICIES } from "order-cost/internal";
import { element } from "../../../dom/index.js";
import { differencesOf, verdict } from "./differences.js";

export function createComparisonView() {
  const node = element("div", {});

  /**
   * @param {import("../run/run.js").Run[]} runs
   * @param {import("../link/state.js").State} state of A
   * @param {NonNullable<import("../link/state.js").State["other"]>} otherState of B
   */
  function show([one, other], { policy, facts }, { policy: otherPolicy, facts: otherFacts = facts }) {
    const changed = Object.entries(POLICIES).flatMap(
      ([
        name,
        {
          values: [usual],
        },
      ]) => {
        const [left, right] = [policy[name] ?? usual, otherPolicy[name] ?? usual];
        return left === right ? [] : [element("li", {}, element("code", {}, name), `: ${left} → ${right}`)];
      },
    );
    const isSame = changed.length === 0 && facts === otherFacts;
    node.replaceChildren(
      element("h2", {}, "What differs"),
      isSame
        ? element("p", { class: "play-empty" }, "A and B are the same so far. Choose other policies for B, or change its facts.")
        : element("ul", { class: "play-changed" }, ...changed, facts !== otherFacts && element("li", {}, "the facts")),
      ...(one.priced && other.priced ? outcomeOf(one.priced, other.priced) : []),
    );
  }

  return { node, show };
}

/**
 * @param {import("../run/pricing.js").Priced} one
 * @param {import("../run/pricing.js").Priced} other
 */
function outcomeOf(one, other) {
  if (one.error && one.text === other.text) return [verdict("bad", "Neither has a price, both for the same reason.")];
  return differencesOf(one.text, other.text, ["A", "B"]);
}

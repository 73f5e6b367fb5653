// The policies as choices, from the package's own list.
import { POLICIES } from "order-cost/internal";
import { element } from "../../dom/index.js";
import { decisionLink, pageLink } from "./parts/index.js";

const SIDES = ["A", "B"];

/** @param {(side: number, policy: Record<string, string>) => void} onChange `policy`: what differs from the defaults */
export function createPoliciesForm(onChange) {
  let policies = [{}, undefined];
  const toDefaults = () => policies.forEach((policy, side) => policy && onChange(side, {}));
  const reset = element("button", { type: "button", class: "play-button", click: toDefaults }, "Back to the defaults");
  const rows = Object.entries(POLICIES).map(([name, policy]) =>
    rowOf(name, policy, (side, value) => onChange(side, withValue(policies[side], name, value))),
  );
  const node = element(
    "div",
    { class: "play-policies" },
    ...rows.map(({ node }) => node),
    element("p", { class: "play-policies-foot" }, reset, pageLink("reference/options#policies", "What each value does")),
  );

  /** @param {(Record<string, string> | undefined)[]} next of A, and of B if there is one */
  function show(next) {
    policies = next;
    node.classList.toggle("is-compared", next[1] !== undefined);
    reset.disabled = next.every((policy) => Object.keys(policy ?? {}).length === 0);
    for (const row of rows) row.show(next);
  }

  return { node, show };
}

function withValue(policy, name, value) {
  const { [name]: _, ...rest } = policy;
  return value === POLICIES[name].values[0] ? rest : { ...rest, [name]: value };
}

function rowOf(name, { decision, values, what }, choose) {
  const about = `play-policy-${name}`;
  const selects = SIDES.map((letter, side) => {
    const options = values.map((value, index) => element("option", { value }, index === 0 ? `${value} (default)` : value));
    const change = ({ target }) => choose(side, target.value);
    return element("select", { "aria-label": `${name}, ${letter}`, "aria-describedby": about, change }, ...options);
  });
  const letterOf = (side) => element("span", { class: "play-letter", "aria-hidden": "true" }, SIDES[side]);
  const labelled = selects.map((select, side) => element("span", { class: "play-side" }, letterOf(side), select));
  const node = element(
    "div",
    { class: "play-policy" },
    element(
      "div",
      {},
      element("b", {}, element("code", {}, name)),
      element("p", { id: about }, `${what[0].toUpperCase()}${what.slice(1)} (`, decisionLink(decision), ")."),
    ),
    element("div", { class: "play-sides" }, ...labelled),
  );

  function show(policies) {
    selects.forEach((select, side) => {
      const isAlone = side === 0 && policies[1] === undefined;
      select.setAttribute("aria-label", isAlone ? name : `${name}, ${SIDES[side]}`);
      labelled[side].hidden = policies[side] === undefined;
      select.value = policies[side]?.[name] ?? values[0];
      select.classList.toggle("is-changed", select.value !== values[0]);
    });
  }

  return { node, show };
}

// The sentences of a report, the same in a terminal and on the page.
import { figure, signedThb as signed, thb } from "../../screen/index.js";

export const CAUSE_NAMES = {
  package: "this package",
  policy: "the policy",
  zones: "the delivery zones",
  prices: "the prices",
};

/** With a sign, unless it is nothing. */
export const signedThb = (baht) => (baht === "0" ? thb(baht) : signed(baht));

export const orders = (count) => `${figure(count)} ${count === 1 ? "order" : "orders"}`;

/** What is new, for a sentence that begins with "Under". */
function newThings({ version, zones, policy }) {
  const rules = policy && Object.entries(policy).map(([name, value]) => `${name}=${value}`);
  const things = [
    version !== null && `version ${version}`,
    zones !== null && zones !== "catalogue" && `the zones ${zones}`,
    rules && `the policy ${rules.join(", ")}`,
  ].filter(Boolean);
  return things.length === 0 ? "this package" : things.join(", ");
}

/** Who pays more, and who less. */
export function headline({ changed, captured, up, down, same, wouldFail }) {
  const found = [
    `${figure(up.orders)} of ${orders(captured.orders)} would cost more`,
    `${figure(down.orders)} less`,
    same > 0 && `${figure(same)} the same`,
    wouldFail.orders > 0 && `${figure(wouldFail.orders)} would fail`,
  ];
  return `Under ${newThings(changed)}, ${listed(found.filter(Boolean))}`;
}

const listed = (parts) => `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;

export function limitSentence({ share, limit, passed, captured }) {
  const found =
    share === null ? `${thb(captured.baht)} THB were captured, of which no share can be told` : `${share}% of the captured money moves`;
  return limit === null ? found : `${found}, ${limit}% may (--max-impact): ${passed ? "passed" : "stopped"}`;
}

export function moneySentence({ up, down, net, captured, wouldFail }) {
  const without = wouldFail.orders === 0 ? "" : " without the orders that would fail,";
  return `${thb(up.baht)} THB up, ${thb(down.baht)} THB down, net ${signedThb(net)} THB${without} of ${thb(captured.baht)} THB captured`;
}

/** What counts apart or stays as it was, a sentence each. */
export function apart({ changed: { version, zones }, wouldFail, open, newlyPriced, stillFailing, unusable }) {
  return [
    version !== null && zones === null && "The delivery zones stay as captured: the catalogue was built without --zones",
    wouldFail.orders > 0 && `${orders(wouldFail.orders)} would fail, of ${thb(wouldFail.baht)} THB: the whole counts as money that moves`,
    open.orders > 0 &&
      `${orders(open.orders)} would ask the coupon service something else, and nobody knows its answer: the ${thb(open.baht)} THB that their coupons took off are open, and stay as captured`,
    newlyPriced.orders > 0 && `${orders(newlyPriced.orders)} failed when captured and would be priced now, at ${thb(newlyPriced.baht)} THB`,
    stillFailing > 0 && `${orders(stillFailing)} failed when captured and would fail again`,
    unusable > 0 && `${figure(unusable)} ${unusable === 1 ? "capture has" : "captures have"} no total to compare with`,
  ].filter(Boolean);
}

export const NETS_ADD_UP = "The nets add up exactly. In one order a cause may raise what another one lowers.";

// The beginning of a report: how many orders differ, and how much money that is.
import { brokenSentences, figure, printable, signedThb, thb } from "../screen/index.js";

export function reportHead(report) {
  const { failedAlike, alignment, otherKeyOrder, otherRows, withoutTotal, withoutRowField, matchRows, limit } = report;
  const lines = [
    summary(report),
    ...(report.same < report.orders ? [money(report)] : []),
    ...failed(report),
    failedAlike === report.orders && "Every order failed, with the same error on both sides: no total was compared.",
    withoutTotal > 0 && `${orders(withoutTotal, "has", "have")} no comparable total: one side has no number as grandTotal`,
    limit,
    alignment,
    withoutRowField > 0 &&
      `${orders(withoutRowField, "has", "have")} no ${matchRows} in any row: --match-rows could not pair their rows by it.`,
    otherRows > 0 && `${orders(otherRows, "has", "have")} more rows on one side: --match-rows cprcode pairs rows by product.`,
    otherKeyOrder > 0 && `${orders(otherKeyOrder, "has its", "have their")} keys in another order, which is no difference (D1, D3).`,
    ...brokenSentences(report.broken),
  ];
  return lines.filter(Boolean).map(printable).join("\n");
}

const orders = (count, one, many) => `${figure(count)} ${count === 1 ? `order ${one}` : `orders ${many}`}`;

function summary({ left, right, noun = "order", orders, same, different, unmatched, onlyLeft, onlyRight, ...report }) {
  const both = onlyLeft > 0 && onlyRight > 0;
  const only = (count, side) => count > 0 && `${both ? `${figure(count)} ` : ""}only in ${side}`;
  const sides = [only(onlyLeft, left), only(onlyRight, right)];
  const found = [
    count(same, "the same"),
    setAside("ignored", report.ignoredOrders, report.ignoredAtStake, report.ignoredWithoutTotal),
    setAside("accepted", report.acceptedOrders, report.acceptedAtStake, report.acceptedWithoutTotal),
    count(different, "different"),
    count(unmatched, `unmatched (${sides.filter(Boolean).join(", ")})`),
  ];
  return `${figure(orders)} ${orders === 1 ? noun : `${noun}s`}: ${found.filter(Boolean).join(", ")}`;
}

const count = (number, what) => number > 0 && `${figure(number)} ${what}`;

/** Money counts even where the order differs in other fields, too. */
function setAside(what, orders, atStake, withoutTotal) {
  if (orders === 0 && atStake === "0" && withoutTotal === 0) return undefined;
  const without = withoutTotal > 0 ? `, ${figure(withoutTotal)} without a comparable total` : "";
  return `${figure(orders)} ${what} (${thb(atStake)} THB${without})`;
}

function money({ left, right, noun, atStake, net, ordersAtStake }) {
  if (ordersAtStake === 0) return "0.00 THB at stake";
  const direction = noun ? `${right} − ${left}` : "right − left";
  return `${thb(atStake)} THB at stake, net ${signedThb(net)} (${direction}): ${orders(ordersAtStake, "has another grand total", "have other grand totals")}`;
}

function failed({ left, right, failedLeft, failedRight, failedBoth, failedPriced, failedWithoutTotal }) {
  const one = failedLeft + failedRight;
  const without = failedWithoutTotal > 0 ? `, ${figure(failedWithoutTotal)} without a total` : "";
  const sides = `${figure(failedLeft)} in ${left}, ${figure(failedRight)} in ${right}`;
  return [
    one > 0 && `${figure(one)} failed on one side: ${sides} (${thb(failedPriced)} THB priced by the other side${without})`,
    failedBoth > 0 && `${figure(failedBoth)} failed on both sides, with answers that cannot be compared`,
  ];
}

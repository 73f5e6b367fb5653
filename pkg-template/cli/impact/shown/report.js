// Shows in a terminal what a change does to the money of captured orders, the most important first.
import { brokenSentences, figure, printable, table, thb } from "../../screen/index.js";
import { apart, CAUSE_NAMES, headline, limitSentence, moneySentence, NETS_ADD_UP, signedThb } from "./words.js";

/**
 * @param {import("./show.js").Report} report
 * @param {boolean} color
 */
export function impactTable(report, color) {
  const head = [limitSentence(report), headline(report), moneySentence(report), ...apart(report), ...brokenSentences(report.broken)];
  const parts = [
    head.map(printable).join("\n"),
    `${causes(report, color)}\n${NETS_ADD_UP}`,
    ...section(report.wouldFail.codes, failures, color),
    ...section(report.products, products, color, report.otherProducts),
    ...section(report.largest, largest, color),
  ];
  return parts.join("\n\n");
}

const section = (entries, show, ...rest) => (entries.length > 0 ? [show(entries, ...rest)] : []);

function causes({ causes, net }, color) {
  const rows = causes.map(({ cause, kind, up, down, net }) => [
    CAUSE_NAMES[cause],
    kind,
    figure(up.orders),
    thb(up.baht),
    figure(down.orders),
    thb(down.baht),
    signedThb(net),
  ]);
  const head = ["cause", "kind", "orders up", "THB up", "orders down", "THB down", "net THB"];
  return table({ head, rows: [...rows, ["all", "", "", "", "", "", signedThb(net)]], right: [2, 3, 4, 5, 6], isTotalled: true, color });
}

function failures(codes, color) {
  const rows = codes.map(({ code, cause, orders, baht, first }) => [
    code,
    CAUSE_NAMES[cause],
    figure(orders),
    thb(baht),
    `${first.requestId}: ${first.message}`,
  ]);
  return table({ head: ["would fail", "because of", "orders", "THB captured", "the first"], rows, right: [2, 3], color });
}

function products(entries, color, others) {
  const rows = entries.map(({ cprcode, orders, up, down, net }) => [cprcode, figure(orders), thb(up), thb(down), signedThb(net)]);
  const shown = table({ head: ["product", "orders", "THB up", "THB down", "net THB"], rows, right: [1, 2, 3, 4], color });
  return others > 0 ? `${shown}\n${figure(others)} more ${others === 1 ? "product moves" : "products move"} less` : shown;
}

function largest(entries, color) {
  const rows = entries.map(({ requestId, before, after, change }) => [requestId, thb(before), thb(after), signedThb(change)]);
  return table({ head: ["order", "THB before", "THB after", "change"], rows, right: [1, 2, 3], color });
}

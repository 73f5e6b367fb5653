// What the page shows of the two answers to an order.
import { renderBill, renderFailure } from "./bill.js";
import { compareAnswers, differenceTable } from "./comparison.js";
import { element } from "./dom.js";
import { milliseconds, money } from "./format.js";
import { indentJson, parseExact } from "./json.js";

/** @typedef {import("./pricing.js").Answer} Answer */

const WAITING = { verdict: "waiting", title: "Waiting for the edge", detail: "", differences: [] };
const PLACES = { browser: "in the browser", edge: "at the edge" };

const byId = (id) => document.getElementById(id);

/**
 * The strip of both totals, and how they compare.
 * @param {{browser?: Answer, edge?: Answer}} answers those that are in
 */
export function showAnswers({ browser, edge }) {
  showAnswer(byId("answer-browser"), browser);
  showAnswer(byId("answer-edge"), edge);

  const isComplete = browser !== undefined && edge !== undefined;
  const comparison = isComplete ? compareAnswers(browser, edge) : WAITING;
  showComparison(comparison);
  byId("answers").setAttribute("aria-busy", String(!isComplete));
  if (isComplete) byId("announcement").textContent = announcementOf(browser, edge, comparison);
}

function showAnswer(card, answer) {
  const fill = (name, text) => {
    card.querySelector(name).textContent = text;
  };
  fill(".total", answer === undefined ? "…" : outcomeOf(answer));
  fill(".time", answer === undefined ? "" : milliseconds(answer.milliseconds));
  fill(".why", answer?.failure?.message ?? "");
  card.classList.toggle("failed", answer?.failure !== undefined);
}

const outcomeOf = ({ text, failure }) => {
  if (!failure) return money(parseExact(text).grandTotal);
  return text === undefined ? "No answer" : "No price";
};

function showComparison({ verdict, title, detail, differences }) {
  byId("verdict").className = `verdict ${verdict}`;
  byId("verdict").replaceChildren(element("strong", {}, title), element("span", {}, detail));
  byId("differences").hidden = differences.length === 0;
  byId("differences").replaceChildren(...(differences.length > 0 ? [differenceTable(differences)] : []));
}

function announcementOf(browser, edge, { title }) {
  const told = (answer) => [outcomeOf(answer), answer.failure?.message].filter(Boolean).join(": ");
  return `In the browser ${told(browser)}. At the edge ${told(edge)}. ${title}.`;
}

/**
 * The bill and the raw response of one answer; the last ones stay, dimmed, until it is in.
 * @param {"browser" | "edge"} place
 * @param {Answer} [answer]
 * @param {Parameters<typeof renderBill>[1]} names
 */
export function showResult(place, answer, names) {
  for (const id of ["bill", "response"]) byId(id).setAttribute("aria-busy", String(answer === undefined));
  if (answer === undefined) return;
  for (const source of document.querySelectorAll("[data-source]")) source.textContent = PLACES[place];
  byId("bill").replaceChildren(answer.failure ? renderFailure(answer) : renderBill(parseExact(answer.text), names));
  byId("response").textContent = answer.text === undefined ? "There is no response." : indentJson(answer.text);
}

// What the page shows of the two answers to an order.
import { renderBill, renderFailure } from "./bill.js";
import { compareAnswers, differenceTable } from "./comparison.js";
import { milliseconds, money } from "./format.js";
import { indentJson, parseExact } from "./json.js";

/** @typedef {import("./pricing.js").Answer} Answer */

const WAITING = { verdict: "none", title: "…", detail: "", differences: [] };
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
  fill(card, "outcome", answer === undefined ? "…" : outcomeOf(answer));
  fill(card, "why", answer?.failure?.message ?? "");
  fill(card, "detail", answer === undefined ? "" : milliseconds(answer.milliseconds));
  card.classList.toggle("bad", answer?.text !== undefined && answer.failure !== undefined);
}

const outcomeOf = ({ text, failure }) => {
  if (!failure) return money(parseExact(text).grandTotal);
  return text === undefined ? "No answer" : "No price";
};

function showComparison({ verdict, title, detail, differences }) {
  const card = byId("verdict");
  fill(card, "outcome", title);
  fill(card, "detail", detail);
  card.classList.toggle("good", verdict === "same");
  card.classList.toggle("bad", verdict === "different");
  byId("differences").hidden = differences.length === 0;
  byId("differences").replaceChildren(differenceTable(differences));
}

function fill(card, part, text) {
  card.querySelector(`.${part}`).textContent = text;
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

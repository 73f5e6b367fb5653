import { decimal, exactText, member, numberText, typeOf } from "../../shared/index.js";

/**
 * @typedef {object} FailedAnswer
 * @property {string} path
 * @property {"failed"} kind
 * @property {unknown} left
 * @property {unknown} right
 * @property {string[]} shown what a report shows of each side
 * @property {"left" | "right" | "both"} side which failed
 * @property {import("../../shared/decimal.js").Decimal} [total] of the side that priced the order
 */

/**
 * The one difference of an order that only one side priced, or that a side answered with no JSON object; undefined if
 * there is none. As in the shadow Worker, only status 200 is success, and only a text as `error` is a failure: some services
 * write `"error": null` into every order. `statuses` may be unknown. Null: no answer.
 * @param {unknown[]} answers
 * @param {(number | null | undefined)[]} statuses
 * @returns {FailedAnswer | undefined}
 */
export function failedAnswer(answers, statuses) {
  const areObjects = answers.every((answer) => typeOf(answer) === "object");
  const errors = answers.map(errorIn);
  const isOneError = areObjects && (errors[0] === undefined) !== (errors[1] === undefined);
  const isOneStatus = (statuses[0] === 200) !== (statuses[1] === 200);
  if (areObjects && !isOneError && !isOneStatus) return undefined;
  const [left, right] = isOneError ? errors : answers;
  const failed = answers.map((answer, index) => hasFailed(answer, statuses[index]));
  const shown = answers.map((answer, index) => (failed[index] ? failureText(answer, statuses[index]) : "priced"));
  return {
    path: isOneError ? "error" : "answer",
    kind: "failed",
    left,
    right,
    shown,
    side: sideOf(failed),
    total: totalOf(answers[failed.indexOf(false)]),
  };
}

/** Whether an answer is a failure, by itself. */
export function hasFailed(answer, status) {
  const isOther = status !== undefined && status !== 200;
  return isOther || typeOf(answer) !== "object" || errorIn(answer) !== undefined;
}

/** Whether an answer begins as a failure does: to read all of it would take as long as to compare it. */
export const beginsAsFailure = (text) => /^\s*\{\s*"error"\s*:\s*"/.test(text);

/** Its status and its error text; the answer itself if that has none. */
export function failureText(answer, status) {
  if (status === null) return "no answer";
  const text = exactText(errorIn(answer) ?? answer);
  return status === undefined ? text : `${status} ${text}`;
}

/**
 * @param {boolean[]} failed
 * @returns {FailedAnswer["side"]}
 */
function sideOf([left, right]) {
  if (left && right) return "both";
  return left ? "left" : "right";
}

/** The exact grandTotal of an order; undefined if it has no number there. */
export function totalOf(order) {
  const total = member(order, "grandTotal");
  return typeOf(total) === "number" ? decimal(numberText(total)) : undefined;
}

function errorIn(answer) {
  const error = member(answer, "error");
  return typeOf(error) === "string" ? error : undefined;
}

import { member, typeOf } from "../exact-json.js";

/**
 * The one difference of an order that only one side priced, or that a side answered with no JSON object; undefined if
 * there is none. As in the shadow Worker, only status 200 is success; `statuses` may be unknown. Null: no answer.
 */
export function failedAnswer(answers, statuses) {
  const areObjects = answers.every((answer) => typeOf(answer) === "object");
  const errors = answers.map((answer) => member(answer, "error"));
  const isOneError = areObjects && (errors[0] === undefined) !== (errors[1] === undefined);
  const isOneStatus = (statuses[0] === 200) !== (statuses[1] === 200);
  if (areObjects && !isOneError && !isOneStatus) return undefined;
  const [left, right] = isOneError ? errors : answers;
  return { path: isOneError ? "error" : "answer", kind: "failed", left, right, statuses };
}

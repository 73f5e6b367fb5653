import { price } from "../../model/price.js";
import { DIFFERENCES } from "./differences.js";
import { readJson, writeJson } from "./tree.js";

/**
 * The old service's answer to an order: that of the independent model, with the differences by these names.
 *
 * @param {object} testCase the order and its facts, in the shape of a golden case
 * @param {string[]} [names] in the sequence of the table
 * @param {object} [plain] the answer without a difference, where the caller has it
 * @returns {{ status: number, body: string, made: string[] }} `made` are the differences that this answer really has: an
 *   order without coupons, for example, shows nothing of free shipping
 */
export function legacyAnswer(testCase, names = [], plain = plainAnswer(testCase)) {
  const run = { testCase, policy: {}, answer: plain, made: [] };
  for (const name of new Set(names.flatMap(withNeeded))) {
    const answer = MAKERS.find(([kind]) => kind in DIFFERENCES[name])[1](run, DIFFERENCES[name]);
    if (answer.body === run.answer.body && answer.status === run.answer.status) continue;
    run.answer = answer;
    run.made.push(name);
  }
  const { status, body } = run.answer;
  return { status, body, made: run.made };
}

export const plainAnswer = (testCase) => answerOf(price(testCase));

const withNeeded = (name) => [DIFFERENCES[name].after ?? name, name];

/** By kind of difference: the answer with one more. */
const MAKERS = [
  ["policy", withPolicy],
  ["edit", withEdit],
  ["answer", ({ answer }, difference) => (answer.failure ? failureOf(answer.failure, difference.answer(answer.failure)) : answer)],
];

function answerOf(priced) {
  if (priced.text !== undefined) return { status: 200, body: priced.text };
  return failureOf(priced, { status: 500, error: priced.error });
}

function failureOf(failure, { status, error }) {
  return { status, body: JSON.stringify({ error }), failure };
}

function withPolicy(run, { policy }) {
  run.policy = { ...run.policy, ...policy };
  return answerOf(price({ ...run.testCase, options: { ...run.testCase.options, policy: run.policy } }));
}

function withEdit({ answer }, { edit }) {
  if (answer.failure) return answer;
  const [before, after] = [readJson(answer.body), readJson(answer.body)];
  edit(after);
  const body = writeJson(after);
  return body === writeJson(before) ? answer : { status: 200, body };
}

// `order-cost verify`
import { isUtf8 } from "node:buffer";
import { compareOrders } from "order-cost/compare";
import { Differences } from "./differences.js";
import { Failure } from "./failure.js";
import { openInput } from "./input.js";
import { isJson } from "./json-parts.js";
import { openOutput } from "./output.js";
import { recordBlocks } from "./records.js";
import { showsColors } from "./table.js";
import { verdictTable } from "./verdict-table.js";

/** Compares the responses of two files. Returns the exit code. */
export async function verify(leftName, rightName, { ignore = [], examples, format }) {
  if (leftName === "-" && rightName === "-") throw new Failure("only one side can be standard input");
  const differences = new Differences(ignore, examples);
  const verdict = { left: leftName, right: rightName, orders: 0, same: 0, different: 0, onlyLeft: 0, onlyRight: 0 };
  for await (const [left, right] of pairs(await openInput(leftName), await openInput(rightName))) {
    verdict.orders += 1;
    if (!right) verdict.onlyLeft += 1;
    else if (!left) verdict.onlyRight += 1;
    else if (differences.add(left, right, compared(left.text, right.text))) verdict.different += 1;
    else verdict.same += 1;
  }
  if (verdict.orders === 0) throw new Failure(`${leftName} and ${rightName}: no responses in them`);
  Object.assign(verdict, { fields: differences.fields(), examples: differences.examples() });
  const output = await openOutput();
  const text = format === "json" ? JSON.stringify(verdict) : verdictTable(verdict, showsColors(process.stdout));
  await output.write(`${text}\n`);
  return verdict.same === verdict.orders ? 0 : 1;
}

/** Pairs the records of both sides; undefined if one side has no more records. */
async function* pairs(leftInput, rightInput) {
  const [lefts, rights] = [records(leftInput), records(rightInput)];
  try {
    for (;;) {
      // One after the other: if both sides are broken, the error always names the left one.
      const left = await lefts.next();
      const right = await rights.next();
      if (left.done && right.done) return;
      yield [left.value, right.value];
    }
  } finally {
    await lefts.return();
    await rights.return();
  }
}

async function* records(input) {
  for await (const block of recordBlocks(input)) {
    for (const { bytes, place } of block) yield { text: readJson(bytes, place), place };
  }
}

function readJson(bytes, place) {
  const text = `${bytes}`;
  if (!isUtf8(bytes) || !isJson(text)) throw new Failure(`${place}: expected a response as JSON`);
  return text;
}

/**
 * The differences between two responses. If an order failed on one side only, that is the only difference, and its kind
 * cannot be ignored.
 */
function compared(left, right) {
  if (left === right) return [];
  const differences = compareOrders(left, right);
  const failed = differences.find(({ path, kind }) => path === "error" && kind === "missing");
  return failed ? [{ ...failed, kind: "failed" }] : differences;
}

import { readdirSync, readFileSync } from "node:fs";
import { decimalText } from "../model/decimal.js";
import { isShort, ledger, runningTotals } from "../model/ledger.js";
import { price } from "../model/price.js";
import { zonesFault } from "../model/zones.js";

const folder = new URL("./", import.meta.url);

/** All cases of the corpus, sorted by file name: `{ file, url, text, testCase }`. */
export function readCorpus() {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.sort().map((file) => {
    const url = new URL(file, folder);
    const text = readFileSync(url, "utf8");
    return { file, url, text, testCase: JSON.parse(text) };
  });
}

/** An escaped surrogate. JSON.stringify escapes only lone surrogates. */
const HALF_CHARACTER = /\\ud[89a-f]/i;

/** What the model expects of a case. @param {import("../model/price.js").Case & { explain?: boolean, why: string }} testCase */
export function expectation(testCase) {
  const zonesError = testCase.zones === undefined ? null : zonesFault(testCase.zones);
  if (zonesError) return { zonesError };
  const { text, couponRequest, ...fault } = price(testCase);
  if (text === undefined) return fault;
  const response = JSON.parse(text);
  // Some readers, such as the Rust runner's, refuse a file with a lone surrogate.
  const readable = JSON.stringify(response) === text && !HALF_CHARACTER.test(text);
  const expected = readable ? { response } : { responseText: text };
  if (couponRequest) expected.couponRequest = couponRequest;
  if (testCase.explain) expected.steps = steps(testCase, text, couponRequest);
  return expected;
}

/** The steps of a priced case, as `explain` returns them. */
function steps(testCase, text, couponRequest) {
  if (!isShort(text)) throw new Error(`${testCase.why} The ledger of the model needs numbers of at most 15 digits`);
  const number = (exact) => exact && Number(decimalText(exact));
  const expected = ledger(testCase, JSON.parse(text), couponRequest);
  const totals = runningTotals(expected);
  return expected.map(({ counts, amount, ...step }, index) => {
    return { ...step, amount: number(amount), runningTotal: number(totals[index]) };
  });
}

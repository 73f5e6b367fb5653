import { readFileSync, readdirSync } from "node:fs";
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

/** What the model expects of a case. */
export function expectation(testCase) {
  const zonesError = testCase.zones === undefined ? null : zonesFault(testCase.zones);
  if (zonesError) return { zonesError };
  const { text, couponRequest, ...fault } = price(testCase);
  if (text === undefined) return fault;
  const response = JSON.parse(text);
  // Some readers, such as the Rust runner's, refuse a file with a lone surrogate.
  const readable = JSON.stringify(response) === text && !HALF_CHARACTER.test(text);
  const expected = readable ? { response } : { responseText: text };
  return couponRequest ? { ...expected, couponRequest } : expected;
}

import { readFileSync, readdirSync } from "node:fs";
import { price } from "../model/price.js";
import { zonesFault } from "../model/zones.js";

const folder = new URL("./", import.meta.url);

/** Every case of the corpus, by file name: `{ file, url, text, testCase }`. */
export function readCorpus() {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  return files.sort().map((file) => {
    const url = new URL(file, folder);
    const text = readFileSync(url, "utf8");
    return { file, url, text, testCase: JSON.parse(text) };
  });
}

/** What the model expects of a case. */
export function expectation(testCase) {
  const zonesError = testCase.zones === undefined ? null : zonesFault(testCase.zones);
  if (zonesError) return { zonesError };
  const { text, couponRequest, ...fault } = price(testCase);
  if (text === undefined) return fault;
  const response = JSON.parse(text);
  const expected = JSON.stringify(response) === text ? { response } : { responseText: text };
  return couponRequest ? { ...expected, couponRequest } : expected;
}

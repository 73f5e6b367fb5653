import { createPricer } from "order-cost";
import { hostFor, optionsFor } from "../golden/host.js";
import { bodyBytes } from "../model/body.js";

/** The HTTP body of each case, from the package in this runtime. */
export async function bodiesOf(cases) {
  const bodies = [];
  for (const testCase of cases) bodies.push(await bodyOf(testCase));
  return bodies;
}

async function bodyOf(testCase) {
  try {
    const pricer = await createPricer(hostFor(testCase).host, optionsFor(testCase));
    const response = await pricer.calculateJson(bodyBytes(testCase));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(response);
  } catch (error) {
    return JSON.stringify(error);
  }
}

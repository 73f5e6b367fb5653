// Prices a state, and finds what is wrong with it.
import { createPricer, preload } from "order-cost";
import { turn } from "../../../dom/index.js";
import { tooBig } from "../link/index.js";
import { factsFaults, jsonFault, orderFaults, placedError } from "../schema/index.js";
import { price } from "./pricing.js";

/**
 * @typedef {import("../link/state.js").State} State
 * @typedef {import("../schema/faults.js").Fault} Fault
 * @typedef {{ order: Fault[], facts: Fault[] }} Faults
 * @typedef {{ faults: Faults, priced: import("./pricing.js").Priced, refusal?: undefined }} PricedRun
 * @typedef {{ faults: Faults, priced?: undefined, refusal: string }} RefusedRun `refusal`: why nothing was priced
 * @typedef {PricedRun | RefusedRun} Run
 *
 * @param {State} state
 * @returns {Promise<Run>}
 */
export async function run(state) {
  const refusal = tooBig("order", state.order) ?? tooBig("facts", state.facts);
  if (refusal) return { faults: { order: [], facts: [] }, refusal };
  await preload(); // the checks need it
  await turn();
  const [orderFault, factsFault] = [jsonFault(state.order), jsonFault(state.facts)];
  /** @type {Faults} */
  const faults = { order: orderFault ? [orderFault] : orderFaults(state), facts: [] };
  await turn();
  faults.facts = factsFault ? [factsFault] : factsFaults(state.facts);
  if (hasErrors(faults.facts)) return { faults, refusal: "The facts have faults, so that no host can answer from them." };
  await turn();
  const priced = await price(state);
  await turn();
  if (priced.error && !hasErrors(faults.order)) addPlace(faults, placedError(priced.error, state));
  return { faults, priced };
}

/**
 * A state from elsewhere without what cannot be taken: the pricer refuses its limits, or its captured answer is no JSON.
 * @param {State} state
 * @returns {Promise<{ state: State, leftOut: string }>} `leftOut`: what, and why, as sentences
 */
export async function taken({ limits, input, captured, ...state }) {
  const parts = [
    ["its limits", { limits }, await optionFault({ limits })],
    ["how it was read", { input }, await optionFault({ input })],
    ["its captured answer", { captured }, captured && jsonFault(captured.answered)?.message],
  ];
  const sentences = parts.flatMap(([what, , fault]) => (fault ? [`It opens without ${what}: ${fault}.`] : []));
  return { state: Object.assign(state, ...parts.map(([, part, fault]) => (fault ? {} : part))), leftOut: sentences.join(" ") };
}

/**
 * Why the pricer refuses an option; undefined if it takes it.
 * @param {import("order-cost").PricerOptions} option
 * @returns {Promise<string | undefined>}
 */
async function optionFault(option) {
  if (Object.values(option)[0] === undefined) return undefined;
  return createPricer({}, option).then(
    () => undefined,
    ({ message }) => message.replace("Invalid options: ", ""),
  );
}

/** @param {Fault[]} faults */
const hasErrors = (faults) => faults.some(({ severity }) => severity === "error");

/**
 * @param {Faults} faults
 * @param {{ order?: Fault, facts?: Fault }} placed
 */
function addPlace(faults, { order, facts }) {
  if (order) faults.order.unshift(order);
  if (facts) faults.facts.unshift(facts);
}

/**
 * What is priced: A, and B if there is one.
 * @param {State} state
 * @returns {State[]}
 */
export function sidesOf({ other, ...state }) {
  return other ? [state, { ...state, policy: other.policy, facts: other.facts ?? state.facts }] : [state];
}

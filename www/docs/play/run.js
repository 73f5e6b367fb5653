// Prices a state, and finds what is wrong with it.
import { createPricer, preload } from "order-cost";
import { turn } from "../../page/turn.js";
import { factsFaults, jsonFault, orderFaults, placedError } from "./faults.js";
import { price } from "./pricing.js";
import { tooBig } from "./state.js";

/**
 * @typedef {object} Run
 * @property {{ order: import("./faults.js").Fault[], facts: import("./faults.js").Fault[] }} faults
 * @property {import("./pricing.js").Priced} [priced]
 * @property {string} [refusal] why nothing was priced
 *
 * @param {import("./state.js").State} state
 * @returns {Promise<Run>}
 */
export async function run(state) {
  const refusal = tooBig("order", state.order) ?? tooBig("facts", state.facts);
  if (refusal) return { faults: { order: [], facts: [] }, refusal };
  await preload(); // the checks need it
  await turn();
  const [orderFault, factsFault] = [jsonFault(state.order), jsonFault(state.facts)];
  const faults = { order: orderFault ? [orderFault] : orderFaults(state) };
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
 * @param {import("./state.js").State} state
 * @returns {Promise<{ state: import("./state.js").State, leftOut: string }>} `leftOut`: what, and why, as sentences
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

/** Why the pricer refuses an option; undefined if it takes it. */
async function optionFault(option) {
  if (Object.values(option)[0] === undefined) return undefined;
  return createPricer({}, option).then(
    () => undefined,
    ({ message }) => message.replace("Invalid options: ", ""),
  );
}

const hasErrors = (faults) => faults.some(({ severity }) => severity === "error");

function addPlace(faults, placed) {
  for (const [name, fault] of Object.entries(placed)) faults[name].unshift(fault);
}

/** The states of both sides of a comparison. */
export const otherOf = ({ other, ...state }) => ({ ...state, policy: other.policy, facts: other.facts ?? state.facts });

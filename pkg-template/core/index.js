// The calculation of an order: its options, its host and the answers, errors, the instance of the module.
export { answerBytes, answerText } from "./answer.js";
export { calculateNow, calculateSoon, responseBytes, responseView, throwIfNestedDeep, withPricingErrors } from "./calculation.js";
export { Context, throwUnlessSignal } from "./context.js";
export { Conversation } from "./conversation.js";
export { aborted, PricingError, pricingError, problemOf, Refusal, refusing, thrownOf } from "./error.js";
export { asPromise, inHost, questionsOf } from "./host.js";
export { hold, instanceId, isLoaded, keepRequestsApart, release, takeJob, useInstance, withLastingMemory } from "./instance.js";
export { asJson, asRead, hidingPart, keysOf, knownPart, refuseHiding, withoutUnknown } from "./known-keys.js";
export { priceKey, rateKey } from "./not-known.js";
export { INPUTS, invalidOption, refuseMisspeltHost, refuseNearly, refuseUnknown } from "./options.js";
export { hides, NOT_PLAIN, notPlain, pathOf } from "./plain.js";
export { DEFAULT_POLICY, kebab, POLICIES, POLICY_NAMES, variable } from "./policies.js";
export { Shelf } from "./shelf.js";
export { checks, explainJson, heading, identified, lateSignal, lending, observing, reading, replying, spentMs } from "./symbols.js";

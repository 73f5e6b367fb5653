import { POLICIES } from "../../../pkg/core/policies.js";

/** A value of each policy. */
export const anyPolicy = (random) => Object.fromEntries(Object.entries(POLICIES).map(([name, { values }]) => [name, random.pick(values)]));

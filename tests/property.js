// fast-check as the random tests have it: what it draws, a seed says that is in the commit, or in the night a new one.
import fc from "fast-check";
import { SEED } from "./effort.js";

fc.configureGlobal({ seed: SEED });

export * from "./effort.js";
export default fc;

// Makes editors of the plain fields, one after another, so that the page answers in between.
import { createEditor } from "./editor.js";
import { FACTS } from "./facts-schema.js";
import { knownToFacts, knownToOrder } from "./known.js";
import { ORDER } from "./schema.js";

/**
 * @param {object} fields
 * @param {() => import("./state.js").State} state
 * @param {() => Promise<void>} pause
 * @param {AbortSignal} signal
 */
export async function upgradeFields(fields, state, pause, signal) {
  const facts = { schema: FACTS, more: knownToFacts(() => state().order) };
  const order = { schema: ORDER, more: knownToOrder(() => state().facts) };
  for (const [name, options] of Object.entries({ order, facts, other: facts })) {
    await pause();
    if (signal.aborted) return;
    fields[name].upgrade(createEditor, options);
  }
}

// Makes editors of the plain fields, each when it is shown for the first time.
import { createEditor } from "./editor.js";
import { FACTS } from "./facts-schema.js";
import { knownToFacts, knownToOrder } from "./known.js";
import { ORDER } from "./schema.js";

/**
 * @param {object} fields
 * @param {() => import("./state.js").State} state
 * @returns {(name: string) => void} is told which field is shown
 */
export function createUpgrade(fields, state) {
  const facts = { schema: FACTS, more: knownToFacts(() => state().order) };
  const order = { schema: ORDER, more: knownToOrder(() => state().facts) };
  const left = new Map(Object.entries({ order, facts, other: facts }));
  return (name) => {
    if (left.has(name)) fields[name].upgrade(createEditor, left.get(name));
    left.delete(name);
  };
}

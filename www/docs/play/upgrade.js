// Makes editors of the plain fields, each when it is shown for the first time.
import { createEditor } from "./editor.js";
import { FACTS } from "./facts-schema.js";
import { knownToFacts, knownToOrder } from "./known.js";
import { ORDER } from "./schema.js";

/**
 * @param {Record<string, ReturnType<typeof import("./field.js").createField>>} fields
 * @param {() => import("./state.js").State} state
 * @returns {(name: string) => void} is told which field is shown
 */
export function createUpgrade(fields, state) {
  const facts = { schema: FACTS, more: knownToFacts(() => state().order) };
  const order = { schema: ORDER, more: knownToOrder(() => state().facts) };
  const left = new Map(Object.entries({ order, facts, other: facts }));
  return (name) => {
    const help = left.get(name);
    if (help) fields[name].upgrade(createEditor, help);
    left.delete(name);
  };
}

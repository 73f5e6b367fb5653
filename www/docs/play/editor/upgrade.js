// Makes editors of the plain fields, each when it is shown for the first time.
import { FACTS, ORDER } from "../schema/index.js";
import { createEditor } from "./editor.js";
import { knownToFacts, knownToOrder } from "./known.js";

/**
 * @param {Record<string, ReturnType<typeof import("../parts/field.js").createField>>} fields
 * @param {() => import("../link/state.js").State} state
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

// What PromQL expressions name.
import { parser } from "@prometheus-io/lezer-promql";

/**
 * @param {string} expression
 * @returns {{ name: string, labels: string[] }[]} each selector's metric, and the labels that it matches
 */
export function selectorsIn(expression) {
  const found = [];
  const cursor = parser.parse(expression).cursor();
  do {
    const text = expression.slice(cursor.from, cursor.to);
    if (cursor.type.isError) throw new Error(`${expression}: no PromQL at ${cursor.from}`);
    if (cursor.name === "VectorSelector") found.push({ name: /^[\w:]+/.exec(text)[0], labels: [] });
    if (cursor.name === "LabelName" && cursor.node.parent.name.endsWith("Matcher")) found.at(-1).labels.push(text);
  } while (cursor.next());
  return found;
}

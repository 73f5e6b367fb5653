// An explained order for programs: one line of JSON, every number exact.
import { whyOf } from "../comparison/index.js";
import { ranked, sidesOf } from "./outcome.js";

/**
 * The texts of the order and of its steps stand in it as the pricer wrote them.
 * @param {import("../explain-captures.js").Explained} explained
 */
export function explainedJson({ capture, priced, comparison }) {
  const differences = ranked(comparison);
  const members = [
    ["requestId", JSON.stringify(capture.requestId)],
    ["same", `${differences.length === 0}`],
    ...(differences.length > 0 ? [["differences", JSON.stringify(differences.map(shown))]] : []),
    ...(priced.error
      ? [["error", errorText(priced.error)]]
      : [
          ["order", priced.text],
          ["steps", priced.steps],
        ]),
  ];
  // Passthrough values keep their white space (D6); in JSON a newline is only white space.
  return `{${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`.replaceAll("\n", " ");
}

function shown(difference) {
  const [captured, now] = sidesOf(difference);
  return { path: difference.path, kind: difference.kind, captured, now, why: whyOf(difference) };
}

/** @param {import("order-cost").PricingError} error */
const errorText = ({ code, message, path }) => JSON.stringify({ code, message, path });

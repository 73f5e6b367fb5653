// The answer, laid out.
import { element } from "../../../dom/index.js";
import { colours, copyButton, laidOut } from "../parts/index.js";

/** A longer text is shown without colours: each is an element. */
const MOST_COLOURED = 200_000;

export function createAnswerView() {
  let text = "";
  const code = element("code", {});
  const size = element("p", {});
  const pre = element("pre", { class: "play-answer", tabindex: "0", role: "region", "aria-label": "The answer as JSON" }, code);
  const node = element(
    "div",
    {},
    element(
      "div",
      { class: "play-head" },
      size,
      copyButton("Copy the answer", () => text),
    ),
    pre,
  );

  /** @param {import("../run/run.js").Run} run */
  function show({ priced, refusal }) {
    text = priced?.text ?? "";
    const status = priced?.error ? 500 : 200;
    size.textContent = priced
      ? `${new TextEncoder().encode(text).length.toLocaleString("en-GB")} bytes, which the service answers with status ${status}`
      : refusal;
    pre.hidden = text === "";
    const lines = text && laidOut(text);
    code.replaceChildren(...(lines.length > MOST_COLOURED ? [lines] : colours(lines)));
  }

  return { node, show };
}

// Says whether a captured order still has its captured answer.
import { element } from "../../../dom/index.js";
import { differencesOf } from "./differences.js";

/** @param {() => void} onClose */
export function createCapturedView(onClose) {
  const title = element("h2", {});
  const noted = element("p", {});
  const outcome = element("div", {});
  const close = element("button", { type: "button", class: "play-button", click: onClose }, "Forget the captured answer");
  const node = element(
    "section",
    { class: "play-captured", "aria-label": "Captured order", hidden: true },
    element("div", { class: "play-head" }, title, close),
    noted,
    outcome,
  );

  /**
   * @param {import("../link/state.js").State["captured"]} captured
   * @param {import("../run/run.js").Run} run
   */
  function show(captured, { priced }) {
    node.hidden = captured === undefined;
    if (captured === undefined) return;
    title.textContent = `Captured order ${captured.requestId}`;
    noted.textContent = captured.noted.map(([name, value]) => `${name} ${value}`).join(" · ");
    outcome.replaceChildren(...(priced ? differencesOf(captured.answered, priced.text, ["Captured", "This page"]) : []));
  }

  return { node, show };
}

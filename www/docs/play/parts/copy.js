import { element } from "../../../dom/index.js";

/**
 * A button that copies a text and says so.
 * @param {string} label
 * @param {() => string | Promise<string>} read may throw an Error, whose message is shown
 */
export function copyButton(label, read) {
  const said = element("span", { class: "play-said", role: "status" });
  const button = element("button", { type: "button", class: "play-button", click: copy }, label);
  button.hidden = navigator.clipboard === undefined; // on plain http

  async function copy() {
    try {
      await navigator.clipboard.writeText(await read());
      say("Copied");
    } catch (error) {
      say(/** @type {Error} */ (error).message);
    }
  }

  /** @param {string} text */
  function say(text) {
    said.textContent = text;
    setTimeout(() => (said.textContent = ""), 3_000);
  }

  return element("span", { class: "play-copy" }, button, said);
}

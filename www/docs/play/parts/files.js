// Files that are dropped on the page or chosen.
import { element } from "../../../dom/index.js";

const hasFiles = ({ dataTransfer }) => dataTransfer?.types.includes("Files");

/**
 * @param {(files: File[]) => void} onFiles
 * @param {AbortSignal} signal
 */
export function createFileInput(onFiles, signal) {
  const input = element("input", { type: "file", multiple: true, hidden: true, tabindex: "-1", "aria-hidden": "true", change: chosen });
  const button = element("button", { type: "button", class: "play-button", click: () => input.click() }, "Open a capture");
  // Before the editor, which would insert the file's text.
  const options = { signal, capture: true };
  addEventListener("dragover", (event) => take(event) && document.documentElement.classList.add("is-dropping"), options);
  addEventListener("dragleave", (event) => event.relatedTarget === null && ended(), options);
  addEventListener("drop", dropped, options);
  signal.addEventListener("abort", ended);

  function chosen() {
    onFiles([...(input.files ?? [])]);
    input.value = ""; // so that the same file can be chosen again
  }

  function dropped(event) {
    ended();
    if (take(event)) onFiles([...event.dataTransfer.files]);
  }

  return [button, input];
}

const ended = () => document.documentElement.classList.remove("is-dropping");

function take(event) {
  if (!hasFiles(event)) return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

// A field for JSON text: a picture of it at first, an editor once somebody does anything on the page.
import { element } from "../../../dom/index.js";
import { colours } from "./colours.js";
import { laidOut } from "./layout.js";

/** More does not fit into the picture. */
const MOST_LINES = 80;

/** How many faults are listed. */
const MOST_LISTED = 20;

/**
 * @typedef {typeof import("../editor/editor.js").createEditor} createEditor
 * @typedef {import("../schema/faults.js").Fault} Fault
 *
 * @param {object} options
 * @param {string} options.id
 * @param {string} options.label
 * @param {(text: string) => void} options.onChange
 * @param {HTMLElement} [options.head] what stands above the text
 */
export function createField({ id, label, onChange, head }) {
  let text = "";
  /** @type {Fault[]} */
  let faults = [];
  /** @type {ReturnType<createEditor> | undefined} once its code has arrived */
  let editor;
  let pressed = 0; // the place in the text where somebody pressed the picture: there the editor has its caret
  const help = `play-help-${id}`;
  const named = { tabindex: "0", "aria-label": label, "aria-describedby": help };
  const picture = element("pre", {
    ...named,
    class: "play-picture",
    role: "textbox",
    "aria-multiline": "true",
    "aria-readonly": "true",
    mousedown: press,
  });
  const holder = element("div", { class: "play-editor" }, picture);
  const list = element("ul", { class: "play-faults" });
  const tidy = element("button", { type: "button", class: "play-button", click: layOut }, "Tidy");
  const node = element(
    "div",
    { class: "play-field" },
    head,
    holder,
    list,
    element(
      "div",
      { class: "play-field-foot" },
      element(
        "p",
        { id: help },
        key("Ctrl"),
        "+",
        key("Space"),
        " completes, ",
        key("F8"),
        " goes to the next fault, ",
        key("Tab"),
        " leaves the editor.",
      ),
      tidy,
    ),
  );

  function press(event) {
    pressed = placeIn(picture, event);
  }

  /** @param {string} next */
  function edited(next) {
    text = next;
    onChange(next);
  }

  /** @param {string} next */
  function set(next) {
    if (next === text) return;
    text = next;
    if (editor) editor.set(next);
    else picture.replaceChildren(...next.split("\n", MOST_LINES).map(lineOf));
  }

  function layOut() {
    const next = tidied(text);
    if (next === text) return;
    set(next);
    onChange(next);
  }

  /** @param {Fault[]} next */
  function show(next) {
    faults = next;
    const lines = editor?.show(faults) ?? [];
    tidy.disabled = faults.some(({ offset }) => offset !== undefined);
    const rest = faults.length - MOST_LISTED;
    list.replaceChildren(
      ...faults.slice(0, MOST_LISTED).map((fault, index) => faultItem(fault, lines[index], editor?.goTo)),
      ...(rest > 0 ? [element("li", {}, `And ${rest} more.`)] : []),
    );
  }

  /**
   * @param {createEditor} create
   * @param {Pick<Parameters<createEditor>[0], "schema" | "more">} help
   */
  function upgrade(create, { schema, more }) {
    const hadFocus = document.activeElement === picture;
    const attributes = { ...named, id: `play-text-${id}`, spellcheck: "false", autocapitalize: "off" };
    picture.remove();
    editor = create({ parent: holder, text, attributes, schema, more, onChange: edited });
    if (hadFocus) editor.focus(pressed);
    show(faults);
  }

  /** @param {import("../schema/schema.js").Keys} keys */
  const goTo = (keys) => editor?.goToKeys(keys);

  return { node, set, show, upgrade, goTo, destroy: () => editor?.destroy() };
}

/** @param {string} name */
const key = (name) => element("kbd", {}, name);

/**
 * The place in a node's text that a pointer is at.
 * @param {Node} node
 * @param {MouseEvent} event
 */
function placeIn(node, { clientX, clientY }) {
  const caret = document.caretPositionFromPoint?.(clientX, clientY);
  const range = caret ? undefined : document.caretRangeFromPoint?.(clientX, clientY); // Safari
  const [end, offset] = caret ? [caret.offsetNode, caret.offset] : [range?.startContainer, range?.startOffset ?? 0];
  if (!end || !node.contains(end)) return 0;
  const before = document.createRange();
  before.setStart(node, 0);
  before.setEnd(end, offset);
  return before.toString().length;
}

/** @param {string} line */
const lineOf = (line) => element("span", {}, ...colours(line), "\n");

/** @param {string} text */
function tidied(text) {
  try {
    JSON.parse(text);
    return laidOut(text);
  } catch {
    return text;
  }
}

/**
 * @param {Fault} fault
 * @param {number | undefined} line
 * @param {((line: number) => void) | undefined} goTo
 */
function faultItem({ severity, message, keys = [] }, line, goTo) {
  const path = keys
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`))
    .join("")
    .replace(/^\./, "");
  const place = line !== undefined && goTo && element("button", { type: "button", click: () => goTo(line) }, `Line ${line}`);
  return element("li", { class: `is-${severity}` }, place, " ", path && element("code", {}, path), path && ": ", message);
}

// A CodeMirror editor of JSON. Tab leaves it: it keeps no key that moves the focus.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, isolateHistory } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bracketMatching,
  ensureSyntaxTree,
  foldGutter,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
  syntaxTree,
} from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { firstErrorIn, keysTo, placeOf, shapesAt } from "../schema/index.js";
import { schemaCompletion } from "./completion.js";

/** The colours stand in editor.css, for both themes. */
const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, class: "json-key" },
  { tag: tags.string, class: "json-string" },
  { tag: tags.number, class: "json-number" },
  { tag: [tags.bool, tags.null], class: "json-word" },
]);

/** So many completions are shown at once, without a scroll bar, which nobody could reach with the keyboard. */
const MOST_OPTIONS = 12;

/** How long the syntax tree of a large text may take, in milliseconds. */
const PATIENCE = 200;

/**
 * @typedef {import("@codemirror/state").Text} Text
 * @typedef {import("../schema/schema.js").Keys} Keys
 *
 * @param {object} options
 * @param {HTMLElement} options.parent
 * @param {string} options.text
 * @param {Record<string, string>} options.attributes of the field, such as its label
 * @param {import("../schema/schema.js").Schema} options.schema
 * @param {import("./completion.js").More} options.more
 * @param {(text: string) => void} options.onChange is called after an edit of the visitor's
 */
export function createEditor({ parent, text, attributes, schema, more, onChange }) {
  let isOurs = false; // the change in hand is not the visitor's
  const extensions = [
    lineNumbers(),
    foldGutter({ markerDOM: foldMarker }),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ override: [schemaCompletion(schema, more)], icons: false, maxRenderedOptions: MOST_OPTIONS }),
    highlightSelectionMatches({ wholeWords: true }),
    search({ top: true }),
    json(),
    syntaxHighlighting(COLOURS),
    explained(schema),
    keymap.of([
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
    ]),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of(attributes),
    EditorView.updateListener.of(({ docChanged, state }) => docChanged && !isOurs && onChange(state.doc.toString())),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });

  /**
   * Replaces the whole text; undo brings the old one back, also when it was written a moment ago.
   * @param {string} next
   */
  function set(next) {
    isOurs = true;
    view.dispatch({
      annotations: isolateHistory.of("full"),
      changes: { from: 0, to: view.state.doc.length, insert: next },
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
    isOurs = false;
  }

  /**
   * Marks faults at their places.
   * @param {import("../schema/faults.js").Fault[]} faults
   * @returns {number[]} the line of each
   */
  function show(faults) {
    const { state } = view;
    const tree = treeOf(state);
    const placed = faults.map((fault) => ({ ...fault, ...rangeOf(fault, tree, state.doc) }));
    view.dispatch(
      setDiagnostics(
        state,
        placed.map(({ from, to, severity, message }) => ({ from, to, severity, message })),
      ),
    );
    return placed.map(({ from }) => state.doc.lineAt(from).number);
  }

  /** @param {number} line */
  function goTo(line) {
    const { from } = view.state.doc.line(Math.min(line, view.state.doc.lines));
    view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    view.focus();
  }

  /**
   * Selects the value that these keys lead to.
   * @param {Keys} keys
   */
  function goToKeys(keys) {
    const { from, to } = placeOf(treeOf(view.state), view.state.doc, keys);
    view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    view.focus();
  }

  /** @param {number} place in the text */
  function focus(place) {
    view.dispatch({ selection: { anchor: Math.min(place, view.state.doc.length) } });
    view.focus();
  }

  return { set, show, goTo, goToKeys, focus, destroy: () => view.destroy() };
}

/** @param {EditorState} state */
const treeOf = (state) => ensureSyntaxTree(state, state.doc.length, PATIENCE) ?? syntaxTree(state);

/**
 * @param {import("../schema/faults.js").Fault} fault
 * @param {import("@lezer/common").Tree} tree
 * @param {Text} doc
 */
function rangeOf({ keys, isKey, offset }, tree, doc) {
  if (keys) return placeOf(tree, doc, keys, isKey);
  const from = Math.min(offset ?? firstErrorIn(tree), Math.max(doc.length - 1, 0));
  return { from, to: Math.min(from + 1, doc.length) };
}

/**
 * What a key means, at the pointer. The list of completions says it, too.
 * @param {import("../schema/schema.js").Schema} schema
 */
const explained = (schema) =>
  hoverTooltip(({ state }, pos) => {
    const node = syntaxTree(state).resolveInner(pos);
    if (node.name !== "PropertyName") return null;
    const description = shapesAt(schema, keysTo(node, state.doc))[0]?.description;
    if (!description) return null;
    const create = () => {
      const dom = document.createElement("div");
      dom.className = "play-hint";
      dom.textContent = description;
      return { dom };
    };
    return { pos: node.from, end: node.to, above: true, create };
  });

/** @param {boolean} isOpen */
function foldMarker(isOpen) {
  const marker = document.createElement("span");
  marker.className = `play-fold${isOpen ? "" : " is-folded"}`;
  marker.textContent = "▾";
  return marker;
}

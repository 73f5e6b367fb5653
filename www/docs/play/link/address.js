// The address of the page: it holds the state, so that a reload keeps it and a link shares it.
import { fromFragment, isLink, MOST_CHARACTERS, toFragment } from "./link.js";

/** So long after the last edit the address follows. */
const DELAY = 400;

/**
 * @param {object} options
 * @param {(state: import("./state.js").State) => boolean} options.isFirst whether the page opens with this state without a link
 * @param {(opened: { state?: import("./state.js").State, broken?: string }) => Promise<void>} options.onOpen a link was opened
 * @param {AbortSignal} options.signal
 */
export function createAddress({ isFirst, onOpen, signal }) {
  let written = location.hash;
  let timer;
  addEventListener("hashchange", () => location.hash !== written && isLink(location.hash) && open(), { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));

  async function open() {
    clearTimeout(timer);
    written = location.hash;
    const opened = await fromFragment(written).then(
      (state) => ({ state }),
      ({ message }) => ({ broken: message }),
    );
    if (!signal.aborted) await onOpen(opened);
  }

  /** Writes the state into the address, unless that would be too long. */
  function follow(state) {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const fragment = isFirst(state) ? "" : await toFragment(state).catch(() => "");
      if (signal.aborted || fragment.length > MOST_CHARACTERS || fragment === written) return;
      written = fragment;
      history.replaceState(history.state, "", location.pathname + location.search + fragment);
    }, DELAY);
  }

  /** A link to the state. Throws if it would be too long. */
  async function linkTo(state) {
    const fragment = await toFragment(state);
    if (fragment.length > MOST_CHARACTERS) throw new Error("This is too much for a link");
    return location.origin + location.pathname + fragment;
  }

  return { open: () => isLink(location.hash) && open(), follow, linkTo };
}

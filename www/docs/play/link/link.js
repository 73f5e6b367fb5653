// The state in the fragment of an address, which a browser sends to no server: JSON, deflated, as base64url.
import { encodeText } from "order-cost/internal";
import { stateFrom } from "./state.js";

/** Programs that pass links on leave these characters alone. */
const MARK = "#play-";

/** A link beyond this is cut off by some programs that pass it on. */
export const MOST_CHARACTERS = 30_000;

/** What a link may grow to when it is inflated. */
const MOST_BYTES = 4_194_304;

/** Why a link cannot be opened, as a sentence. */
class BrokenLink extends Error {}

/** Whether a fragment is one of ours. Others lead to a place of the page. */
export const isLink = (fragment) => fragment.startsWith(MARK);

/** @param {import("./state.js").State} state */
export async function toFragment(state) {
  const deflated = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(deflated).arrayBuffer());
  return MARK + base64url(bytes);
}

/**
 * @param {string} fragment
 * @returns {Promise<import("./state.js").State>}
 */
export async function fromFragment(fragment) {
  try {
    const bytes = bytesOf(fragment.slice(MARK.length));
    return stateFrom(JSON.parse(await inflated(bytes)));
  } catch (error) {
    if (error instanceof BrokenLink) throw error;
    throw new BrokenLink("This link is damaged: a part of it is missing or was changed. Here is an example instead.", { cause: error });
  }
}

/**
 * `String.fromCharCode` takes some thousand arguments.
 * @param {Uint8Array} bytes
 */
function base64url(bytes) {
  let text = "";
  for (let start = 0; start < bytes.length; start += 8_192) text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  return encodeText(text);
}

/** @param {string} text */
function bytesOf(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

/**
 * A small link may hold a text of any size.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function inflated(bytes) {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  for (let { value } = await reader.read(); value; { value } = await reader.read()) {
    size += value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new BrokenLink("This link holds more than this page opens. Here is an example instead.");
    }
    text += decoder.decode(value, { stream: true });
  }
  return text + decoder.decode();
}

import { log, masked } from "./log.js";
import { clientMessage } from "./message.js";

const MAX_ANSWER_BYTES = 1_048_576;

/**
 * Makes the function that asks a service: `POST` with JSON, to a binding or a URL. The answer is passed on unparsed.
 * D41: a service's error about the order becomes the order's error; an address or a stack trace never does.
 *
 * @param {string} name the service's name in the client's error message
 * @param {Fetcher} [binding]
 * @param {string} [url] replaces the binding
 * @param {boolean} [logText] whether the log may show the service's text, which may hold customer data
 * @returns {((question: unknown, ctx: { signal: AbortSignal }) => Promise<string>) | undefined}
 */
export function createService(name, binding, url, logText) {
  if (!binding && !url) return undefined;
  const send = url ? (init) => fetch(url, init) : (init) => binding.fetch("https://service/", init);

  return async (question, { signal }) => {
    const logged = (said) => (logText ? masked(said, question) : `${said.length} characters that LOG_SERVICE_TEXT=1 would log`);
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(question),
      redirect: "manual", // a redirected POST would arrive as a GET
      signal,
    };
    const { ok, status, text } = await exchange(send, init).catch((cause) => {
      const message = `The ${name} could not be reached`;
      // A binding throws the service's own text. A URL throws the network's error.
      if (!signal.aborted) log(`${message}: ${url ? cause?.message : logged(`${cause?.message}`)}`);
      throw new Error(message, { cause });
    });
    if (text === undefined) throw new Error(`The ${name} answered more than ${MAX_ANSWER_BYTES} bytes`);
    if (!ok) throw new Error(refusal(text, `The ${name} answered ${status}`, logged));
    return text;
  };
}

async function exchange(send, init) {
  const response = await send(init);
  return { ok: response.ok, status: response.status, text: await readText(response) };
}

/** The body's text. Undefined if it is too long; the rest is then not read. */
async function readText(response) {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const bytes of response.body ?? []) {
    size += bytes.byteLength;
    if (size > MAX_ANSWER_BYTES) return undefined;
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * The message of a refusal: the service's own if a client may read it, else `fallback`; the log then shows the
 * difference.
 */
function refusal(text, fallback, logged) {
  const stated = statedError(text);
  if (stated === undefined) return fallback;
  const message = clientMessage(stated);
  if (message !== stated) log(`${fallback}: ${logged(stated)}`);
  return message ?? fallback;
}

/** The text of `{"error": "..."}`. */
function statedError(text) {
  try {
    const { error } = JSON.parse(text);
    return typeof error === "string" && error !== "" ? error : undefined;
  } catch {
    return undefined; // not JSON, or null: perhaps the error page of a proxy
  }
}

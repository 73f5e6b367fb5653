import { log, masked } from "./log.js";
import { clientMessage } from "./message.js";

const MAX_ANSWER_BYTES = 1_048_576;

/**
 * A service that is asked by `POST` of JSON and answers JSON, behind a binding or at a URL. Its text is handed on unparsed.
 * D41: what the service says about the order is the order's error; an address or a stack never is.
 *
 * @param {string} name of the service, for the client's eyes
 * @param {Fetcher} [binding]
 * @param {string} [url] asked in place of the binding
 * @param {boolean} [logText] whether what it says may be logged: it may say anything of a customer
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
      // Behind a binding it is the service that throws, in its own words; at a URL it is the network.
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

/** The body's text; undefined when it is too long, and then the rest is not read. */
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

/** The message of an answer that is none: its own where a client may read it, `fallback` else, and the log says so. */
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
    return undefined; // no JSON, or null: an error page of something in between
  }
}

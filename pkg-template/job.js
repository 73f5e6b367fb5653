// Drives a calculation: the module calls the host, this waits for the answers.
import { encoded } from "./encode.js";
import { whileWaiting } from "./instance.js";
import { jsonText } from "./json.js";
import { Next } from "./wasm/order_cost.js";

/** A look-up that answers more fails by itself. In the module, whose memory is everybody's, all would. */
const MOST_ANSWER_BYTES = 128 * 2 ** 20;

/** Prices the order of a job, which is a Held one, so that it has the response. */
export async function drive(job, host, context, deadlineMs, onProgress = () => {}) {
  const forHost = context.forHost();
  let next = Next.Call;
  while (next === Next.Call) {
    context.throwIfAborted();
    const wave = call(job, host, forHost, context, deadlineMs, onProgress);
    // A host that has everything at hand costs no turn of the event loop.
    next = wave instanceof Promise ? await wave : wave;
  }
}

/** Calls the host with all that can be asked now; gives what the job wants then. */
function call(job, host, forHost, context, deadlineMs, onProgress) {
  const returned = job.use((job) => job.call(host, forHost));
  for (const call of returned) call.promise = asPromise(call.value);
  const promised = returned.filter(({ promise }) => promise);
  for (const { slot, keys, value, promise } of returned) if (!promise) give(job, slot, keys, value);
  const next = job.use((job) => job.advance());
  onProgress();
  // The caller may have aborted from inside a callback.
  context.throwIfAborted();
  return next === Next.Answers ? answers(job, promised, context, deadlineMs, onProgress) : next;
}

/** Never the host's own promise: whatever that one's methods do, this settles once, and not at once. */
function asPromise(value) {
  if ((typeof value !== "object" || value === null) && typeof value !== "function") return undefined;
  let promise;
  try {
    if (typeof value.then !== "function") return undefined;
    promise = new Promise((resolve) => resolve(value));
  } catch (thrown) {
    promise = Promise.reject(thrown);
  }
  // Nobody may be left to hear of a look-up that fails after another one (D42).
  promise.catch(() => {});
  return promise;
}

/** Waits until the job has had enough answers, the deadline has passed or the caller aborts. */
function answers(job, promised, context, deadlineMs, onProgress) {
  return new Promise((resolve, reject) => {
    const open = new Set(promised.map(({ slot }) => slot));
    let timer;
    const endWaiting = whileWaiting((error) => finish(reject, error));
    const finish = (settle, result) => {
      open.clear();
      clearTimeout(timer);
      endWaiting();
      context.onAbort = () => {};
      settle(result);
    };
    const go = (act) => {
      try {
        act();
        onProgress();
        const next = job.use((job) => job.advance());
        if (next !== Next.Answers) finish(resolve, next);
      } catch (thrown) {
        finish(reject, thrown);
      }
    };
    // A late answer finds its slot closed.
    const once = (slot, act) => open.delete(slot) && go(act);
    for (const { slot, keys, promise } of promised) {
      promise.then(
        (value) => once(slot, () => give(job, slot, keys, value)),
        (thrown) => once(slot, () => job.use((job) => job.fail(slot, thrown))),
      );
    }
    const late = () => go(() => job.use((job) => open.forEach((slot) => job.late(slot, deadlineMs))));
    if (deadlineMs > 0) timer = setTimeout(late, deadlineMs);
    context.onAbort = (error) => finish(reject, error);
  });
}

/** Hands a host's answer to the job; `keys` is how many records it owes, 0 for a single one. */
function give(job, slot, keys, value) {
  let answer;
  let bytes;
  try {
    answer = keys > 0 ? recordTexts(value, keys) : answerText(value);
    bytes = keys > 0 ? joined(answer.texts) : answerBytes(answer.text);
  } catch (thrown) {
    // The answer threw while it was read: the look-up did.
    return job.use((job) => job.fail(slot, thrown));
  }
  if (keys === 0) return job.use((job) => job.answer(slot, bytes, answer.unwritable));
  if (job.use((job) => job.answerList(slot, bytes, answer.unwritable))) return;
  // A text that holds a NUL is no JSON, and neither is an empty one.
  const texts = answer.texts.map((text) => (text.includes("\0") ? "" : text));
  job.use((job) => job.answerList(slot, joined(texts), answer.unwritable));
}

/** A list of JSON texts as one, with a NUL between them, which none may hold. */
const joined = (texts) => texts && answerBytes(texts.join("\0"));

function answerBytes(text) {
  const bytes = encoded(text);
  if (bytes.length > MOST_ANSWER_BYTES) throw new RangeError(`The answer is larger than ${MOST_ANSWER_BYTES} bytes`);
  return bytes;
}

/** The JSON text of each record; none where it is no list of that length (D44). */
function recordTexts(value, keys) {
  if (!Array.isArray(value) || value.length !== keys) return { texts: undefined, unwritable: false };
  const texts = [];
  const unwritable = new Set();
  // By index, not by the list's own iterator: one text for each key, whatever the list does meanwhile.
  for (let index = 0; index < keys; index += 1) {
    const record = value[index];
    const answer = typeof record === "string" ? undefined : answerText(record ?? null);
    texts.push(answer ? answer.text : record);
    if (answer?.unwritable) unwritable.add(index);
  }
  if (unwritable.size === 0) return { texts, unwritable: false };
  return { texts: texts.map((text, index) => (unwritable.has(index) ? text : strict(text))), unwritable: true };
}

/** What stands for an unwritable number of an object is no JSON in a text. */
function strict(text) {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return "";
  }
}

/** A string is the JSON text of an answer already. */
function answerText(value) {
  if (typeof value === "string") return { text: value, unwritable: false };
  const written = jsonText(value);
  if ("thrown" in written) throw written.thrown;
  return written;
}

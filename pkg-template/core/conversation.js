// The conversation with a host, of a calculation or of baskets: asks, waits, gives up, and passes the answers on.
import { answerOf, withoutNul } from "./answer.js";
import { follow, inHost, invoke, isFinal, messageOf } from "./host.js";

/**
 * Who has the conversation.
 *
 * @typedef {object} Owner
 * @property {(pass: () => void) => void} answered is called when a call has ended, unless its answer came at once; `pass`
 *   passes the outcome on, and throws if the module fails
 * @property {(call: number, failure: { cause?: unknown, requestId?: string }) => void} keep keeps what a call threw
 * @property {() => boolean} isAwaited whether somebody waits: then a deadline keeps a process alive
 * @property {import("../http/observation.js").Observation} [watch]
 * @property {(question: import("./host.js").Question, outcome: string, cause?: unknown) => void} [tell] is told of each call:
 *   that it was "asked", and how it ended
 */

export class Conversation {
  #learner;
  #sources;
  #owner;
  /** The questions whose calls are out, by the numbers of the calls. */
  #out = new Map();

  /**
   * @param {{ enter: (entry: string, ...values: unknown[]) => unknown }} learner a job or a fact store of the module
   * @param {{ host: object, zones?: import("../pricer/zones.js").ZonesQuestion, deadlineMs: number }} sources
   * @param {Owner} owner
   */
  constructor(learner, sources, owner) {
    this.#learner = learner;
    this.#sources = sources;
    this.#owner = owner;
  }

  /** Whether a call is out. */
  get isOut() {
    return this.#out.size > 0;
  }

  /**
   * Asks the host these questions, and passes on what it answers at once.
   *
   * @param {import("./host.js").Question[]} batch
   * @param {() => { forHost: () => object, requestId?: string, abort: (reason: unknown) => void }} contextOf the context of
   *   a call
   */
  ask(batch, contextOf) {
    for (const question of batch) {
      this.#owner.watch?.ask(question.lookup);
      question.context = contextOf();
      question.isOut = true;
      this.#out.set(question.call, question);
      this.#owner.tell?.(question, "asked");
    }
    inHost(() => this.#askAll(batch));
  }

  /** Calls every function before it reads any answer. */
  #askAll(batch) {
    const { host, zones } = this.#sources;
    for (const question of batch) {
      // A function that was called before this one may have ended the call.
      if (question.isOut) invoke(host, question, question.context.forHost(), zones);
    }
    follow(batch);
    for (const question of batch) {
      if (!question.isOut) question.leave?.();
      else if (question.promise) this.#await(question);
      else this.#pass(question);
    }
  }

  #await(question) {
    // Nobody waits for the answer of a call that has ended.
    const ended = (pass) => question.isOut && this.#owner.answered(pass);
    const passed = (outcome) => ended(() => inHost(() => this.#pass(Object.assign(question, outcome))));
    question.promise.then(
      (value) => passed({ value }),
      (cause) => passed({ thrown: { cause } }),
    );
    const { deadlineMs } = this.#sources;
    if (deadlineMs === 0) return;
    question.timer = setTimeout(() => ended(() => this.#late(question)), deadlineMs);
    if (!this.#owner.isAwaited()) question.timer.unref?.();
  }

  /** Somebody waits now: the deadlines keep a process alive. */
  keepAlive() {
    for (const { timer } of this.#out.values()) timer?.ref?.();
  }

  /** Passes the outcome of a call to the module. */
  #pass(question) {
    this.#owner.watch?.answer(question.lookup);
    this.#deliver(question);
    this.#end(question);
  }

  #deliver(question) {
    const { call, keys, value, thrown, isMissing, answer: takeFrom } = question;
    if (isMissing) return this.#miss(question);
    if (thrown) return this.#fail(question, thrown.cause);
    let answer;
    try {
      answer = takeFrom ? undefined : answerOf(value, keys);
    } catch (cause) {
      // The answer threw while it was read: that is a failure of the look-up.
      return this.#fail(question, cause);
    }
    this.#owner.tell?.(question, "answered");
    if (takeFrom) return takeFrom(this.#learner, call);
    if (this.#learner.enter("answer", call, answer.bytes, answer.unwritable)) return;
    this.#learner.enter("answer", call, withoutNul(answer.texts), answer.unwritable);
  }

  #miss(question) {
    this.#owner.tell?.(question, "missing");
    this.#learner.enter("missing", question.call);
  }

  #fail(question, cause) {
    const { call, context } = question;
    this.#owner.tell?.(question, "failed", cause);
    this.#owner.keep(call, { cause, requestId: context.requestId });
    this.#learner.enter("fail", call, messageOf(cause), isFinal(cause));
  }

  #late(question) {
    const { call, context, giveUp } = question;
    const { deadlineMs } = this.#sources;
    giveUp?.();
    this.#owner.tell?.(question, "late");
    this.#owner.keep(call, { requestId: context.requestId });
    this.#learner.enter("late", call, deadlineMs);
    this.#end(question, new DOMException(`No answer within ${deadlineMs} ms`, "TimeoutError"));
  }

  /** Ends a call whose answer is no longer awaited; with a reason, its signal aborts. */
  #end(question, reason) {
    if (!question.isOut) return;
    question.isOut = false;
    this.#out.delete(question.call);
    clearTimeout(question.timer);
    question.leave?.();
    if (reason) question.context.abort(reason);
  }

  /** Ends these calls, or all. */
  end(reason, calls = [...this.#out.keys()]) {
    for (const call of calls) {
      const question = this.#out.get(call);
      if (!question) continue;
      this.#owner.tell?.(question, "dropped");
      this.#end(question, reason);
    }
  }
}

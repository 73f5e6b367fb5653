// The conversation with a host, of a calculation or a basket: asks, waits, gives up, and passes the answers on.
import { answerOf, withoutNul } from "./answer.js";
import { follow, inHost, invoke, isFinal, messageOf, questionsOf } from "./host.js";

export class Conversation {
  #asker;
  #sources;
  #answered;
  #keep;
  #isAwaited;
  #watch;
  /** The calls that are out, by their numbers. */
  #out = new Map();

  /**
   * @param {{ enter: (entry: string, ...values: unknown[]) => unknown }} asker a job or a basket of the module
   * @param {{ host: object, zones?: import("./zones.js").ZonesQuestion, deadlineMs: number }} sources
   * @param {object} owner
   * @param {(pass: () => void) => void} owner.answered is called when calls have ended later than at once; `pass` passes
   *   the outcome on, and throws if the module fails
   * @param {(call: number, failure: { cause?: unknown, requestId: string }) => void} owner.keep keeps what a call threw
   * @param {() => boolean} owner.isAwaited whether somebody waits: then a deadline keeps a process alive
   * @param {import("./observation.js").Observation} [owner.watch]
   */
  constructor(asker, sources, { answered, keep, isAwaited, watch }) {
    this.#asker = asker;
    this.#sources = sources;
    this.#answered = answered;
    this.#keep = keep;
    this.#isAwaited = isAwaited;
    this.#watch = watch;
  }

  /** Whether a call is out. */
  get isOut() {
    return this.#out.size > 0;
  }

  /** The questions that the module has now. They count as asked. */
  questions(withCoupons) {
    return questionsOf(this.#asker, withCoupons);
  }

  /**
   * Asks the host these questions, and passes on what it answers at once.
   *
   * @param {import("./host.js").Question[]} wave
   * @param {() => { forHost: () => object, requestId: string, abort: (reason: unknown) => void }} contextOf the context of
   *   a call
   */
  ask(wave, contextOf) {
    for (const question of wave) {
      this.#watch?.ask(question.lookup);
      this.#out.set(question.call, { question, context: contextOf() });
    }
    inHost(() => this.#askAll(wave));
  }

  /** Calls every function before it reads any answer. */
  #askAll(wave) {
    const { host, zones } = this.#sources;
    for (const question of wave) {
      // A function that was called before this one may have ended the call.
      const out = this.#out.get(question.call);
      if (out) invoke(host, question, out.context.forHost(), zones);
    }
    follow(wave);
    for (const question of wave) {
      const out = this.#out.get(question.call);
      if (!out) question.leave?.();
      else if (question.promise) this.#await(out);
      else this.#pass(question);
    }
  }

  #await(out) {
    const { question } = out;
    // Nobody waits for the answer of a call that has ended.
    const ended = (pass) => this.#out.get(question.call) === out && this.#answered(pass);
    const passed = (outcome) => ended(() => inHost(() => this.#pass({ ...question, ...outcome })));
    question.promise.then(
      (value) => passed({ value }),
      (cause) => passed({ thrown: { cause } }),
    );
    const { deadlineMs } = this.#sources;
    if (deadlineMs === 0) return;
    out.timer = setTimeout(() => ended(() => this.#late(out)), deadlineMs);
    if (!this.#isAwaited()) out.timer.unref?.();
  }

  /** Somebody waits now: the deadlines keep a process alive. */
  keepAlive() {
    for (const { timer } of this.#out.values()) timer?.ref?.();
  }

  /** Passes the outcome of a call to the module. */
  #pass(question) {
    this.#watch?.answer(question.lookup);
    this.#give(question);
    this.#end(question.call);
  }

  #give({ call, keys, value, thrown, isMissing, answer: takeFrom }) {
    if (isMissing) return this.#asker.enter("missing", call);
    if (thrown) return this.#fail(call, thrown.cause);
    if (takeFrom) return takeFrom(this.#asker, call);
    let answer;
    try {
      answer = answerOf(value, keys);
    } catch (cause) {
      // The answer threw while it was read: that is a failure of the look-up.
      return this.#fail(call, cause);
    }
    if (this.#asker.enter("answer", call, answer.bytes, answer.unwritable)) return;
    this.#asker.enter("answer", call, withoutNul(answer.texts), answer.unwritable);
  }

  #fail(call, cause) {
    this.#keep(call, { cause, requestId: this.#out.get(call).context.requestId });
    this.#asker.enter("fail", call, messageOf(cause), isFinal(cause));
  }

  #late({ question: { call, giveUp }, context }) {
    const { deadlineMs } = this.#sources;
    giveUp?.();
    this.#keep(call, { requestId: context.requestId });
    this.#asker.enter("late", call, deadlineMs);
    this.#end(call, new DOMException(`No answer within ${deadlineMs} ms`, "TimeoutError"));
  }

  /** Ends a call whose answer is no longer awaited; with a reason, its signal aborts. */
  #end(call, reason) {
    const out = this.#out.get(call);
    if (!out) return;
    this.#out.delete(call);
    clearTimeout(out.timer);
    out.question.leave?.();
    if (reason) out.context.abort(reason);
  }

  /** Ends these calls, or all. */
  end(reason, calls = [...this.#out.keys()]) {
    for (const call of calls) this.#end(call, reason);
  }
}

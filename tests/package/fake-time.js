// Fake setTimeout, setInterval and Date. Those of node:test (v20.20) lose a timer now and then when another is cleared.
import { AsyncResource } from "node:async_hooks";

const REAL = { setTimeout, clearTimeout, setInterval, clearInterval, Date };
const REAL_RANDOM = Math.random;

/**
 * Replaces the timers until `restore()`. `tick(ms)` runs what is due, in its order and at its time. Math.random gives
 * `random`, so that pauses have their least length.
 */
export function fakeTime({ random = 0 } = {}) {
  let now = 0;
  let lastId = 0;
  const timers = new Map();

  class Timer {
    constructor(callback, ms, argument, isRepeated) {
      const bound = AsyncResource.bind(callback); // as a real timer
      Object.assign(this, {
        id: (lastId += 1),
        callback: bound,
        argument,
        at: now + Math.max(ms || 0, 1),
        every: isRepeated ? ms : undefined,
      });
      timers.set(this.id, this);
    }
    #hasRef = true;
    ref() {
      this.#hasRef = true;
      return this;
    }
    unref() {
      this.#hasRef = false;
      return this;
    }
    hasRef() {
      return this.#hasRef;
    }
    [Symbol.toPrimitive]() {
      return this.id;
    }
  }
  const clear = (timer) => void timers.delete(timer?.id ?? timer);

  globalThis.setTimeout = (callback, ms, ...argument) => new Timer(callback, ms, argument, false);
  Math.random = () => random;
  globalThis.setInterval = (callback, ms, ...argument) => new Timer(callback, ms, argument, true);
  globalThis.clearTimeout = clear;
  globalThis.clearInterval = clear;
  globalThis.Date = class extends REAL.Date {
    constructor(...argument) {
      super(...(argument.length > 0 ? argument : [now]));
    }
    static now = () => now;
  };

  const tick = (ms) => tickTo(now + ms);

  /** The same until a time, without an error of rounding. */
  function tickTo(end) {
    for (;;) {
      const [next] = [...timers.values()].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at || a.id - b.id);
      if (!next) break;
      now = next.at;
      if (next.every === undefined) timers.delete(next.id);
      else next.at += next.every;
      next.callback(...next.argument);
    }
    now = end;
  }

  /** The timers that wait. */
  const waiting = () => [...timers.values()];

  function restore() {
    Object.assign(globalThis, REAL);
    Math.random = REAL_RANDOM;
  }

  return {
    tick,
    tickTo,
    waiting,
    restore,
    get now() {
      return now;
    },
  };
}

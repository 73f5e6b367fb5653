// One page in a browser of its own, with a fresh profile. Each engine's tab adds how it is driven.
import { setTimeout as pause } from "node:timers/promises";
import { PATIENCE_MS } from "../until.js";

const PAUSE_MS = 20;
/** No test shows this text. */
const MARK = "order-cost: everything before this was heard";

/**
 * @typedef {object} Size
 * @property {number} width
 * @property {number} height
 */

/**
 * What a subclass adds. It calls `hear` for everything on the console.
 * @typedef {object} Engine
 * @property {string} name
 * @property {string} version
 * @property {(url: string) => Promise<unknown>} goto
 * @property {() => Promise<unknown>} reload
 * @property {(size: Size) => Promise<unknown>} resize
 * @property {<Values extends unknown[], Result>(run: (...values: Values) => Result, ...values: Values) => Promise<Awaited<Result>>} evaluate
 *   `run` in the page
 * @property {(selector: string) => Promise<unknown>} press
 * @property {(text: string) => Promise<unknown>} type
 * @property {() => Promise<Uint8Array>} picture
 * @property {() => Promise<unknown>} close
 */

export class Tab {
  /** @type {string[]} */
  #problems = [];
  #marks = 0;

  /** This tab with what its subclass adds. */
  get #engine() {
    return /** @type {this & Engine} */ (this);
  }

  /** Takes what the console says, and keeps it if it is a problem. */
  hear(text, isProblem) {
    if (text.includes(MARK)) this.#marks += 1;
    else if (isProblem) this.#problems.push(text);
  }

  /**
   * All problems since the page was opened: errors and warnings on the console, what nobody caught, and what could not
   * be loaded. The console reports late, so this waits until it has repeated a mark.
   */
  async problems() {
    const wanted = this.#marks + 1;
    await this.#engine.evaluate((mark) => console.info(mark), MARK);
    await this.#wait(() => this.#marks >= wanted, "the console repeats a mark");
    return [...this.#problems];
  }

  /** Waits until `condition` holds in the page. */
  async until(condition, ...values) {
    await this.#wait(() => this.#engine.evaluate(condition, ...values), `${condition} with ${JSON.stringify(values)}`);
  }

  async #wait(condition, what) {
    const end = performance.now() + PATIENCE_MS;
    while (!(await condition())) {
      if (performance.now() > end)
        throw new Error(`${this.#engine.name}: waited ${PATIENCE_MS / 1000} s until ${what}. ${this.#problems.join("\n")}`);
      await pause(PAUSE_MS);
    }
  }

  /** Waits for an element that the selector finds, and that is visible. */
  shows(selector) {
    return this.until((selector) => document.querySelector(selector)?.checkVisibility() === true, selector);
  }

  text(selector) {
    return this.#engine.evaluate((selector) => document.querySelector(selector).textContent, selector);
  }

  count(selector) {
    return this.#engine.evaluate((selector) => document.querySelectorAll(selector).length, selector);
  }

  /** A click of the mouse in the middle of the element. */
  async click(selector) {
    await this.shows(selector);
    const toMiddle = (selector) => document.querySelector(selector).scrollIntoView({ block: "center", behavior: "instant" });
    await this.#engine.evaluate(toMiddle, selector);
    await this.#engine.press(selector);
  }

  /** Types the text in place of what the field contains. */
  async fill(selector, text) {
    await this.click(selector);
    await this.#engine.evaluate((selector) => document.querySelector(selector).select(), selector);
    await this.#engine.type(text);
  }

  /** Chooses an option of a select. Its list is the system's, so no driver clicks there. */
  async choose(selector, value) {
    await this.#engine.evaluate(
      (selector, value) => {
        const select = document.querySelector(selector);
        select.value = value;
        for (const type of ["input", "change"]) select.dispatchEvent(new Event(type, { bubbles: true }));
      },
      selector,
      value,
    );
  }
}

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
 * A subclass has `name`, `version`, `goto(url)`, `reload()`, `resize(size)`, `evaluate(run, ...values)`,
 * `press(selector)`, `type(text)`, `picture()` and `close()`. It calls `hear` for everything on the console.
 */
export class Tab {
  #problems = [];
  #marks = 0;

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
    await this.evaluate((mark) => console.info(mark), MARK);
    await this.#wait(() => this.#marks >= wanted, "the console repeats a mark");
    return [...this.#problems];
  }

  /** Waits until `condition` holds in the page. */
  async until(condition, ...values) {
    await this.#wait(() => this.evaluate(condition, ...values), `${condition} with ${JSON.stringify(values)}`);
  }

  async #wait(condition, what) {
    const end = performance.now() + PATIENCE_MS;
    while (!(await condition())) {
      if (performance.now() > end)
        throw new Error(`${this.name}: waited ${PATIENCE_MS / 1000} s until ${what}. ${this.#problems.join("\n")}`);
      await pause(PAUSE_MS);
    }
  }

  /** Waits for an element that the selector finds, and that is visible. */
  shows(selector) {
    return this.until((selector) => document.querySelector(selector)?.checkVisibility() === true, selector);
  }

  text(selector) {
    return this.evaluate((selector) => document.querySelector(selector).textContent, selector);
  }

  count(selector) {
    return this.evaluate((selector) => document.querySelectorAll(selector).length, selector);
  }

  /** A click of the mouse in the middle of the element. */
  async click(selector) {
    await this.shows(selector);
    const toMiddle = (selector) => document.querySelector(selector).scrollIntoView({ block: "center", behavior: "instant" });
    await this.evaluate(toMiddle, selector);
    await this.press(selector);
  }

  /** Types the text in place of what the field contains. */
  async fill(selector, text) {
    await this.click(selector);
    await this.evaluate((selector) => document.querySelector(selector).select(), selector);
    await this.type(text);
  }

  /** Chooses an option of a select. Its list is the system's, so no driver clicks there. */
  async choose(selector, value) {
    await this.evaluate(
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

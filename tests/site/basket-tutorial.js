// The tutorial of a basket in React: its files, and what a reader presses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { placeOf } from "../package/pages.js";
import { PATIENCE_MS } from "../until.js";

export const TUTORIAL = placeOf("www/docs/tutorials/basket.md");

const text = readFileSync(TUTORIAL, "utf8");

/** The files that the reader replaces, with their code. */
export const files = Array.from(text.matchAll(/^Replace `(.+)`:\n\n```jsx\n([^]*?)^```$/gm), ([, name, code]) => [name, code]);

/** Does what the table under "Try it" says. */
export async function pressAll(shown) {
  const steps = [...text.matchAll(/^\| (\*\*.+) \| `(.+)` \|$/gm)];
  assert.equal(steps.length, 4);
  for (const [, buttons, expected] of steps) {
    for (const [, name] of buttons.matchAll(/\*\*(.+?)\*\*/g)) {
      await shown.getByRole("button", { name, exact: true }).click();
    }
    await shown.getByText(expected).waitFor({ timeout: PATIENCE_MS });
  }
}

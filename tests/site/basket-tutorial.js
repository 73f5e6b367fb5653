// The tutorials of a basket: their files, and what a reader presses.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { filled } from "../../www/docs/make/filled.mjs";
import { placeOf } from "../package/pages.js";
import { PATIENCE_MS } from "../until.js";

/** The page of each framework. */
export const TUTORIALS = { react: "basket", vue: "basket-vue", svelte: "basket-svelte" };

/** What a tutorial asks for. */
export async function tutorialOf(framework) {
  const source = `www/docs/tutorials/${TUTORIALS[framework]}.md`;
  const text = await filled({ text: readFileSync(placeOf(source), "utf8"), source });
  const files = [...text.matchAll(/^(Write|Replace) `(.+)`:\n\n```\w+\n([^]*?)^```$/gm)];
  return {
    text,
    /** The files that the reader writes, each with its code and whether the project has it already. */
    files: files.map(([, word, name, code]) => ({ name, code, isThere: word === "Replace" })),
    pressAll: (shown) => pressAll(text, shown),
  };
}

/** Does what the table under "Try it" says, and the last of it again: two equal problems stand side by side. */
async function pressAll(text, shown) {
  const press = (name) => shown.getByRole("button", { name, exact: true }).click();
  const steps = [...text.matchAll(/^\| (\*\*.+) \| `(.+)` \|$/gm)];
  assert.equal(steps.length, 4);
  for (const [, buttons, expected] of steps) {
    for (const [, name] of buttons.matchAll(/\*\*(.+?)\*\*/g)) await press(name);
    await shown.getByText(expected).waitFor({ timeout: PATIENCE_MS });
  }
  const [[, again, problem]] = steps.slice(-1);
  await press(again.replaceAll("**", ""));
  await shown.getByText(problem).nth(1).waitFor({ timeout: PATIENCE_MS });
}

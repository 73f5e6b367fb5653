// What axe finds in a page, of every impact.
import { createRequire } from "node:module";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** By default axe leaves out the rules of WCAG 2.2. */
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Each violation in a line: the rule, and where it is broken in the page, or in a part of it. */
export async function violations(page, part = "html") {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.addScriptTag({ path: AXE });
  return page.evaluate(
    async ([part, tags]) => {
      const { violations, passes, inapplicable } = await globalThis.axe.run(document.querySelector(part), {
        resultTypes: ["violations"],
        runOnly: tags,
      });
      const isAmong = (rule, results) => results.some(({ id }) => id === rule);
      if (!isAmong("color-contrast", passes)) throw new Error("axe has not looked at the colours");
      if (!isAmong("target-size", [...violations, ...passes, ...inapplicable]))
        throw new Error("axe has not applied the rules of WCAG 2.2");
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`,
      );
    },
    [part, TAGS],
  );
}

// The reference of the package: TypeDoc reads the types that are published.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { withDecisions } from "../tables/index.mjs";

const HERE = path.resolve(import.meta.dirname, "..");
const TYPEDOC = path.join(path.dirname(createRequire(import.meta.url).resolve("typedoc/package.json")), "bin/typedoc");

/** @returns {import("./pages.mjs").Page[]} */
export function packagePages() {
  const folder = mkdtempSync(path.join(tmpdir(), "order-cost-types-"));
  try {
    execFileSync(process.execPath, [TYPEDOC, "--out", folder], { cwd: HERE, stdio: ["ignore", "ignore", "inherit"] });
    return readdirSync(folder)
      .filter((file) => file !== "README.md")
      .map((file) => page(file, readFileSync(path.join(folder, file), "utf8")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function page(file, body) {
  const module = file.replace(".md", "");
  const entry = module === "index" ? "order-cost" : `order-cost/${module}`;
  const front = `---\ntitle: ${entry}\ndescription: Types and functions of ${entry}, from the published types.\noutline: [2, 3]\n---\n\n# ${entry}\n\n`;
  // So that links between the modules stay as TypeDoc writes them.
  return {
    source: `www/docs/reference/package/${file}`,
    place: `reference/package/${file}`,
    text: front + outsideCode(body, (part) => withDecisions(part, "../../../../DECISIONS.md")),
  };
}

/** Code stays as it is. */
const outsideCode = (text, change) =>
  text
    .split(/(```[\s\S]*?```)/)
    .map((part, index) => (index % 2 ? part : change(part)))
    .join("");

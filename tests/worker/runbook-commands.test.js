// The commands of the runbook and of the page about moving: each is there, and takes the options that it is given.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const WORKER = fileURLToPath(new URL("../../worker/", import.meta.url));
const WRANGLER = path.join(path.dirname(createRequire(path.join(WORKER, "package.json")).resolve("wrangler/package.json")), "bin", "wrangler.js");
const DATA = path.join(WORKER, "data", "main.js");
const PAGES = ["runbook", "migrate"];
const { scripts } = JSON.parse(readFileSync(path.join(WORKER, "package.json"), "utf8"));

/** The lines of the blocks, and the code within lines. */
function codeOf(page) {
  const text = readFileSync(new URL(`../../www/docs/service/${page}.md`, import.meta.url), "utf8");
  const block = /^ *```\w+\n([\s\S]*?)^ *```$/gm;
  const blocks = [...text.matchAll(block)].flatMap(([, code]) => code.replaceAll("\\\n", " ").split("\n"));
  return [...blocks, ...[...text.replaceAll(block, "").matchAll(/`([^`\n]+)`/g)].map(([, code]) => code)].map((line) => line.trim());
}

const helps = new Map();
function helpOf(program, words) {
  const key = [program, ...words].join(" ");
  if (!helps.has(key)) {
    const env = { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" };
    helps.set(key, execFileSync(process.execPath, [program, ...words, "--help"], { cwd: WORKER, env, encoding: "utf8", stdio: "pipe" }));
  }
  return helps.get(key);
}

/** What begins with the prefix: the words of the command, and the options behind them. */
function commands(lines, prefix, count) {
  return lines.filter((line) => line.startsWith(prefix)).map((line) => {
    const words = line.slice(prefix.length).replace(/ [#|].*/, "").trim().split(/\s+/);
    return { line, words: words.slice(0, count(words)), options: words.filter((word) => word.startsWith("--")) };
  });
}

/** How many words name a command: `kv key get` has three. */
const WORDS = { "r2 bucket lifecycle": 4, "kv key": 3, "r2 bucket": 3, secret: 2, deployments: 2, versions: 2 };
const ofWrangler = (words) => Object.entries(WORDS).find(([group]) => `${words.join(" ")} `.startsWith(`${group} `))?.[1] ?? 1;

for (const page of PAGES)
  describe(`the commands of ${page}.md`, () => {
    const lines = codeOf(page);

    test("wrangler has", () => {
      const found = commands(lines, "npx wrangler ", ofWrangler);
      assert.ok(found.length >= 5);
      for (const { line, words, options } of found) {
        const help = helpOf(WRANGLER, words);
        assert.ok(help.startsWith(`wrangler ${words.join(" ")}`), line);
        for (const option of options) assert.match(help, new RegExp(`${option}\\b`), line);
      }
    });

    test("package.json has", () => {
      const found = commands(lines, "npm run ", () => 1);
      assert.ok(found.length >= 3);
      for (const { line, words } of found) assert.ok(Object.hasOwn(scripts, words[0]), line);
    });

    test("npm run data has", () => {
      const found = [...commands(lines, "npm run data -- ", () => 1), ...lines.filter((line) => /^(activate|build) --/.test(line)).flatMap((line) => commands([line], "", () => 1))];
      for (const { line, words, options } of found) {
        const help = helpOf(DATA, words);
        for (const option of options) assert.match(help, new RegExp(`${option}\\b`), line);
      }
    });
  });

// The commands of the pages of the service, in blocks and in sentences: each exists, with the options that it is given. Those
// that need no account and no container are run, too: in tests/data/page-walk.test.js, and in tests/node/.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { someOf } from "../effort.js";
import { blocksOf } from "../package/snippets.js";
import { kept } from "./kept.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FOLDER = path.join(ROOT, "www/docs/service");
const PAGES = ["configuration", "data", "decision-log", "deploy", "migrate", "receipts", "runbook"];
const worker = createRequire(path.join(ROOT, "worker/package.json"));
const { scripts } = worker("./package.json");
const wrangler = path.join(path.dirname(worker.resolve("wrangler/package.json")), "bin/wrangler.js");
const { parse } = worker("jsonc-parser");

const commands = PAGES.flatMap((page) => {
  const file = path.join(FOLDER, `${page}.md`);
  const sentences = readFileSync(file, "utf8").replaceAll(/^ *```[^]*?^ *```$/gm, "");
  const typed = blocksOf(file)
    .filter(({ language }) => language === "sh")
    .flatMap(({ code }) => code.replaceAll("\\\n", " ").split("\n"));
  const said = Array.from(sentences.matchAll(/`([^`]+)`/g), ([, code]) => code);
  const all = [...typed, ...said.map((code) => code.replace(/^(?=(activate|build) --)/, "npm run data -- "))].flatMap((line) =>
    line.split(/ (?:&&|\|) /),
  );
  return all
    .map((line) => line.match(/^(?:[A-Z_]+=\S+ )*(npx wrangler|npx order-cost|npm run(?: --silent)?|docker build) (.+)$/))
    .filter(Boolean)
    .map(([line, program, rest]) => ({ page, line, program, words: rest.split(/ [<>] /)[0].split(" ") }));
});

const of = (...programs) => commands.filter(({ program }) => programs.includes(program));
const optionsIn = (words) => words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split("=")[0]);
const helps = new Map();

/** What a program says of a command, asked once. */
function helpOf(args) {
  const key = args.join(" ");
  if (!helps.has(key)) helps.set(key, help(args));
  return helps.get(key);
}

async function help(args) {
  const env = { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false", NO_COLOR: "1", COLUMNS: "200" };
  const { stdout } = await promisify(execFile)(process.execPath, [...args, "--help"], { cwd: path.join(ROOT, "worker"), env });
  return stdout;
}

/** wrangler takes a second to say something: what a version says is kept. */
const wranglersHelp = (command) => kept(["help", ...command].join("-"), async () => ({ value: await help([wrangler, ...command]) }));

function assertOptions(help, words, line) {
  for (const option of optionsIn(words)) assert.match(help, new RegExp(`(^|[\\s,])${option}\\b`, "m"), `${line}: ${option}`);
}

describe("wrangler", () => {
  for (const { page, line, words } of someOf(of("npx wrangler"))) {
    test(`${page}: ${line}`, async () => {
      const [, usage] = (await wranglersHelp(commandIn(words))).match(/^wrangler (.+)$/m);
      const command = usage.split(/ [<[]/)[0].split(" ");
      assert.deepEqual(words.slice(0, command.length), command, line);
      assertOptions(await wranglersHelp(command), words, line);
    });
  }

  /** The words before the first that is an option or of the reader's own. */
  function commandIn(words) {
    const known =
      /^(login|kv|namespace|key|create|put|delete|tail|secret|deployments|versions|upload|list|deploy|triggers|rollback|r2|bucket|lifecycle|add|object|get)$/;
    const end = words.findIndex((word) => !known.test(word));
    return end < 0 ? words : words.slice(0, end);
  }
});

describe("npm run", () => {
  for (const { page, line, words } of of("npm run", "npm run --silent")) {
    test(`${page}: ${line}`, async () => {
      const [script, separator, ...given] = words;
      assert.ok(script in scripts, line);
      const [, file] = scripts[script].match(/^(?:exec )?node (?:--\S* )*(\S+\.js)$/) ?? [];
      if (separator === undefined) return;
      assert.equal(separator, "--", line);
      const command = script === "data" ? given.slice(0, 1) : [];
      if (command[0] === "<command>") return;
      assertOptions(await helpOf([file, ...command]), given, line);
    });
  }
});

describe("order-cost", () => {
  for (const { page, line, words } of of("npx order-cost")) {
    test(`${page}: ${line}`, async () => assertOptions(await helpOf([path.join(ROOT, "pkg/cli.js"), words[0]]), words, line));
  }
});

test("docker build has its file, and the unit of systemd starts what is there", () => {
  const [{ words }] = of("docker build");
  assert.ok(existsSync(path.join(ROOT, words[words.indexOf("-f") + 1])));
  const unit = readFileSync(path.join(ROOT, "worker/order-cost.service"), "utf8");
  const [, program] = unit.match(/^ExecStart=\S+ (\S+) --env-file /m);
  assert.ok(existsSync(path.join(ROOT, "worker", program)));
});

test("the unit of systemd lets the service write only its captures", () => {
  const unit = readFileSync(path.join(ROOT, "worker/order-cost.service"), "utf8");
  for (const line of [
    "NoNewPrivileges=yes",
    "ProtectSystem=strict",
    "CapabilityBoundingSet=",
    "StateDirectory=order-cost order-cost/decisions",
  ]) {
    assert.ok(unit.split("\n").includes(line), line);
  }
  assert.doesNotMatch(unit, /^MemoryDenyWriteExecute=/m, "V8 compiles");
});

test("what goes into wrangler.jsonc is what wrangler's schema knows", () => {
  const schema = JSON.parse(readFileSync(worker.resolve("wrangler/config-schema.json"), "utf8"));
  const { properties } = schema.definitions.RawEnvironment;
  const parts = PAGES.filter((page) => page !== "migrate")
    .flatMap((page) => blocksOf(path.join(FOLDER, `${page}.md`)))
    .filter(({ language }) => language === "jsonc");
  assert.equal(parts.length, 2); // that of migrate is of its variables
  for (const { code } of parts) {
    const errors = [];
    const part = parse(`{${code}}`, errors, { allowTrailingComma: true });
    assert.deepEqual(errors, [], code);
    for (const name of Object.keys(part)) assert.ok(name in properties, name);
  }
});

test("every page of the folder has a title, a description, and a test of its commands", () => {
  const names = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".md"))
    .map((name) => name.replace(".md", ""));
  assert.deepEqual(names.toSorted(), PAGES);
  for (const page of PAGES) assert.match(readFileSync(path.join(FOLDER, `${page}.md`), "utf8"), /^---\ntitle: .+\ndescription: .+\n---\n/);
  assert.ok(commands.length > 30, `${commands.length}`);
  for (const page of ["migrate", "runbook"]) {
    assert.ok(of("npx wrangler").filter((command) => command.page === page).length >= 5, page);
    assert.ok(of("npm run").filter((command) => command.page === page).length >= 3, page);
  }
});

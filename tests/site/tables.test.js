// The tables that are made from code: each stands on a page, and no cell is empty.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { english, thai } from "../../pkg-template/response/messages.js";
import { writtenPages } from "../../www/docs/make/pages.mjs";
import { make, TABLES } from "../../www/docs/tables/index.mjs";
import { reference } from "../../www/docs/tables/reference.mjs";
import { allAtNight } from "../effort.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folders = { root, pkg: path.join(root, "pkg") };

/** Those that take long: the build of the site has just made them, so that the night is often enough. */
const LONG = ["command-line", "sizes"];
const names = Object.keys(TABLES);
const tried = allAtNight(
  names.filter((name) => !LONG.includes(name)),
  names,
);
const made = Object.fromEntries(await Promise.all(tried.map(async (name) => [name, await make(name, folders)])));

/** The cells of each row, without the heads of the tables. */
const rowsOf = (text) =>
  text
    .split("\n")
    .filter((line, index, lines) => line.startsWith("| ") && !line.startsWith("| ---") && !lines[index + 1]?.startsWith("| ---"))
    .map((line) => line.slice(2, -2).split(/(?<!\\) \| /));

const firstsOf = (text) => rowsOf(text).map(([first]) => first.match(/^`([^`]+)`/)?.[1] ?? first);

/** A list, and no table. */
const LISTS = ["fields-summary"];
/** Tables where an empty cell says that nothing was tried. */
const SPARSE = ["where-it-works"];

describe("each table", () => {
  for (const [name, text] of Object.entries(made).filter(([name]) => !LISTS.includes(name))) {
    test(`${name}: has rows, and no cell is empty`, () => {
      const rows = rowsOf(text);
      assert.ok(rows.length > 1, text);
      const columns = rows.map(({ length }) => length);
      assert.ok(Math.min(...columns) > 1);
      const isWrong = (cell) => (cell.trim() === "" && !SPARSE.includes(name)) || /undefined|\[object/.test(cell);
      assert.deepEqual(
        rows.filter((cells) => cells.some(isWrong)),
        [],
      );
    });
  }

  test("stands on a page", () => {
    const text = writtenPages()
      .map((page) => page.text)
      .join("\n");
    assert.deepEqual(
      names.filter((name) => !text.includes(`<!-- made: ${name} -->`)),
      [],
    );
  });

  test("has a name that is known", async () => {
    await assert.rejects(make("toString", folders), /No table is called toString: expected one of errors, /);
  });
});

test("a code that JavaScript gives an error is one of src/code.rs", () => {
  const known = reference(root).codes.map(({ word }) => word);
  /** What `order-cost serve` says of its own files. */
  const own = ["FACTS_FAILED"];
  const found = ["pkg-template", "worker/src"]
    .flatMap((folder) => sources(path.join(root, folder)))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\bcode(?:: | === )"([A-Z][A-Z_]+[A-Z])"/g)].map(([, code]) => code));
  const systems = /^E[A-Z]+$|^ERR_|^ABORT_ERR$/;
  assert.ok(found.length > 10, found.join());
  assert.deepEqual(
    found.filter((code) => !known.includes(code) && !own.includes(code) && !systems.test(code)),
    [],
  );
});

test("every binding of wrangler.jsonc has a row", () => {
  for (const file of ["worker/wrangler.jsonc", "worker/migration/wrangler.jsonc"]) {
    const text = readFileSync(path.join(root, file), "utf8");
    const bound = [...text.matchAll(/"binding": "(\w+)"/g)].map(([, name]) => name);
    assert.ok(bound.length > 0);
    for (const name of bound) assert.ok(firstsOf(made.bindings).includes(name), name);
  }
});

test("every command and every flag of its help is on the page", () => {
  const page = readFileSync(path.join(root, "target/docs/source/reference/command-line.md"), "utf8");
  for (const heading of [
    "`order-cost price`",
    "`order-cost verify-receipt`",
    "`npm run data`",
    "`npm run data activate`",
    "`npm run preflight`",
  ]) {
    assert.ok(page.includes(`# ${heading}\n`), heading);
  }
  assert.ok(["--facts <file>", "--max-impact <percent>", "--without <bindings>"].every((flag) => page.includes(flag)));
});

describe("the customer messages", () => {
  const rows = made.messages.split("\n").filter((line) => line.startsWith("| `"));

  test("every row has a sentence in both languages, without a missing value", () => {
    for (const row of rows) {
      const cells = row.slice(2, -2).split(" | ");
      assert.equal(cells.length, 3, row);
      const [, inThai, inEnglish] = cells;
      assert.match(inThai, /\p{Script=Thai}/u);
      assert.match(inEnglish, /[A-Za-z].*\.$/);
      assert.doesNotMatch(row, /undefined|NaN|null|\[object/);
    }
  });

  test("a text that depends on facts has a row for each of them", () => {
    const texts = (language) => [true, false].map((retryable) => language.errors.INTERNAL({ retryable }));
    for (const text of [...texts(english), ...texts(thai)]) assert.ok(made.messages.includes(`| ${text} |`), text);
    assert.equal(rows.filter((row) => row.startsWith("| `PRICE_LOOKUP_FAILED`")).length, 4);
  });
});

/** The JavaScript below a folder. */
function sources(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(".js") && !file.includes("node_modules") && !file.startsWith("examples"))
    .map((file) => path.join(folder, file));
}

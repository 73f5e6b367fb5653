// DECISIONS.md and SPECIFICATION.md say what the code does: ids, tests, codes. Links of all documents lead somewhere.
import assert from "node:assert/strict";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { filled } from "../../www/docs/make/filled.mjs";
import { codesOf, linksOf, sectionsOf } from "../../www/docs/make/parts.mjs";
import { reference } from "../../www/docs/tables/reference.mjs";
import { FILES, grep, isThere, read } from "./tree.js";

const DECISIONS = "DECISIONS.md";
const SPECIFICATION = "SPECIFICATION.md";
/** How many decisions there are at least. */
const LEAST = 49;
/** Where an id may stand, but for bytes that a fuzzer made. */
const PLACES = ["src", "pkg-template", "worker", "www", "tests", "fuzz", "benches", "xtask", "CONTRIBUTING.md", "DESIGN.md", "README.md"];
const NOT_WRITTEN = [":!fuzz/corpus", ":!*package-lock.json"];
/** Where the code of a decision may stand. */
const CODE = ["src", "pkg-template", "worker/src"];

const named = namedIds();
const golden = FILES.filter(isCase).map((file) => ({ file, ...JSON.parse(read(file)) }));
const failures = golden.filter(({ expect }) => expect.code).map(({ file, expect }) => ({ file, ...expect }));
const documents = Object.fromEntries(FILES.filter((file) => file.endsWith(".md")).map((file) => [file, read(file)]));
// With its tables, as the site shows it.
documents[SPECIFICATION] = await filled({ text: documents[SPECIFICATION] });
const { codes } = reference(fileURLToPath(new URL("../..", import.meta.url)));

/** The sections of texts, each text read once. */
const parsed = new Map();
const sectionsIn = (text) => parsed.get(text) ?? parsed.set(text, sectionsOf(text)).get(text);

/** Each check takes documents by their names, and returns faults. */
const CHECKS = {
  "every id in the code is a section": (documents) => unknownIds(documents, named),
  "the sections have no gap and no duplicate, and say what holds and why": sectionFaults,
  "every section names tests that name it": testFaults,
  "every section is named in the code": codeless,
  "every link leads to a file and a heading": linkFaults,
};

describe("the documents", () => {
  for (const [name, check] of Object.entries(CHECKS)) test(name, () => assert.deepEqual(check(documents), []));
});

test("what the checks read is there", () => {
  assert.ok(new Set(named.map(({ id }) => id)).size >= 40);
  assert.ok(failures.length > 100, `only ${failures.length} failures`);
  assert.ok(Object.keys(documents).length > 40);
});

describe("a fault of the documents is found", () => {
  const section = (id) => `\n### D${id}\n`;
  const last = section(LEAST);
  const afterGap = section(LEAST + 2);
  const rows = [
    [DECISIONS, section(15), "\n", "D15 has no section"],
    [DECISIONS, section(15), section(14), "D14 has 2 sections"],
    [DECISIONS, last, afterGap, `D${LEAST + 1} has no section`],
    [
      DECISIONS,
      "`tests/golden/d11-product-limit*.json`",
      "`tests/golden/d11-product-limit*.txt`",
      "D45 names the test `tests/golden/d11-product-limit*.txt`, but no such file exists",
    ],
    [
      DECISIONS,
      "`tests/golden/d25-order-date-*.json`",
      "`tests/golden/d25-*.json`",
      "D6 names the test `tests/golden/d25-*.json`, but `tests/golden/d25-coupon-request.json` does not name D6",
    ],
    [
      DECISIONS,
      "`tests/node/work.test.js`",
      "`tests/basket.rs`",
      "D9 names the test `tests/basket.rs`, but `tests/basket.rs` does not name D9",
    ],
    [DECISIONS, "\nTests: `tests/package/options.test.js`\n", "", "D47 has no test"],
    [DECISIONS, "Why: The three are the same mistake.\n", "", 'D12 has no line "Why"'],
    [DECISIONS, "Every row of the response carries `branchId` too.\n", "", "D4 does not say what holds"],
    [DECISIONS, last, afterGap, `D${LEAST + 2} is named in no code`],
    [DECISIONS, "](tests/golden/README.md)", "](tests/golden/README.txt)", "the link `tests/golden/README.txt` leads to no file"],
    [SPECIFICATION, "](DECISIONS.md#d15)", "](DECISIONS.md#d150)", "the link `DECISIONS.md#d150` leads to no heading"],
  ];
  const both = { [DECISIONS]: documents[DECISIONS], [SPECIFICATION]: documents[SPECIFICATION] };
  for (const [document, part, broken, expected] of rows) {
    test(expected, () => {
      assert.ok(documents[document].includes(part), `${document} no longer has ${part}: break another part`);
      const changed = { ...both, [document]: documents[document].replaceAll(part, broken) };
      const faults = Object.values(CHECKS).flatMap((check) => check(changed));
      assert.ok(
        faults.some((fault) => fault.startsWith(document) && fault.includes(expected)),
        faults.join("\n"),
      );
    });
  }

  test("an id without a section", () => {
    const id = `D${LEAST + 1}`;
    const faults = unknownIds(both, [{ id, place: "src/lib.rs, line 1" }]);
    assert.deepEqual(faults, [`src/lib.rs, line 1 names ${id}, which has no section in ${DECISIONS}.`]);
  });
});

describe("every error code and message is stated in src/code.rs", () => {
  test("those of the golden cases", () => assert.deepEqual(failures.flatMap(codeFaults), []));

  for (const [code, error, expected] of [
    ["TOO_LARGE", "Overflow: grandTotal is too large", ["a.json: `TOO_LARGE` is not in src/code.rs."]],
    ["OVERFLOW", "grandTotal is too large", ['a.json: src/code.rs has no message of `OVERFLOW` like "grandTotal is too large".']],
    ["OVERFLOW", "Overflow: grandTotal is too large", []],
    ["PRICE_LOOKUP_FAILED", "what the host threw", []],
  ]) {
    test(`${code}: ${error}`, () => assert.deepEqual(codeFaults({ file: "a.json", code, error }), expected));
  }
});

/** Every id that a file names, and where. A test in Rust names it as `d15_rows`. */
function namedIds() {
  const lines = grep("-noE", "-e", "D[0-9]+", "-e", "fn d[0-9]+_[a-z0-9_]*", "--", ...PLACES, ...NOT_WRITTEN);
  return lines.map((line) => {
    const [, file, number, id] = line.match(/^(.*?):(\d+):(?:fn )?(d\d+)/i);
    return { id: id.toUpperCase(), file, place: `${file}, line ${number}` };
  });
}

function decisions(documents) {
  const sections = sectionsIn(documents[DECISIONS]).filter(({ depth, title }) => depth === 3 && /^D\d+$/.test(title));
  return sections.map(({ title: id, line, blocks }) => ({
    id,
    blocks,
    tests: codesOf(fieldOf(blocks, "Tests") ?? ""),
    fault: (text) => `${DECISIONS}, line ${line}: ${id} ${text}.`,
  }));
}

/** The block `name: …`. */
function fieldOf(blocks, name) {
  return blocks.find((block) => block.startsWith(`${name}: `));
}

function unknownIds(documents, named) {
  const known = decisions(documents).map(({ id }) => id);
  return named
    .filter(({ id }) => !known.includes(id))
    .map(({ id, place }) => `${place} names ${id}, which has no section in ${DECISIONS}.`);
}

function sectionFaults(documents) {
  const sections = decisions(documents);
  const numbers = sections.map(({ id }) => Number(id.slice(1)));
  const expected = Array.from({ length: Math.max(LEAST, ...numbers) }, (_, index) => index + 1);
  const miscounted = expected.flatMap((number) => {
    const count = numbers.filter((other) => other === number).length;
    if (count === 0) return [`D${number} has no section. Add the heading \`### D${number}\``];
    return count > 1 ? [`D${number} has ${count} sections. Keep one of them`] : [];
  });
  return [
    ...miscounted.map((fault) => `${DECISIONS}: ${fault}.`),
    ...sections.filter(({ blocks }) => /^(Why: |Tests: |$)/.test(blocks[0] ?? "")).map(({ fault }) => fault("does not say what holds")),
    ...sections.filter(({ blocks }) => !fieldOf(blocks, "Why")).map(({ fault }) => fault('has no line "Why"')),
  ];
}

function testFaults(documents) {
  return decisions(documents).flatMap(({ id, tests, fault }) => {
    if (tests.length === 0 && !FILES.some((file) => isCaseOf(file, id))) return [fault("has no test")];
    return tests.flatMap((pattern) => {
      const named = `names the test \`${pattern}\`, but`;
      const files = FILES.filter(like(pattern, /\*/, "[^/]*"));
      if (files.length === 0) return [fault(`${named} no such file exists`)];
      return files.filter((file) => !names(file, id)).map((file) => fault(`${named} \`${file}\` does not name ${id}`));
    });
  });
}

function isCase(file) {
  return /^tests\/golden\/[^/]*\.json$/.test(file);
}

function isCaseOf(file, id) {
  return isCase(file) && path.basename(file).startsWith(`d${id.slice(1).padStart(2, "0")}-`);
}

/** A golden case names a decision by its file's name or its `ids`, another test by the word, or by a name such as `d15_rows`. */
function names(file, id) {
  if (isCase(file)) return isCaseOf(file, id) || golden.find((one) => one.file === file).ids?.includes(id);
  return new RegExp(`\\b${id}(_|\\b)`, "i").test(read(file));
}

function codeless(documents) {
  const inCode = named.filter(({ file }) => CODE.some((folder) => file.startsWith(`${folder}/`))).map(({ id }) => id);
  return decisions(documents)
    .filter(({ id }) => !inCode.includes(id))
    .map(({ fault }) => fault(`is named in no code of ${CODE.join(", ")}`));
}

function linkFaults(changed) {
  return Object.entries(changed).flatMap(([name, text]) =>
    linksOf(text).flatMap(({ url, start }) => {
      const leads = /^[a-z]+:/.test(url) ? undefined : nowhere(name, url, { ...documents, ...changed });
      return leads ? [`${name}, line ${start.line}: the link \`${url}\` leads to no ${leads}.`] : [];
    }),
  );
}

/** What a link does not lead to. */
function nowhere(name, url, documents) {
  const [file, anchor] = url.split("#");
  const target = file ? path.posix.join(path.posix.dirname(name), decodeURI(file)) : name;
  // Some of the site's pages and headings are made: `pages.test.js` has the links between them.
  if ([name, target].every((file) => file.startsWith("www/docs/"))) return undefined;
  if (!isThere(target)) return "file";
  return anchor && !sectionsIn(documents[target] ?? "").some((section) => section.anchor === anchor) ? "heading" : undefined;
}

function codeFaults({ file, code, error }) {
  const stated = codes.find(({ word }) => word === code);
  if (!stated) return [`${file}: \`${code}\` is not in src/code.rs.`];
  // A host may throw any message. At the root a fault has no path.
  const texts = stated.messages.flatMap(({ text }) => [text, text.replaceAll("<path>: ", "")]);
  const isStated = texts.some((text) => text === "" || like(text, /<[^>]*>/, ".*")(error));
  return isStated ? [] : [`${file}: src/code.rs has no message of \`${code}\` like ${JSON.stringify(error)}.`];
}

/** Whether a text is `pattern` with something like `rest` in place of each `gap`. */
function like(pattern, gap, rest) {
  const parts = pattern.split(gap).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const whole = new RegExp(`^${parts.join(rest)}$`, "s");
  return (text) => whole.test(text);
}

// The recipes of CONTRIBUTING.md name the files that have their samples, and no others.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { codesOf, sectionsOf } from "../../www/docs/make/parts.mjs";
import { grep, isThere, read } from "./tree.js";

const DOCUMENT = "CONTRIBUTING.md";
const RECIPES = 4;
/** How the line begins that names the samples of a recipe: words of one such thing that is there. */
const SAMPLES = "Samples: ";
/** Marks an entry whose files do not have the samples. */
const NO_MENTION = "no mention";
/** Where the product is, and what follows it there: examples, seeds, pages, tests of alerts. */
const PRODUCT = ["src", "pkg-template", "worker", "www", "xtask"];
const FOLLOWS = ["*.md", "*.test.yaml", "pkg-template/examples", "worker/seed"].map((path) => `:(exclude)${path}`);

const document = read(DOCUMENT);

test("every recipe names the files that have its samples", () => {
  assert.equal(recipes(document).length, RECIPES);
  assert.deepEqual(recipes(document).flatMap(faultsOf), []);
});

describe("a fault of a recipe is found", () => {
  for (const [part, broken, expected] of [
    ["`src/lookup.rs`", "`src/word.rs`", '`src/lookup.rs` has a sample of "Add a callback of the host", which does not name it'],
    [
      "`src/lookup.rs`",
      "`src/lookup.rs`, `src/word.rs`",
      '"Add a callback of the host" names `src/word.rs`, which has none of its samples',
    ],
    ["`src/lookup.rs`", "`src/lookup.rs`, `src/lookups.rs`", '"Add a callback of the host" names `src/lookups.rs`, which does not exist'],
    ["`www/model/`", "`www/model`", '`www/model/coupon-terms.js` has a sample of "Add a field of the response"'],
    ["`lookupVouchers`", "`lookupVoucherz`", '"Add a callback of the host" has the sample `lookupVoucherz`, which no file has'],
    [SAMPLES, "Such as: ", '"Add a field of the response" has no line "Samples: "'],
  ]) {
    test(expected, () => {
      assert.ok(document.includes(part), `${DOCUMENT} no longer has ${part}: break another part`);
      const faults = recipes(document.replaceAll(part, broken)).flatMap(faultsOf);
      assert.ok(
        faults.some((fault) => fault.includes(expected)),
        faults.join("\n"),
      );
    });
  }
});

/** The sections that say what to change for something new. An entry is an item `paths: what to do`. */
function recipes(text) {
  const sections = sectionsOf(text).filter(({ depth, title }) => depth === 2 && title.startsWith("Add "));
  return sections.map(({ title, blocks }) => ({
    name: `"${title}"`,
    samples: codesOf(blocks.find((block) => block.startsWith(SAMPLES)) ?? ""),
    entries: blocks.filter((block) => block.startsWith("- ")).map(entryOf),
  }));
}

function entryOf(item) {
  const [paths, ...whatToDo] = item.split(": ");
  return { paths: codesOf(paths), isMentioned: !whatToDo.join().includes(NO_MENTION) };
}

function faultsOf({ name, samples, entries }) {
  if (samples.length === 0) return [`${name} has no line "${SAMPLES}"`];
  const files = [...new Set(samples.flatMap(filesWith))];
  const paths = entries.flatMap((entry) => entry.paths);
  return [
    ...samples
      .filter((sample) => filesWith(sample).length === 0)
      .map((sample) => `${name} has the sample \`${sample}\`, which no file has`),
    ...files
      .filter((file) => !paths.some((path) => covers(path, file)))
      .map((file) => `\`${file}\` has a sample of ${name}, which does not name it`),
    ...paths.filter((path) => !isThere(path)).map((path) => `${name} names \`${path}\`, which does not exist`),
    ...entries
      .filter(({ isMentioned }) => isMentioned)
      .flatMap((entry) => entry.paths.filter((path) => isThere(path) && !files.some((file) => covers(path, file))))
      .map((path) => `${name} names \`${path}\`, which has none of its samples`),
  ];
}

/** A path with a `/` at its end is a folder and all that is in it. */
function covers(path, file) {
  return file === path || (path.endsWith("/") && file.startsWith(path));
}

/** The files that have each word. */
const found = new Map();

function filesWith(word) {
  const search = () => grep("--files-with-matches", "--fixed-strings", "-e", word, "--", ...PRODUCT, ...FOLLOWS);
  return found.get(word) ?? found.set(word, search()).get(word);
}

// www/docs/service/migrate.md: what it names is there, and its files are taken.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { REASONS } from "../../pkg-template/cli/explain/reasons.js";
import { readOptions, defaults as shadowDefaults } from "../../worker/migration/src/options.js";
import { defaults as pricingDefaults, readOptions as readPricingOptions } from "../../worker/src/options/options.js";
import { file, run } from "../package/command.js";
import { DIFFERENCES } from "./double/differences.js";
import { readWanted } from "./double/wanted.js";

const read = (name) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const GUIDE = read("www/docs/service/migrate.md");
const matches = (pattern) => [...GUIDE.matchAll(pattern)].map(([, found]) => found);

describe("the guide", () => {
  it("names variables that there are", () => {
    const known = new Set([...Object.keys(shadowDefaults()), ...Object.keys(pricingDefaults()), "CAPTURE", "NEW", "DIFFERENCES"]);
    const ofOthers = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];
    const named = matches(/`([A-Z][A-Z_]{2,})\b/g).filter((name) => !ofOthers.includes(name));
    assert.ok(named.length > 10);
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    );
  });

  it("states values of SERVE and DIFFERENCES that are taken", () => {
    const values = matches(/"SERVE": "([^"]+)"/g);
    assert.equal(values.length, 1);
    for (const SERVE of values) readOptions({ LEGACY_URL: "https://old.example", NEW: {}, SERVE });
    for (const list of matches(/DIFFERENCES=([^\s`]+)/g)) assert.ok(readWanted(list).length > 0);
    for (const name of matches(/x-legacy-differences: (\w+)/g)) assert.ok(Object.hasOwn(DIFFERENCES, name));
  });

  it("names scripts, commands and options that there are", async () => {
    const { scripts } = JSON.parse(read("worker/package.json"));
    const named = new Set(matches(/npm run ([\w:]+)/g));
    assert.ok(named.size >= 4);
    assert.deepEqual(
      [...named].filter((name) => !Object.hasOwn(scripts, name)),
      [],
    );
    const lines = matches(/npx order-cost ([^`#;\n]+)/g);
    assert.ok(lines.length >= 5);
    for (const line of lines) {
      const [command, ...words] = line.trim().split(/\s+/);
      const { stdout } = await run([command, "--help"]);
      for (const option of words.filter((word) => word.startsWith("--"))) assert.ok(stdout.includes(` ${option} `), line);
    }
  });

  it("says by what variable each policy is set that a report may name", () => {
    const variableOf = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
    const [, name, value, variable, variableValue] = GUIDE.match(/\(`(\w+): "(\w+)"` is `(\w+)` `(\w+)`\)/);
    assert.deepEqual([variable, variableValue], [variableOf(name), value]);
    const policies = Object.values(REASONS).flatMap(({ policy }) => (policy && policy.name !== "limits" ? policy : []));
    assert.ok(policies.some((policy) => policy.name === name && policy.value === value));
    for (const policy of policies) {
      assert.ok(Object.hasOwn(pricingDefaults(), variableOf(policy.name)), policy.name);
      readPricingOptions({ [variableOf(policy.name)]: policy.value });
    }
  });

  it("names the decisions of which a report names no policy", () => {
    const decisions = new Set(Object.values(REASONS).map(({ decision }) => decision));
    const rows = matches(/^\| (D\d+.*?) \|/gm).flatMap((row) => row.match(/D\d+/g));
    assert.ok(rows.length >= 10);
    assert.deepEqual(
      rows.filter((decision) => !decisions.has(decision)),
      [],
    );
  });

  it("shows a file of accepted differences that the command takes until its day", async () => {
    const [known] = matches(/```json\n([\s\S]*?)```/g);
    const entries = JSON.parse(known).map((entry) => ({ ...entry, until: "2099-12-31" }));
    const sides = [file("left.ndjson", { isFreeShipping: true, grandTotal: 1 }), file("right.ndjson", { grandTotal: 1 })];
    const { code, stdout } = await run(["verify", ...sides, "--accept", file("known.json", entries)]);
    assert.equal(code, 0, stdout);
    const over = JSON.parse(known).map((entry) => ({ ...entry, until: "2020-01-31" }));
    assert.equal((await run(["verify", ...sides, "--accept", file("known.json", over)])).code, 2);
  });
});

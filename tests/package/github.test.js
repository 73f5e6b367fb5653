// What GitHub reads beside the workflows: Dependabot's settings and the forms of issues.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (name) => readFileSync(path.join(ROOT, name), "utf8");
const tracked = (pattern) => execFileSync("git", ["ls-files", pattern], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");

const { updates } = parse(read(".github/dependabot.yml"));
const settingsOf = (ecosystem) => updates.find((settings) => settings["package-ecosystem"] === ecosystem);

/** Dependabot's settings of a kind of lock file, and what those files hold. */
const KINDS = {
  cargo: { locks: tracked("*Cargo.lock"), has: (lock, name) => lock.includes(`name = "${name}"`) },
  npm: {
    locks: tracked("*package.json")
      .map((manifest) => manifest.replace("package.json", "package-lock.json"))
      .filter((lock) => !lock.startsWith("tests/matrix/") && existsSync(path.join(ROOT, lock))),
    has: (lock, name) => lock.includes(`"node_modules/${name.replace("*", "")}`),
  },
};

for (const [ecosystem, { locks, has }] of Object.entries(KINDS)) {
  test(`Dependabot reads each folder with a lock file of ${ecosystem}, and ignores only what is there`, () => {
    const { directories, ignore } = settingsOf(ecosystem);
    const covers = (directory, folder) =>
      directory === folder || (directory.endsWith("/*") && path.posix.dirname(folder) === directory.slice(0, -2));
    const folders = locks.map((lock) => path.posix.dirname(`/${lock}`));
    for (const folder of folders)
      assert.ok(
        directories.some((directory) => covers(directory, folder)),
        folder,
      );
    for (const directory of directories)
      assert.ok(
        folders.some((folder) => covers(directory, folder)),
        directory,
      );
    const texts = locks.map(read);
    for (const { "dependency-name": name } of ignore)
      assert.ok(
        texts.some((text) => has(text, name)),
        name,
      );
  });
}

test("each kind of dependency has one pull request a week", () => {
  for (const { schedule, groups } of updates) {
    assert.equal(schedule.interval, "weekly");
    assert.deepEqual(Object.values(groups), [{ patterns: ["*"] }]);
  }
});

const forms = readdirSync(path.join(ROOT, ".github/ISSUE_TEMPLATE")).filter((name) => name !== "config.yml");

for (const name of forms) {
  test(`the form ${name} has what GitHub needs`, () => {
    const { name: title, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${name}`));
    assert.ok(title && description);
    const inputs = body.filter(({ type }) => type !== "markdown");
    assert.ok(inputs.length > 0);
    assert.equal(new Set(inputs.map(({ id }) => id)).size, inputs.length);
    for (const { type, id, attributes } of inputs) {
      assert.ok(["input", "textarea"].includes(type) && /^\w+$/.test(id) && attributes.label, id);
    }
    for (const { type, attributes } of body) if (type === "markdown") assert.ok(attributes.value);
  });
}

test("a vulnerability is not reported as an issue", () => {
  const { blank_issues_enabled, contact_links } = parse(read(".github/ISSUE_TEMPLATE/config.yml"));
  assert.equal(blank_issues_enabled, false);
  assert.ok(contact_links.some(({ about }) => about.includes("SECURITY.md")) && existsSync(path.join(ROOT, "SECURITY.md")));
  for (const { name, url, about } of contact_links) assert.ok(name && about && URL.canParse(url));
});

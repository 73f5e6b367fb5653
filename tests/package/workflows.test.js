// What may run on GitHub: each part pinned, and nothing foreign beside the right to publish.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { readDockerfile } from "../node/dockerfile.js";

const FOLDER = fileURLToPath(new URL("../../.github/workflows", import.meta.url));

const workflows = readdirSync(FOLDER).map((name) => ({ ...parse(readFileSync(join(FOLDER, name), "utf8")), name }));
const jobs = workflows.flatMap(({ name, permissions, jobs }) =>
  Object.entries(jobs).map(([id, job]) => ({ where: `${name}: ${id}`, ...job, permissions: job.permissions ?? permissions })),
);

/** The jobs that get a token of GitHub's, with which npm lets them publish. */
const publishing = jobs.filter(({ permissions }) => permissions === "write-all" || permissions["id-token"] === "write");

test("a workflow may only read, and a job has no more but the right to publish", () => {
  for (const { name, permissions } of workflows) assert.deepEqual(permissions, { contents: "read" }, name);
  for (const { where, permissions } of jobs) {
    if (permissions["id-token"]) assert.deepEqual(permissions, { "id-token": "write" }, where);
    else assert.deepEqual(permissions, { contents: "read" }, where);
  }
});

test("each action is pinned by its commit, and no checkout leaves its token", () => {
  for (const { where, steps } of jobs) {
    for (const { uses, with: options } of steps.filter((step) => step.uses !== undefined)) {
      assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, where);
      if (uses.startsWith("actions/checkout@")) assert.equal(options?.["persist-credentials"], false, where);
    }
  }
});

test("Node is the version of .nvmrc wherever this repository is checked out", () => {
  const checkedOut = jobs.filter(({ steps }) => steps.some(({ uses }) => uses?.startsWith("actions/checkout@")));
  for (const { where, steps } of checkedOut) {
    const [node] = steps.filter(({ uses }) => uses?.startsWith("actions/setup-node@"));
    assert.deepEqual(node.with, { "node-version-file": ".nvmrc" }, where);
  }
});

test("each image that a workflow runs in is pinned by its digest", () => {
  const images = jobs.flatMap(({ where, container, services = {} }) =>
    [container, ...Object.values(services)].filter(Boolean).map((image) => ({ where, image: image.image ?? image })),
  );
  assert.ok(images.length > 0);
  for (const { where, image } of images) assert.match(image, /@sha256:[0-9a-f]{64}$/, where);
});

test("each image of the Dockerfile says its version, and SECURITY.md whether digests pin them", () => {
  const stages = readDockerfile();
  const images = [...stages.values()].map(({ from }) => from).filter((from) => !stages.has(from));
  assert.ok(images.length > 2);
  for (const image of images) assert.match(image, /^(?!.*:latest)[^@]*\d/);
  const promise = readFileSync(new URL("../../SECURITY.md", import.meta.url), "utf8");
  const isByTag = images.some((image) => !/@sha256:[0-9a-f]{64}$/.test(image));
  assert.equal(/\[Dockerfile\]\(worker\/Dockerfile\) by tag/.test(promise), isByTag);
});

test("the job that publishes runs nothing foreign: it checks the tarball of another job, and npm uploads it", () => {
  const [publish, ...others] = publishing;
  assert.deepEqual(others, []);
  assert.deepEqual(
    publish.steps.map(({ uses, run }) => uses?.split("@")[0] ?? run),
    [
      "actions/setup-node",
      "actions/download-artifact",
      'echo "$SHA256  $TARBALL" | sha256sum --check',
      'npm publish "./$TARBALL" --access public --provenance --ignore-scripts',
    ],
  );
  assert.equal(publish.environment, "npm");
  assert.equal(publish.needs, "build");

  const build = jobs.find(({ where }) => where === "release.yml: build");
  const runs = build.steps.flatMap(({ run }) => run?.trimEnd() ?? []);
  assert.deepEqual(runs.slice(0, 3), [".ci/run", "cargo xtask audit", "cargo xtask release"]);
});

test("no expression of GitHub's stands in a script", () => {
  const scripts = jobs.flatMap(({ where, steps }) => steps.map(({ run = "" }) => ({ where, run })));
  for (const { where, run } of scripts) assert.ok(!run.includes("${{"), where);
});

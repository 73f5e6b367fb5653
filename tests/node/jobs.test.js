// examples/kubernetes: what Kubernetes accepts; and its steps, run as processes, give the report of one run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { parseAllDocuments } from "yaml";
import { CLI, file, path, run } from "../package/command.js";
import { captureOf, writeCatalogue, writeZones } from "../package/impact-case.js";
import { deliveredBy, squareZones } from "../zones.js";
import { OLDEST, validated } from "./kubernetes.js";

const placeOf = (name) => fileURLToPath(new URL(`../../examples/kubernetes/${name}`, import.meta.url));
const filled = (text) => text.replaceAll(/<([\w-]+)>/g, "$1");
const documentsIn = (name) => parseAllDocuments(filled(readFileSync(placeOf(name), "utf8"))).map((document) => document.toJS());

const [config, parts] = documentsIn("parts.yaml");
const [merge] = documentsIn("merge.yaml");
const DAYS = ["2026-01-01", "2026-01-02", "2026-01-03"];
const { RESULT } = config.data;

/** What the steps call: the package's command, and the command line of a store, which is a folder here. */
const PROGRAMS = {
  "order-cost": `exec '${process.execPath}' '${CLI}' "$@"`,
  aws: `
    place() { case "$1" in s3://*) echo "$STORE/\${1#s3://}" ;; *) echo "$1" ;; esac; }
    from=$(place "$3")
    to=$(place "$4")
    mkdir -p "$(dirname "$to")"
    case "$2 $4" in
      "cp -") exec cat "$from" ;;
      cp*) exec cp "$from" "$to" ;;
      sync*) mkdir -p "$to" && exec cp -r "$from/." "$to" ;;
    esac
    exit 1`,
};

/** Runs the container of a job as Kubernetes would, in an empty folder. */
function started(job, index = "") {
  const [{ command, args }] = job.spec.template.spec.containers;
  const name = `${job.metadata.name}-${index}`;
  mkdirSync(path(name));
  const PATH = [path("bin"), dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH, STORE: path("store"), ...config.data, JOB_COMPLETION_INDEX: `${index}` };
  return spawnSync(command[0], [...command.slice(1), ...args], {
    cwd: path(name),
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

const stored = (name) => path(`store/${name.replace("s3://", "")}`);

describe("examples/kubernetes", () => {
  before(async () => {
    mkdirSync(path("bin"));
    for (const [name, script] of Object.entries(PROGRAMS)) {
      writeFileSync(path(`bin/${name}`), `#!/bin/sh\n${script}\n`);
      chmodSync(path(`bin/${name}`), 0o755);
    }
    const zones = squareZones(30);
    const zonesHash = await writeZones("store/bucket/captures", zones);
    await writeCatalogue("store/bucket/catalogue", { "1/1000": 11, "2/1000": 19 }, squareZones(35));
    const facts = { prices: { "1/1000": { price: 10 }, "2/1000": { price: 20 } } };
    const captures = DAYS.map((day, index) => {
      const productList = [{ cprcode: 1 + (index % 2), productName: "x", quantity: 1 + index }];
      const orders = [{ productList }, { productList, shipping: deliveredBy("REGULAR") }];
      return orders.map((order, at) => `${captureOf(`${day}-${at}`, { order, zones, zonesHash, facts })}\n`).join("");
    });
    for (const [index, day] of DAYS.entries()) file(`store/bucket/captures/${day}.ndjson.gz`, gzipSync(captures[index]));
    file("all.ndjson", captures.join(""));
  });

  for (const name of ["parts.yaml", "merge.yaml"]) {
    for (const version of [undefined, OLDEST]) {
      it(`${name} is valid for Kubernetes ${version ?? "as it is now"}`, () => {
        file(name, filled(readFileSync(placeOf(name), "utf8")));
        assert.equal(validated(path(name), version), documentsIn(name).length);
      });
    }
  }

  it("numbers its parts", () => {
    assert.equal(parts.spec.completionMode, "Indexed");
    assert.equal(parts.spec.completions, 365);
    assert.equal(config.data.FIRST_DAY, DAYS[0]);
  });

  it("gives the report and the page of one run", async () => {
    for (const index of DAYS.keys()) assert.deepEqual(said(started(parts, index)), { status: 0, stdout: "", stderr: "" });
    const merged = started(merge);
    const args = ["impact", "all.ndjson", "--zones-dir", "store/bucket/captures/zones", "--catalogue", "store/bucket/catalogue"];
    assert.deepEqual(said(merged), { status: 0, stdout: (await run([...args, "--html", "impact.html"])).stdout, stderr: "" });
    assert.match(merged.stdout, /\b6 orders\b/);
    assert.equal(readFileSync(stored(`${RESULT}/impact.html`), "utf8"), readFileSync(path("impact.html"), "utf8"));
  });

  it("does not count a day that cannot be read", () => {
    const { status, stderr } = started(parts, DAYS.length);
    assert.equal(status, 1, stderr);
    assert.match(stderr, /2026-01-04\.ndjson\.gz/);
    assert.ok(!existsSync(join(stored(`${RESULT}/tallies`), "2026-01-04.json")));
  });
});

const said = ({ status, stdout, stderr }) => ({ status, stdout, stderr });

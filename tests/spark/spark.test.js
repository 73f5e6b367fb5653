// examples/spark: two executors count what one run counts, also if one of them is killed in the middle of a part.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { writeImpactCase } from "../../benches/impact/index.js";
import { temporaryFolder } from "../folder.js";
import { guide, placeOf } from "../package/pages.js";
import { blocksOf } from "../package/snippets.js";
import { COMMAND, PROGRAM, submit } from "./cluster.js";

const ORDERS = 20_000;
const OBJECTS = 10;
const PARTS = 5;

const folder = temporaryFolder();
const path = (name) => join(folder, name);
const content = (name) => readFileSync(path(name), "utf8");
const order = (...args) => execFileSync(process.execPath, [COMMAND, ...args], { cwd: folder, encoding: "utf8" });

const CHANGE = ["--catalogue", "new", "--zones-dir", "captures/zones"];

/** What the words of the guide's command are here. */
const HERE = { "impact.py": PROGRAM, "s3a://shop/captures/*.gz": path("objects/*.gz"), "zones/": "captures/zones", "catalogue/": "new" };
const [, GUIDED] = blocksOf(placeOf(guide("year"))).filter(({ language }) => language === "sh");
const [program, ...WORDS] = GUIDED.code
  .trim()
  .match(/(?:'[^']*'|"[^"]*"|\S)+/g)
  .map((word) => word.replaceAll(/['"]/g, ""));

/** Runs the guide's command; `command` is that of the workers. */
function onSpark(command, ...more) {
  assert.equal(program, "spark-submit");
  return submit(folder, [...WORDS.map((word) => HERE[word] ?? word), "--parts", `${PARTS}`, `--command=${command}`, ...more]);
}

/** The command, but the first part is read only in part: its process writes its number to a file, and waits for its end. */
const WAITING = `
if [ "$1" = impact ] && mkdir first; then
  head -c 100000 > /dev/null
  echo $$ > first/new
  mv first/new first/pid
  while kill -0 $PPID; do sleep 0.1; done
  exit 1
fi 2> /dev/null
exec node ${COMMAND} "$@"
`;

/** The process above another one whose command line has these words. */
function above(pid, words) {
  const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1];
  return readFileSync(`/proc/${parent}/cmdline`, "utf8").includes(words) ? Number(parent) : above(parent, words);
}

describe("examples/spark", () => {
  let reported;
  let page;

  before(async () => {
    await writeImpactCase(folder, { orders: ORDERS, products: 2_000 });
    const lines = content("captures/orders.ndjson").trimEnd().split("\n");
    assert.equal(lines.length, ORDERS);
    mkdirSync(path("objects"));
    const size = ORDERS / OBJECTS;
    for (let part = 0; part < OBJECTS; part += 1) {
      writeFileSync(
        path(`objects/${part}.ndjson.gz`),
        gzipSync(`${lines.slice(part * size, (part + 1) * size).join("\n")}\n`, { level: 1 }),
      );
    }
    reported = order("impact", "captures", ...CHANGE, "--html", "impact.html");
    page = content("impact.html");
    rmSync(path("impact.html"));
  });

  test("gives the report and the page of one run", async () => {
    const { code, stdout, log } = await onSpark(`node ${COMMAND}`);
    assert.equal(code, 0, log);
    assert.equal(stdout, reported);
    assert.equal(content("impact.html"), page);
  });

  test("counts a part again whose executor was killed; the catalogue is at a URL", async (t) => {
    const asked = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.end(readFileSync(path(`new${url}`)));
    }).listen(0, "127.0.0.1");
    t.after(() => server.close());
    await once(server, "listening");
    const manifest = JSON.parse(content("new/manifest.json"));
    writeFileSync(path("new/current"), JSON.stringify({ ...manifest, activatedAt: manifest.builtAt, predecessors: [] }));
    writeFileSync(path("waiting.sh"), WAITING.replaceAll("first", path("first")));
    const run = onSpark(`sh ${path("waiting.sh")}`, `--catalogue=http://127.0.0.1:${server.address().port}`);
    const hasEnded = run.then(() => true);
    while (!existsSync(path("first/pid"))) assert.ok(!(await Promise.race([hasEnded, wait(50, false)])), "it ended before a part was read");
    process.kill(above(content("first/pid").trim(), "CoarseGrainedExecutorBackend"), "SIGKILL");
    const { code, stdout, log } = await run;
    assert.equal(code, 0, log);
    assert.match(log, /Launching executor app-[\d-]+\/2 /, "a third executor");
    assert.equal(stdout, reported);
    assert.ok(asked.length > 1);
    assert.equal(asked.length, new Set(asked).size, "each file was read once");
  });

  test("says what is wrong with a capture", async () => {
    writeFileSync(path("objects/broken.gz"), gzipSync("{}\n"));
    const { code, stdout } = await onSpark(`node ${COMMAND}`);
    assert.equal(code, 2);
    assert.match(stdout, /^file:.*broken\.gz.*: order-cost: stdin:\d+: request: missing in the capture$/m);
  });

  test("says that there are no captures", async () => {
    const { code, stdout } = await submit(folder, [PROGRAM, path("nothing/*.gz"), "--catalogue=new", `--command=node ${COMMAND}`]);
    assert.deepEqual([code, stdout], [2, `Input Pattern file:${path("nothing/*.gz")} matches 0 files\n`]);
  });
});

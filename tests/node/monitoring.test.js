// worker/monitoring/ and the metrics of the runbook, beside what the service really measures.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parser as logql } from "@grafana/lezer-logql";
import { parse, parseAllDocuments } from "yaml";
import { someOf } from "../effort.js";
import { freePorts } from "../ports.js";
import { killAll, startProgram } from "./program.js";
import { selectorsIn } from "./promql.js";

const run = promisify(execFile);
const HERE = import.meta.dirname;
const WORKER = fileURLToPath(new URL("../../worker/", import.meta.url));
const MONITORING = join(WORKER, "monitoring");

const read = (name) => readFile(join(WORKER, name), "utf8");
const promtool = (...args) => run(process.env.PROMTOOL, args, { cwd: MONITORING });

const rules = parse(await read("monitoring/alerts.yaml")).groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert);
const dashboard = JSON.parse(await read("monitoring/dashboard.json"));
const runbook = await readFile(new URL("../../www/docs/service/runbook.md", import.meta.url), "utf8");
const ofLog = parse(await read("monitoring/loki.yaml"))
  .groups.flatMap((group) => group.rules)
  .map(({ expr }) => expr);

/** Grafana's variables, as Prometheus gets them. */
const inGrafana = ({ expr }) => expr.replaceAll("$__rate_interval", "5m").replaceAll("$job", "order-cost");
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(inGrafana));
const selectors = [...rules.map(({ expr }) => expr), ...queries].flatMap(selectorsIn);

describe("alerts.yaml", () => {
  it("is what promtool takes for rules, and passes its tests", async () => {
    await promtool("check", "rules", "alerts.yaml");
    const all = parse(await read("monitoring/alerts.test.yaml"));
    const folder = await mkdtemp(join(HERE, "scenarios-"));
    try {
      await writeFile(
        join(folder, "some.yaml"),
        JSON.stringify({ ...all, rule_files: [join(MONITORING, "alerts.yaml")], tests: someOf(all.tests) }),
      );
      await promtool("test", "rules", join(folder, "some.yaml"));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("has a scenario for each alert", async () => {
    const scenarios = await read("monitoring/alerts.test.yaml");
    assert.deepEqual(
      alerts.filter(({ alert }) => !scenarios.includes(`alertname="${alert}"`)),
      [],
    );
  });

  for (const { alert, labels, annotations } of alerts) {
    it(`says what ${alert} ${labels.part ?? ""} is, and what to do`, () => {
      assert.ok(["page", "ticket"].includes(labels.severity));
      assert.deepEqual(Object.keys(annotations), ["summary", "description", "runbook_url"]);
      assert.equal(annotations.runbook_url, `docs/service/runbook.html#${alert.toLowerCase()}`);
      assert.ok(runbook.includes(`\n### ${alert}\n`), "the runbook has no such place");
    });
  }

  it("compares memory with the limit of kubernetes.yaml", async () => {
    const documents = parseAllDocuments(await read("kubernetes.yaml")).map((document) => document.toJS());
    const { spec } = documents.find(({ kind }) => kind === "Deployment");
    const { memory } = spec.template.spec.containers[0].resources.limits;
    const { expr } = alerts.find(({ alert }) => alert === "OrderCostMemory");
    assert.match(expr, new RegExp(`\\b${Number.parseInt(memory, 10) * 2 ** 20}\\b`));
  });
});

describe("dashboard.json", () => {
  it("has Grafana's types", async () => {
    const file = join(HERE, "dashboard.generated.ts");
    await writeFile(
      file,
      `import type { Checked } from "./dashboard-type.ts";\nexport const dashboard: Checked = ${JSON.stringify(dashboard, null, 1)};\n`,
    );
    const options = "--noEmit --strict --skipLibCheck --module nodenext --moduleResolution nodenext --allowImportingTsExtensions --types";
    try {
      await run(process.execPath, [join(HERE, "../node_modules/typescript/bin/tsc"), ...options.split(" "), "", file]);
    } catch (error) {
      assert.fail(error.stdout);
    } finally {
      await rm(file);
    }
  });

  it("asks what Prometheus understands", async () => {
    const folder = await mkdtemp(join(HERE, "queries-"));
    try {
      const asRules = queries.map((expr, index) => ({ record: `query_${index}`, expr }));
      await writeFile(join(folder, "queries.yaml"), JSON.stringify({ groups: [{ name: "queries", rules: asRules }] }));
      await promtool("check", "rules", join(folder, "queries.yaml"));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("gives each panel a place and an id of its own", () => {
    const taken = new Set();
    for (const {
      gridPos: { x, y, w, h },
    } of dashboard.panels)
      for (let place = 0; place < w * h; place += 1) {
        const cell = `${x + (place % w)},${y + Math.floor(place / w)}`;
        assert.ok(!taken.has(cell) && x + w <= 24, cell);
        taken.add(cell);
      }
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
  });
});

describe("the metrics", () => {
  let metrics;
  before(async () => (metrics = await measured()));
  after(killAll);

  it("that rules and dashboard name are there, with the labels that they match", () => {
    const recorded = rules.flatMap(({ record }) => record ?? []);
    for (const { name, labels } of selectors.filter((each) => !recorded.includes(each.name))) {
      const known = metrics.series.get(name);
      assert.ok(known, `no metric ${name}`);
      // Prometheus adds the job.
      for (const label of labels.filter((each) => each !== "job")) assert.ok(known.has(label), `${name} has no label ${label}`);
    }
    const names = new Set(selectors.map(({ name }) => name));
    assert.deepEqual(
      recorded.filter((name) => !names.has(name)),
      [],
      "a recorded rule that nothing uses",
    );
  });

  it("count the same codes as ours everywhere", () => {
    const lists = [...rules.map(({ expr }) => expr), ...queries, ...ofLog].flatMap((text) => text.match(/(?<=code=~")[^"]+/g) ?? []);
    assert.ok(lists.length > 3);
    assert.equal(new Set(lists).size, 1);
  });

  it("have a bucket at the objective's 50 ms", () =>
    assert.match(
      metrics.text,
      /^order_cost_stage_seconds_bucket\{.*le="0\.05".*stage="own"|^order_cost_stage_seconds_bucket\{.*stage="own".*le="0\.05"/m,
    ));

  it("stand in the runbook with their types and labels", () => {
    const rows = Array.from(runbook.matchAll(/^- (counter|gauge|histogram): (.*)$/gm), ([, type, list]) =>
      Array.from(list.split("; "), (entry) => {
        const [, name, labels = ""] = /^`(order_cost_\w+)`(?: by ((?:`\w+`(?:, )?)+))?$/.exec(entry);
        return [name, type, labels.match(/\w+/g)?.sort() ?? []];
      }),
    ).flat();
    const labelsOf = (name, type) => [...(metrics.series.get(type === "histogram" ? `${name}_count` : name) ?? [])].sort();
    const real = metrics.types.filter(([name]) => name.startsWith("order_cost_")).map(([name, type]) => [name, type, labelsOf(name, type)]);
    assert.deepEqual(rows.sort(), real.sort());
  });

  it("and the log: the queries of loki.yaml are LogQL, of fields that lines have", () => {
    const fields = new Set(metrics.lines.filter(({ event }) => event === "order").flatMap(Object.keys));
    const asked = ofLog.map(fieldsIn);
    assert.equal(asked.length, 2);
    assert.deepEqual(
      asked.flat().filter((field) => !fields.has(field)),
      [],
    );
  });
});

/** What LogQL filters by, behind its selector of a stream. */
function fieldsIn(query) {
  const fields = [];
  logql.parse(query).iterate({
    enter({ name, type, from, to, node }) {
      assert.ok(!type.isError, `${query}: no LogQL at ${from}`);
      if (name === "Identifier" && node.parent.parent.name === "LabelFilter") fields.push(query.slice(from, to));
    },
  });
  return fields;
}

/** What the service on Node says of three orders: GET /metrics, and its log. */
async function measured() {
  const metricsPort = await freePorts();
  const program = startProgram({
    METRICS_PORT: `${metricsPort}`,
    CATALOGUE_DIR: CATALOGUE,
    RATE_LIMIT: "2",
    RATE_LIMIT_SECONDS: "3600",
    LOG_SAMPLE: "1",
  });
  const url = await program.url;
  for (const cprcode of [110018, 1, 110018]) await order(url, cprcode); // priced, failed, refused
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  program.child.kill();
  await program.ended;
  return {
    text: metrics,
    types: Array.from(metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name, type]) => [name, type]),
    series: seriesIn(metrics),
    lines: program.records(),
  };
}

function order(url, cprcode) {
  const body = JSON.stringify({ productList: [{ cprcode, productName: "Rice", quantity: 1 }] });
  return fetch(`${url}/calculatecost4`, { method: "POST", body });
}

/** The demo shop's, as the page loads it. */
const CATALOGUE = fileURLToPath(new URL("../../target/site/catalogue", import.meta.url));

function seriesIn(text) {
  const series = new Map();
  for (const [, name, labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    if (!series.has(name)) series.set(name, new Set());
    for (const [, label] of labels.matchAll(/(\w+)="/g)) series.get(name).add(label);
  }
  return series;
}

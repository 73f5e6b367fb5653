// What production runs: wrangler.jsonc as wrangler reads it.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readOptions } from "../../worker/src/options/options.js";
import { allAtNight } from "../effort.js";

const worker = createRequire(new URL("../../worker/package.json", import.meta.url));
const { unstable_readConfig: readConfig } = worker("wrangler");
const wrangler = path.join(path.dirname(worker.resolve("wrangler/package.json")), "bin", "wrangler.js");
const folder = fileURLToPath(new URL("../../worker/", import.meta.url));
const root = fileURLToPath(new URL("../../", import.meta.url));
const { parse } = worker("jsonc-parser");
const { compatibilityDate } = worker("workerd");

const ENVIRONMENTS = ["staging", "production"];
const settingsOf = (env) => readConfig({ config: path.join(folder, "wrangler.jsonc"), env });

for (const name of execFileSync("git", ["ls-files", "*/*.jsonc"], { cwd: root, encoding: "utf8" }).trim().split("\n")) {
  test(`${name} has the newest compatibility date that the pinned workerd knows, and wrangler's schema`, () => {
    const file = path.join(root, name);
    const { compatibility_date, $schema } = parse(readFileSync(file, "utf8"));
    assert.equal(compatibility_date, compatibilityDate);
    const isInstalledBesideIt = /^(tests\/matrix|pkg-template)\//.test(name); // when a user copies it
    if (isInstalledBesideIt) assert.equal($schema, "node_modules/wrangler/config-schema.json");
    else assert.equal(path.resolve(path.dirname(file), $schema), worker.resolve("wrangler/config-schema.json"));
  });
}

// Each day preflight.test.js has a deployment.
for (const command of allAtNight(["versions upload --env production"], ["deploy --env staging", "versions upload --env production"])) {
  test(`wrangler ${command} --dry-run warns of nothing`, async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [wrangler, ...command.split(" "), "--dry-run"], {
      cwd: folder,
      env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false" },
    });
    assert.equal(stderr, "");
    assert.doesNotMatch(stdout, /warning|error/i);
    assert.match(stdout, /env\.CF_VERSION_METADATA/);
    assert.match(stdout, /--dry-run: exiting now/);
  });
}

for (const env of ENVIRONMENTS) {
  test(`${env} has all bindings, and nothing of the demo`, () => {
    const settings = settingsOf(env);
    const bindings = [...settings.kv_namespaces, ...settings.services].map(({ binding }) => binding);
    assert.deepEqual(bindings, ["CATALOGUE", "VOUCHERS", "NATIONWIDE", "COUPONS"]);
    assert.deepEqual(
      settings.ratelimits.map(({ name }) => name),
      ["RATE_LIMITER"],
    );
    assert.deepEqual(settings.version_metadata, { binding: "CF_VERSION_METADATA" });
    assert.equal(settings.assets, undefined);
    assert.deepEqual(settings.compatibility_flags, ["enable_request_signal"]);
  });

  test(`${env} limits CPU time, keeps source maps, logs every line of the Worker and samples traces`, () => {
    const { limits, upload_source_maps, observability, preview_urls } = settingsOf(env);
    assert.deepEqual([limits, upload_source_maps, preview_urls], [{ cpu_ms: 1000 }, true, false]);
    assert.deepEqual(observability.logs, { enabled: true, head_sampling_rate: 1, invocation_logs: false });
    assert.equal(observability.enabled, true);
    assert.ok(observability.traces.enabled && observability.traces.head_sampling_rate < 1);
  });

  test(`the variables of ${env} are right, and price as the default does`, () => {
    const { logSample, ...options } = readOptions(settingsOf(env).vars);
    const { logSample: defaultSample, ...others } = readOptions({});
    assert.deepEqual(options, others);
    assert.equal(logSample, env === "production" ? defaultSample : 1);
  });
}

test("the environments share no rate limit", () => {
  const [staging, production] = ENVIRONMENTS.map((env) => settingsOf(env).ratelimits[0].namespace_id);
  assert.notEqual(staging, production);
});

test("the variables of the demo are right", () => {
  readOptions(readConfig({ config: path.join(folder, "wrangler.dev.jsonc") }).vars);
});

test("a variable that OpenTelemetry reads, none of ours, is documented", () => {
  assert.match(readFileSync(path.join(root, "www/docs/service/deploy.md"), "utf8"), /`OTEL_EXPORTER_OTLP_ENDPOINT`/);
});

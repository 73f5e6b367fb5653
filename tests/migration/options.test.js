import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readOptions, shownOptions } from "../../worker/migration/src/options.js";
import { allAtNight } from "../effort.js";
import { bundle, startWorkerd } from "../worker/workerd.js";

const worker = createRequire(new URL("../../worker/package.json", import.meta.url));
const { unstable_readConfig: readConfig } = worker("wrangler");
const wrangler = path.join(path.dirname(worker.resolve("wrangler/package.json")), "bin", "wrangler.js");
const folder = fileURLToPath(new URL("../../worker/", import.meta.url));

const NEEDED = { LEGACY_URL: "https://old.example/api", NEW: {} };
const KEY = "0123456789abcdef0123456789abcdef";

test("nothing more set: the defaults", () => {
  assert.deepEqual(readOptions({ ...NEEDED, SERVE: " ", SHADOW_SHARE: "" }), {
    legacyUrl: "https://old.example/api",
    serve: {},
    share: 0.05,
    comparesCoupons: true,
    orderDeadlineMs: 10_000,
    maxBodyBytes: 1_048_576,
    capturesPerDay: 10_000,
    redactKey: undefined,
  });
});

test("everything set", () => {
  const set = {
    SERVE: "calculatecost2=legacy, calculatecost4=new",
    SHADOW_SHARE: "1",
    SHADOW_COUPONS: "0",
    CAPTURE: {},
    CAPTURE_PER_DAY: 7,
    REDACT_KEY: KEY,
    ORDER_DEADLINE_MS: "7",
    MAX_BODY_BYTES: "9",
  };
  assert.deepEqual(readOptions({ ...NEEDED, ...set }), {
    legacyUrl: "https://old.example/api",
    serve: { calculatecost2: "legacy", calculatecost4: "new" },
    share: 1,
    comparesCoupons: false,
    orderDeadlineMs: 7,
    maxBodyBytes: 9,
    capturesPerDay: 7,
    redactKey: KEY,
  });
});

const ROUTES = "expected each route once, like calculatecost3=legacy,calculatecost4=new, got";
const KNOWN = "expected entries like calculatecost4=new, of the routes calculatecost2, calculatecost3, calculatecost4, got";
const WRONG = [
  [{ LEGACY_URL: undefined }, "Variable LEGACY_URL is missing: expected the address of the old service"],
  [{ LEGACY_URL: "old.example" }, "Variable LEGACY_URL: expected an http or https URL without a user or password"],
  [{ LEGACY_URL: "https://user:s3cret@old.example" }, "Variable LEGACY_URL: expected an http or https URL without a user or password"],
  [{ LEGACY_URL: "https://old.example/?key=s3cret" }, "Variable LEGACY_URL: expected a URL without a query"],
  [{ LEGACY_URL: "<address of the old service>" }, "Variable LEGACY_URL: expected an http or https URL without a user or password"],
  [{ NEW: undefined }, "Binding NEW is missing: bind it to the entrypoint Capture of the pricing Worker"],
  [{ CAPTURE: {} }, "Variable REDACT_KEY is missing: captures are written without anybody's data, which needs a secret key"],
  [
    { CAPTURE: {}, REDACT_KEY: " " },
    "Variable REDACT_KEY is missing: captures are written without anybody's data, which needs a secret key",
  ],
  [{ REDACT_KEY: KEY.slice(1) }, "Variable REDACT_KEY: expected 32 characters or more, got 31"],
  [{ SERVE: "calculatecost5=new" }, `Variable SERVE: ${KNOWN} "calculatecost5"`],
  [{ SERVE: "calculatecost4=both" }, 'Variable SERVE: expected legacy or new for calculatecost4, got "both"'],
  [{ SERVE: "calculatecost4" }, 'Variable SERVE: expected legacy or new for calculatecost4, got ""'],
  [{ SERVE: "calculatecost4=new=legacy" }, 'Variable SERVE: expected legacy or new for calculatecost4, got "new=legacy"'],
  [{ SERVE: "new" }, `Variable SERVE: ${KNOWN} "new"`],
  [{ SERVE: "calculatecost4=new,calculatecost4=legacy" }, `Variable SERVE: ${ROUTES} "calculatecost4=new,calculatecost4=legacy"`],
  [{ SHADOW_SHARE: "5%" }, 'Variable SHADOW_SHARE: expected a number from 0 to 1, got "5%"'],
  [{ SHADOW_COUPONS: "no" }, 'Variable SHADOW_COUPONS: expected one of 0, 1, got "no"'],
  [{ CAPTURE_PER_DAY: "10001" }, 'Variable CAPTURE_PER_DAY: expected an integer of at most 10000, got "10001"'],
  [{ MAX_BODY_BYTES: "0" }, 'Variable MAX_BODY_BYTES: expected an integer of 1 or more, got "0"'],
  [{ SERVES: "calculatecost4=new" }, "Variable SERVES is unknown: did you mean SERVE?"],
  [{ REDACTKEY: "x" }, "Variable REDACTKEY is unknown: did you mean REDACT_KEY?"],
  [{ CAPTURES: {} }, "Variable CAPTURES is unknown: did you mean CAPTURE?"],
];

for (const [set, message] of WRONG) {
  test(`${JSON.stringify(set)} stops the start`, () => assert.throws(() => readOptions({ ...NEEDED, ...set }), { message }));
}

test("the log shows no secret", () => {
  const shown = shownOptions({ ...NEEDED, LEGACY_URL: "https://old.example/s3cret", REDACT_KEY: `s3cret${KEY}` });
  assert.deepEqual([shown.LEGACY_URL, shown.REDACT_KEY], [true, true]);
  assert.ok(!JSON.stringify(shown).includes("s3cret"));
});

test("workerd does not start the Worker with a wrong variable", async () => {
  const shadow = await bundle("worker/migration/wrangler.jsonc");
  const started = startWorkerd([
    { ...shadow, bindings: { LEGACY_URL: "https://old.example", SHADOW_SHARE: "2" }, serviceBindings: { NEW: shadow.name } },
  ]);
  await assert.rejects(started, /Variable SHADOW_SHARE: expected a number from 0 to 1, got "2"/);
});

const ENVIRONMENTS = ["staging", "production"];

for (const env of allAtNight(["production"], ENVIRONMENTS)) {
  test(`wrangler deploy --dry-run --env ${env} warns of nothing`, async () => {
    const command = [wrangler, "deploy", "--dry-run", "--config", "migration/wrangler.jsonc", "--env", env];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, {
      cwd: folder,
      env: { ...process.env, CI: "1", WRANGLER_SEND_METRICS: "false" },
    });
    assert.equal(stderr, "");
    assert.doesNotMatch(stdout, /warning|error/i);
    assert.match(stdout, new RegExp(`env\\.NEW \\(order-cost-${env}#Capture\\)`));
    assert.match(stdout, /--dry-run: exiting now/);
  });
}

for (const env of ENVIRONMENTS) {
  test(`${env} compares, serves nothing from the new side yet, and its variables are right`, () => {
    const { vars, r2_buckets, observability, preview_urls } = readConfig({ config: path.join(folder, "migration", "wrangler.jsonc"), env });
    const { legacyUrl, share, serve, ...others } = readOptions({ ...vars, ...NEEDED });
    const { legacyUrl: _, share: defaultShare, serve: __, ...expected } = readOptions(NEEDED);
    assert.deepEqual(others, expected);
    assert.equal(share, env === "production" ? defaultShare : 1);
    assert.deepEqual(new Set(Object.values(serve)), new Set(["legacy"]));
    assert.deepEqual(
      r2_buckets.map(({ binding }) => binding),
      ["CAPTURE"],
    );
    assert.deepEqual([observability.logs.invocation_logs, preview_urls], [false, false]);
  });
}

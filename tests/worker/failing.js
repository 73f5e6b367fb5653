// The deployed Worker, with stores and services that fail on command (fakes.js).
import { readFile } from "node:fs/promises";
import { currentText, makeVersion } from "./catalogue.js";
import { bundle, startWorkerd } from "./workerd.js";

const RECORD = '{"price":10}';

/** By branch: a record that fails. */
const RECORDS = {
  corrupt: RECORD.slice(0, -1),
  blank: "",
  priceless: "{}",
  large: `{"padding":"${"x".repeat(10_000_000)}",${RECORD.slice(1)}`,
};

/** Branches whose shards fail; the store does it. A shard has the branch's name in it, so that none is shared. */
const MODES = ["throws", "hangs", "slow", "gone", "altered"];

/**
 * @param {Record<string, string>} [bindings] variables that differ from the deployed ones
 * @param {string[]} [branches] more branches that have a price for product 1001
 */
export async function startFailing(bindings, branches = []) {
  const workerd = await start(bindings);
  const store = await failingStore(["1000", ...branches]);
  await fetch(await workerd.url("fakes"), { method: "PUT", body: JSON.stringify(store) });
  return workerd;
}

/** Products 1001 and 5000 to 9999 for each branch that has a way to fail; all of them for branch 1000 too. */
async function failingStore(branches) {
  const codes = Array.from({ length: 5000 }, (_, index) => 5000 + index);
  const ofBranch = (branchId, record, of = codes) => of.map((code) => [`${code}/${branchId}`, record]);
  const marked = (mode) => `{"price":10,"mode":"${mode}"}`;
  const version = await makeVersion(
    Object.fromEntries([
      ...ofBranch("1000", RECORD),
      ...branches.flatMap((branchId) => ofBranch(branchId, RECORD, [1001])),
      ...Object.entries(RECORDS).flatMap(([branchId, record]) => ofBranch(branchId, record, [5000])),
      ...MODES.flatMap((mode) => ofBranch(mode, marked(mode))),
    ]),
  );
  const texts = { ...version.texts, current: currentText(version) };
  const keysOf = (mode) => Object.keys(version.texts).filter((key) => key.startsWith("shard:") && texts[key].includes(marked(mode)));
  const modes = Object.fromEntries(MODES.flatMap((mode) => keysOf(mode).map((key) => [key, mode])));
  for (const [key, mode] of Object.entries(modes)) {
    if (mode === "gone") delete texts[key];
    if (mode === "altered") texts[key] = texts[key].replace("10", "99");
  }
  return { texts, modes };
}

async function start(bindings) {
  const [app, code] = await Promise.all([
    bundle("worker/wrangler.dev.jsonc"),
    readFile(new URL("fakes.js", import.meta.url), "utf8"),
  ]);
  const { compatibilityDate, compatibilityFlags } = app;
  return startWorkerd([
    {
      ...app,
      bindings: { ...app.bindings, ...bindings },
      kvNamespaces: {},
      cache: false, // what fails here would be there
      serviceBindings: {
        CATALOGUE: { name: "fakes", entrypoint: "Failing" },
        VOUCHERS: { name: "fakes", entrypoint: "Failing" },
        NATIONWIDE: "fakes",
        COUPONS: "fakes",
      },
    },
    {
      name: "fakes",
      modules: [{ type: "ESModule", path: "index.js", contents: code }],
      compatibilityDate,
      compatibilityFlags,
    },
  ]);
}

// The service, with stores and services that fail on command (fakes/fake.js).
import { allAtNight } from "../effort.js";
import { currentText, makeVersion } from "./catalogue.js";

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

/** The deadline of the copy `hasty`, for what never ends. The copy `order-cost` leaves a busy machine its time. */
export const DEADLINE_MS = 2_000;

/**
 * @param {import("./platforms.js").Platform} platform
 * @param {Record<string, string>} [vars]
 * @param {string[]} [branches] more branches that have a price for product 1001
 */
export async function startFailing(platform, vars, branches = []) {
  const copy = { vars, catalogue: "fakes/Failing", vouchers: "fakes/Failing", nationwide: "fakes/Service", coupons: "fakes/Service" };
  const hasty = { ...copy, vars: { ...vars, DEADLINE_MS: `${DEADLINE_MS}` } };
  const service = await platform.start({ copies: { "order-cost": copy, hasty }, fakes: ["fakes"] });
  await service.control("fakes", await failingStore(["1000", ...branches]));
  return service;
}

/** So many lines are many: all that an order may have at night. */
export const MANY = allAtNight(500, 5000);

/** Products 1001 and from 5000 on for each branch that has a way to fail; all of them for branch 1000 too. */
async function failingStore(branches) {
  const codes = Array.from({ length: MANY }, (_, index) => 5000 + index);
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

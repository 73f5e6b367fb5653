// Tables of what orders take of the platform and what they cost.
import { defaults } from "../../worker/src/options/index.js";
import { DELIVERED, LARGEST, PICKED_UP } from "../edge/index.js";
import { figure, table } from "../text/index.js";
import { costOfMillion, GIGA, MILLION, PRICES, priceOf } from "./cost.js";
import { LIMITS } from "./platform.js";

const { CACHE_BYTES, DATA_REFRESH_SECONDS, DEADLINE_MS, LOG_SAMPLE } = defaults();

const RATE = 10_000;
const HOUR = 3_600;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
/** For what depends on their number, which Cloudflare decides. */
const ISOLATES = 1_000;

const counted = (value) => Math.round(value).toLocaleString("en");
const mega = (bytes) => `${figure(bytes / 1e6)} MB`;
function size(bytes) {
  if (bytes >= 1e9) return `${figure(bytes / 1e9)} GB`;
  if (bytes >= 1e6) return mega(bytes);
  return bytes >= 1e3 ? `${figure(bytes / 1e3)} kB` : `${counted(bytes)} B`;
}
const ms = (value) => `${figure(value)} ms`;
const dollars = (value) => (value === 0 ? "0" : value < 0.01 ? `$${value.toPrecision(1)}` : `$${figure(value)}`);
const published = ({ url, updated }) => `<${url}> (of ${updated})`;

// ---------------------------------------------------------------- one order

/** What the first order of an isolate takes, and a later one whose products are known. */
export function linesTables({ lines, products }) {
  const order = ({ kind, lines: count }) => `${counted(count)}, ${kind}`;
  const asked = ({ subrequests, reads, keys, bytes, cpuMs }) => [
    counted(keys),
    counted(reads),
    counted(subrequests),
    size(bytes),
    ms(cpuMs),
  ];
  const headers = ["keys read (billed)", "reads of KV", "subrequests", "text read", "CPU time"];
  return [
    `From a catalogue of ${counted(products)} products a branch.`,
    "**The first order of an isolate**",
    table(
      ["lines", ...headers, "resident memory", "module's memory"],
      lines.map((row) => [order(row), ...asked(row.cold), mega(row.cold.grownBytes), mega(row.moduleBytes)]),
    ),
    "**Warm**: the isolate has the branch in memory",
    table(
      ["lines", ...headers, "order", "answer", "sent to services"],
      lines.map((row) => [order(row), ...asked(row.warm), size(row.bodyBytes), size(row.answerBytes), size(row.warm.sentBytes)]),
    ),
  ].join("\n\n");
}

/** The largest allowed order beside the limits of the platform. */
export function largestTables({ lines, isolate }) {
  const { cold, bodyBytes, answerBytes } = lines.find(({ kind }) => kind === LARGEST);
  const rows = [
    ["subrequests, paid plan", counted(cold.subrequests), counted(LIMITS.paid.subrequests)],
    ["subrequests, free plan", counted(cold.subrequests), counted(LIMITS.free.subrequests)],
    ["reads of KV", counted(cold.reads), counted(LIMITS.readsOfKv)],
    ["CPU time, paid plan, by default", ms(cold.cpuMs), ms(LIMITS.paid.cpuMs)],
    ["CPU time, free plan", ms(cold.cpuMs), ms(LIMITS.free.cpuMs)],
    ["body", size(bodyBytes), size(LIMITS.requestBytes)],
    ["answer", size(answerBytes), "none"],
    ["question to the coupon service", size(cold.sentBytes), size(LIMITS.requestBytes)],
  ];
  return [
    `Limits: ${LIMITS.sources.map(published).join(" and ")}, read on ${LIMITS.read}.`,
    table(["of one", "the largest order", "limit"], rows),
    `Memory of an isolate, of ${mega(LIMITS.isolateBytes)}:`,
    table(
      ["at once", "V8's heap", "module", "bodies and answers", "together", "fits"],
      isolate.map(({ atOnce, heapBytes, moduleBytes, bufferBytes }) => {
        const together = heapBytes + moduleBytes + bufferBytes;
        const parts = [heapBytes, moduleBytes, bufferBytes, together].map(mega);
        return [counted(atOnce), ...parts, together <= LIMITS.isolateBytes ? "yes" : "no"];
      }),
    ),
  ].join("\n\n");
}

const share = (ratio) => `${ratio < 1 ? "−" : "+"}${figure(Math.abs(100 * (ratio - 1)))} %`;

const MORE_HEAD = ["CPU time", "with it", "more", "median of the answer", "with it", "more"];
/** @param {import("../edge/by-turns.js").Compared<{ cpuMs: number, p50: number }>} sample */
const moreOf = ({ without, with: added, ratio }) => [
  ...[ms(without.cpuMs), ms(added.cpuMs), share(ratio.cpuMs)],
  ...[ms(without.p50), ms(added.p50), share(ratio.p50)],
];

/**
 * What a receipt adds to an order.
 * @param {{ receipts: Awaited<ReturnType<typeof import("../edge/receipts.js").measureReceipts>> }} results
 */
export const receiptTable = ({ receipts }) =>
  table(
    ["warm orders", ...MORE_HEAD],
    receipts.map(({ kind, lines, ...sample }) => [`${counted(lines)}, ${kind}`, ...moreOf(sample)]),
  );

/**
 * What the decision log adds to an order.
 * @param {{ decisions: Awaited<ReturnType<typeof import("../edge/decisions.js").measureDecisions>> }} results
 */
export function decisionTable({ decisions: { rate, busy, apart } }) {
  const row = (name, sample) => [name, figure(sample.with.captures), ...moreOf(sample)];
  return table(
    ["warm orders of 20 lines", "captures of an order", ...MORE_HEAD],
    [row(`${counted(Math.round(rate))} a second`, busy), row("each captured", apart)],
  );
}

// ---------------------------------------------------------------- cost

export function costTables({ lines, coupons, catalogue, logBytes }) {
  const rowOf = (kind, count) => lines.find((row) => row.kind === kind && row.lines === count);
  const cost = ([kind, count, coldShare = 0, logSample = LOG_SAMPLE]) => {
    const serviceMs = kind === DELIVERED ? coupons[count] : 0;
    const parts = costOfMillion({ ...rowOf(kind, count), coldShare, serviceMs, logSample, logBytes });
    const shares = [`${coldShare * 100} %`, `${logSample * 100} %`];
    return [
      `${counted(count)}, ${kind}`,
      ...shares,
      ...["requests", "cpu", "services", "keys", "logs", "total"].map((part) => dollars(parts[part])),
    ];
  };
  return [
    `Prices in ${PRICES.currency}, read on ${PRICES.read}:`,
    pricesTable(),
    "A million orders, with nothing taken off for what the plan includes:",
    table(["lines", "`coldShare`", "`logSample`", "requests", "CPU", "coupon service's CPU", "KV", "log", "together"], EXAMPLES.map(cost)),
    "Beside the orders:",
    table(["what", "cost"], [...besideRows(catalogue), ...logRows(logBytes)]),
  ].join("\n\n");
}

/** @type {[kind: string, lines: number, coldShare?: number, logSample?: number][]} */
const EXAMPLES = [
  [PICKED_UP, 20],
  [DELIVERED, 20],
  [DELIVERED, 20, 0.01],
  [DELIVERED, 20, 1],
  [DELIVERED, 20, 0, 1],
  [DELIVERED, 200],
  [PICKED_UP, 5_000],
];

function pricesTable() {
  const rows = Object.entries(PRICES.prices).map(([name, { what, per, price, included, source }]) => [
    `\`${name}\``,
    what,
    price === 0 ? "free" : `$${price.toFixed(2)}${per > 1 ? ` for ${counted(per)}` : ""}`,
    included,
    published(PRICES.sources[source]),
  ]);
  return table(["input", "what", "price", "included", "source"], rows);
}

function besideRows({ keys, bytes }) {
  const looks = (ISOLATES * MONTH) / DATA_REFRESH_SECONDS;
  return [
    [`a whole new version of this catalogue: ${counted(keys)} keys written`, dollars(keys * priceOf("keyWritten"))],
    [`to keep it for a month: ${size(bytes)}`, dollars((bytes / GIGA) * priceOf("stored"))],
    [
      `${counted(ISOLATES)} isolates, busy all month, look at \`current\`: ${counted(looks)} keys read`,
      dollars(looks * priceOf("keyRead")),
    ],
  ];
}

function logRows(logBytes) {
  const gigabytes = (MILLION * logBytes) / GIGA;
  return [
    ["a million log lines, until 30 November 2026", dollars(MILLION * priceOf("logLine"))],
    [`a million log lines of ${size(logBytes)}, from 1 December 2026`, dollars(gigabytes * priceOf("logGb"))],
  ];
}

// ---------------------------------------------------------------- 10,000 orders a second

export function rateTable({ lines, coupons, catalogue, logBytes, products }) {
  const count = 20;
  const { warm, cold, answerBytes } = lines.find((row) => row.kind === DELIVERED && row.lines === count);
  const branch = lines.find((row) => row.kind === PICKED_UP && row.lines === 5_000).cold;
  const millionCost = costOfMillion({ warm, cold, coldShare: 0, serviceMs: coupons[count], logSample: LOG_SAMPLE, logBytes }).total;
  const cores = (cpuMs) => (RATE * cpuMs) / 1_000;
  const rows = [
    [
      "the Worker's CPU time a second",
      `${figure(cores(warm.cpuMs))} s: as many isolates, each with a core of its own and nothing else to do`,
    ],
    ["the same, if every order were the first of an isolate", `${figure(cores(cold.cpuMs))} s`],
    ["questions to the coupon service a second", `${counted(RATE)}, ${size(RATE * warm.sentBytes)}`],
    ["CPU time of the demo's coupon service a second", `${figure(cores(coupons[count]))} s`],
    [`orders in flight while the coupon service hangs, until \`DEADLINE_MS\``, counted((RATE * DEADLINE_MS) / 1_000)],
    ["keys of vouchers read from KV a second", counted(RATE * warm.keys)],
    ["subrequests a second", counted(RATE * warm.subrequests)],
    ["answers a second", size(RATE * answerBytes)],
    [
      `branches of ${counted(products)} products that \`CACHE_BYTES\` holds`,
      `${Math.floor(CACHE_BYTES / branch.bytes)} of ${size(branch.bytes)}`,
    ],
    ["keys read for each order, once an isolate needs more branches", `up to ${counted(cold.keys)} in place of ${counted(warm.keys)}`],
    [
      `${counted(ISOLATES)} isolates start and read one branch`,
      `${counted(ISOLATES * branch.keys)} keys, ${size(ISOLATES * branch.bytes)}`,
    ],
    [`${counted(ISOLATES)} isolates look at \`current\`, reads a second`, counted(ISOLATES / DATA_REFRESH_SECONDS)],
    [`log lines a day, at \`LOG_SAMPLE\` ${LOG_SAMPLE}`, counted(RATE * DAY * LOG_SAMPLE)],
    ["log lines a day, while every order fails", counted(RATE * DAY)],
    ["the bytes of those lines", size(RATE * DAY * logBytes)],
    ["cost an hour", dollars((RATE * HOUR * millionCost) / MILLION)],
    ["cost a day", dollars((RATE * DAY * millionCost) / MILLION)],
  ];
  return [
    `Warm orders of ${count} lines, ${DELIVERED}; a catalogue of ${size(catalogue.bytes)}. Computed from the tables above.`,
    table(["what", "at 10,000 a second"], rows),
  ].join("\n\n");
}

// The figures that an operator plans with, for CAPACITY.md: a few rows of what capacity-tables.js and chain-tables.js print, with
// the units in the headers.
import { defaults } from "../../worker/src/options/index.js";
import { DELIVERED, LARGEST, PICKED_UP } from "../edge/index.js";
import { figure, table } from "../text/index.js";
import { costOfMillion, MILLION, priceOf } from "./cost.js";
import { LIMITS } from "./platform.js";

const { CACHE_BYTES, DATA_REFRESH_SECONDS, DEADLINE_MS, LOG_SAMPLE } = defaults();

const RATE = 10_000;
const DAY = 86_400;
const MONTH = 30 * DAY;
const ISOLATES = 1_000;
/** The sizes of shards beside the one that is in use. */
const SHARDS_SHOWN = [16, 32, 64];

const counted = (value) => Math.round(value).toLocaleString("en");
const mega = (bytes) => figure(bytes / 1e6);
const dollars = (value) => (value < 0.005 ? "0" : value >= 100 ? counted(value) : figure(value));
const percent = (ratio) => figure(100 * (ratio - 1));

const ORDERS = [
  [PICKED_UP, 20, "20, picked up"],
  [DELIVERED, 20, "20, delivered"],
  [PICKED_UP, 5_000, "5,000, picked up"],
  [LARGEST, 5_000, "5,000, largest"],
];
const rowOf = (lines, kind, count) => lines.find((row) => row.kind === kind && row.lines === count);

export function orderTable({ lines, products }) {
  const headers = ["lines", "keys, first", "keys, warm", "CPU ms, first", "CPU ms, warm", "memory MB, first", "answer kB"];
  const rows = ORDERS.map(([kind, count, name]) => {
    const { cold, warm, answerBytes } = rowOf(lines, kind, count);
    return [
      name,
      counted(cold.keys),
      counted(warm.keys),
      figure(cold.cpuMs),
      figure(warm.cpuMs),
      mega(cold.grownBytes),
      figure(answerBytes / 1e3),
    ];
  });
  return [`${counted(products)} products a branch.`, table(headers, rows)].join("\n\n");
}

export function largestTable({ lines, isolate }) {
  const { cold } = lines.find(({ kind }) => kind === LARGEST);
  const { atOnce, heapBytes, moduleBytes, bufferBytes } = isolate.at(-1);
  const rows = [
    ["subrequests", counted(cold.subrequests), counted(LIMITS.paid.subrequests)],
    ["CPU ms", figure(cold.cpuMs), counted(LIMITS.paid.cpuMs)],
    [`memory of ${atOnce}, MB`, mega(heapBytes + moduleBytes + bufferBytes), mega(LIMITS.isolateBytes)],
  ];
  return table(["of one", "takes", "limit"], rows);
}

const EXAMPLES = [
  ["20, picked up", PICKED_UP, 20],
  ["20, delivered", DELIVERED, 20],
  ["20, delivered, all first", DELIVERED, 20, 1],
  ["5,000, picked up", PICKED_UP, 5_000],
];

export function costTable({ lines, coupons, logBytes }) {
  const rows = EXAMPLES.map(([name, kind, count, coldShare = 0]) => {
    const serviceMs = kind === DELIVERED ? coupons[count] : 0;
    const parts = costOfMillion({ ...rowOf(lines, kind, count), coldShare, serviceMs, logSample: LOG_SAMPLE, logBytes });
    return [name, ...[parts.requests, parts.cpu + parts.services, parts.keys, parts.total].map(dollars)];
  });
  const looks = (ISOLATES * MONTH) / DATA_REFRESH_SECONDS;
  return [
    table(["USD", "requests", "CPU", "KV", "together"], rows),
    `${counted(ISOLATES)} isolates look at \`current\` for $${dollars(looks * priceOf("keyRead"))} a month.`,
  ].join("\n\n");
}

export function rateTable({ lines, coupons, logBytes }) {
  const { warm, cold } = rowOf(lines, DELIVERED, 20);
  const branch = rowOf(lines, PICKED_UP, 5_000).cold;
  const ofMillion = costOfMillion({ warm, cold, coldShare: 0, serviceMs: coupons[20], logSample: LOG_SAMPLE, logBytes }).total;
  return table(
    ["20, delivered", "10,000/s"],
    [
      ["busy isolates", counted((RATE * warm.cpuMs) / 1_000)],
      ["if all are first", counted((RATE * cold.cpuMs) / 1_000)],
      ["waiting, coupons hang", counted((RATE * DEADLINE_MS) / 1_000)],
      ["voucher keys", counted(RATE * warm.keys)],
      ["branches in `CACHE_BYTES`", counted(Math.floor(CACHE_BYTES / branch.bytes))],
      ["failures' log, GB/day", counted((RATE * DAY * logBytes) / 1e9)],
      ["USD/day", counted((RATE * DAY * ofMillion) / MILLION)],
    ],
  );
}

/** What an isolate reads that serves every branch. */
export function chainTable({ branches, products, rows }) {
  const few = (value) => (value < 0.005 ? "0" : figure(value));
  const shown = rows.filter(({ served, prices, hasCache }) => served === branches && (prices !== "equal" || !hasCache));
  return [
    `${counted(products)} products, orders of 20 lines, ${counted(RATE)}/s.`,
    table(
      ["prices", "from", "keys", "CPU ms", "USD/day"],
      shown.map(({ prices, hasCache, keys, cpuMs }) => [
        prices,
        hasCache ? "cache" : "KV",
        few(keys),
        figure(cpuMs),
        counted(RATE * DAY * ((keys < 0.005 ? 0 : keys) * priceOf("keyRead") + cpuMs * priceOf("cpuMs"))),
      ]),
    ),
  ].join("\n\n");
}

/** The whole catalogue once, and a change of an hour. */
export function publishTable(walks) {
  const rows = walks.flatMap(({ branches, own, rows: steps }) => {
    const [build, push, , hourBuild, hourPush] = steps;
    const name = own < 1 ? `${branches} branches, ${own * 100}% own` : `${branches} branches, unequal`;
    const row = (what, built, pushed) => [`${name}, ${what}`, figure(built.seconds), figure(pushed.seconds), counted(pushed.written)];
    return [row("all", build, push), row("1%", hourBuild, hourPush)];
  });
  return table(["seconds", "build", "push", "keys written"], rows);
}

export function shardTable(layout) {
  const largest = Math.max(...layout.map(({ products }) => products));
  const shown = layout.filter(({ products, isEqual, kibibytes }) => products === largest && !isEqual && SHARDS_SHOWN.includes(kibibytes));
  return table(
    ["KiB", "push s", "20 lines, MB", "5,000 lines, keys"],
    shown.map(({ kibibytes, seconds, cold }) => [`${kibibytes}`, figure(seconds), mega(cold[20].bytes), counted(cold[5_000].shards)]),
  );
}

/**
 * @param {object} results
 * @param {Awaited<ReturnType<typeof import("../edge/receipts.js").measureReceipts>>} results.receipts
 * @param {Awaited<ReturnType<typeof import("../edge/decisions.js").measureDecisions>>} results.decisions
 */
export function addedTable({ receipts, decisions }) {
  const row = (name, { ratio }) => [name, percent(ratio.cpuMs), percent(ratio.p50)];
  return table(
    ["20 lines, warm", "CPU %", "time %"],
    [
      ...receipts.map(({ kind, ...sample }) => row(`receipt, ${kind === DELIVERED ? "delivered" : kind}`, sample)),
      row("each captured", decisions.apart),
    ],
  );
}

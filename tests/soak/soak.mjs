// A long run: workerd on loopback under mixed orders, while services fail and recover and the module traps on purpose.
// Every answer is compared with the model's bytes. Prints `progress <done>/<all>` while it runs, then a table. Fails if
// a check fails.
//   node tests/soak/soak.mjs <requests>
import { execFileSync } from "node:child_process";
import http from "node:http";
import { answerOf, makeOrders } from "./orders.js";
import { OUTAGES } from "./outages.js";
import { CONNECTION_CLOSED, exchange, NO_ANSWER, startService } from "./service.js";

const CONNECTIONS = 32;
const DISTINCT_ORDERS = 500;
const DEADLINE_MS = 2000;
const TRAP_EVERY = 500;
/** Requests before the count starts: workerd's engine grows its heaps during that time, whatever it runs. */
const WARM_UP = 100_000;
/**
 * Requests from one outage to its next occurrence, and the length of each outage. A hanging outage blocks every
 * connection.
 */
const ROUND = 10_000;
const OUTAGE = 500;
const HANGING_OUTAGE = 4 * CONNECTIONS;
const SAMPLES = 100;
/** Memory is flat if the median of the last tenth exceeds that of the first by at most this much. */
const FLAT_RATIO = 1.1;
const FLAT_BYTES = 16 * 2 ** 20;
const INTERNAL = answerOf({ error: "Internal error" });

const requests = Number(process.argv[2]);
const { orders, traps, facts } = makeOrders(DISTINCT_ORDERS, DEADLINE_MS);
const { workerd, url, switchUrl } = await startService(facts, DEADLINE_MS);
let agent;

/** The outage started last, and the last one that the shop confirmed; 0 is the normal state. */
const worlds = [0];
let confirmed = 0;
let changing = Promise.resolve();
const trapped = { begun: 0, ended: 0 };
let counts;
let samples;
const firstWrong = [];
let started;

try {
  await send(orders[0].body); // the first order loads the module
  await run(WARM_UP, (answered) => console.log(`progress ${answered}/${WARM_UP + requests}`));
  started = performance.now();
  await run(requests, (answered) => console.log(`progress ${WARM_UP + answered}/${WARM_UP + requests}`));
} finally {
  await workerd.stop();
}
process.exitCode = report() ? 0 : 1;

/** Sends `total` requests, as many at once as there are connections, while outages and traps happen. */
async function run(total, onProgress) {
  counts = { priced: 0, refused: 0, interrupted: 0, reconnected: 0, wrong: 0, lost: 0, traps: 0, outages: OUTAGES.map(() => 0) };
  samples = [];
  agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let taken = 0;
  let answered = 0;
  const connection = async () => {
    while (taken < total) {
      const index = taken++;
      await changeWorld(index, total);
      if (index % Math.ceil(total / SAMPLES) === 0) samples.push(await sample());
      await (index % TRAP_EVERY === TRAP_EVERY - 1 ? trap(index) : ask(orders[(index * 7) % orders.length]));
      answered += 1;
      if (answered % 100 === 0 || answered === total) onProgress(answered);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  agent.destroy();
  await become(0, {});
}

/** Sends an order until no other order's trap interrupts it, and judges its answer. */
async function ask({ body, expected }) {
  for (;;) {
    const before = { world: confirmed, trapsEnded: trapped.ended };
    const answer = await sendAnew(body);
    const possible = new Set(worlds.slice(before.world).flatMap((world) => possibleIn(world, expected)));
    if (possible.has(answer)) return count(answer, expected);
    if (answer !== INTERNAL || trapped.begun === before.trapsEnded) return countWrong(answer, possible);
    counts.interrupted += 1;
  }
}

/** An order whose prices or rates the Worker keeps does not notice the outage of their source. */
function isUnnoticed(outage) {
  return ["prices", "nationwide"].includes(outage?.part);
}

function possibleIn(world, expected) {
  return isUnnoticed(OUTAGES[world - 1]) ? [expected[0], expected[world]] : [expected[world]];
}

/** In a run of one round the Worker may keep everything through the one outage of its source. */
function isSeen(answers, at) {
  return answers > 0 || (requests <= ROUND && isUnnoticed(OUTAGES[at]));
}

/**
 * Repeats a request on a new connection if the old one was closed, as every HTTP client does with repeatable requests.
 * The agent cannot do it: workerd closes all waiting connections at once, so the agent's other connections may be
 * closed too.
 */
async function sendAnew(body) {
  const answer = await send(body);
  if (answer !== CONNECTION_CLOSED) return answer;
  counts.reconnected += 1;
  return send(body, false);
}

function count(answer, expected) {
  const outage = expected.indexOf(answer);
  if (outage > 0) counts.outages[outage - 1] += 1;
  else counts[answer.startsWith("200") ? "priced" : "refused"] += 1;
}

function countWrong(answer, possible) {
  if (answer.startsWith(NO_ANSWER)) counts.lost += 1;
  else counts.wrong += 1;
  if (firstWrong.length < 3) firstWrong.push({ answer, expected: [...possible] });
}

async function trap(index) {
  trapped.begun += 1;
  await ask(traps[Math.floor(index / TRAP_EVERY) % traps.length]);
  trapped.ended += 1;
  counts.traps += 1;
}

/**
 * Lets the services fail one after another, spread evenly over a round. No request is sent during a change: a busy
 * workerd may not read the change for seconds, and the outage would end before it began.
 */
async function changeWorld(index, total) {
  const part = Math.floor(Math.min(ROUND, total) / OUTAGES.length);
  const [outage, place] = [Math.floor(index / part) % OUTAGES.length, index % part];
  const { part: name, hangs } = OUTAGES[outage];
  const length = hangs ? HANGING_OUTAGE : Math.min(OUTAGE, Math.floor(part / 2));
  const from = part - length;
  if (place === from) become(outage + 1, { part: name, hangs });
  else if (place === 0 && index > 0) become(0, {});
  await changing;
}

/** Queues a change after the previous one. */
function become(world, outage) {
  changing = changing.then(() => change(world, outage));
  return changing;
}

async function change(world, outage) {
  const place = worlds.push(world) - 1;
  const answer = await exchange(switchUrl, { method: "PUT" }, JSON.stringify(outage));
  if (!answer.startsWith("204")) throw new Error(`The shop did not change: ${answer}`);
  confirmed = place;
}

function send(body, via = agent) {
  return exchange(`${url}/calculatecost4`, { method: "POST", agent: via }, body);
}

async function sample() {
  const answer = await exchange(url, { method: "GET" });
  return { rss: workerdBytes(), module: JSON.parse(answer.slice("200 ".length)) };
}

/** The memory of workerd, a child of this process. */
function workerdBytes() {
  const processes = execFileSync("ps", ["-A", "-o", "ppid=,rss=,comm="], { encoding: "utf8" }).trim().split("\n");
  const own = processes.map((line) => line.trim().split(/\s+/)).filter(([parent]) => Number(parent) === process.pid);
  const [, kilobytes] = own.find(([, , command]) => command.includes("workerd"));
  return Number(kilobytes) * 1024;
}

/** Prints the results. Returns whether all checks pass. */
function report() {
  const seconds = (performance.now() - started) / 1000;
  const [rss, module] = ["rss", "module"].map(flatness);
  const checks = [
    [counts.wrong === 0, "wrong answers", counts.wrong],
    [counts.lost === 0, "requests without an answer", counts.lost],
    [counts.outages.every(isSeen), "answers in each outage", counts.outages.join(", ")],
    [counts.traps === Math.floor(requests / TRAP_EVERY), "traps", counts.traps],
    [rss.isFlat, "workerd's memory, first and last tenth", rss.text],
    [module.isFlat, "the module's memory, first and last tenth", module.text],
  ];
  const rows = [
    ["", "requests", `${requests}, ${CONNECTIONS} at once, ${DISTINCT_ORDERS} orders`],
    ["", "before them, to warm up", WARM_UP],
    ["", "seconds", `${seconds.toFixed(0)} (${Math.round(requests / seconds)} requests a second)`],
    ["", "priced as the model says", counts.priced],
    ["", "refused as the model says", counts.refused],
    ["", "interrupted by a trap and sent again", counts.interrupted],
    ["", "sent again, an old connection being closed", counts.reconnected],
    ...checks.map(([holds, what, figure]) => [holds ? "ok" : "FAILED", what, figure]),
  ];
  for (const [mark, what, figure] of rows) console.log(`${mark.padEnd(7)}${what.padEnd(44)}${figure}`);
  console.log(`Flat: the median of the last tenth is at most ${FLAT_RATIO} times that of the first and ${FLAT_BYTES / 2 ** 20} MiB.`);
  for (const { answer, expected } of firstWrong) console.log(`\nexpected ${expected.join("\n      or ")}\ngot      ${answer}`);
  return checks.every(([holds]) => holds);
}

function flatness(kind) {
  const bytes = samples.map((sample) => sample[kind]);
  const tenth = Math.ceil(bytes.length / 10);
  const [first, last] = [bytes.slice(0, tenth), bytes.slice(-tenth)].map(median);
  const text = [first, last].map(mebibytes).join(", ");
  return { text, isFlat: last <= first * FLAT_RATIO + FLAT_BYTES };
}

function mebibytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function median(values) {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)];
}

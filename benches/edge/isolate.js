// How much memory an isolate needs while it prices several of the largest orders at once.
import { startAlone } from "../../tests/worker/alone.js";
import { outsideOf } from "../../tests/worker/largest-order.js";
import { bundle } from "../../tests/worker/workerd.js";
import { largestOfTurn, moduleBytesOf, price } from "./orders.js";

const AT_ONCE = [1, 2, 4, 8];

/** Enough turns to fill the memory for texts from several branches. */
const TURNS = 6;

/** A heap that hardly suffices makes orders slow. */
const NO_DEADLINES = { DEADLINE_MS: "0", ORDER_DEADLINE_MS: "0" };

/** The sizes of V8's heap that are tried, in MiB. */
const HEAPS = Array.from({ length: 22 }, (_, index) => 32 + 8 * index);
const MIB = 2 ** 20;

/**
 * For each number of orders at once: the smallest heap that suffices, the module's memory, and the bodies and answers.
 * V8 keeps garbage while it has room, so resident memory would say too much: workerd ends if the heap needs more than
 * its limit.
 */
export async function measureIsolate(texts, products) {
  const app = { ...(await bundle("tests/hostile/wrangler.jsonc")), bindings: NO_DEADLINES };
  const bodies = Array.from({ length: TURNS * Math.max(...AT_ONCE) }, (_, turn) => largestOfTurn(products, turn));
  const rows = [];
  for (const atOnce of AT_ONCE) {
    console.log(`the memory of ${atOnce} of the largest orders at once`);
    rows.push({ atOnce, ...(await smallest((heap) => attempt(app, texts, heap, atOnce, bodies))) });
  }
  return rows;
}

/** What the smallest sufficient heap gives, by bisection. */
async function smallest(attempt) {
  let [low, high] = [0, HEAPS.length];
  let found;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const outcome = await attempt(HEAPS[middle]);
    if (outcome) [found, high] = [outcome, middle];
    else low = middle + 1;
  }
  if (!found) throw new Error(`a heap of ${HEAPS.at(-1)} MiB is too small`);
  return found;
}

/** Undefined: the heap was too small, and workerd has ended. */
async function attempt(app, texts, heap, atOnce, bodies) {
  const workerd = await startAlone(app, outsideOf(texts), { v8Flags: [`--max-heap-size=${heap}`] });
  const outcome = await priceAll(workerd, atOnce, bodies).catch((error) => error);
  await workerd.stop();
  if (!(outcome instanceof Error)) return { heapBytes: heap * MIB, ...outcome };
  if (workerd.logs.some((line) => line.includes("JavaScript heap out of memory"))) return undefined;
  throw outcome;
}

async function priceAll(workerd, atOnce, bodies) {
  let bufferBytes = 0;
  for (let turn = 0; turn < TURNS; turn += 1) {
    const sent = bodies.slice(turn * atOnce, (turn + 1) * atOnce);
    const answers = await Promise.all(sent.map((body) => price(workerd, body)));
    bufferBytes = Math.max(
      bufferBytes,
      [...sent, ...answers].reduce((sum, { byteLength }) => sum + byteLength, 0),
    );
  }
  return { moduleBytes: await moduleBytesOf(workerd), bufferBytes };
}

// Loads a server on loopback. At 200 lines, autocannon uses no more of its core per request than a client on plain
// sockets, and less than the compared Workers use of the other core. So the client is not what is measured.
import autocannon from "autocannon";
import { inTurn } from "../measure/index.js";

const CONNECTIONS = 8;

/**
 * Responses per second, with every connection busy.
 * @param {string} url
 * @param {{ body: Uint8Array, headers?: Record<string, string> }[]} orders sent in turn
 * @param {number} seconds
 */
export async function load(url, orders, seconds) {
  const { responses, seconds: taken } = await loaded(url, orders, seconds);
  return responses / taken;
}

/** The same, as the number of responses and the seconds. */
export async function loaded(url, orders, seconds) {
  const requests = orders.map(({ body, headers }) => ({
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: Buffer.from(body),
  }));
  const {
    "2xx": responses,
    non2xx,
    errors,
    start,
    finish,
  } = await autocannon({ url, requests, connections: CONNECTIONS, duration: seconds, sampleInt: 100 });
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} responses were failures, ${errors} requests had no response`);
  return { responses, seconds: (finish - start) / 1_000 };
}

/** V8 optimises a function of the module only after some thousand calls. */
const WARM_UP_LOADS = 4;

/**
 * Responses per second by name: one load of each per round, after all are warm.
 * @template Sample
 * @param {Record<string, () => Promise<Sample>>} loads
 * @param {number} rounds
 */
export async function interleave(loads, rounds) {
  const entries = Object.entries(loads);
  /** @type {Record<string, Sample[]>} */
  const samples = Object.fromEntries(entries.map(([name]) => [name, []]));
  for (const [, run] of entries) for (let load = 0; load < WARM_UP_LOADS; load += 1) await run();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of inTurn(entries, round)) samples[name].push(await run());
  }
  return samples;
}

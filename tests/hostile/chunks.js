// Bodies in chunks of one byte, while plain orders are priced beside them.
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { residentBytes } from "./resident.js";

const CONNECTIONS = 12;
const CHUNKS = 1_000_000;
/** The engines' heaps grow for a while with any work. */
const WARM_UP = 20_000;
/** A change is judged by a short attack. */
const FEW = [1_000, 1_000];
const BLOCK_CHUNKS = 10_000;
const PLAIN_ALONE = 500;
const SAMPLE_MS = 100;
const MOST_BYTES = 8 * 2 ** 20;
const MOST_TIMES = 3;
const ATTEMPTS = 3;

const ORDER = '{"productList":[{"cprcode":5000,"productName":"Rice","quantity":3}]}';
const HEAD = ["POST /calculatecost4 HTTP/1.1", "host: shop.example", "transfer-encoding: chunked", "", ""].join("\r\n");
const isFew = (count) => count < PLAIN_ALONE;
const inChunks = (text) => text.replaceAll(/./g, "1\r\n$&\r\n");
const SPACES = Buffer.from(inChunks(" ".repeat(BLOCK_CHUNKS)));

/**
 * Asserts that an attack takes less than 8 MiB for each of its connections, and makes plain orders at most three times as
 * slow as they are alone. Other load on the machine only makes that worse, so the attack is repeated while they are slower.
 *
 * @param {import("node:test").TestContext} context
 * @param {string} url
 * @param {number} pid the server's process
 */
export async function assertHarmless(context, url, pid) {
  for (let attempt = 1; ; attempt += 1) {
    const attack = await attackWithChunks(url, pid);
    context.diagnostic(lineOf(attack));
    const { statuses, bytesEach, alone, beside } = attack;
    assert.ok(
      statuses.every((status) => status === 200 || status === 500),
      statuses.join(),
    );
    assert.ok(bytesEach < MOST_BYTES, `${bytesEach} bytes each`);
    if (beside.mean <= MOST_TIMES * alone.mean) return attack;
    assert.ok(attempt < ATTEMPTS, `${beside.mean} ms, alone ${alone.mean} ms`);
  }
}

/**
 * Attacks a server with 12 connections of 1,000,000 chunks each: an order, after as many spaces as it takes. Meanwhile a
 * client sends plain orders, one after another.
 *
 * @param {string} url
 * @param {number} pid the server's process
 * @returns {Promise<{ statuses: number[], seconds: number, bytesEach: number, alone: Waits, beside: Waits }>} the answers
 *   of the hostile connections, 0 where there is none; the memory that each of them takes; the waits of the plain orders
 */
async function attackWithChunks(url, pid) {
  await waits(url, (count) => count < WARM_UP);
  const alone = await waits(url, isFew);
  const before = await residentBytes(pid);
  let most = before;
  let isOver = false;
  const watch = async () => {
    for (; !isOver; await wait(SAMPLE_MS)) most = Math.max(most, await residentBytes(pid));
  };
  const start = performance.now();
  const attack = Promise.all(Array.from({ length: CONNECTIONS }, () => sendInChunks(url, CHUNKS))).finally(() => (isOver = true));
  const [statuses, beside] = await Promise.all([attack, waits(url, () => !isOver), watch()]);
  return { statuses, seconds: (performance.now() - start) / 1000, bytesEach: (most - before) / CONNECTIONS, alone, beside };
}

/**
 * The answers to two connections of 1,000 chunks, with plain orders beside them. So few chunks show no memory: garbage
 * takes more.
 */
export async function statusesOfShort(url) {
  let isOver = false;
  const attack = Promise.all(FEW.map((chunks) => sendInChunks(url, chunks))).finally(() => (isOver = true));
  const [statuses] = await Promise.all([
    attack,
    waits(
      url,
      nowAndThen(() => isOver),
    ),
  ]);
  return statuses;
}

/** What an attack has shown, as a line. */
function lineOf({ statuses, seconds, bytesEach, alone, beside }) {
  const ms = ({ mean, median, most, count }) => `${mean.toFixed(2)} ms (median ${median.toFixed(2)}, most ${most.toFixed(0)}, of ${count})`;
  const mebibytes = (bytesEach / 2 ** 20).toFixed(1);
  return `${statuses.length} connections of ${CHUNKS} chunks: ${seconds.toFixed(0)} s, ${mebibytes} MiB each, answers ${[...new Set(statuses)]}; a plain order alone ${ms(alone)}, beside them ${ms(beside)}`;
}

/** Lets a plain order follow each 20 ms, until something is over. */
export const nowAndThen = (isOver) => () => wait(20).then(() => !isOver());

/** @typedef {{ mean: number, median: number, most: number, count: number }} Waits in milliseconds */

/** Sends plain orders, one after another, for as long as `goesOn` wants. That may also make a pause. */
export async function waits(url, goesOn) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  while (times.length === 0 || (await goesOn(times.length))) {
    const start = performance.now();
    const status = await send(url, agent);
    if (status !== 200) throw new Error(`A plain order was answered with ${status}`);
    times.push(performance.now() - start);
  }
  agent.destroy();
  times.sort((left, right) => left - right);
  const sum = times.reduce((total, time) => total + time, 0);
  return { mean: sum / times.length, median: times[times.length >> 1], most: times.at(-1), count: times.length };
}

function send(url, agent) {
  return new Promise((resolve, reject) => {
    const headers = { "content-length": Buffer.byteLength(ORDER) };
    const request = http.request(`${url}/calculatecost4`, { method: "POST", agent, headers }, (response) => {
      response
        .resume()
        .on("end", () => resolve(response.statusCode))
        .on("error", reject);
    });
    request.on("error", reject);
    request.end(ORDER);
  });
}

/** The status of the answer; 0 if the connection ends without one. */
async function sendInChunks(url, chunks) {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  let status = 0;
  const isOver = new Promise((resolve) => {
    socket.once("data", (bytes) => resolve((status = Number(bytes.toString("latin1", 9, 12)))));
    socket.once("close", resolve).once("error", resolve); // the server may hang up first
  });
  const write = (bytes) => socket.write(bytes) || Promise.race([once(socket, "drain"), isOver]);
  await write(HEAD);
  const spaces = chunks - ORDER.length;
  for (let sent = 0; sent < spaces && status === 0 && !socket.destroyed; sent += BLOCK_CHUNKS) {
    await write(SPACES.subarray(0, inChunks(" ").length * Math.min(BLOCK_CHUNKS, spaces - sent)));
  }
  if (status === 0) await write(`${inChunks(ORDER)}0\r\n\r\n`);
  await isOver;
  socket.destroy();
  return status;
}

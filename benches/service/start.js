// From the start of the program to its first priced order.
import { setTimeout as wait } from "node:timers/promises";
import { startProgram } from "../../tests/node/program.js";
import { post } from "../../tests/node/rolling.js";
import { freePorts } from "../../tests/ports.js";

const POLL_MS = 3;

/** The milliseconds of each of `starts` starts. */
export async function measureStarts(shop, processes, starts) {
  const times = [];
  for (let start = 0; start < starts; start += 1) times.push(await measureStart(shop, processes, shop.orders[start]));
  return times;
}

async function measureStart({ catalogue }, processes, { body, answers }) {
  const port = await freePorts();
  const begun = performance.now();
  const program = startProgram({ WORKERS: `${processes}`, CATALOGUE_DIR: catalogue, PORT: `${port}` });
  const failed = program.ended.then(() => Promise.reject(new Error(program.errors.join("\n"))));
  const answer = await Promise.race([firstAnswer(`http://127.0.0.1:${port}`, body), failed]);
  const ms = performance.now() - begun;
  failed.catch(() => {});
  await program.kill();
  const [expected] = answers.values();
  if (!expected.equals(answer.bytes)) throw new Error(`The first order was answered ${answer.statusCode}: ${answer.bytes}`);
  return ms;
}

async function firstAnswer(url, body) {
  for (;;) {
    try {
      return await post(url, body);
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ECONNREFUSED") throw error;
      await wait(POLL_MS);
    }
  }
}

// How long orders take while the catalogue is switched: 32 connections, always busy.
import { statSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { startProgram } from "../../tests/node/program.js";
import { sendOrders } from "../../tests/node/rolling.js";
import { quantile } from "../measure/index.js";
import { startStack } from "./compared.js";

/** Both windows: before `activate` begins, and since it has written `current`. The service looks there every second. */
const WINDOW_MS = 2_000;
const WARM_UP_MS = 6_000;

const figuresOf = (times) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) });

/** The same client, and the service's stack without orders: what both and the machine add. */
export async function measureStack({ orders }) {
  const [{ body, answers }] = orders;
  const [answer] = answers.values();
  const { child, url } = await startStack("fixed", `${answer.length}`);
  const until = performance.now() + WARM_UP_MS + WINDOW_MS;
  const times = [];
  const onAnswer = ({ at, ms }) => at > until - WINDOW_MS && times.push(ms);
  const fixed = { body, answers: new Map([[undefined, Buffer.alloc(answer.length)]]) };
  await sendOrders([fixed], { address: () => url, isOver: () => performance.now() >= until, onAnswer });
  child.kill();
  return figuresOf(times);
}

export async function measureSwitch(shop) {
  const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: shop.catalogue, DATA_REFRESH_SECONDS: "1" });
  const url = await program.url;
  let isOver = false;
  const answers = [];
  const onAnswer = (answer) => answers.push(answer);
  const sending = sendOrders(shop.switched, { address: () => url, isOver: () => isOver, onAnswer });
  await wait(WARM_UP_MS);
  const begun = performance.now();
  await shop.activate();
  // `current` was written just before the command ended.
  const switched = statSync(shop.current).mtimeMs - performance.timeOrigin;
  await wait(WINDOW_MS);
  isOver = true;
  const { sent, lost, wrong } = await sending;
  await program.kill();
  shop.goBack();

  if (answers.at(-1).version !== shop.second) throw new Error("The second version was not taken up");
  const within = (from) => answers.filter(({ at }) => at >= from && at < from + WINDOW_MS).map(({ ms }) => ms);
  const lastOfFirst = answers.findLast(({ version }) => version !== shop.second);
  return {
    sent,
    lost: lost.length,
    wrong: wrong.length,
    steady: figuresOf(within(begun - WINDOW_MS)),
    switching: figuresOf(within(switched)),
    takenUpMs: Math.max(0, lastOfFirst.at - switched),
  };
}

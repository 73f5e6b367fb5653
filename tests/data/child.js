// A push in a process of its own, which a test can kill. Prints a line for each batch that is written.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * @param {import("../../worker/data/store/store.js").StoreOptions} options
 * @returns {{ wrote: Promise<unknown>, kill(): Promise<void> }} `wrote`: a batch is written. `kill` takes its workerd with
 *   it, which would live on
 */
export function startPush(options, folder, env = {}) {
  const script = fileURLToPath(import.meta.url);
  const args = [script, JSON.stringify(options), folder];
  const stdio = ["ignore", "pipe", "inherit"];
  const child = spawn(process.execPath, args, { stdio, env: { ...process.env, ...env }, detached: true });
  const closed = once(child, "close");
  const kill = async () => {
    process.kill(-child.pid, "SIGKILL");
    await closed;
  };
  return { wrote: once(child.stdout, "data"), kill };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { push } = await import("../../worker/data/store/push.js");
  const { openStore } = await import("../../worker/data/store/store.js");
  const [, , options, folder] = process.argv;
  const store = await openStore(JSON.parse(options));
  // Time flies: the push writes down after each batch how far it has come.
  let time = Date.now();
  const now = () => new Date((time += 60_000));
  await push(store, folder, { progress: () => ({ update: (done) => console.log(done), stop() {} }) }, { now });
  await store.close();
}

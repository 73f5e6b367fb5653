// An entrant in a fresh workerd.
import { prepareWorkers, serveWorkers } from "../node/index.js";

/** Bundles the Worker of an entrant. Returns a function that gives the milliseconds of a fresh process. */
export async function workerOf({ workerd }, folder, given) {
  const names = [`cold/${workerd}`];
  const config = await prepareWorkers(names, { folder, facts: given });
  return () => timeInWorkerd(names, config);
}

/**
 * Milliseconds of a fresh process.
 * @returns {Promise<{ process: number, firstUse: number }>} from its start to the first answer, and the first answer
 */
async function timeInWorkerd(names, config) {
  const start = performance.now();
  const workerd = await serveWorkers(names, config);
  try {
    const listening = performance.now();
    const response = await fetch(workerd.url(names[0]));
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${names[0]} in workerd answers ${response.status}`);
    const answered = performance.now();
    return { process: answered - start, firstUse: answered - listening };
  } finally {
    await workerd.stop();
  }
}

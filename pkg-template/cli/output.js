import { once } from "node:events";
import { open, realpath } from "node:fs/promises";
import { Failure, sentence } from "./failure.js";

/** Opens the output: a file, or standard output if there is no name. */
export async function openOutput(name) {
  if (name === undefined) return { write: writeToStdout, end: () => {} };
  const failed = (error) => {
    throw new Failure(`cannot write ${name}: ${sentence(error)}`);
  };
  const handle = await open(name, "w").catch(failed);
  return { write: (chunk) => handle.appendFile(chunk).catch(failed), end: () => handle.close() };
}

async function writeToStdout(chunk) {
  if (!process.stdout.write(chunk)) await once(process.stdout, "drain");
}

/** Refuses an output that is also an input: opening it would empty the input. */
export async function refuseOverwriting(output, inputs) {
  if (output === undefined) return;
  const path = (name) => realpath(name).catch(() => undefined);
  const written = await path(output);
  for (const input of inputs) {
    const isSame = written !== undefined && written === (await path(input));
    if (isSame) throw new Failure(`${output} is read and cannot be written`);
  }
}

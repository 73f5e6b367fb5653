import { getSystemErrorMap } from "node:util";

/** What ends the command: its message is the sentence for stderr. */
export class Failure extends Error {}

/** An error in words: those of the operating system where it is one of its own. */
export function sentence(error) {
  return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
}

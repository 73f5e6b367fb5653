import { getSystemErrorMap } from "node:util";

/** Ends the command. Its message is the sentence for stderr. */
export class Failure extends Error {}

/** The text of an error: for a system error, the operating system's own text. */
export function sentence(error) {
  return getSystemErrorMap().get(error.errno)?.[1] ?? error.message;
}

// The error codes, from src/error/code.rs.
import { code, table, withDecisions } from "./markdown.mjs";
import { reference } from "./reference.mjs";

export async function errors({ root }) {
  const rows = reference(root).codes.flatMap(({ word, fix, messages }) =>
    messages.map(({ message, when }, index) => [
      code(word),
      message === "" ? "[see below](#a-look-up-that-failed)" : code(message),
      withDecisions(when),
      index === 0 ? fix : "",
    ]),
  );
  return table(["Code", "Message", "When", "What to do"], rows);
}

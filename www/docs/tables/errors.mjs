// The error codes, from src/code.rs.
import { code, table, withDecisions } from "./markdown.mjs";
import { reference } from "./reference.mjs";

export async function errors({ root }) {
  const { codes, lookUpMessages } = reference(root);
  const rows = codes.flatMap(({ word, fix, messages }) =>
    messages.map(({ text, when }) => [
      code(word),
      text === "" ? "[See below](#a-look-up-that-failed)" : code(text),
      withDecisions(when),
      fix,
    ]),
  );
  return [
    table(["Code", "Message", "When", "What to do"], rows),
    "## A look-up that failed",
    table(
      ["Message", "What happened"],
      lookUpMessages.map(({ text, when }) => [code(text), when]),
    ),
  ].join("\n\n");
}

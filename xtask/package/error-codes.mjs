// The error codes of the package, made of what xtask-reference prints.

/** The type of the codes, each with what it means and what to do. */
export function codeType(codes) {
  const members = codes.map((code) => `  /** ${meaningOf(code)} ${code.fix} */\n  | "${code.word}"`);
  return `/** The kinds of failure. */\nexport type PricingErrorCode =\n${members.join("\n")};\n`;
}

/** What a code means. */
export const meaningOf = ({ messages }) => messages.map(({ when }) => when).join(" ");

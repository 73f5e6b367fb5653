// The error codes of the package, made of what xtask-reference prints.

/** The type of the codes, each with what it means and what to do. */
export function codeType(codes) {
  const members = codes.map(({ word, messages, fix }) => `  /** ${[...messages.map(({ when }) => when), fix].join(" ")} */\n  | "${word}"`);
  return `/** The kinds of failure. */\nexport type PricingErrorCode =\n${members.join("\n")};\n`;
}

/** The codes and what each means, without links to decisions: for the contract of the service. */
export const codeList = (codes) =>
  codes.map(({ word, messages }) => ({
    code: word,
    means: messages.map(({ when }) => when.replace(/ \(D\d+(?:, D\d+)*\)/g, "")).join(" "),
  }));

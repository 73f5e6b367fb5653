// Thai has no spaces between words, so the search cuts text by Unicode's rules and a dictionary.
const SEGMENTER = new Intl.Segmenter("th", { granularity: "word" });

/** The words of a text, for the search's index and for what somebody types. */
export function words(text) {
  return [...SEGMENTER.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

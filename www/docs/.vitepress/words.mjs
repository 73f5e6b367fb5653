/**
 * The words of a text, for the search's index and for what somebody types. Thai has no spaces between words: Unicode's rules and
 * a dictionary cut it. The site's pages get this function as text, so it names nothing outside.
 */
export function words(text) {
  const segmenter = (globalThis.orderCostSegmenter ??= new Intl.Segmenter("th", { granularity: "word" }));
  return Array.from(segmenter.segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}

const IF_ABSENT = { onlyIf: { etagDoesNotMatch: "*" }, httpMetadata: { contentType: "application/json" } };

/**
 * Captures in R2.
 * @param {R2Bucket} bucket
 * @returns {import("./captures.js").CaptureStore}
 */
export const captureBucket = (bucket) => ({
  has: async (name) => (await bucket.head(name)) !== null,
  add: async (name, text) => (await bucket.put(name, text, IF_ABSENT)) !== null,
});

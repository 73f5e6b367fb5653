// A reporter for `node --test`: writes the test counts as JSON, for `cargo xtask test`.

/** @param {AsyncIterable<{ type: string, data: { details?: { type?: string }, skip?: unknown, todo?: unknown } }>} events */
export default async function* counts(events) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of events) {
    if (data.details?.type === "suite") continue;
    if (type === "test:fail") counts.failed += 1;
    if (type === "test:pass") counts[data.skip === undefined && data.todo === undefined ? "passed" : "skipped"] += 1;
  }
  yield JSON.stringify(counts);
}

// A reporter for `node --test`: writes the test counts and what failed as JSON, for `cargo xtask test`.
import { relative } from "node:path";
import { inspect } from "node:util";

/** @param {AsyncIterable<{ type: string, data: { name: string, file?: string, details?: { type?: string, error?: Error & { failureType?: string } }, skip?: unknown, todo?: unknown } }>} events */
export default async function* counts(events) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for await (const { type, data } of events) {
    // A test fails with its subtests; only they say why.
    if (type === "test:fail" && data.details.error?.failureType !== "subtestsFailed") {
      const { error } = data.details;
      const said = inspect(error?.cause ?? error, { breakLength: 100, maxStringLength: 1000 });
      counts.failures.push({ file: data.file && relative(".", data.file), name: data.name, said });
    }
    if (data.details?.type === "suite") continue;
    if (type === "test:fail") counts.failed += 1;
    if (type === "test:pass") counts[data.skip === undefined && data.todo === undefined ? "passed" : "skipped"] += 1;
  }
  yield JSON.stringify(counts);
}

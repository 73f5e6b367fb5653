// A reporter for `node --test`: writes how many tests passed, and what failed or was skipped, as JSON, for `cargo xtask test`.
import { relative } from "node:path";
import { inspect } from "node:util";

/** @param {AsyncIterable<{ type: string, data: { name: string, file?: string, details?: { type?: string, error?: Error & { failureType?: string } }, skip?: unknown, todo?: unknown } }>} events */
export default async function* counts(events) {
  const counts = { passed: 0, failures: [] };
  for await (const { type, data } of events) {
    const { error, type: kind } = data.details ?? {};
    const fails = (said) => counts.failures.push({ file: data.file && relative(".", data.file), name: data.name, said });
    if (type === "test:fail") {
      // A test fails with its subtests; only they say why.
      if (error?.failureType !== "subtestsFailed") fails(inspect(error?.cause ?? error, { breakLength: 100, maxStringLength: 1000 }));
    } else if (type === "test:pass") {
      if (data.skip !== undefined || data.todo !== undefined) fails("skipped, which counts as failed");
      else if (kind !== "suite") counts.passed += 1;
    }
  }
  yield JSON.stringify(counts);
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

/** A folder that is removed after the tests of the file, or of `context`. */
export function temporaryFolder(context = { after }) {
  const folder = mkdtempSync(join(tmpdir(), "order-cost-test-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

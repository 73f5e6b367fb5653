// The reports of the programs of a test file: which mutants each has reached.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The reports in a folder, and the files that are none: a program was ended while it wrote, or could not write all of it.
 * @param {string} folder
 */
export function reportsIn(folder) {
  const reports = [];
  const damaged = [];
  for (const name of readdirSync(folder).sort()) {
    const file = join(folder, name);
    try {
      reports.push(JSON.parse(readFileSync(file, "utf8")));
    } catch {
      damaged.push(file);
    }
  }
  return { reports, damaged };
}

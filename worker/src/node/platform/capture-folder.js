import { randomUUID } from "node:crypto";
import { access, link, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Captures in a folder, which must be there: a disk that is not mounted is not filled in its place.
 * @param {string} folder
 * @returns {import("../../captures/captures.js").CaptureStore}
 */
export function captureFolder(folder) {
  return {
    has: (name) => access(join(folder, name)).then(() => true, isMissing),

    async add(name, text) {
      await access(folder);
      const file = join(folder, name);
      await mkdir(dirname(file), { recursive: true });
      // Whole or not at all, and in no other process's place.
      const beside = join(dirname(file), `.${randomUUID()}.tmp`);
      try {
        await writeFile(beside, text, { flag: "wx" });
        await link(beside, file);
        return true;
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
        throw error;
      } finally {
        await rm(beside, { force: true });
      }
    },
  };
}

function isMissing(error) {
  if (error.code === "ENOENT") return false;
  throw error;
}

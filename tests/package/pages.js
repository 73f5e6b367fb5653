// The pages whose code the tests run, by their paths in the repository.
import { readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The place of a page on this machine. */
export const placeOf = (page) => path.join(ROOT, page);

/** The front pages on npm and of the repository. */
export const README = "pkg-template/README.md";
export const ROOT_README = "README.md";

/** The folders of the site that show code. */
const FOLDERS = ["guides", "tutorials", "explanation", "th"].map((name) => path.posix.join("www/docs", name));

export const pages = [README, ROOT_README, ...FOLDERS.flatMap(markdownIn)];

/** A guide of the site, such as `basket`. */
export const guide = (name) => `www/docs/guides/${name}.md`;

/** None, where the folder is missing. */
function markdownIn(folder) {
  try {
    return readdirSync(placeOf(folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => path.posix.join(folder, name));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}

// The pages that somebody wrote: those of www/docs and the documents at the top of the repository.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.resolve(import.meta.dirname, "../../..");

/** @typedef {{ source: string, place: string, text: string }} Page `source`: its path in the repository; `place`: its path in the site */

/** Documents of the repository that the site shows, too, in the sequence of the menu. */
export const DOCUMENTS = ["SPECIFICATION", "DECISIONS", "DESIGN", "CONTRIBUTING", "SECURITY", "BENCHMARKS", "CAPACITY", "CHANGELOG"];

/** @returns {Page[]} */
export function writtenPages() {
  const ours = readdirSync(path.join(ROOT, "www/docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.includes("node_modules") && !file.startsWith(".vitepress"))
    .map((file) => file.replaceAll(path.sep, "/"));
  return [
    ...ours.map((file) => read(`www/docs/${file}`, file)),
    ...DOCUMENTS.map((name) => read(`${name}.md`, `project/${name.toLowerCase()}.md`)),
  ];
}

/**
 * @param {string} source
 * @param {string} place
 * @returns {Page}
 */
function read(source, place) {
  return { source, place, text: readFileSync(path.join(ROOT, source), "utf8") };
}

// Links between files of the repository, as links between pages of the site.
import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./pages.mjs";
import { linksOf } from "./parts.mjs";

/** The repository's address, from the one place that has it; empty until somebody fills it in. */
export const REPOSITORY = readFileSync(path.join(ROOT, "Cargo.toml"), "utf8").match(/^repository = "(.*)"$/m)?.[1] ?? "";

/**
 * The text of a page, with each link to a document of the repository leading to its page, and each link to another file to the
 * repository. Without the repository's address the name of the file stands there. `pictures` are the files that it shows.
 * @param {import("./pages.mjs").Page} page
 * @param {string} text its text
 * @param {import("./pages.mjs").Page[]} pages all
 */
export function withLinks(page, text, pages) {
  const places = new Map(
    pages.flatMap(({ source, place }) => [
      [source, place],
      [`www/docs/${place}`, place],
    ]),
  );
  /** @type {{ from: number, to: number, text: string }[]} */
  const edits = [];
  /** @type {string[]} */
  const pictures = [];
  for (const { type, url, start, end } of linksOf(text)) {
    if (/^([a-z]+:|#|\/)/.test(url)) continue;
    const written = text.slice(start.offset, end.offset);
    let changed = led(page, url, written, places);
    if (type === "image") {
      const picture = path.posix.join(path.posix.dirname(page.source), url);
      pictures.push(picture);
      changed = written.replace(url, () => `/pictures/${picture}`);
    }
    edits.push({ from: start.offset, to: end.offset, text: changed });
  }
  const edited = edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((edited, { from, to, text }) => edited.slice(0, from) + text + edited.slice(to), text);
  return { text: edited, pictures };
}

/**
 * @param {import("./pages.mjs").Page} page
 * @param {string} url
 * @param {string} written
 * @param {Map<string, string>} places
 */
function led(page, url, written, places) {
  const [file, anchor] = url.split("#");
  const target = path.posix.join(path.posix.dirname(page.source), decodeURI(file)).replace(/\/$/, "");
  const place = places.get(target) ?? places.get(`${target}/README.md`);
  if (place) {
    const relative = path.posix.relative(path.posix.dirname(page.place), place);
    const to = `${relative.startsWith(".") ? "" : "./"}${relative}${anchor ? `#${anchor}` : ""}`;
    return written.replace(`(${url}`, () => `(${to}`).replace(`]: ${url}`, () => `]: ${to}`);
  }
  if (REPOSITORY) return written.replace(`(${url}`, () => `(${REPOSITORY}/blob/main/${target}${anchor ? `#${anchor}` : ""}`);
  const name = written.slice(1, written.lastIndexOf("]("));
  return name.includes("`") ? name : `${name} (\`${target}\`)`;
}

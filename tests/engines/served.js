// The project's own files on a plain web server.
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import sirv from "sirv";
import { listen } from "../ports.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Serves a folder of the project while `use` uses its address.
 * @template T
 * @param {string} folder
 * @param {(address: string) => Promise<T>} use
 * @param {object} [more]
 * @param {Record<string, string>} [more.pages] the text of pages by path; they replace files
 * @param {Record<string, string>} [more.headers] of every response
 */
export async function served(folder, use, { pages = {}, headers = {} } = {}) {
  const files = sirv(`${ROOT}${folder}`, { dev: true });
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const page = pages[request.url ?? "/"];
    if (page === undefined) return files(request, response);
    response.setHeader("content-type", "text/html; charset=utf-8").end(page);
  });
  try {
    return await use(await listen(server));
  } finally {
    server.close().closeAllConnections();
  }
}

/** A page whose modules find the package like a plain page without a bundler. */
export const plainPage = (entry) =>
  `<!doctype html><meta charset="utf-8"><title>${entry}</title><link rel="icon" href="data:,">
<script type="importmap">${JSON.stringify({ imports: { "order-cost": FILES[entry], "order-cost/testing": "/pkg/testing.js" } })}</script>`;

const FILES = { "order-cost": "/pkg/inline.js", "order-cost/url": "/pkg/url.js" };
export const ENTRIES = Object.keys(FILES);

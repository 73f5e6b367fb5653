// Runs snippets one after another; prints for each `console.log` the snippet's file and the line that it comes from.
import { pathToFileURL } from "node:url";
import { format } from "node:util";

console.log = (...args) => {
  const [, file, line] = new Error().stack.match(/(snippet-[^/]*\.mjs):(\d+)/);
  process.stdout.write(`${JSON.stringify({ line: Number(line), file, text: format(...args) })}\n`);
};

for (const file of process.argv.slice(2)) await import(pathToFileURL(file));

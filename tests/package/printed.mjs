// Preloaded before a snippet: prints for each `console.log` the line of the snippet that it comes from.
import { format } from "node:util";

console.log = (...args) => {
  const line = Number(new Error().stack.match(/snippet-[^/]*\.mjs:(\d+)/)[1]);
  process.stdout.write(`${JSON.stringify({ line, text: format(...args) })}\n`);
};

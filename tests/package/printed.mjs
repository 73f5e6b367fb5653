// Preloaded before a snippet: says on stdout from which line of it each `console.log` comes.
import { format } from "node:util";

console.log = (...args) => {
  const line = Number(new Error().stack.match(/snippet-[^/]*\.mjs:(\d+)/)[1]);
  process.stdout.write(`${JSON.stringify({ line, text: format(...args) })}\n`);
};

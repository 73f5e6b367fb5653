// An entrant in a fresh process of Node.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("start.mjs", import.meta.url));

/**
 * Milliseconds of a fresh process.
 * @returns {{ process: number, firstUse: number }} all of it, and from before the import to the first result
 */
export function timeInNode({ node }, givenFile) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, node, givenFile], { encoding: "utf8" });
  const whole = performance.now() - start;
  if (status !== 0) throw new Error(`${node} in Node: ${stderr}`);
  return { process: whole, firstUse: Number(stdout) };
}

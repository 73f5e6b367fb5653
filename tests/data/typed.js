// Types the commands of a page: `npm run data` runs in this process, as many times as a page says it.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { run } from "./run.js";

const DATA = /^npm run (?:--silent )?data -- (.+)$/m;

/**
 * @param {import("node:test").TestContext} context
 * @param {string} worker the folder where they are typed; the commands are those that lie there
 */
export async function typist(context, worker) {
  const here = process.cwd();
  process.chdir(worker);
  context.after(() => process.chdir(here));
  const { main } = await import(pathToFileURL(join(worker, "data/program.js")));
  const inBash = (script) => promisify(execFile)("bash", ["-ec", script], { env: { ...process.env, NO_COLOR: "1" } });
  async function data(line) {
    const { code, out, err } = await run(
      main,
      line.match(/"[^"]*"|\S+/g).map((word) => word.replaceAll('"', "")),
    );
    if (code !== 0) throw new Error(err);
    return { stdout: out, stderr: err };
  }
  /** Fails at the first command that fails. */
  async function type(script) {
    let output = { stdout: "", stderr: "" };
    for (const [index, part] of script.split(DATA).entries()) {
      if (part.trim() === "") continue;
      const { stdout, stderr } = await (index % 2 === 1 ? data(part) : inBash(part));
      output = { stdout: output.stdout + stdout, stderr: output.stderr + stderr };
    }
    return output;
  }
  return { inBash, type };
}

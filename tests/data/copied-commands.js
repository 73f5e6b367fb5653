// A repository with what the commands of worker/ need, so that a test that types them writes nothing here.
import { execFileSync } from "node:child_process";
import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../folder.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COMMANDS = ["command-line", "data", "src", "openapi.json", "package.json", "wrangler.dev.jsonc"];

/**
 * Makes it; it goes with the test.
 * @param {import("node:test").TestContext} context
 */
export async function copyCommands(context) {
  const folder = temporaryFolder(context);
  const worker = join(folder, "worker");
  await mkdir(worker);
  for (const name of ["pkg", "worker/node_modules"]) await symlink(join(ROOT, name), join(folder, name));
  for (const name of COMMANDS) await cp(join(ROOT, "worker", name), join(worker, name), { recursive: true });
  await cp(join(ROOT, ".gitignore"), join(folder, ".gitignore"));
  const git = (...words) => execFileSync("git", words, { cwd: folder, encoding: "utf8" });
  git("init", "--quiet");
  return {
    folder,
    worker,
    untracked: () => git("status", "--porcelain", "--untracked-files=all"),
    stores: join(worker, ".wrangler/state"),
  };
}

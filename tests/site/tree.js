// The files of the repository, as people wrote them.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

export const read = (file) => readFileSync(path.join(ROOT, file), "utf8");

/** Whether a file or a folder is there. */
export const isThere = (file) => existsSync(path.join(ROOT, file));

/** The files that git has or would add. */
export const FILES = git("ls-files", "--cached", "--others", "--exclude-standard").filter(isThere);

/** The lines that `git grep` finds in text files. */
export const grep = (...args) => git("grep", "--untracked", "-I", "--word-regexp", ...args);

function git(...args) {
  const { stdout, stderr } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (stderr) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.split("\n").filter(Boolean);
}

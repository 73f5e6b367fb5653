// The memory of other processes.
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const ps = async (...options) =>
  (await promisify(execFile)("ps", options)).stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/));

/** The id of a child of this process, by its command's name. */
export async function childNamed(name) {
  const own = (await ps("-A", "-o", "ppid=,pid=,comm=")).filter(([parent]) => Number(parent) === process.pid);
  return Number(own.find(([, , command]) => command.includes(name))[1]);
}

/** The resident bytes of a process. */
export async function residentBytes(pid) {
  const [[kilobytes]] = await ps("-o", "rss=", "-p", pid);
  return Number(kilobytes) * 1024;
}

// Writes files whole or not at all: beside the old file, synced, and then in its place.
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { access, constants, open, readlink, realpath, rename, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { overwritten } from "../arguments/index.js";
import { Failure, sentence } from "../files/index.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Runs `work` with a file as its output, which has its new content once `work` has ended. Until then, and if anything fails or
 * the command is interrupted, it stays as it was.
 */
export async function withOutput(name, work) {
  const failed = (error) => {
    throw new Failure(`cannot write ${name}: ${sentence(error)}`);
  };
  const target = await targetOf(name).catch(failed);
  return (target.isFile ? replacing : appending)(target, work, failed);
}

/** What a name leads to, also through a link to what is not there yet. */
async function targetOf(name) {
  const path = resolve(name);
  if (OPEN_FILE.test(path)) return { path, isFile: false };
  const real = await realpath(path).catch(ignoreMissing);
  if (real !== undefined) {
    const found = await stat(real);
    return { path: real, isFile: found.isFile(), found };
  }
  const link = await readlink(path).catch(ignoreMissing);
  return link === undefined ? { path, isFile: true } : targetOf(resolve(dirname(path), link));
}

/** Another name of a file that the command got open: whoever opened it may write to it before and afterwards. */
const OPEN_FILE = /^\/(dev\/(std(in|out|err)$|fd\/)|proc\/)/;

function ignoreMissing(error) {
  if (error.code !== "ENOENT") throw error;
}

/** A pipe, a device or an open file takes what comes, at once. */
async function appending({ path }, work, failed) {
  const handle = await open(path, "a").catch(failed);
  try {
    return await work(writerTo(handle, failed));
  } finally {
    await handle.close();
  }
}

async function replacing({ path, found }, work, failed) {
  if (found) await access(path, constants.W_OK).catch(failed);
  const beside = join(dirname(path), `.order-cost-${randomUUID()}.tmp`);
  const remove = removeAtEnd(beside);
  try {
    const result = await writeNew(beside, found, work, failed);
    await rename(beside, path).catch(failed);
    return result;
  } finally {
    remove();
  }
}

async function writeNew(path, found, work, failed) {
  const handle = await open(path, "wx").catch(failed);
  try {
    const result = await work(writerTo(handle, failed));
    if (found) await takeOver(found, handle).catch(failed);
    await handle.sync().catch(failed);
    return result;
  } finally {
    await handle.close();
  }
}

const writerTo = (handle, failed) => ({ write: (chunk) => handle.appendFile(chunk).catch(failed) });

/** Owner and mode of the old file. Only root may give a file away. */
async function takeOver({ uid, gid, mode }, handle) {
  await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode & 0o777);
}

/** Removes a file when the command ends, whatever ends it, or when the returned function is called. */
function removeAtEnd(file) {
  const remove = () => rmSync(file, { force: true });
  const onSignal = (signal) => {
    remove();
    process.kill(process.pid, signal); // this handler is gone: it ends the command as if there had been none
  };
  process.once("exit", remove);
  for (const signal of SIGNALS) process.once(signal, onSignal);
  return () => {
    process.off("exit", remove);
    for (const signal of SIGNALS) process.off(signal, onSignal);
    remove();
  };
}

/**
 * Refuses an output that is an input or lies in one: it would be read, or take the place of what is.
 * @param {string | undefined} output
 * @param {(string | undefined)[]} inputs files and folders
 */
export async function refuseOverwriting(output, inputs) {
  const found = output === undefined ? undefined : await overwritten(output, inputs);
  if (!found) return;
  throw new Failure(
    found.isInside ? `${output} is in ${found.input}, which is read: name a file elsewhere` : `${output} is read and cannot be written`,
  );
}

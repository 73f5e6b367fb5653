// A stage of worker/Dockerfile as a folder: the same steps, without a container engine. The stage that compiles is taken as
// done: its /src is this checkout, after `cargo xtask build`.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { readDockerfile } from "./dockerfile.js";

const CHECKOUT = fileURLToPath(new URL("../../", import.meta.url));
const COMPILED = { name: "build", folder: "/src" };
const NODE = "/nodejs/bin/node";

/**
 * @typedef {object} Image
 * @property {string} root the folder that stands for `/`
 * @property {string} workdir
 * @property {Record<string, string>} env
 * @property {number} user
 * @property {string[]} entrypoint
 * @property {string[]} command
 * @property {string[]} healthcheck
 * @property {string} signal that stops it
 *
 * @param {string} name the stage
 * @param {string} folder where the stages go
 * @returns {Image} whose files nobody may write to
 */
export function buildImage(name, folder) {
  const image = new Stages(folder).build(name);
  freeze(image.root);
  return image;
}

class Stages {
  #stages = readDockerfile();
  #built = new Map();
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  build(name) {
    if (!this.#built.has(name)) this.#built.set(name, this.#make(name));
    return this.#built.get(name);
  }

  #make(name) {
    const { from, instructions } = this.#stages.get(name);
    // A stage is the base of one other at most here, so that one goes on in its folder.
    const image = this.#stages.has(from) ? { ...this.build(from) } : external(join(this.#folder, name));
    for (const instruction of instructions) STEPS[instruction.keyword](image, instruction, this);
    return image;
  }

  /** Where a path of another stage lies. */
  place(stage, path) {
    return stage === COMPILED.name ? join(CHECKOUT, posix.relative(COMPILED.folder, path)) : join(this.build(stage).root, path);
  }
}

/** An image from elsewhere: of all that it has, Node.js alone is used. */
function external(root) {
  const node = join(root, NODE);
  mkdirSync(dirname(node), { recursive: true });
  symlinkSync(process.execPath, node);
  return { root, workdir: "/", env: {}, user: 0, entrypoint: [], command: [], healthcheck: [], signal: "SIGTERM" };
}

const STEPS = {
  WORKDIR(image, { args: [path] }) {
    image.workdir = posix.resolve(image.workdir, path);
    mkdirSync(join(image.root, image.workdir), { recursive: true });
  },
  COPY(image, { args, flags }, stages) {
    const target = args.at(-1);
    for (const source of args.slice(0, -1)) {
      const to = join(
        image.root,
        posix.resolve(image.workdir, target),
        target.endsWith("/") && !source.endsWith("/") ? basename(source) : "",
      );
      if (flags.from) copyInto(stages.place(flags.from, source), to);
      else for (const file of filesOfClone(source)) copyInto(join(CHECKOUT, file), join(to, relative(source, file)));
    }
  },
  RUN(image, { args }) {
    const { status, stderr } = spawnSync("sh", ["-c", args.join(" ")], { cwd: join(image.root, image.workdir), encoding: "utf8" });
    if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  },
  ENV: (image, { values }) => (image.env = { ...image.env, ...values }),
  USER: (image, { args: [user] }) => (image.user = Number.parseInt(user, 10)),
  STOPSIGNAL: (image, { args: [signal] }) => (image.signal = signal),
  HEALTHCHECK: (image, { list }) => (image.healthcheck = list),
  ENTRYPOINT: (image, { list }) => (image.entrypoint = list),
  CMD: (image, { list }) => (image.command = list),
  EXPOSE() {},
};

/** What a clone would have of a path: not what is ignored or was installed. */
function filesOfClone(path) {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", path];
  const { stdout } = spawnSync("git", list, { cwd: CHECKOUT, encoding: "utf8" });
  const files = stdout.split("\0").filter((file) => file !== "" && existsSync(join(CHECKOUT, file)));
  if (files.length === 0) throw new Error(`COPY ${path}: a clone has no such file`);
  return files;
}

function copyInto(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

/** Takes the right to write from everybody. */
function freeze(path) {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  chmodSync(path, entry.isDirectory() ? 0o555 : 0o444);
  if (entry.isDirectory()) for (const name of readdirSync(path)) freeze(join(path, name));
}

// A consumer's project outside the repository: its own packages from its lock file, plus the packed package.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts } from "../ports.js";
import { run, serve } from "./commands.js";
import { orderModules, typedOrderModule } from "./order.js";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../pkg", import.meta.url));
const EXAMPLES = path.join(PACKAGE, "examples");
const QUIETLY = ["--no-audit", "--no-fund", "--prefer-offline"];

/** The package.json of an example, without order-cost: that is installed from the tarball. */
export async function exampleManifest(name) {
  const manifest = JSON.parse(await readFile(path.join(EXAMPLES, name, "package.json"), "utf8"));
  const { "order-cost": _, ...dependencies } = manifest.dependencies;
  return JSON.stringify({ ...manifest, dependencies });
}

/** A folder that is removed when the process ends. */
export function temporaryDirectory() {
  const directory = mkdtempSync(path.join(tmpdir(), "order-cost-matrix-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
  return directory;
}

export class Workspace {
  #directory;
  /** The running server. `served` keeps it until another one is requested. */
  #server = { start: undefined, url: undefined, stop: async () => {} };

  constructor(directory) {
    this.#directory = directory;
  }

  /** Copies and installs the consumer of that name. */
  static async make(name, directory, tarball) {
    await cp(path.join(HERE, "projects", name), directory, { recursive: true, filter: isSource });
    for (const page of ["page", "page-url", "page-module"]) {
      await cp(path.join(HERE, page), path.join(directory, page), { recursive: true });
      await cp(path.join(HERE, "page/index.html"), path.join(directory, page, "index.html"));
    }
    const workspace = new Workspace(directory);
    await workspace.#writeOrder();
    await workspace.#install(name, tarball);
    return workspace;
  }

  /** Copies the example of that name from the package and installs it with its lock file from the tests. */
  static async ofExample(name, directory, tarball) {
    await cp(path.join(EXAMPLES, name), directory, { recursive: true });
    await cp(path.join(HERE, "examples", name), directory, { recursive: true });
    await writeFile(path.join(directory, "package.json"), await exampleManifest(name));
    const workspace = new Workspace(directory);
    await workspace.#install(`example ${name}`, tarball);
    return workspace;
  }

  async #install(name, tarball) {
    console.log(`${name}: npm ci`);
    await run("npm", ["ci", ...QUIETLY], this.#directory);
    console.log(`${name}: npm install order-cost`);
    await run("npm", ["install", "--no-save", ...QUIETLY, tarball], this.#directory);
  }

  /** Runs a script of its package.json. */
  script(name, args = []) {
    return run("npm", ["run", "--silent", name, "--", ...args], this.#directory);
  }

  /** Starts a server script. Returns its address and a function that stops it. */
  async serveScript(name, argsFor) {
    const port = await freePorts();
    const url = `http://127.0.0.1:${port}/`;
    const args = ["run", "--silent", name, "--", ...argsFor(port)];
    return { url, stop: await serve("npm", args, this.#directory, url) };
  }

  async remove() {
    await this.#server.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }

  path(...names) {
    return path.join(this.#directory, ...names);
  }

  /** The installed version, as the tool prints it. */
  async version(name) {
    return JSON.parse(await readFile(this.path("node_modules", name, "package.json"), "utf8")).version;
  }

  /**
   * Runs a program in the workspace or in a folder of it: by name in .bin, by path in node_modules, or by absolute
   * path.
   */
  run(program, args, folder = "") {
    return run(this.#program(program), args, this.path(folder));
  }

  /**
   * The address of the server that `start` starts. A running server of the same kind is reused, another one is
   * replaced.
   */
  async served(start) {
    if (this.#server.start !== start) {
      await this.#server.stop();
      this.#server = { start: undefined, stop: async () => {} };
      this.#server = { start, ...(await start(this)) };
    }
    return this.#server.url;
  }

  /** Starts a server with the arguments for a free port. Returns its address and a function that stops it. */
  async serve(program, argsFor, folder = "") {
    const port = await freePorts();
    const url = `http://127.0.0.1:${port}/`;
    return { url, stop: await serve(this.#program(program), argsFor(port), this.path(folder), url) };
  }

  #program(name) {
    if (path.isAbsolute(name)) return name;
    return this.path("node_modules", name.includes("/") ? name : `.bin/${name}`);
  }

  /** Writes the order beside the sources that import it. */
  async #writeOrder() {
    const entries = await readdir(this.#directory, { withFileTypes: true });
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => this.path(name));
    for (const folder of [this.#directory, ...folders]) {
      const isTyped = existsSync(path.join(folder, "main.ts"));
      const modules = isTyped ? typedOrderModule() : orderModules();
      for (const [name, text] of Object.entries(modules)) await writeFile(path.join(folder, name), text);
    }
  }
}

/** Skips files that an earlier run inside the repository may have left. */
const isSource = (file) => !/node_modules|\.next|\.wrangler/.test(path.relative(HERE, file));

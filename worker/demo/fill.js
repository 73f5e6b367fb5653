// Publishes the demo shop's prices into the folder CATALOGUE_DIR, by the commands that an operator uses.
// A folder with a version in use stays as it is.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const { CATALOGUE_DIR: catalogue } = /** @type {{ CATALOGUE_DIR: string }} */ (process.env);
const run = (...args) => execFileSync(process.execPath, args, { stdio: ["inherit", "pipe", "inherit"], encoding: "utf8" });

/** Without what a command proposes as the next one: that follows here, and the folder goes. */
const data = (...args) => process.stdout.write(run("data/main.js", ...args, "--dir", catalogue).replace(/\nNext: .*\n/, ""));

if (!existsSync(join(catalogue, "current"))) {
  const work = mkdtempSync(join(tmpdir(), "order-cost-demo-"));
  const [seed, version] = ["seed", "version"].map((name) => join(work, name));
  run("seed/generate.mjs", "--data", seed);
  data("build", "--prices", join(seed, "prices.csv"), "--zones", join(seed, "zones.geojson"), "--out", version);
  data("push", version, "--note", "the demo shop");
  const { id } = JSON.parse(readFileSync(join(version, "manifest.json"), "utf8"));
  data("activate", id, "--note", "the demo shop");
  rmSync(work, { recursive: true });
}

// Manifests, held against the schemas of Kubernetes.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";

/** The oldest version that the manifests are for, as their first lines say. */
export const OLDEST = "1.30";

/** Checks a manifest for a version, or for Kubernetes as it is now. Returns how many documents passed. */
export function validated(file, version) {
  const args = ["--strict", ...(version ? ["--kubernetes-version", version] : []), file];
  const run = spawnSync(process.env.KUBERNETES_VALIDATE, args, { encoding: "utf8" });
  const said = run.stdout + run.stderr;
  assert.equal(run.status, 0, `${run.error ?? ""}${said}`);
  return said.match(/ passed /g).length;
}

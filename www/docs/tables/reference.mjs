// What the Rust sources say of themselves: `cargo xtask build` writes it to target/reference.json.
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What `xtask/reference` prints. */
export function reference(root) {
  const file = join(root, "target/reference.json");
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read: run "cargo xtask build"`, { cause: error });
  }
}

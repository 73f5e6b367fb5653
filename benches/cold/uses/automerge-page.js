// With the module in a file of its own, as Automerge advises for esbuild.
import wasm from "@automerge/automerge/automerge.wasm";
import * as automerge from "@automerge/automerge/slim";
import { firstChange } from "../first-use.js";

export default async () => {
  await automerge.initializeWasm(wasm);
  firstChange(automerge);
};

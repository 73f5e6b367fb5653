// With the module in a file of its own, as Automerge advises for esbuild.
import * as automerge from "@automerge/automerge/slim";
import wasm from "@automerge/automerge/automerge.wasm";
import { firstChange } from "../first-use.js";

export default async () => {
  await automerge.initializeWasm(wasm);
  firstChange(automerge);
};

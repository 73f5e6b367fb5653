// Edge runtimes import the module in compiled form and forbid the compilation of bytes.
import { entry } from "./pricer.js";
import { keepRequestsApart } from "./instance.js";

/** The package's entry with that module. */
export function entryWith(module) {
  const source = () => {
    keepRequestsApart();
    return module;
  };
  return entry(source, { source });
}

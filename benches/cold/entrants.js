// What starts cold: the package, and packages with a module of WebAssembly that anyone can install. The names in `node`,
// `page` and `workerd` are scripts in uses/; an entrant does not take part where it has none.
import { fileURLToPath } from "node:url";

const installed = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

/** The empty script that the others are compared with. */
export const NOTHING = "nothing";

const OWN = "order-cost/wasm/order_cost_bg.wasm";

/** `wasm` is the file of the module. */
export const ENTRANTS = [
  { name: NOTHING, node: "nothing", page: "nothing", workerd: "nothing" },
  { name: "order-cost", wasm: installed(OWN), node: "order-cost", page: "order-cost", workerd: "order-cost" },
  // In Node and workerd this is the same as order-cost.
  { name: "order-cost/url", wasm: installed(OWN), page: "order-cost-url" },
  {
    name: "order-cost/calculate",
    wasm: installed("order-cost/wasm/calculate.wasm"),
    node: "order-cost-calculate",
    page: "order-cost-calculate",
    workerd: "order-cost-calculate",
  },
  peer("@sqlite.org/sqlite-wasm", "sqlite-wasm/jswasm/sqlite3.wasm", { node: "sqlite", page: "sqlite" }),
  peer("@dimforge/rapier2d-compat", "dist/rapier_wasm2d_bg.wasm", { node: "rapier", page: "rapier" }),
  peer("@automerge/automerge", "dist/automerge.wasm", { node: "automerge", page: "automerge-page", workerd: "automerge" }),
  peer("@cedar-policy/cedar-wasm", "web/cedar_wasm_bg.wasm", { node: "cedar-node", page: "cedar-page" }),
];

function peer(name, wasm, uses) {
  return { name, wasm: installed(`${name}/${wasm}`), ...uses };
}

// What the playground takes from elsewhere in the repository: the built package, and the order's schema of the contract.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "../make/index.mjs";

const PKG = path.join(ROOT, "pkg");
const SCHEMAS = "virtual:order-schemas";

/** The entries of the package by their files. */
export const aliases = [
  { find: /^order-cost$/, replacement: `${PKG}/url.js` },
  { find: /^order-cost\/([\w-]+)$/, replacement: `${PKG}/$1.js` },
];

/** `virtual:order-schemas` has the schema of an order with those that it refers to: the whole contract is eight times as large. */
export const orderSchemas = {
  name: "order-schemas",
  resolveId: (id) => (id === SCHEMAS ? `\0${SCHEMAS}` : undefined),
  async load(id) {
    if (id !== `\0${SCHEMAS}`) return undefined;
    const { contract } = await import(pathToFileURL(path.join(ROOT, "worker/src/operations/index.js")).href);
    return `export const ORDER_SCHEMAS = ${JSON.stringify(Object.fromEntries(needed(contract.components.schemas, "Order")))};`;
  },
};

function needed(schemas, name, found = new Map()) {
  if (found.has(name)) return found;
  found.set(name, schemas[name]);
  for (const [, inner] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) needed(schemas, inner, found);
  return found;
}

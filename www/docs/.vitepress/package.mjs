// What the playground takes from elsewhere in the repository: the built package, and the schemas of an order, of the contract,
// and of facts.
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

/** `virtual:order-schemas` has the schemas of an order and of facts with those that they refer to: the whole contract is larger. */
export const orderSchemas = {
  name: "order-schemas",
  resolveId: (id) => (id === SCHEMAS ? `\0${SCHEMAS}` : undefined),
  async load(id) {
    if (id !== `\0${SCHEMAS}`) return undefined;
    const { contract } = await imported("worker/src/operations/index.js");
    const { recordSchemas } = await imported("xtask/package/order-schemas.mjs");
    const { reference } = await imported("www/docs/tables/reference.mjs");
    const records = recordSchemas(reference(ROOT));
    const schemas = { ...contract.components.schemas, ...records };
    const found = new Map();
    for (const name of ["Order", ...Object.keys(records)]) needed(schemas, name, found);
    return `export const ORDER_SCHEMAS = ${JSON.stringify(Object.fromEntries(found))};`;
  },
};

const imported = (file) => import(pathToFileURL(path.join(ROOT, file)).href);

function needed(schemas, name, found) {
  if (found.has(name)) return;
  found.set(name, schemas[name]);
  for (const [, inner] of JSON.stringify(schemas[name]).matchAll(/#\/components\/schemas\/(\w+)/g)) needed(schemas, inner, found);
}

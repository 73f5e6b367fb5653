// The package's types and the schemas of worker/openapi.json say the same.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import path from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";
import { readDocument } from "./openapi.js";

const ts = createRequire(import.meta.url)("typescript-5"); // `import` would search 9 MB for its exports first

/** The package's type of each schema. */
const TYPES = {
  Order: "OrderInput",
  Product: "ProductInput",
  Shipping: "ShippingInput",
  Schedule: "ScheduleInput",
  ShippingType: "ShippingType",
  ScheduleMode: "ScheduleMode",
  NationwideMode: "NationwideMode",
  PricedOrder: "PricedOrder",
  PricedProduct: "PricedProduct",
  PricedShipping: "PricedShipping",
  PricedSchedule: "PricedSchedule",
  RedeemedVoucher: "RedeemedVoucher",
  RefusedVoucher: "RefusedVoucher",
  DiscountResult: "DiscountResult",
  Discount: "Discount",
  Summary: "Summary",
  AnyJson: "Json",
  ErrorCode: "PricingErrorCode",
};

/** Schemas without a type in the package: numbers with limits, an error's body, and what only the service answers. */
const OWN = ["Integer", "OptionalInteger", "Amount", "OptionalDegrees", "Error", "Health", "Readiness", "Version", "ReceiptKeys"];

test("every schema has a type of the package, or none is needed", () => {
  assert.deepEqual(Object.keys(readDocument().components.schemas).sort(), [...Object.keys(TYPES), ...OWN].sort());
});

/** What is planted into a copy of the document, and the schema that then differs. */
const PLANTED = Object.entries({
  "a key that the type does not have": {
    plant: ({ Discount }) => (Discount.properties.tax = { type: "number" }),
    differs: "Discount",
  },
  "a key that the type has": { plant: ({ Product }) => delete Product.properties.remark, differs: "Product" },
  "a required key that is optional": { plant: ({ Product }) => Product.required.push("remark"), differs: "Product" },
  "an optional key that is required": { plant: ({ Summary }) => Summary.required.pop(), differs: "Summary" },
  "a null that is not allowed": { plant: ({ Order }) => (Order.properties.ownerId.type = "string"), differs: "Order" },
  "another type": {
    plant: ({ PricedProduct }) => (PricedProduct.properties.price = { type: "string" }),
    differs: "PricedProduct",
  },
  "a value of an enum": { plant: ({ ScheduleMode }) => ScheduleMode.enum.push("DRONE"), differs: "ScheduleMode" },
  "an error code": { plant: ({ ErrorCode }) => ErrorCode.enum.pop(), differs: "ErrorCode" },
  "an object that is open": {
    plant: ({ PricedSchedule }) => (PricedSchedule.additionalProperties = true),
    differs: "PricedSchedule",
  },
});

let differing;
before(async () => (differing = await differences([readDocument(), ...PLANTED.map(([, { plant }]) => planted(plant))])));

test("the types are equal", () => assert.deepEqual(differing[0], []));

for (const [index, [what, { differs }]] of PLANTED.entries()) {
  test(`a difference is found: ${what}`, () => assert.ok(differing[1 + index].includes(differs), `${differing[1 + index]}`));
}

function planted(plant) {
  const document = readDocument();
  plant(document.components.schemas);
  return document;
}

/** Of each document, the schemas whose types differ from the package's. One program for all: it reads the package's types once. */
async function differences(documents) {
  const comparisons = documents.map((_, index) => at(`comparison-${index}.ts`));
  const files = new Map();
  for (const [index, document] of documents.entries()) {
    files.set(at(`schemas-${index}.ts`), await typesOf(document));
    files.set(comparisons[index], comparisonWith(`./schemas-${index}.js`));
  }
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true, // tests/types checks the package's own
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2022.d.ts"],
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file) ?? readFile(file);
  host.getSourceFile = (file, target, ...rest) =>
    files.has(file) ? ts.createSourceFile(file, files.get(file), target) : getSourceFile(file, target, ...rest);
  const found = documents.map(() => []);
  for (const { file, start, messageText } of ts.getPreEmitDiagnostics(ts.createProgram(comparisons, options, host))) {
    const line = file?.text.slice(0, start).split("\n").length - 1;
    const [, name] = /^export const (\w+): Equal</.exec(file?.text.split("\n")[line] ?? "") ?? [];
    assert.ok(name, ts.flattenDiagnosticMessageText(messageText, "\n"));
    found[comparisons.indexOf(file.fileName)].push(name);
  }
  return found;
}

/** A path beside this file, spelt as TypeScript spells it. */
function at(name) {
  return path.posix.join(path.dirname(fileURLToPath(import.meta.url)).replaceAll("\\", "/"), name);
}

/** What a generator of clients makes of the schemas: an interface with a member for each. */
function typesOf({ components }) {
  const names = Object.keys(components.schemas);
  components.schemas.AnyJson.tsType = "unknown"; // the generator would make an object of it
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));
  const root = { type: "object", required: names, properties, additionalProperties: false, components };
  const options = { additionalProperties: false, ignoreMinAndMaxItems: true, format: false, bannerComment: "" };
  return compile(root, "Schemas", options);
}

const comparisonWith = (schemas) => `
import type * as orderCost from "order-cost";
import type { Schemas } from "${schemas}";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Without names, and without \`readonly\`, which JSON does not have. */
type Plain<T> = unknown extends T ? unknown : T extends object ? { -readonly [K in keyof T]: Plain<T[K]> } : T;

${Object.entries(TYPES)
  .map(([name, type]) => `export const ${name}: Equal<Plain<Schemas["${name}"]>, Plain<orderCost.${type}>> = true;`)
  .join("\n")}
`;

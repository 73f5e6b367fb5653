// The package's types and the schemas of worker/openapi.json say the same.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";
import { readDocument } from "./openapi.js";

const TSC = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true, // tests/types checks the package's own
  target: "es2022",
  module: "nodenext",
  lib: ["es2022"],
  types: [],
  paths: { "order-cost": [fileURLToPath(new URL("../../pkg/index.d.ts", import.meta.url))] },
};

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
  const folder = await mkdtemp(join(tmpdir(), "order-cost-types-"));
  try {
    const files = documents.map((_, index) => `comparison-${index}.ts`);
    for (const [index, document] of documents.entries()) {
      await writeFile(join(folder, `schemas-${index}.ts`), await typesOf(document));
      await writeFile(join(folder, files[index]), comparisonWith(`./schemas-${index}.js`));
    }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS, files }));
    const differing = problemsOf(folder).map(differingSchema);
    return documents.map((_, index) => differing.filter((found) => found.index === index).map(({ name }) => name));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** What the compiler prints. The lines that explain a problem are indented. */
function problemsOf(folder) {
  const { stdout } = spawnSync(process.execPath, [TSC, "--project", folder, "--pretty", "false"], { encoding: "utf8", cwd: folder });
  return stdout.split("\n").filter((line) => /^\S/.test(line));
}

/** The schema of a problem, and the index of its document. */
function differingSchema(problem) {
  const [, index, line] = /^comparison-(\d+)\.ts\((\d+),/.exec(problem) ?? [];
  const [, name] = /^export const (\w+): Equal</.exec(comparisonWith("").split("\n")[line - 1] ?? "") ?? [];
  assert.ok(name, problem);
  return { index: Number(index), name };
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

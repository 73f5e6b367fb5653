// A field that is added to the table of the order, and nowhere else, is read, passed on, compared by an edit, typed, described and
// redacted.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { orderFields } from "../../../xtask/package/order-fields.mjs";
import { orderSchemas } from "../../../xtask/package/order-schemas.mjs";
import { withOrderTypes } from "../../../xtask/package/order-types.mjs";
import { temporaryFolder } from "../../folder.js";

const ROOT = join(import.meta.dirname, "../../..");
const TABLE = "src/order/shipping.rs";
const LINE = `/// Text on the ribbon. Passed through.
        pub ribbon: Option<Span> = string("shippingRibbon", "none") text,
        `;
/** An edit of a basket: JavaScript's baskets ask this, too, whether one counts. */
const EDIT = `
#[test]
fn an_edit_of_it_alone_counts() {
    let order = |ribbon: &str| order_cost::Document {
        text: format!(r#"{{"productList":[],"shipping":{{"shippingRibbon":{ribbon}}}}}"#),
        origin: order_cost::Origin::Wire,
    };
    let before = order("null");
    let mut basket = order_cost::Basket::new(&before, Default::default(), Default::default(), None, &Default::default()).unwrap();
    assert!(!basket.edit(&order(r#""none""#), &[]).unwrap());
    assert!(basket.edit(&order(r#""for Ann""#), &[]).unwrap());
    let echo = String::from_utf8(basket.echo()).unwrap();
    assert!(echo.contains(r#""shippingRibbon":"for Ann""#), "{echo}");
}
`;

describe("a line of the table is all that a passed-on field needs", () => {
  const folder = temporaryFolder();
  let reference;

  before(() => {
    // The sources as they are, also what is not committed.
    const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "*.rs", "*.toml", "*.wit", "src/README.md", "Cargo.lock"];
    const files = execFileSync("git", listed, { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
    // One that was deleted is still in git's index.
    for (const file of files.filter((file) => existsSync(join(ROOT, file)))) cpSync(join(ROOT, file), join(folder, file));
    const table = readFileSync(join(folder, TABLE), "utf8");
    const withLine = table.replace("/// Unix timestamp. Passed through.", `${LINE}/// Unix timestamp. Passed through.`);
    const inResponse = withLine.replace("phone, email, date,", "phone, email, ribbon, date,");
    assert.equal(inResponse.length, table.length + LINE.length + "ribbon, ".length, `${TABLE} has another form: adapt this test`);
    writeFileSync(join(folder, TABLE), inResponse);
    writeFileSync(join(folder, "tests/ribbon.rs"), EDIT);
    reference = JSON.parse(cargo("run", "--quiet", "--package", "xtask-reference"));
  });

  function cargo(...args) {
    const input = args.includes("everywhere")
      ? cases()
          .map((order) => JSON.stringify(order))
          .join("\n")
      : "";
    return execFileSync("cargo", args, { cwd: folder, input, encoding: "utf8", maxBuffer: 2 ** 26, stdio: ["pipe", "pipe", "inherit"] });
  }

  function cases() {
    const golden = JSON.parse(readFileSync(join(ROOT, "tests/golden/d01-all-35-keys.json"), "utf8"));
    const sent = [{ shippingRibbon: "for Ann" }, {}, { shippingRibbon: null }];
    return sent.map((shipping) => ({ ...golden, order: { ...golden.order, shipping } }));
  }

  test("it is read, and passed on in its place, with its default", () => {
    const bodies = cargo("run", "--quiet", "--package", "order-cost", "--example", "everywhere").trim().split("\n");
    const shippings = bodies.map((body) => JSON.parse(JSON.parse(body)).shipping);
    assert.deepEqual(
      shippings.map(({ shippingRibbon }) => shippingRibbon),
      ["for Ann", "none", "none"],
    );
    const keys = Object.keys(shippings[0]);
    assert.equal(keys[keys.indexOf("shippingEmail") + 1], "shippingRibbon");
  });

  test("an edit of it alone counts", () => {
    assert.match(cargo("test", "--quiet", "--package", "order-cost", "--test", "ribbon"), /1 passed; 0 failed/);
  });

  test("the types of request and response have it", () => {
    const types = withOrderTypes(readFileSync(join(ROOT, "pkg-template/entries/index.d.ts"), "utf8"), reference);
    assert.match(types, /Text on the ribbon.*\n(?:.*\n)?\s+shippingRibbon\?: string \| null;/);
    assert.match(types, /\n\s+shippingRibbon: string;/);
  });

  test("the service's document describes it", () => {
    const { Shipping, PricedShipping } = orderSchemas(reference);
    assert.equal(Shipping.properties.shippingRibbon.default, "none");
    assert.ok(PricedShipping.required.includes("shippingRibbon"));
  });

  test("captures and explain know it by its class", () => {
    const { read, response } = orderFields(reference).FIELDS.Shipping;
    assert.equal(read.shippingRibbon.class, "text");
    assert.equal(response.shippingRibbon.class, "text");
  });
});

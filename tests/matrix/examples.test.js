// The package's examples, as a user copies them: taken from the package, installed, built and used.
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { price } from "../model/price.js";
import { pack } from "../pack.js";
import { guide, placeOf } from "../package/pages.js";
import { blocksOf } from "../package/snippets.js";
import { PATIENCE_MS } from "../until.js";
import { box, collection, zone } from "../zones.js";
import { closeBrowser, servedFiles, visit } from "./browser.js";
import { isWhole } from "./rows.js";
import { temporaryDirectory, Workspace } from "./workspace.js";

const ORDER = { productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 3 }] };
const AT_A_TIME = 2;

const directory = temporaryDirectory();
let tarball;

before(() => ({ tarball } = pack(directory)));
after(closeBrowser);

describe("the example for", { concurrency: AT_A_TIME }, () => {
  example("react", (installed) => {
    test("is a basket on the dev server, where StrictMode renders everything twice", async () => {
      const { url, stop } = await (await installed()).serveScript("dev", vite);
      try {
        await visit(url, editBasket);
      } finally {
        await stop();
      }
    });

    test("is a basket in production, with the Content-Security-Policy that the guide gives", async () => {
      const [, name, value] = readFileSync(placeOf(guide("loading")), "utf8").match(/^```http\n([\w-]+): (.+)\n```$/m);
      await builtPage(await installed(), { [name]: value });
    });
  });

  for (const framework of ["vue", "svelte"]) {
    example(framework, (installed) => {
      test("is a basket in production", async () => builtPage(await installed()));
    });
  }

  example("form", (installed) => {
    test("shows every fault at its field, and prices the order once it is right", async () => {
      const workspace = await installed();
      await workspace.script("build");
      await servedFiles(workspace.path("dist"), (url) => visit(url, fillForm));
    });
  });

  example("dom", (installed) => {
    test("is a basket in a page without a build", async () => {
      await servedFiles((await installed()).path(), (url) => visit(url, useBasket));
    });
  });

  example("next", (installed) => {
    let server;
    before(async () => {
      await (await installed()).script("build");
      const args = (port) => ["--hostname", "127.0.0.1", "--port", `${port}`];
      server = await (await installed()).serveScript("start", args);
    });
    after(() => server?.stop());

    test("shows the total in the server's HTML, and hydrates with its facts", () => isRendered(server.url));

    test("shows the server's result", async () => {
      await visit(server.url, async (page) => {
        await page.getByRole("button", { name: "Order" }).click();
        await page.getByText("Ordered for THB 37.25").waitFor();
      });
    });

    test("answers with the priced order, or with its error", async () => {
      const priced = await post(`${server.url}api/order`, ORDER);
      assert.deepEqual([priced.status, priced.body.grandTotal], [200, 111.75]);
      const { status, body } = await post(`${server.url}api/order`, { productList: [] });
      assert.deepEqual([status, body], [500, { error: "Invalid order: productList: expected at least one product" }]);
    });
  });

  example("sveltekit", (installed) => {
    let server;
    before(async () => {
      await (await installed()).script("build");
      server = await (await installed()).serveScript("start", () => []);
    });
    after(() => server?.stop());

    test("shows the total in the server's HTML, and hydrates with its facts", () => isRendered(server.url));
  });

  example("workers", (installed) => {
    test("prices an order with the prices in KV", async () => {
      await (await installed()).script("seed");
      const args = (port) => ["--ip", "127.0.0.1", "--inspector-port", "0", "--port", `${port}`];
      const { url, stop } = await (await installed()).serveScript("dev", args);
      try {
        const { status, body } = await post(`${url}calculatecost4`, ORDER);
        assert.deepEqual([status, body.grandTotal, body.totalWeight], [200, 111.75, 2.1]);
        const many = Array.from({ length: 250 }, (_, line) => ({ cprcode: 2000 + line, productName: "", quantity: 1 }));
        const unknown = await post(`${url}calculatecost4`, { productList: [...ORDER.productList, ...many] });
        assert.deepEqual([unknown.status, unknown.body], [500, { error: "No price for 2000/1000" }]);
      } finally {
        await stop();
      }
    });
  });

  // Where npm cannot download better-sqlite3 compiled, it compiles for two minutes.
  if (isWhole)
    example("node-sqlite", (installed) => {
      let server;
      before(async () => {
        const workspace = await installed();
        await workspace.script("seed");
        server = await workspace.serve(process.execPath, (port) => ["server.js", "--port", `${port}`]);
      });
      after(() => server?.stop());

      test("prices fifty orders at once from SQLite, each to the naive model's bytes", async () => {
        const orders = Array.from({ length: 50 }, (_, index) => orderOf(index + 1));
        const responses = await Promise.all(orders.map((order) => send(server.url, order)));
        const answers = await Promise.all(responses.map((response) => response.text()));
        assert.deepEqual(
          answers,
          orders.map((order) => price({ order, ...SEED }).text),
        );
        assert.match(answers[0], /"price":12345678901234567\.25,/);
      });

      test("answers a failed order with its error alone", async () => {
        const failures = [
          [{ productList: [{ cprcode: 404, productName: "", quantity: 1 }] }, "No price for 404/1000"],
          [{ ...ORDER, voucherId: ["V404"] }, "Voucher V404 not found"],
          [{ ...ORDER, ...deliveryTo("99999") }, "No nationwide rate for 99999/FRESH"],
        ];
        for (const [order, error] of failures) {
          const { status, body } = await post(`${server.url}calculatecost4`, order, { "x-request-id": "checkout-7" });
          assert.deepEqual([status, body], [500, { error }]);
        }
      });

      test("reads prices that change while it runs, and tells no client what SQLite says", async () => {
        const rice = { productList: [{ cprcode: 1002, productName: "", quantity: 1 }] };
        for (const [amount, status, answer] of [
          ["99.99", 200, 99.99],
          ["dear", 500, "The prices could not be read"],
          ["231", 200, 231],
        ]) {
          const change = `new Database("shop.db").exec("update prices set price = '${amount}' where cprcode = 1002")`;
          const script = `import Database from "better-sqlite3"; ${change}`;
          await (await installed()).run(process.execPath, ["--input-type=module", "--eval", script]);
          const { status: answered, body } = await post(`${server.url}calculatecost4`, rice);
          assert.deepEqual([answered, body.grandTotal ?? body.error], [status, answer]);
        }
      });

      test("ends on SIGTERM, after the order that is under way, and has logged each failure", async () => {
        const body = JSON.stringify(orderOf(7));
        const upload = request(`${server.url}calculatecost4`, { method: "POST" });
        upload.write(body.slice(0, 100));
        await once(upload, "socket");
        await send(server.url, ORDER); // by now the server has read the beginning of the other
        const stopped = server.stop();
        await until(async () => !(await isListening(server.url)));
        upload.end(body.slice(100));
        const [response] = await once(upload, "response");
        assert.equal(Buffer.concat(await response.toArray()).toString(), price({ order: orderOf(7), ...SEED }).text);
        const { code, output } = await stopped;
        assert.equal(code, 0, output);
        const [first, ...lines] = output.trimEnd().split("\n");
        assert.match(first, /^Listening on http:\/\/127\.0\.0\.1:\d+$/);
        const logged = lines.map((line) => JSON.parse(line));
        assert.deepEqual(
          logged.map(({ requestId, code, cause }) => [requestId === "checkout-7", code, cause]),
          [
            [true, "PRODUCT_PRICE_NOT_FOUND", undefined],
            [true, "VOUCHER_NOT_FOUND", undefined],
            [true, "NATIONWIDE_RATE_NOT_FOUND", undefined],
            [false, "PRICE_LOOKUP_FAILED", "malformed JSON"],
          ],
        );
        assert.doesNotMatch(output, /V404/);
      });
    });

  example("java", (installed) => {
    test("passes with JUnit, and prints the naive model's bytes", async () => {
      const workspace = await installed();
      const [javac, java, junit] = ["JAVAC", "JAVA", "JUNIT"].map(programOf);
      const sources = ["OrderCost", "CheckoutTest"].map((name) => `src/test/java/shop/${name}.java`);
      await workspace.run(javac, ["--release", "17", "-encoding", "UTF-8", "-cp", junit, "-d", "classes", ...sources]);
      const output = await workspace.run(java, ["-jar", junit, "-cp", "classes", "--scan-classpath", "--disable-banner"]);
      assert.match(output, /\b3 tests successful\b/);
      isModelsAnswer(output, workspace);
    });

    test("asks Maven for the JUnit that it is written for", async () => {
      const pom = readFileSync((await installed()).path("pom.xml"), "utf8");
      assert.match(pom, /<artifactId>junit-jupiter<\/artifactId>\s*<version>5\.\d+\.\d+<\/version>/);
    });
  });

  example("python", (installed) => {
    test("passes with pytest, and prints the naive model's bytes", async () => {
      const workspace = await installed();
      const output = await workspace.run(programOf("PYTEST"), ["--capture=no", "-p", "no:cacheprovider"]);
      assert.match(output, /\b3 passed\b/);
      isModelsAnswer(output, workspace);
    });
  });

  example("jest", (installed) => {
    test("passes", async () => {
      const { numPassedTests, numTotalTests } = JSON.parse(await (await installed()).script("test", ["--json"]));
      assert.deepEqual([numPassedTests, numTotalTests], [5, 5]);
    });
  });
});

describe("the guide's server for Deno", () => {
  let workspace;
  before(async () => (workspace = await Workspace.make("deno", path.join(directory, "guide-deno"), tarball)));
  after(() => workspace?.remove());

  test("passes Deno's type check and prices an order", async () => {
    const { code } = blocksOf(placeOf(guide("edge"))).find(({ heading }) => heading === "On Deno");
    const { url, stop } = await workspace.serve("deno", (port) => {
      writeFileSync(workspace.path("server.ts"), code.replace("8787", `${port}`));
      return ["run", "--check", "--allow-net", "server.ts"];
    });
    try {
      const { status, body } = await post(`${url}calculatecost4`, ORDER);
      assert.deepEqual([status, body.grandTotal], [200, 111.75]);
    } finally {
      await stop();
    }
  });
});

function example(name, tests) {
  let made;
  const installed = () => (made ??= Workspace.ofExample(name, path.join(directory, name), tarball));
  describe(name, { concurrency: 1 }, () => {
    after(async () => (await made)?.remove());
    tests(installed);
  });
}

/** The path of a program, as `cargo xtask test --matrix` sets it. */
function programOf(variable) {
  const { [variable]: program } = process.env;
  assert.ok(program, `${variable} is not set: expected a path, as \`cargo xtask test --matrix\` sets it`);
  return program;
}

/** An example's output has the naive model's answer to its order. */
function isModelsAnswer(output, workspace) {
  const [order, facts] = ["order.json", "facts.json"].map((name) => readFileSync(workspace.path(name), "utf8"));
  const { deliveryZones: zones, ...host } = JSON.parse(facts);
  const { text: answer } = price({ order: JSON.parse(order), host, zones });
  assert.ok(
    output.split("\n").some((line) => line.endsWith(answer)),
    output,
  ); // pytest begins the line
}

function vite(port) {
  return ["--host", "127.0.0.1", "--port", `${port}`];
}

async function builtPage(workspace, headers) {
  await workspace.script("build");
  await servedFiles(workspace.path("dist"), (url) => visit(url, useBasket), headers);
}

async function useBasket(page) {
  await editBasket(page);
  await tryAgain(page);
}

/** Adds, changes and removes products, with a coupon that applies from 100 baht. Ends with an empty basket. */
async function editBasket(page) {
  const quantity = page.getByLabel("Quantity of น้ำปลา");
  await total(page, "0.00");
  await press(page, "Add น้ำปลา");
  await total(page, "37.25");
  await quantity.fill("3");
  await total(page, "111.75");
  await press(page, "Use SAVE10");
  await total(page, "101.75");
  await quantity.fill("1");
  await total(page, "37.25");
  await page.getByText("The coupon SAVE10 cannot be used with this basket.").waitFor();

  await press(page, "Add ปลาทู");
  await row(page, "ปลาทู").getByText("ปลาทู is not available at this branch. Please remove it").waitFor();
  await total(page, "37.25");
  await press(row(page, "ปลาทู"), "Remove");
  await row(page, "ปลาทู").waitFor({ state: "detached" });

  await press(row(page, "น้ำปลา"), "Remove");
  await total(page, "0.00");
  await press(page, "Undo");
  await total(page, "37.25");
  assert.equal(await quantity.inputValue(), "1");
  assert.equal(await page.getByRole("button", { name: "Undo" }).isVisible(), false);
  await press(row(page, "น้ำปลา"), "Remove");
  await total(page, "0.00");
  assert.equal(await alerts(page), "");
}

/** The coupon service fails without a network; the rest of the total stays. */
async function tryAgain(page) {
  await press(page, "Add น้ำปลา");
  await total(page, "37.25");
  await page.context().setOffline(true);
  await page.getByLabel("Quantity of น้ำปลา").fill("3");
  await page.getByText("We could not check your coupons. Please try again in a moment.").waitFor();
  await page.context().setOffline(false);
  await press(page, "Try again");
  await total(page, "101.75");
  assert.equal(await alerts(page), "");
  assert.equal(await page.getByRole("button", { name: "Try again" }).isVisible(), false);
}

/** Fills an order form, wrongly first. */
async function fillForm(page) {
  const product = (number) => page.getByRole("group", { name: `Product ${number}` });
  const isFaulty = (fields) => Promise.all(fields.map((field) => field.and(page.locator("[aria-invalid=true]")).waitFor()));
  const [code, quantity] = ["Code", "Quantity"].map((label) => product(2).getByLabel(label));
  await press(page, "Add a product");
  await product(1).getByLabel("Quantity").fill("");
  await quantity.fill("1.5");
  await press(page, "Price the order");
  await isFaulty([product(1).getByLabel("Quantity"), code, quantity, page.getByLabel("How")]);
  assert.deepEqual(await page.locator(".fault").allTextContents(), [
    "Please fill this in.",
    "Please fill this in.",
    "Please enter a whole number.",
    "Please choose or correct this.",
  ]);
  await page.getByText("Something in your basket is not right yet.").waitFor();
  await product(1).getByLabel("Quantity").fill("3");
  await code.fill("1002");
  await quantity.fill("1");
  await page.getByLabel("How").selectOption("By parcel");
  await page.locator(".fault").first().waitFor({ state: "detached" });
  await press(page, "Price the order");
  await page.locator("output", { hasText: /^THB\s387\.75$/ }).waitFor();
  await press(product(2), "Remove");
  await press(product(1), "Remove");
  await press(page, "Price the order");
  await page.getByText("Please add a product.").waitFor();
}

const press = (within, name) => within.getByRole("button", { name, exact: true }).click();
const row = (page, product) => page.getByRole("listitem").filter({ hasText: product });
const alerts = async (page) => (await page.getByRole("alert").allTextContents()).join("").trim();

/** A page shows what the server has priced, and asks only for what the server has not asked for. */
async function isRendered(url) {
  const html = await (await fetch(url)).text();
  assert.match(html, /<output>THB\s37\.25<\/output>/);
  const { result } = await visit(url, editRenderedBasket, recordLookUps);
  assert.deepEqual(result, [[{ cprcode: 1002, branchId: "1000" }]]);
}

async function editRenderedBasket(page) {
  await total(page, "37.25");
  await typeOnceHydrated(page, "3", "111.75");
  await press(page, "Add ข้าวหอมมะลิ");
  await total(page, "342.75");
  return page.evaluate(() => window.lookUps);
}

/** Server-rendered HTML takes no input before hydration, and nothing shows when that is done. */
async function typeOnceHydrated(page, quantity, amount) {
  const field = page.getByLabel("Quantity of น้ำปลา");
  const isShown = () => page.locator("output", { hasText: new RegExp(`^THB\\s${amount}$`) }).waitFor({ timeout: 500 });
  const type = async () => {
    await field.fill("");
    await field.fill(quantity);
    return isShown().then(
      () => true,
      () => false,
    );
  };
  const end = Date.now() + PATIENCE_MS;
  while (!(await type()) && Date.now() < end);
  await total(page, amount);
}

/** Runs in the page before everything else. */
function recordLookUps() {
  window.lookUps = [];
  const { fetch } = window;
  window.fetch = (url, options) => {
    if (String(url).endsWith("/prices")) window.lookUps.push(JSON.parse(options.body));
    return fetch(url, options);
  };
}

/** Waits until the page shows that total and every look-up has answered. */
async function total(page, amount) {
  await page.locator("output", { hasText: new RegExp(`^THB\\s${amount}$`) }).waitFor();
  await page.getByText("(asking …)").waitFor({ state: "hidden" });
}

/** What the seed of the example node-sqlite says, digit for digit. */
const SEED = {
  host: {
    prices: {
      "1001/1000": '{"price":37.25,"originalPrice":40,"weight":0.7}',
      "1003/1000": '{"price":65,"weight":0.49,"isControlledProduct":true}',
      "1004/1000": '{"price":0.1}',
      "1005/1000": '{"price":12345678901234567.25}',
    },
    vouchers: {
      V1: '{"voucherId":"V1","ownerId":"malee","value":50,"isActive":true,"isUsed":false}',
      V2: '{"voucherId":"V2","ownerId":"malee","value":20,"isActive":true,"isUsed":true}',
    },
    rates: { FRESH: '{"deliveryFee":120.5,"nationwideConfig":"north-fresh"}' },
  },
  zones: collection(zone({ brcode: 1000, deliveryFee: 30, name: "Silom" }, box(100, 13))),
};

/** An order that uses every table of the example, and a price that no double holds. */
function orderOf(quantity) {
  const products = [1005, 1001, 1003, 1004];
  return {
    productList: products.map((cprcode) => ({ cprcode, productName: "น้ำปลา", quantity })),
    ownerId: "malee",
    voucherId: ["V1", "V2"],
    ...deliveryTo("50000"),
  };
}

function deliveryTo(shippingPostcode) {
  const scheduleList = [{ mode: "EXPRESS" }, { mode: "NATIONWIDE", nationwideMode: "FRESH" }];
  return { shipping: { shippingType: "DELIVERY", shippingLat: 13.72, shippingLon: 100.55, shippingPostcode, scheduleList } };
}

const send = (url, order) => fetch(`${url}calculatecost4`, { method: "POST", body: JSON.stringify(order) });

const isListening = (url) =>
  fetch(url).then(
    () => true,
    () => false,
  );

async function until(isSo) {
  while (!(await isSo())) await wait(20);
}

async function post(url, order, headers = {}) {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(order), headers });
  return { status: response.status, body: await response.json() };
}

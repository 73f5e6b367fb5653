// The package's examples, as a user copies them: taken from the package, installed, built and used.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { pack } from "../pack.js";
import { closeBrowser, servedFiles, visit } from "./browser.js";
import { Workspace, temporaryDirectory } from "./workspace.js";

const README = readFileSync(new URL("../../pkg-template/README.md", import.meta.url), "utf8");
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

    test("is a basket in production, with the Content-Security-Policy that the README gives", async () => {
      const [, name, value] = README.match(/^```http\n([\w-]+): (.+)\n```$/m);
      await builtPage(await installed(), { [name]: value });
    });
  });

  for (const framework of ["vue", "svelte"]) {
    example(framework, (installed) => {
      test("is a basket in production", async () => builtPage(await installed()));
    });
  }

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

    test("shows a total that follows the quantity, and the server's result", async () => {
      await visit(server.url, orderProduct);
    });

    test("answers with the priced order, or with its error", async () => {
      const priced = await post(`${server.url}api/order`, ORDER);
      assert.deepEqual([priced.status, priced.body.grandTotal], [200, 111.75]);
      const { status, body } = await post(`${server.url}api/order`, { productList: [] });
      assert.deepEqual([status, body], [500, { error: "Invalid order: productList: expected at least one product" }]);
    });
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

  example("jest", (installed) => {
    test("passes", async () => {
      const { numPassedTests, numTotalTests } = JSON.parse(await (await installed()).script("test", ["--json"]));
      assert.deepEqual([numPassedTests, numTotalTests], [5, 5]);
    });
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

const press = (within, name) => within.getByRole("button", { name, exact: true }).click();
const row = (page, product) => page.getByRole("listitem").filter({ hasText: product });
const alerts = async (page) => (await page.getByRole("alert").allTextContents()).join("").trim();

async function orderProduct(page) {
  await total(page, "37.25");
  await page.getByLabel("Quantity of น้ำปลา").fill("3");
  await total(page, "111.75");
  await page.getByRole("button", { name: "Order" }).click();
  await page.getByText("Ordered for THB 111.75").waitFor();
}

/** Waits until the page shows that total and every look-up has answered. */
async function total(page, amount) {
  await page.locator("output", { hasText: new RegExp(`^THB\\s${amount}$`) }).waitFor();
  await page.getByText("(asking …)").waitFor({ state: "hidden" });
}

async function post(url, order) {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(order) });
  return { status: response.status, body: await response.json() };
}

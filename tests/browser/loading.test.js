// How a page loads the module: what can go wrong with a server or a policy, what the error says, and that a retry
// works.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { browser, origin, startBeside } from "./beside.js";

const PACKAGE = fileURLToPath(new URL("../../pkg/", import.meta.url));
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };
const HTML = { "content-type": "text/html" };
const ENTRIES = ["inline.js", "url.js"];

/** How the server misbehaves; undefined if it does not. */
let policy;
let serveWasm;
let served;

startBeside(serve);

beforeEach(() => {
  policy = "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";
  serveWasm = undefined;
  served = [];
});

/** The package under `/one/`, and a second copy under `/other/`. */
async function serve({ url }, response) {
  if (url === "/") return response.writeHead(200, { ...HTML, "content-security-policy": policy }).end("<!doctype html>");
  const type = TYPES[path.extname(url)];
  const file = type && (await readFile(path.join(PACKAGE, url.replace(/^\/\w+\//, ""))).catch(() => undefined));
  if (!file) return response.writeHead(404).end();
  served.push(url);
  if (type === TYPES[".wasm"] && serveWasm) return serveWasm(response, file);
  response.setHeader("content-type", type).end(file);
}

async function onPage(run) {
  const page = await browser.newPage();
  const errors = [];
  page.on("pageerror", (error) => errors.push(error));
  page.on("console", (message) => message.type() === "warning" && errors.push(message.text()));
  try {
    await page.goto(origin);
    await page.evaluate(() => {
      /** The grand total of an order, or the error message. */
      window.priced = async ({ createPricer }, price) => {
        const lookupPrices = (keys) => keys.map(() => ({ price }));
        const order = { productList: [{ cprcode: 1, productName: "น้ำปลา", quantity: 3 }] };
        try {
          return (await (await createPricer({ lookupPrices })).calculate(order)).grandTotal;
        } catch (error) {
          return error.message;
        }
      };
    });
    const result = await run(page);
    assert.deepEqual(errors, []);
    return result;
  } finally {
    await page.close();
  }
}

const price = (page, entry) => page.evaluate(async (entry) => window.priced(await import(`/one/${entry}`), 37.25), entry);

for (const entry of ENTRIES) {
  describe(entry, () => {
    test("prices an order under a policy that allows WebAssembly and nothing else", async () => {
      assert.equal(await onPage((page) => price(page, entry)), 111.75);
    });

    test("says what to allow if the policy forbids it", async () => {
      policy = "script-src 'self' 'unsafe-inline'";
      const message = await onPage((page) => price(page, entry));
      assert.match(message, /compilation is forbidden here\. On a page, allow 'wasm-unsafe-eval' in the script-src/);
    });

    test("two copies on one page work side by side", async () => {
      const totals = await onPage((page) =>
        page.evaluate(async (entry) => {
          const [one, other] = await Promise.all([import(`/one/${entry}`), import(`/other/${entry}`)]);
          return Promise.all([window.priced(one, 1), window.priced(other, 2), window.priced(one, 3)]);
        }, entry),
      );
      assert.deepEqual(totals, [3, 6, 9]);
    });
  });
}

test("the module is fetched only when it is needed, and only once", async () => {
  const wasm = () => served.filter((url) => url.endsWith(".wasm"));
  await onPage(async (page) => {
    await page.evaluate(() => import("/one/url.js"));
    await page.waitForLoadState("networkidle");
    assert.deepEqual(wasm(), []);
    await Promise.all([price(page, "url.js"), price(page, "url.js")]);
    await price(page, "url.js");
  });
  assert.deepEqual(wasm(), ["/one/wasm/order_cost_bg.wasm"]);
});

test("both ways of loading on one page share one module", async () => {
  const isSame = await onPage((page) =>
    page.evaluate(async () => {
      const [inline, url] = await Promise.all([import("/one/inline.js"), import("/one/url.js")]);
      const totals = await Promise.all([window.priced(inline, 1), window.priced(url, 2)]);
      return inline.PricingError === url.PricingError && totals[0] === 3 && totals[1] === 6;
    }),
  );
  assert.ok(isSame);
});

const FILE = "/one/wasm/order_cost_bg.wasm";
const ADVICE =
  `Serve the package's wasm/order_cost_bg.wasm there (esbuild and Rollup do not copy it), ` +
  `or import "order-cost", which contains the module`;

const BLOCKED = "the network is down, or CORS or the page's connect-src forbids it";
const WASM = { "content-type": "application/wasm" };

for (const [what, answer, reason] of [
  ["is not there", (response) => response.writeHead(404).end(), `answered 404. ${ADVICE}`],
  [
    "is a page instead, as development servers answer",
    (response) => response.writeHead(200, HTML).end("<!doctype html>"),
    `is not WebAssembly: its content type is text/html. ${ADVICE}`,
  ],
  ["is empty", (response) => response.writeHead(200).end(), `is not WebAssembly: its content type is missing. ${ADVICE}`],
  ["is out of order", (response) => response.writeHead(503).end(), "answered 503"],
  ["does not arrive", (response) => response.destroy(), `could not be fetched (Failed to fetch): ${BLOCKED}`],
]) {
  test(`where the file ${what}, the error says so, and the next call tries again`, async () => {
    serveWasm = answer;
    await onPage(async (page) => {
      const message = await price(page, "url.js");
      assert.equal(message, `Could not load the WebAssembly module of order-cost: ${origin}${FILE} ${reason}`);
      serveWasm = undefined;
      assert.equal(await price(page, "url.js"), 111.75);
    });
  });
}

for (const [what, answer] of [
  ["is truncated", (response, file) => response.writeHead(200, WASM).end(file.subarray(0, 1000))],
  ["is a page that claims to be a module", (response) => response.writeHead(200, WASM).end("<!doctype html>")],
  [
    "breaks off",
    (response, file) => {
      response.writeHead(200, { ...WASM, "content-length": file.length }).write(file.subarray(0, 1000));
      setTimeout(() => response.destroy(), 100);
    },
  ],
]) {
  test(`where the file ${what}, the error has its address`, async () => {
    serveWasm = answer;
    const message = await onPage((page) => price(page, "url.js"));
    serveWasm = undefined;
    const beginning = `Could not load the WebAssembly module of order-cost: ${origin}${FILE}: WebAssembly`;
    assert.equal(message.slice(0, beginning.length), beginning);
    assert.doesNotMatch(message, /Serve the package/);
  });
}

for (const type of ["application/octet-stream", "application/wasm; charset=utf-8", undefined]) {
  test(`a module served as ${type} loads all the same`, async () => {
    serveWasm = (response, file) => response.writeHead(200, type && { "content-type": type }).end(file);
    assert.equal(await onPage((page) => price(page, "url.js")), 111.75);
  });
}

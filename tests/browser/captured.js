import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { recordingHost } from "order-cost/testing";
import { createSeedHost } from "../../worker/demo/seed-host.js";
import { asked, baht, requestOf, total, visit } from "./shopper.js";
import { examples, seed } from "./site.js";

const HASH = "3fc9b689459d738f";
export const ZONES = { name: HASH, text: JSON.stringify(seed.zones) };

/** What the service would capture of an order. */
export async function captureOf(order, { zones = HASH, change = (body) => body, ...noted } = {}) {
  const host = recordingHost(createSeedHost(seed));
  const pricer = await createPricer(host, { deliveryZones: seed.zones });
  const answer = await pricer.calculateJson(JSON.stringify(order)).then(
    (bytes) => ({ status: 200, text: Buffer.from(bytes).toString() }),
    (error) => ({ status: 500, text: JSON.stringify(error) }),
  );
  const head = {
    requestId: "r-17",
    route: "calculatecost4",
    policy: {},
    limits: {},
    dataVersion: "v-1",
    package: "0.1.0",
    zones,
    request: order,
    facts: host.facts,
    ...noted,
  };
  return `${JSON.stringify(head).slice(0, -1)},"new":{"status":${answer.status},"body":${change(answer.text)}}}`;
}

/** Chooses files as a visitor does. */
export async function chooseFiles(page, ...files) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.locator("#open-captured").click()]);
  await chooser.setFiles(files.map(({ name, text }) => ({ name, mimeType: "", buffer: Buffer.from(text) })));
  await page.locator("#captured[open]").waitFor();
}

export const slot = (text) => ({ name: "slot-17", text });

/** An example with delivery to a zone, coupons and vouchers, and its priced order. */
const { order } = examples.find(({ order }) => order.couponCodeList?.length > 0 && order.shipping?.shippingType === "DELIVERY");

export function captured() {
  const back = (page) => page.getByRole("button", { name: "Back to my basket" }).click();
  const dialog = (page) => page.locator("#captured");
  const problem = async (page, ...files) => {
    await chooseFiles(page, ...files);
    const text = await dialog(page).getByRole("alert").textContent();
    await back(page);
    return text;
  };

  test("a capture shows its bill and every step with its decision, and the basket stays", async (t) => {
    const page = await visit(t);
    const [basket, shown, calls, address] = [await requestOf(page), await total(page), await asked(page), page.url()];
    await page.waitForFunction(() => "order-cost.rates" in localStorage); // the basket's own rates are kept after a second
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    const requests = [];
    const note = (request) => requests.push(request.url());
    page.on("request", note);

    await chooseFiles(page, slot(await captureOf(order)), ZONES);
    const { grandTotal, productList } = await (await createPricer(createSeedHost(seed), { deliveryZones: seed.zones })).calculate(order);
    await dialog(page).getByRole("heading", { name: "Captured order r-17" }).waitFor();
    await dialog(page).getByText("Same answer as captured, to the byte").waitFor();
    assert.equal(await dialog(page).locator(".total").textContent(), baht(grandTotal));
    assert.equal(await dialog(page).locator(".waterfall tr").last().textContent(), `Total${baht(grandTotal)}`);
    assert.equal(await dialog(page).locator("[aria-labelledby=captured-products] tr").count(), productList.length);
    const steps = await dialog(page).locator("[aria-labelledby=captured-steps] tbody tr").allTextContents();
    assert.match(
      steps.find((text) => text.startsWith("Product 1:")),
      /^Product 1: .*D15 rowTotal/,
    );
    assert.ok(
      steps.some((text) => /^Your address is in the delivery area .*D34 delivery zones/.test(text)),
      steps.join("\n"),
    );
    await dialog(page).getByText("A row comes to price × quantity, and never to less than 0 baht.").waitFor();

    await back(page);
    await page.locator("#captured-content:empty").waitFor({ state: "attached" }); // nothing of it stays
    await page.waitForTimeout(1_200); // longer than rates wait to be kept
    page.off("request", note);
    assert.deepEqual(requests, []);
    assert.deepEqual(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])), stored);
    assert.deepEqual([await requestOf(page), await total(page), await asked(page), page.url()], [basket, shown, calls, address]);
  });

  test("a file that is dropped on the page opens, in the language of the page", async (t) => {
    const page = await visit(t);
    await page.getByRole("button", { name: "ไทย" }).click();
    const text = await captureOf(order);
    await page.evaluate(
      ([files]) => {
        const data = new DataTransfer();
        for (const { name, text } of files) data.items.add(new File([text], name));
        for (const type of ["dragover", "drop"]) {
          const event = new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true });
          document.querySelector("#search").dispatchEvent(event);
          if (!event.defaultPrevented) throw new Error(`${type} was left to the browser`);
        }
      },
      [[slot(text), ZONES]],
    );
    await dialog(page).getByText("ตรงกับคำตอบที่บันทึกไว้ทุกไบต์").waitFor();
    await dialog(page).getByText("D34 เขตจัดส่ง").first().waitFor();
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "EN", exact: true }).click();
  });

  test("without its zones the page says which file is missing and what to do; an order that needs none opens", async (t) => {
    const page = await visit(t);
    const text = await captureOf(order);
    const missing = `The delivery zones of this order are missing. Choose two files at once: the capture, and the file ${HASH} from the folder zones beside the captures.`;
    assert.equal(await problem(page, slot(text)), missing);
    assert.equal(await problem(page, slot(text), { ...ZONES, name: "other" }), missing);
    await chooseFiles(page, slot(text), { ...ZONES, name: `${HASH}.geojson` });
    await dialog(page).getByText("Same answer as captured").waitFor();
    await back(page);
    await chooseFiles(page, slot(await captureOf({ ...order, shipping: undefined })));
    await dialog(page).getByText("Same answer as captured").waitFor();
    await back(page);
  });

  test("an order that failed shows its error and what it means", async (t) => {
    const page = await visit(t);
    const productList = [{ cprcode: 7, productName: "Durian", quantity: 1 }];
    await chooseFiles(page, slot(await captureOf({ productList })));
    const text = await dialog(page).locator(".failure").textContent();
    assert.match(text, /PRODUCT_PRICE_NOT_FOUND No price for 7\/1000Durian is not available at this branch\./);
    await dialog(page).getByText("Same answer as captured, to the byte").waitFor();
    await back(page);
  });

  test("another answer than the captured one shows each field; numbers keep every digit", async (t) => {
    const page = await visit(t);
    const facts = { prices: { 1: '{"price":0.1234567890123456789}' } };
    const change = () => '{"grandTotal":1}';
    await chooseFiles(page, slot(await captureOf({ productList: [{ cprcode: 1, productName: "x", quantity: 3 }] }, { facts, change })));
    await dialog(page)
      .getByText(/^\d+ fields differ from the captured answer$/)
      .waitFor();
    await dialog(page).getByRole("row", { name: "grandTotal 1 0.37037" }).waitFor();
    assert.equal(await dialog(page).locator("[aria-labelledby=captured-steps] tbody td").first().textContent(), "0.3703703670370370367");
    await back(page);
  });

  test("what is no capture gives one clear sentence", async (t) => {
    const page = await visit(t);
    const text = await captureOf({ productList: [{ cprcode: 110003, productName: "x", quantity: 1 }] });
    assert.equal(
      await problem(page, { name: "a.txt", text: "hello" }),
      "a.txt is not JSON: expected one capture, as the service writes it.",
    );
    assert.equal(await problem(page, { name: "a.json", text: "{}" }), "a.json is no capture: it has no “request”.");
    assert.equal(await problem(page, { name: "a.json", text: "[1]" }), "a.json is no capture: it has no “request”.");
    assert.equal(await problem(page, { name: "a.json", text: "null" }), "a.json is no capture: it has no “request”.");
    assert.equal(await problem(page, ZONES), `${HASH} is no capture: it has no “request”.`);
    assert.match(
      await problem(page, { name: "day.ndjson", text: `${text}\n${text}\n` }),
      /^day\.ndjson holds 2 orders, and this page opens one\./,
    );
    assert.equal(await problem(page, slot(text), slot(text)), "You chose 2 files. Choose one capture, and its zones if it has some.");
    assert.match(
      await problem(page, slot(await captureOf(order, { policy: { rowTotl: "list" } }))),
      /^This page cannot price it: Invalid options: policy\.rowTotl: unknown, did you mean rowTotal$/,
    );
    assert.equal(await problem(page, slot(await captureOf(order, { facts: 7 })), ZONES), "slot-17 is no capture: it has no “facts”.");
  });

  test("a capture with the marks of HTML shows them as text", async (t) => {
    const page = await visit(t);
    const productList = [{ cprcode: 110003, productName: "<img src=x onerror=alert(1)>", quantity: 1 }];
    await chooseFiles(page, slot(await captureOf({ productList }, { requestId: "<b>r</b>", dataVersion: "<i>v</i>" })));
    await dialog(page).getByText("<img src=x onerror=alert(1)>").waitFor();
    assert.equal(await dialog(page).locator("img, b:not(.verdict b), i").count(), 0);
    await back(page);
  });
}

import { element } from "./dom.js";
import { createBrowserSide, parseSeed, priceAtEdge, readSeed } from "./pricing.js";
import { showAnswers, showResult } from "./view.js";

const TYPING_PAUSE_MS = 250;

const orderText = document.getElementById("order-text");
const orderNote = document.getElementById("order-note");
const orderHint = document.getElementById("order-hint");

let shop; // priceInBrowser, the prepared orders, the names that a bill shows
let answers = {}; // to the newest order, by place
let running = new AbortController();
let pause;

async function start() {
  shop = await openShop();
  document.getElementById("prepared-choices").append(...shop.orders.map(preparedChoice));
  orderText.addEventListener("input", onEdit);
  orderText.disabled = false;
  for (const choice of document.getElementsByName("source")) choice.addEventListener("change", showChosen);
  choose(shop.orders[0]);
}

async function openShop() {
  const [priceInBrowser, prepared, branches, coupons] = await Promise.all([
    createBrowserSide(),
    parseSeed("orders.json"),
    parseSeed("branches.json"),
    parseSeed("coupons.json"),
  ]);
  const orders = await Promise.all(
    prepared.map(async (order) => ({ ...order, text: (await readSeed(order.file)).trim() })),
  );
  const names = {
    branches: new Map(branches.map(({ branchId, en }) => [branchId, en])),
    coupons: new Map(coupons.map(({ code, en }) => [code, en])),
  };
  return { priceInBrowser, orders, names };
}

// The order: a prepared one, or what is typed

function preparedChoice(order) {
  const input = element("input", { type: "radio", name: "prepared", value: order.file });
  input.addEventListener("change", () => choose(order));
  return element("label", {}, input, element("span", {}, order.title.en));
}

function choose(order) {
  orderText.value = order.text;
  orderText.scrollTo(0, 0);
  readOrder();
}

function onEdit() {
  clearTimeout(pause);
  pause = setTimeout(readOrder, TYPING_PAUSE_MS);
}

function readOrder() {
  clearTimeout(pause);
  const body = orderText.value;
  markPrepared(shop.orders.find(({ text }) => text === body));
  const fault = faultOf(body);
  showFault(fault);
  if (fault === undefined) price(body);
}

function markPrepared(order) {
  for (const input of document.getElementsByName("prepared")) input.checked = input.value === order?.file;
  document.getElementById("prepared-description").textContent =
    order?.description.en ?? "An order of your own. Choose a prepared one to start over.";
}

/** While a text is no JSON, the last price stays. */
function showFault(fault) {
  const isFaulty = fault !== undefined;
  orderText.setAttribute("aria-invalid", String(isFaulty));
  orderNote.textContent = isFaulty ? "Not JSON yet" : "JSON, priced as you type";
  orderNote.classList.toggle("bad", isFaulty);
  orderHint.textContent = isFaulty ? `${fault}. Until it is JSON the last price stays.` : "";
}

function faultOf(text) {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error.message;
  }
}

// Its prices

/** Prices at both places at once; an answer to an older order is dropped. */
async function price(body) {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const take = (place) => (answer) => {
    if (signal.aborted) return;
    answers[place] = answer;
    showAnswers(answers);
    if (place === chosenPlace()) showChosen();
  };

  answers = {};
  showAnswers(answers);
  showChosen();
  await Promise.all([shop.priceInBrowser(body).then(take("browser")), priceAtEdge(body, signal).then(take("edge"))]);
}

const chosenPlace = () => document.querySelector('[name="source"]:checked').value;

function showChosen() {
  const place = chosenPlace();
  showResult(place, answers[place], shop.names);
}

start().catch((error) => {
  const failure = document.getElementById("loading-failure");
  failure.textContent = `The page could not be opened: ${error.message}`;
  failure.hidden = false;
});

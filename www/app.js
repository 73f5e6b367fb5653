import { createBasketView, createCatalogueView, createProblemsView, createUndo } from "./basket/index.js";
import { createAnnouncer, createBillView, createCheckoutView, createDiscountsView, createZoneFinder } from "./bill/index.js";
import { createComparisonView, createRawView } from "./comparison/index.js";
import { createDeliveryView } from "./delivery/index.js";
import { byId, turn } from "./dom/index.js";
import { fromHash, keepFacts, openShop, retryOnReturn, starterOrder } from "./model/index.js";
import { keepForOffline, showTheme, startLanguage, startTheme, t } from "./page/index.js";
import { createAddress, createSpeedView, createTroubleView, createVisitorView } from "./visitor/index.js";

let views = [];
const render = () => views.forEach((view) => view.render());

startLanguage(() => {
  showTheme(byId("theme"));
  render();
});
startTheme(byId("theme"));

async function start() {
  const shop = await openShop();
  const { order = starterOrder(shop), leftOut } = fromHash(location.hash, shop);
  const basket = shop.pricer.basket(order, { facts: shop.facts, autoSettle: true });
  await turn();
  const findZone = await createZoneFinder(shop.zones);
  await turn();
  const announcer = createAnnouncer(basket);
  const undo = createUndo(shop, basket, announcer);
  const load = (next) => {
    undo.close();
    basket.replace(next);
  };
  const basketView = createBasketView(shop, basket, undo, load);
  createRawView(basket);
  views = [
    createVisitorView(shop, basket),
    createCatalogueView(shop, basket, undo),
    createBillView(shop, basket),
    createCheckoutView(shop, basket),
    createProblemsView(shop, basket, basketView.focusProblem),
    basketView,
    createDeliveryView(shop, basket, findZone),
    createDiscountsView(shop, basket),
    createComparisonView(basket),
    createSpeedView(shop, basket),
    createTroubleView(basket),
    createAddress(shop, basket, load, leftOut),
    undo,
    announcer,
  ];
  for (const view of views) {
    view.render();
    await turn();
  }
  basket.subscribe(render);
  // What the shelf could not read is read again when the basket asks again.
  basket.subscribe(async () => (await shop.catalogue.load()) && render());
  for (const type of ["online", "offline"]) addEventListener(type, render);
  keepFacts(shop.facts, basket);
  retryOnReturn(basket);
  document.documentElement.classList.add("is-ready");
  const { createCapturedView } = await import("./captured/index.js"); // few visitors open it
  views.push(createCapturedView());
}

start().then(keepForOffline, (error) => {
  const failure = byId("loading-failure");
  failure.textContent = t("page.loadingFailed", { reason: error.message });
  failure.hidden = false;
  throw error;
});

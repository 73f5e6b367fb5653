import { createAddress } from "./views/address.js";
import { createAnnouncer } from "./views/announcer.js";
import { createBasketView } from "./views/basket.js";
import { createBillView } from "./views/bill.js";
import { createCatalogueView } from "./views/catalogue.js";
import { createCheckoutView } from "./views/checkout.js";
import { createComparisonView } from "./views/comparison.js";
import { createDeliveryView } from "./views/delivery.js";
import { createDiscountsView } from "./views/discounts.js";
import { byId } from "./page/element.js";
import { startLanguage, t } from "./page/language.js";
import { keepFacts } from "./model/kept-facts.js";
import { keepForOffline } from "./page/offline.js";
import { createProblemsView } from "./views/problems.js";
import { createRawView } from "./views/raw.js";
import { retryOnReturn } from "./model/retry.js";
import { fromHash } from "./model/share.js";
import { openShop } from "./model/shop.js";
import { createSpeedView } from "./views/speed.js";
import { starterOrder } from "./model/starter.js";
import { showTheme, startTheme } from "./page/theme.js";
import { createTroubleView } from "./views/trouble.js";
import { turn } from "./page/turn.js";
import { createUndo } from "./views/undo.js";
import { createVisitorView } from "./views/visitor.js";
import { createZoneFinder } from "./model/zone-finder.js";

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
  const { createCapturedView } = await import("./views/captured.js"); // few visitors open it
  views.push(createCapturedView());
}

start().then(keepForOffline, (error) => {
  const failure = byId("loading-failure");
  failure.textContent = t("page.loadingFailed", { reason: error.message });
  failure.hidden = false;
  throw error;
});

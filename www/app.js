import { createAddress } from "./views/address.js";
import { createAnnouncer } from "./views/announcer.js";
import { createBasketView } from "./views/basket.js";
import { createBillView } from "./views/bill.js";
import { createCatalogueView } from "./views/catalogue.js";
import { createComparisonView } from "./views/comparison.js";
import { createDeliveryView } from "./views/delivery.js";
import { createDiscountsView } from "./views/discounts.js";
import { byId } from "./page/dom.js";
import { startLanguage, t } from "./page/language.js";
import { LiveBasket } from "./model/live-basket.js";
import { keepForOffline } from "./page/offline.js";
import { createRawView } from "./views/raw.js";
import { fromHash } from "./model/share.js";
import { openShop } from "./model/shop.js";
import { createSpeedView } from "./views/speed.js";
import { starterOrder } from "./model/starter.js";
import { showTheme, startTheme } from "./page/theme.js";
import { createTroubleView } from "./views/trouble.js";
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
  const live = new LiveBasket(shop.pricer, fromHash(location.hash, shop) ?? starterOrder(shop));
  createRawView(shop, live);
  views = [
    createVisitorView(shop, live),
    createCatalogueView(shop, live),
    createBasketView(shop, live),
    createDeliveryView(shop, live, await createZoneFinder(shop.zones)),
    createDiscountsView(shop, live),
    createBillView(shop, live),
    createComparisonView(shop, live),
    createSpeedView(shop, live),
    createTroubleView(() => live.refresh()),
    createAddress(shop, live),
    createAnnouncer(live),
  ];
  live.addEventListener("change", render);
  render();
  document.documentElement.classList.add("is-ready");
}

start().then(keepForOffline, (error) => {
  const failure = byId("loading-failure");
  failure.textContent = t("page.loadingFailed", { reason: error.message });
  failure.hidden = false;
  throw error;
});

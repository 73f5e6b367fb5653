import { createAddress } from "./address.js";
import { createAnnouncer } from "./announcer.js";
import { createBasketView } from "./basket-view.js";
import { createBillView } from "./bill-view.js";
import { createCatalogueView } from "./catalogue-view.js";
import { createComparisonView } from "./comparison-view.js";
import { createDeliveryView } from "./delivery-view.js";
import { createDiscountsView } from "./discounts-view.js";
import { byId } from "./dom.js";
import { startLanguage, t } from "./language.js";
import { LiveBasket } from "./live-basket.js";
import { keepForOffline } from "./offline.js";
import { createRawView } from "./raw-view.js";
import { fromHash } from "./share.js";
import { openShop } from "./shop.js";
import { createSpeedView } from "./speed-view.js";
import { starterOrder } from "./starter.js";
import { showTheme, startTheme } from "./theme.js";
import { createTroubleView } from "./trouble-view.js";
import { createVisitorView } from "./visitor-view.js";
import { createZoneFinder } from "./zone-finder.js";

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

import { DEFAULTS } from "order-cost/internal";
import { byId, element, replaceKeepingFocus, whenChanged } from "../dom/index.js";
import { hasPrices, isByPostcode, isByZone, middleOf, polygonsOf, retry, ship } from "../model/index.js";
import { coordinate, currentLanguage, money, nameOf, t, zoneName } from "../page/index.js";
import { createMap, placeText } from "./map.js";
import { nextSchedule, scheduleCards } from "./schedules.js";
import { showSlotPrices } from "./slot-prices.js";

/**
 * How the order reaches the customer.
 * @typedef {import("order-cost").Basket["order"]} Order
 * @typedef {import("../model/shop.js").Branch} Branch
 * @typedef {import("../model/shop.js").Zone} Zone
 * @typedef {{ branch: Branch, lat: number, lon: number, zone: Zone | null | undefined }} Drawn `zone`: undefined until it is
 *   known; null outside all zones
 *
 * @param {import("../model/shop.js").Shop} shop
 * @param {import("order-cost").Basket} basket
 * @param {(place: { brcode: number, lat: number, lon: number }) => Promise<Zone | null>} findZone
 */
export function createDeliveryView(shop, basket, findZone) {
  const { branches, zones, rates } = shop;
  const postcode = byId("postcode", HTMLInputElement);
  const map = createMap(byId("map", SVGSVGElement), shop, movePin);
  /** @type {NodeListOf<HTMLInputElement>} */
  const choices = document.querySelectorAll("[name=shippingType]");
  /** @type {Drawn | undefined} */
  let drawn; // what the map shows

  for (const choice of choices) {
    choice.addEventListener("change", () => setType(/** @type {import("order-cost").ShippingType} */ (choice.value)));
  }
  byId("add-schedule").addEventListener("click", () =>
    setSchedules([...schedulesOf(basket.order), nextSchedule(schedulesOf(basket.order))]),
  );
  byId("pin-home").addEventListener("click", () => movePin(branchOf(basket.order)));
  postcode.addEventListener("input", () => {
    if (isPostcode(postcode.value)) {
      ship(basket, { shippingPostcode: postcode.value });
      retry(basket); // at once, also while the basket waits to repeat what failed for the old postcode
    }
    showPostcode();
  });
  // The fees are those of the last whole one: when the visitor leaves the field, it says so.
  postcode.addEventListener("change", () => {
    if (isPostcode(postcode.value)) return;
    postcode.value = basket.order.shipping?.shippingPostcode ?? DEFAULTS.Shipping.shippingPostcode;
    showPostcode();
  });

  /** @param {import("order-cost").ShippingType} shippingType */
  function setType(shippingType) {
    const scheduleList = schedulesOf(basket.order);
    ship(basket, { shippingType, scheduleList: scheduleList.length > 0 ? scheduleList : [nextSchedule([])] });
  }

  /** @param {readonly import("order-cost").ScheduleInput[]} scheduleList */
  const setSchedules = (scheduleList) => ship(basket, { scheduleList });

  /** @param {{ lat: number, lon: number }} place */
  function movePin({ lat, lon }) {
    ship(basket, { shippingLat: lat, shippingLon: lon });
  }

  const render = whenChanged(() => {
    const { order, shipping } = basket.snapshot;
    return [currentLanguage(), order.branchId, order.shipping, shipping, isAwaited()];
  }, draw);
  // Without new cards: one of them may be open.
  const renderPrices = whenChanged(
    () => [basket.slots, hasPrices(basket.snapshot)],
    () => showSlotPrices(basket),
  );

  function draw() {
    const { shipping } = basket.order;
    const schedules = schedulesOf(basket.order);
    const isDelivery = shipping?.shippingType === "DELIVERY";
    for (const choice of choices) choice.checked = (choice.value === "DELIVERY") === isDelivery;
    byId("delivery-fields").hidden = !isDelivery;
    byId("pickup-note").hidden = isDelivery;
    byId("pickup-note").textContent = t("delivery.pickupAt", { branch: nameOf(branchOf(basket.order)) });
    if (!isDelivery) return showSlotPrices(basket);

    replaceKeepingFocus(byId("schedules"), scheduleCards(schedules, pricedSchedules(), isAwaited(), setSchedules));
    showSlotPrices(basket);
    byId("no-schedules").hidden = schedules.length > 0;
    byId("by-zone").hidden = !schedules.some(isByZone);
    byId("by-postcode").hidden = !schedules.some(isByPostcode);
    if (document.activeElement !== postcode) postcode.value = shipping.shippingPostcode ?? DEFAULTS.Shipping.shippingPostcode;
    showPostcode();
    showMap(shipping);
  }

  const isAwaited = () => basket.pending.includes("delivery");
  const pricedSchedules = () => basket.snapshot.shipping?.scheduleList ?? [];

  /** @param {NonNullable<Order["shipping"]>} shipping */
  async function showMap({ shippingLat, shippingLon }) {
    const branch = branchOf(basket.order);
    const [lat, lon] = [shippingLat ?? 0, shippingLon ?? 0];
    /** @type {Drawn} */
    const asked = { branch, lat, lon, zone: drawn?.branch === branch ? drawn.zone : undefined };
    drawMap(asked);
    const zone = await findZone({ brcode: branch.brcode, lat, lon });
    if (drawn === asked) drawMap({ ...asked, zone }); // the pin may have moved meanwhile
  }

  /** @param {Drawn} next */
  function drawMap(next) {
    drawn = next;
    const { branch, lat, lon, zone } = next;
    map.show(next);
    byId("pin-zone").textContent = placeText(zone);
    byId("pin-zone").classList.toggle("bad", zone === null);
    byId("pin-place").textContent = `${coordinate(lat)}, ${coordinate(lon)}`;
    const own = zones.features.filter(({ properties }) => properties.brcode === branch.brcode);
    replaceKeepingFocus(
      byId("zones"),
      own.map((feature, index) => zoneItem(feature, index, feature === zone)),
    );
  }

  /**
   * @param {Zone} feature
   * @param {number} index
   * @param {boolean} isLit
   */
  function zoneItem(feature, index, isLit) {
    const [lon, lat] = middleOf(polygonsOf(feature)[0]);
    const attributes = {
      type: "button",
      class: "zone-item",
      "aria-current": isLit ? "location" : undefined,
      "data-focus": `zone-${index}`,
      click: () => movePin({ lat, lon }),
    };
    return element(
      "li",
      {},
      element("button", attributes, element("span", {}, zoneName(feature)), element("b", {}, money(feature.properties.deliveryFee))),
    );
  }

  /** The region of a postcode, from the rate's `nationwideConfig` ("north-dry"). */
  function showPostcode() {
    const isWhole = isPostcode(postcode.value);
    postcode.setAttribute("aria-invalid", String(!isWhole));
    const config = pricedSchedules().find(isByPostcode)?.nationwideConfig ?? "";
    const region = rates.zones[config.slice(0, config.lastIndexOf("-"))];
    byId("postcode-note").textContent = !isWhole ? t("delivery.postcodeDigits") : region ? nameOf(region) : "";
  }

  /**
   * Every order of the page is at a branch of the shop.
   * @param {Order} order
   */
  function branchOf({ branchId }) {
    return /** @type {Branch} */ (branches.find((branch) => branch.branchId === branchId));
  }

  return {
    render: () => {
      render();
      renderPrices();
    },
  };
}

/** @param {Order} order */
const schedulesOf = ({ shipping }) => shipping?.scheduleList ?? [];
/** @param {string} text */
const isPostcode = (text) => /^[1-9]\d{4}$/.test(text);

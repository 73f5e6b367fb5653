import { integer, ZERO } from "./decimal.js";
import { ask, readAnswer } from "./facts.js";
import { Fault, invalidAnswer } from "./fault.js";
import { handed } from "./order.js";
import { optional, readers, required } from "./values.js";
import { covers, point, readZones } from "./zones.js";

const LOOKUP = "nationwideRate";
const EXPRESS_FEE = integer(50);
const NO_CONFIG = { raw: '"none"' };

/** `{ deliveryFee, expressFee, nationwideConfig }` for each schedule (D33 to D39). */
export function calculateDelivery(testCase, { shipping }) {
  if (!shipping) return [];
  const rates = new Map(); // D36: one look-up per distinct mode
  const places = surchargedPlaces(shipping, testCase.options?.policy);
  const paidAt = (place) => (index) => (index === place ? EXPRESS_FEE : ZERO);
  return shipping.scheduleList.map((schedule, index) => ({
    expressFee: paidAt(places.schedule)(index),
    surcharge: paidAt(places.order)(index),
    ...deliveryFee(testCase, shipping, schedule, rates),
  }));
}

/**
 * D38, D48: the index of the schedule that shows the surcharge, and of the one for which the order pays it; -1 without one.
 */
function surchargedPlaces({ shippingType, scheduleList }, { expressSurcharge = "firstSchedule" } = {}) {
  const firstExpress = scheduleList.findIndex(({ mode }) => mode === "EXPRESS");
  const where = (isPaid) => (shippingType === "DELIVERY" && isPaid ? firstExpress : -1);
  return {
    schedule: where(firstExpress === 0 || expressSurcharge === "firstExpress"),
    order: where(firstExpress === 0 || expressSurcharge !== "firstSchedule"),
  };
}

function deliveryFee(testCase, shipping, schedule, rates) {
  const nationwide = schedule.mode === "NATIONWIDE";
  if (shipping.shippingType === "PICKUP" || schedule.mode === "PICKUP") {
    return { deliveryFee: ZERO, nationwideConfig: nationwide ? schedule.nationwideConfig : NO_CONFIG };
  }
  if (!nationwide) return { deliveryFee: zoneFee(testCase, shipping), nationwideConfig: NO_CONFIG };
  const { nationwideMode } = schedule;
  if (!rates.has(nationwideMode)) rates.set(nationwideMode, lookUpRate(testCase, shipping, nationwideMode));
  const rate = rates.get(nationwideMode);
  return { deliveryFee: rate.deliveryFee, nationwideConfig: rate.nationwideConfig ?? schedule.nationwideConfig };
}

/** D34, D35. */
function zoneFee({ zones }, { brcode, shippingLon, shippingLat }) {
  const ofBranch = (zones === undefined ? [] : readZones(zones)).filter((zone) => zone.brcode === brcode);
  if (ofBranch.length === 0) throw new Fault("BRANCH_NOT_AVAILABLE", `Branch ${brcode} is not available`);
  const address = point(Number(shippingLon), Number(shippingLat));
  const zone = ofBranch.find((one) => covers(one, address));
  if (!zone) throw new Fault("BRANCH_NOT_IN_POLYGON", `Branch ${brcode} not in polygon`);
  return zone.deliveryFee;
}

function rateNotFound({ shippingPostcode, nationwideMode }) {
  return new Fault("NATIONWIDE_RATE_NOT_FOUND", `No nationwide rate for ${shippingPostcode}/${nationwideMode}`);
}

function lookUpRate(testCase, shipping, nationwideMode) {
  const query = { shippingPostcode: handed(shipping.shippingPostcode), nationwideMode };
  const node = readAnswer(ask(testCase, LOOKUP, query), LOOKUP);
  if (node.type === "null") throw rateNotFound(query); // D46
  const { amount, text, object } = readers((field, what) => {
    throw invalidAnswer(LOOKUP, field ? [field] : [], what);
  });
  return object({ deliveryFee: required(amount), nationwideConfig: optional(text) })(node, "");
}

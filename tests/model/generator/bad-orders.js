import { draftSchedule, draftShipping } from "./draft.js";
import { Raw } from "./text.js";

/** Invalid orders by name. Each is `(random, draft)` and spoils the draft; the model decides the result. */

const WRONG = {
  text: [5, true, [], {}, new Raw("1e999")],
  integer: ["2", true, [], {}, 1.5, new Raw("1e999"), new Raw("9007199254740992"), new Raw("1e-400")],
  number: ["1", false, [], {}],
  boolean: [1, 0, "true", []],
  array: ["x", 5, {}, true],
  object: ["x", 5, [], false],
  oneOf: ["express", "", 5, [], null, "REGULAR ", "DRY "].filter((value) => value !== null),
};

const product = (random, { order }) => random.pick(order.productList);
const whole = (random, { order }) => order;

function shipping(random, { order }) {
  order.shipping ??= draftShipping(random, "PICKUP");
  return order.shipping;
}

function schedule(random, draft) {
  const owner = shipping(random, draft);
  if (!owner.scheduleList?.length) owner.scheduleList = [draftSchedule(random, ["PICKUP", "REGULAR"])];
  return random.pick(owner.scheduleList);
}

const FIELDS = {
  text: [
    [product, ["productName", "remark"]],
    [whole, ["basketName", "basketId", "branchId", "orderId", "ownerId", "specialComment"]],
    [shipping, ["shippingPostcode", "shippingFirstName", "shippingEmail"]],
    [schedule, ["dateTime", "nationwideConfig"]],
  ],
  integer: [
    [product, ["cprcode", "quantity", "scheduleId"]],
    [shipping, ["brcode"]],
    [schedule, ["scheduleId", "booking_hour"]],
  ],
  number: [
    [whole, ["orderDate"]],
    [shipping, ["shippingLat", "shippingLon", "shippingDate"]],
  ],
  boolean: [
    [product, ["isPreOrder"]],
    [whole, ["requestSubstitute", "noPlasticBags"]],
  ],
  array: [
    [whole, ["productList", "voucherId", "couponCodeList", "cartDiscountInfo"]],
    [shipping, ["scheduleList"]],
  ],
  object: [[whole, ["shipping"]]],
  oneOf: [
    [shipping, ["shippingType"]],
    [schedule, ["mode", "nationwideMode"]],
  ],
};

function wrongType(kind) {
  return (random, draft) => {
    const [ownerOf, names] = random.pick(FIELDS[kind]);
    ownerOf(random, draft)[random.pick(names)] = random.pick(WRONG[kind]);
  };
}

export const BAD_ORDERS = {
  "wrong type: text": wrongType("text"),
  "wrong type: integer": wrongType("integer"),
  "wrong type: number": wrongType("number"),
  "wrong type: boolean": wrongType("boolean"),
  "wrong type: array": wrongType("array"),
  "wrong type: enum": wrongType("oneOf"),
  "wrong type: object"(random, draft) {
    const bad = random.pick([null, "x", 5, []]);
    const list = random.pick(["order", "product", "schedule", "shipping"]);
    if (list === "order") draft.order = bad;
    if (list === "shipping") draft.order.shipping = random.pick(WRONG.object);
    if (list === "product") draft.order.productList.splice(random.integer(0, draft.order.productList.length), 0, bad);
    if (list === "schedule") {
      schedule(random, draft);
      draft.order.shipping.scheduleList.push(bad);
    }
  },
  "no string in strings"(random, { order }) {
    order[random.pick(["voucherId", "couponCodeList"])] = random.shuffle(["V1", random.pick([null, 5, {}])]);
  },
  "required missing"(random, draft) {
    const target = product(random, draft);
    const name = random.pick(["cprcode", "productName", "quantity"]);
    if (random.chance(0.7)) delete target[name];
    else target[name] = null;
  },
  "no products"(random, { order }) {
    if (random.chance(0.3)) delete order.productList;
    else order.productList = random.chance(0.7) ? [] : null;
  },
};

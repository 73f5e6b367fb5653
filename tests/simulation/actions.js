// The actions of a simulation, as fast-check draws them. Each says in words what it does.
import { draftEdit, draftWrongEdit } from "../model/generator/edits.js";
import { randomFrom } from "../model/generator/random.js";
import fc from "../property.js";
import { ENTRIES, KINDS } from "./faults.js";

const product = (cprcode, quantity = 1) => ({ cprcode, productName: `p${cprcode}`, quantity });
/** The last is found nowhere. */
const CODES = [1, 2, 3, 7];
const delivery = (schedule) => ({
  shippingType: "DELIVERY",
  brcode: 1000,
  shippingLon: 100.55,
  shippingLat: 13.55,
  scheduleList: [schedule],
});
const SHIPPING = {
  none: null,
  "by post": delivery({ mode: "NATIONWIDE", nationwideMode: "DRY" }),
  "by cold post": delivery({ mode: "NATIONWIDE", nationwideMode: "FRESH" }),
  "in a zone": delivery({ mode: "REGULAR" }),
};
const ORDERS = {
  "a product": { productList: [product(1)] },
  nothing: { productList: [] },
  "a product with a coupon": { productList: [product(1)], couponCodeList: ["A"] },
  "a product in a zone": { productList: [product(1)], shipping: SHIPPING["in a zone"] },
  "a product in a zone with a voucher": { productList: [product(1)], shipping: SHIPPING["in a zone"], voucherId: ["V1"] },
  everything: { productList: [product(2)], shipping: SHIPPING["by post"], couponCodeList: ["B"], voucherId: ["V1"], ownerId: "u-9" },
};

const nth = (list, index) => list[index % list.length];
const index = fc.nat({ max: 3 });

/** Few lists, so that slots come back while their calls are out. */
const setSlots = fc
  .constantFrom([], ["by post"], ["by cold post", "by post"], ["in a zone", "by cold post"])
  .map((slots) => ["setSlots", () => [slots.map((how) => SHIPPING[how])], slots.join(", ")]);

/** Edits: `[name, arguments of the basket's length of lines]`; undefined if it has no such line. */
const EDITS = [
  fc.constantFrom(...CODES).map((code) => ["addProduct", () => [product(code)]]),
  fc
    .tuple(index, fc.integer({ min: 1, max: 3 }))
    .map(([line, quantity]) => ["setQuantity", (lines) => lines > 0 && [line % lines, quantity]]),
  index.map((line) => ["removeProduct", (lines) => lines > 0 && [line % lines]]),
  fc.constantFrom(...Object.keys(SHIPPING)).map((how) => ["setShipping", () => [SHIPPING[how]], how]),
  setSlots,
  fc.constantFrom([], ["A"], ["B"]).map((codes) => ["setCoupons", () => [codes]]),
  fc.constantFrom([], ["V1"], ["V5"]).map((ids) => ["setVouchers", () => [ids]]),
  index.map((line) => ["insertProduct", (lines) => [line % (lines + 1), product(2)]]),
  fc.constantFrom("1000", "2000").map((branchId) => ["setBranch", () => [branchId]]),
  fc.constantFrom("", "u-9").map((ownerId) => ["setOwner", () => [ownerId]]),
  fc.constantFrom(...Object.keys(ORDERS)).map((what) => ["replace", () => [structuredClone(ORDERS[what])], what]),
  fc.constant(["refresh", () => []]),
  index.map((line) => ["refresh", (lines) => lines > 0 && [line % lines]]),
];
const edit = fc.oneof(...EDITS);
/** A host cannot know which of its calls a refresh concerns. */
const editInside = fc.oneof(...EDITS.slice(0, -2));

const editWords = ([name, argument, how]) => `${name}(${how ?? (argument(4) || []).map((one) => JSON.stringify(one)).join(", ")})`;

/** An action that says nothing of what follows from it: the shop's lives know that. */
class Action {
  constructor(kind, words, { can = () => true, run }) {
    Object.assign(this, { kind, words, can, act: run });
  }
  check(shop) {
    return Boolean(this.can(shop));
  }
  async run(shop) {
    shop.log?.(this.kind);
    await shop.act(() => this.can(shop) && this.act(shop)); // a pause may end in the moment before
  }
  toString() {
    return this.words;
  }
}

/** Several steps, each with its own rest. */
class Steps extends Action {
  async run(shop) {
    shop.log?.(this.kind);
    await this.act(shop);
  }
}

const ofBasket = (kind, words, which, run, can = () => true) => {
  const found = (shop) => shop.baskets.length > 0 && nth(shop.baskets, which);
  return new Action(kind, `basket ${which}: ${words}`, {
    can: (shop) => found(shop) && can(found(shop), shop),
    run: (shop) => run(found(shop), shop),
  });
};
const argumentOf = ([, argument], life) => argument(life.lines);

const edited = (kind, edits) =>
  fc.tuple(index, edits).map(([which, one]) =>
    ofBasket(
      kind,
      editWords(one),
      which,
      (life) => life.edit(one[0], argumentOf(one, life)),
      (life) => argumentOf(one, life),
    ),
  );

const INSIDE = {
  "settles the basket": () => (life) => life.settle?.(),
  "edits and settles the basket": () => (life) => {
    life.edit?.("addProduct", [product(3)]);
    life.settle?.();
  },
  "frees the basket": () => (life) => life.free?.(),
  "prices an order that breaks the module": (shop) => () => shop.break(),
};
const inside = (shop, run) => (shop.inside = run);

const waitsOf = (shop) =>
  shop.lives.filter((life) => !life.isFreed && !life.isGone).flatMap((life) => life.waits.map((wait) => ({ life, wait })));
const allEntries = Object.entries(ENTRIES).flatMap(([type, entries]) => entries.map((entry) => `${type}.${entry}`));
const outcome = fc.constantFrom("well", "well", "well", "failed", "wrong", "refused");

/** The pauses after failures; undefined: the usual ones. */
const retries = fc.constantFrom(undefined, undefined, [300, 700], []);

function settlingWords(debounceMs, retryMs) {
  if (debounceMs === undefined) return "";
  return ` that settles by itself after ${debounceMs} ms${retryMs ? `, with pauses of ${JSON.stringify(retryMs)} ms` : ""}`;
}

/** Each kind with its weight. `order` draws the name of an order. */
const weighted = (order) => ({
  "open a basket": [
    2,
    fc.tuple(order, fc.constantFrom(undefined, 150, 150, 0, 400), retries).map(
      ([what, debounceMs, retryMs]) =>
        new Action("open a basket", `a basket of ${what}${settlingWords(debounceMs, retryMs)}`, {
          can: (shop) => shop.baskets.length < 3,
          run: (shop) => shop.openBasket(structuredClone(ORDERS[what]), debounceMs, retryMs),
        }),
    ),
  ],
  "price an order": [
    2,
    order.map((what) => new Action("price an order", `an order of ${what}`, { run: (shop) => shop.price(structuredClone(ORDERS[what])) })),
  ],
  edit: [5, edited("edit", edit)],
  slots: [2, edited("slots", setSlots)],
  "any edit": [
    3,
    fc.tuple(index, fc.nat()).map(([which, seed]) =>
      ofBasket("any edit", `edit ${seed} of the model's generator`, which, (life) => {
        const { name, argument } = draftEdit(randomFrom(seed), life.size);
        life.edit(name, argument);
      }),
    ),
  ],
  "wrong edit": [
    1,
    fc.tuple(index, fc.nat()).map(([which, seed]) =>
      ofBasket("wrong edit", `wrong edit ${seed} of the model's generator`, which, (life, shop) => {
        shop.faults.disarm();
        life.wrongEdit(draftWrongEdit(randomFrom(seed), life.size));
      }),
    ),
  ],
  watch: [0.5, index.map((which) => ofBasket("watch", "its listener unsubscribes, or subscribes again", which, (life) => life.watch()))],
  settle: [4, index.map((which) => ofBasket("settle", "settle()", which, (life) => life.settle()))],
  "answer all": [
    2,
    fc.constantFrom("well", "failed").map(
      (how) =>
        new Steps("answer all", `the host answers all calls that are out: ${how}`, {
          can: (shop) => shop.unanswered.length > 0,
          run: (shop) => shop.answerAll(how),
        }),
    ),
  ],
  answer: [
    5,
    fc.tuple(index, outcome).map(
      ([which, how]) =>
        new Action("answer", `the host answers call ${which} that is out: ${how}`, {
          can: (shop) => shop.unanswered.length > 0,
          run: (shop) => shop.answer(nth(shop.unanswered, which), how),
        }),
    ),
  ],
  "answer and free": [
    0.3,
    index.map(
      (which) =>
        new Action("answer and free", `the host answers call ${which} that is out, and frees the basket while that is read`, {
          can: (shop) => shop.unanswered.length > 0,
          run: (shop) => shop.answer(nth(shop.unanswered, which), "well", (life) => life.free?.()),
        }),
    ),
  ],
  "answer zones": [
    1,
    fc.tuple(index, fc.constantFrom("well", "failed", "failed", "wrong")).map(
      ([which, how]) =>
        new Action("answer zones", `the zones are answered, call ${which}: ${how}`, {
          can: (shop) => shop.zoneCalls.length > 0,
          run: (shop) => shop.answerZones(nth(shop.zoneCalls, which), how),
        }),
    ),
  ],
  "set zones": [
    0.1,
    fc
      .boolean()
      .map(
        (isOther) =>
          new Action("set zones", `setDeliveryZones(${isOther ? "others" : "the same"})`, { run: (shop) => shop.setZones(isOther) }),
      ),
  ],
  pass: [
    4,
    fc
      .constantFrom(1, 50, 150, 200, 450, 602, 1_000, 2_000, 4_999, 5_000)
      .map((ms) => new Steps("pass", `${ms} ms pass`, { run: (shop) => shop.pass(ms) })),
  ],
  abort: [
    1,
    index.map(
      (which) =>
        new Action("abort", `the caller of wait ${which} aborts`, {
          can: (shop) => waitsOf(shop).length > 0,
          run: (shop) => {
            const { life, wait } = nth(waitsOf(shop), which);
            life.abort(wait);
          },
        }),
    ),
  ],
  free: [0.5, index.map((which) => ofBasket("free", "free()", which, (life) => life.free()))],
  mode: [
    1,
    fc.constantFrom("waits", "waits", "answers prices", "answers", "throws").map(
      (mode) =>
        new Action(
          "mode",
          {
            waits: "the host takes its time",
            answers: "the host answers at once",
            "answers prices": "the host answers prices at once",
            throws: "the host throws",
          }[mode],
          { run: (shop) => (shop.mode = mode) },
        ),
    ),
  ],
  "new prices": [
    0.3,
    fc.constant(new Action("new prices", "the host's prices change, and what was not found is there", { run: (shop) => shop.newPrices() })),
  ],
  inside: [
    1.2,
    fc
      .constantFrom(...Object.keys(INSIDE))
      .map((what) => new Action("inside", `inside its next call the host ${what}`, { run: (shop) => inside(shop, INSIDE[what](shop)) })),
  ],
  "edit inside": [
    1.2,
    editInside.map(
      (one) =>
        new Action("edit inside", `inside its next call the host edits the basket: ${editWords(one)}`, {
          run: (shop) => inside(shop, (life) => life.edit && argumentOf(one, life) && life.edit(one[0], argumentOf(one, life))),
        }),
    ),
  ],
  storm: [
    0.5,
    index.map((which) =>
      ofBasket(
        "storm",
        "settle(), while the host edits it in each call",
        which,
        (life, shop) => shop.storm(life),
        (life) => life.lines > 0 && life.out.size === 0,
      ),
    ),
  ],
  break: [
    0.7,
    fc
      .tuple(fc.constantFrom(...allEntries), fc.constantFrom(...KINDS))
      .map(
        ([entry, kind]) =>
          new Action("break", `the next ${entry} breaks the module: ${kind}`, { run: (shop) => shop.faults.arm(entry, kind) }),
      ),
  ],
});

const some = (random, list, share) => list.filter(() => random.chance(share));
const orAll = (list, all) => (list.length > 0 ? list : all);

/**
 * The arbitraries of some kinds of actions and orders; what is likelier stands more often. A sequence of few kinds gets
 * further with each of them.
 */
export function actionsOf(random) {
  const names = Object.keys(ORDERS);
  const kinds = Object.entries(weighted(fc.constantFrom(...orAll(some(random, names, 0.5), names))));
  const chosen = kinds.filter(([kind]) => kind === "open a basket" || kind === "price an order" || random.chance(0.6));
  return chosen.flatMap(([, [weight, arbitrary]]) => Array(Math.ceil(weight * 10)).fill(arbitrary));
}

// No code of a host or a caller ever runs above a frame of the module. So a trap always finds JavaScript at the bottom
// of the stack, and nothing has to guard against a host that throws, hangs or calls the pricer again in between.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPricer } from "order-cost";
import { collection } from "../zones.js";

Error.stackTraceLimit = Infinity;

/** Records where foreign code ran, and with which stack. */
function watch() {
  const seen = new Map();
  const see = (place) => seen.set(place, new Error(place).stack);
  const assertSeen = (...places) => {
    assert.deepEqual([...seen.keys()].sort(), places.sort());
    for (const [place, stack] of seen) assert.doesNotMatch(stack, /wasm:\/\/|wasm-function/, place);
  };
  return { see, assertSeen };
}

const PRODUCT = { cprcode: 1, productName: "x", quantity: 1 };
const ORDER = {
  productList: [PRODUCT],
  ownerId: "malee",
  voucherId: ["V1"],
  couponCodeList: ["A"],
  shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "NATIONWIDE" }] },
};
const VOUCHER = { ownerId: "malee", value: 1, isActive: true, isUsed: false };
const ANSWERS = { lookupPrices: [{ price: 5 }], nationwideRate: { deliveryFee: 1 }, lookupVouchers: [VOUCHER], validateCoupons: {} };
const NAMES = Object.keys(ANSWERS);

/** A host whose functions return what `answer` makes of the right answer. */
const hostOf = (answer) => Object.fromEntries(NAMES.map((name) => [name, () => answer(name, ANSWERS[name])]));

test("the stack of a module can be recognised", async () => {
  const { readFile } = await import("node:fs/promises");
  const bytes = await readFile(new URL("../../pkg/wasm/order_cost_bg.wasm", import.meta.url));
  const module = await WebAssembly.compile(bytes);
  let stack;
  const imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === "function") (imports[from] ??= {})[name] = () => void (stack ??= new Error().stack);
  }
  const { exports } = await WebAssembly.instantiate(module, imports);
  try {
    exports.__wbindgen_start();
    exports.requestId();
  } catch {
    // The imports are fakes; one of them was called.
  }
  assert.match(stack ?? "", /wasm:\/\/|wasm-function/);
});

test("a host function, and its getter", async () => {
  const { see, assertSeen } = watch();
  const host = {};
  for (const name of NAMES) {
    const get = () => (see(`get ${name}`), () => (see(name), ANSWERS[name]));
    Object.defineProperty(host, name, { get });
  }
  await (await createPricer(host)).calculate(ORDER);
  assertSeen(...NAMES, ...NAMES.map((name) => `get ${name}`));
});

test("then, and its getter", async () => {
  const { see, assertSeen } = watch();
  const host = hostOf((name, answer) => ({
    get then() {
      see(`get ${name}`);
      return (resolve) => (see(name), resolve(answer));
    },
  }));
  await (await createPricer(host)).calculate(ORDER);
  assertSeen(...NAMES, ...NAMES.map((name) => `get ${name}`));
});

test("toJSON and getters of an answer, elements of a list, at once and later", async () => {
  for (const later of [(value) => value, async (value) => value]) {
    const { see, assertSeen } = watch();
    const watched = (name, record) => ({
      toJSON() {
        see(`toJSON ${name}`);
        return Object.defineProperty({ ...record }, "note", { enumerable: true, get: () => see(`get ${name}`) && 1 });
      },
    });
    const listOf = (name, [record]) => new Proxy([watched(name, record)], { get: (list, key) => (see(`list ${name}`), list[key]) });
    const host = hostOf((name, answer) => later(Array.isArray(answer) ? listOf(name, answer) : watched(name, answer)));
    await (await createPricer(host)).calculate(ORDER);
    const lists = ["list lookupPrices", "list lookupVouchers"];
    assertSeen(...NAMES.map((name) => `toJSON ${name}`), ...NAMES.map((name) => `get ${name}`), ...lists);
  }
});

test("the message of a thrown or rejected value", async () => {
  for (const how of ["throws", "rejects"]) {
    for (const name of NAMES) {
      const { see, assertSeen } = watch();
      const error = Object.defineProperty(new Error(), "message", { get: () => (see("message"), "why") });
      const fail = () => {
        if (how === "rejects") return Promise.reject(error);
        throw error;
      };
      const host = { ...hostOf((_, answer) => answer), [name]: fail };
      await assert.rejects((await createPricer(host)).calculate(ORDER), { message: "why" });
      assertSeen("message");
    }
  }
});

test("an order, the options of a call, and abort listeners", async () => {
  const { see, assertSeen } = watch();
  const controller = new AbortController();
  const host = {
    lookupPrices: (_, ctx) => {
      ctx.signal.addEventListener("abort", () => see("abort"));
      controller.abort();
      return new Promise(() => {});
    },
  };
  const order = {
    toJSON: () => (
      see("toJSON order"),
      {
        ...ORDER,
        get basketName() {
          return (see("get order"), "b");
        },
      }
    ),
  };
  const call = {
    get signal() {
      return (see("get signal"), controller.signal);
    },
    get requestId() {
      return (see("get requestId"), "r");
    },
  };
  await assert.rejects((await createPricer(host)).calculate(order, call), { code: "ABORTED" });
  assertSeen("toJSON order", "get order", "get signal", "get requestId", "abort");
});

test("options, zones, edits of a basket and their listeners", async () => {
  const { see, assertSeen } = watch();
  const pricer = await createPricer(
    hostOf((_, answer) => answer),
    {
      get limits() {
        return (see("get limits"), {});
      },
    },
  );
  pricer.setDeliveryZones({ toJSON: () => (see("toJSON zones"), collection()) });
  const basket = pricer.basket({ toJSON: () => (see("toJSON basket"), ORDER) });
  basket.addEventListener("change", () => see("change"));
  basket.addProduct({
    ...PRODUCT,
    get remark() {
      return (see("get remark"), "");
    },
  });
  await basket.settle();
  assertSeen("get limits", "toJSON zones", "toJSON basket", "get remark", "change");
});

// Nobody sees another owner's voucher (D30). Over generated orders and vouchers of many owners: by any method, no byte
// of a record that Y owns is in an answer to X.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createPricer } from "order-cost";
import { explainJson } from "../../pkg/core/symbols.js";
import { allAtNight } from "../effort.js";
import { randomFrom } from "../model/generator/random.js";

const ORDERS = allAtNight(150, 500);
const OWNERS = ["malee", "Malee", "malee ", " malee", "mali", "m", "ก", "ＭＡＬＥＥ", "malee\u0000", "malee\ud800", "__proto__", ""];
const PRODUCT = { cprcode: 1, productName: "x", quantity: 1 };

/** A record full of unique secrets: every key and value that can be told apart. */
function drawVoucher(random, id) {
  const secrets = [];
  const secret = () => {
    secrets.push(`s${random.digits(12)}`);
    return secrets.at(-1);
  };
  const value = `${random.integer(1, 9)}${random.digits(11)}.${random.integer(1, 9)}`;
  secrets.push(value.split(".")[0]);
  const ownerId = random.pick([...OWNERS, null, undefined]);
  const record = {
    ...(random.chance(0.5) && { voucherId: id }),
    ownerId,
    isActive: random.chance(0.7),
    isUsed: random.chance(0.3),
    ...(random.chance(0.5) && { reasons: [secret()] }),
    [secret()]: { phone: secret(), [secret()]: [null, secret()] },
    note: secret(),
  };
  const text = JSON.stringify(record).replace("{", `{"value":${value},`);
  return { id, ownerId, secrets, text, isBroken: false };
}

/** A voucher with one fault, which fails the look-up. The message may name the field, but not its value. */
function spoil(random, voucher) {
  const secret = `s${random.digits(12)}`;
  const wrong = random.pick([
    `"value":"${secret}"`,
    `"value":-1${random.digits(11)}`,
    `"isActive":"${secret}"`,
    `"isUsed":null`,
    `"voucherId":"${secret}"`,
    `"ownerId":["${secret}"]`,
  ]);
  const number = /-(\d+)/.exec(wrong)?.[1];
  return {
    ...voucher,
    text: `${voucher.text.slice(0, -1)},${wrong}}`,
    secrets: [...voucher.secrets, secret, ...(number ? [number] : [])],
    isBroken: true,
  };
}

/**
 * Whether the order's owner owns the voucher. The comparison uses the text as written, lone surrogates included (D10).
 */
const owns = (ownerId, voucher) => ownerId !== "" && voucher.ownerId === ownerId;

function drawCase(seed) {
  const random = randomFrom(seed);
  const ids = random.times(random.integer(1, 8), (index) => `V${seed}-${index}`);
  const vouchers = ids.map((id) => drawVoucher(random, id)).map((one) => (random.chance(0.03) ? spoil(random, one) : one));
  const order = { ownerId: random.pick(OWNERS), voucherId: random.shuffle([...ids, random.pick(ids)]), productList: [PRODUCT] };
  const isAsObject = random.chance(0.3);
  const records = new Map(vouchers.map(({ id, text }) => [id, isAsObject ? JSON.parse(text) : text]));
  return { order, vouchers, records };
}

const hostOf = (records) => ({
  lookupPrices: async (keys) => keys.map(() => ({ price: 5 })),
  lookupVouchers: async (ids) => ids.map((id) => records.get(id)),
});

/** All text that can be read from an error, or from what was thrown. */
const textOfError = ({ name, message, code, path, cause, stack, ...rest }) => JSON.stringify([name, message, code, path, `${cause}`, rest]);

const WAYS = {
  calculateJson: async (pricer, order) => new TextDecoder().decode(await pricer.calculateJson(JSON.stringify(order))),
  calculate: async (pricer, order) => JSON.stringify(await pricer.calculate(order)),
  explain: async (pricer, order) => JSON.stringify(await pricer.explain(order)),
  explainJson: async (pricer, order) => new TextDecoder().decode(await pricer[explainJson](JSON.stringify(order))),
  "a basket": async (pricer, order) => {
    const basket = pricer.basket(order);
    try {
      const settled = await basket.settle();
      return JSON.stringify([settled, basket.order, basket.totals, basket.rows, basket.pending]);
    } finally {
      basket.free();
    }
  },
  "a basket that was another owner's": async (pricer, order, { vouchers }) => {
    const owner = vouchers.find(({ ownerId }) => ownerId)?.ownerId ?? "mali";
    const basket = pricer.basket({ ...order, ownerId: owner });
    try {
      await basket.settle();
      const totals = basket.setOwner(order.ownerId);
      return JSON.stringify([totals, await basket.settle(), basket.order, basket.totals, basket.rows]);
    } finally {
      basket.free();
    }
  },
};

function assertPrivate(answer, { order, vouchers }, what) {
  for (const voucher of vouchers) {
    if (owns(order.ownerId, voucher) && !voucher.isBroken) continue;
    for (const secret of voucher.secrets)
      assert.ok(
        !answer.includes(secret),
        `${what}: ${secret} of ${voucher.ownerId}'s voucher is in the answer to ${order.ownerId}: ${answer}`,
      );
  }
}

for (const [way, answerOf] of Object.entries(WAYS)) {
  test(`${way}: no byte of another's voucher`, async (context) => {
    const counts = { foreign: 0, own: 0, failed: 0 };
    for (let seed = 1; seed <= ORDERS; seed += 1) {
      const drawn = drawCase(seed);
      const pricer = await createPricer(hostOf(drawn.records));
      let isPriced = true;
      const answer = await answerOf(pricer, drawn.order, drawn).catch((error) => {
        isPriced = false;
        return textOfError(error);
      });
      assertPrivate(answer, drawn, `seed ${seed}`);
      if (!isPriced) {
        assert.ok(
          drawn.vouchers.some(({ isBroken }) => isBroken),
          answer,
        );
        counts.failed += 1;
        continue;
      }
      for (const voucher of drawn.vouchers) {
        if (!owns(drawn.order.ownerId, voucher)) {
          counts.foreign += 1;
          continue;
        }
        counts.own += 1;
        // The search works: the owner sees the whole record.
        const value = voucher.secrets[0];
        assert.ok(answer.includes(value), `seed ${seed}: the owner does not see ${value}`);
      }
    }
    context.diagnostic(`${way}: ${counts.foreign} vouchers of others, ${counts.own} of the owner, ${counts.failed} orders that failed`);
    assert.ok(counts.foreign > ORDERS && counts.own > ORDERS / 10 && counts.failed > ORDERS / 50);
  });
}

test("others see the id and one reason, and nothing else (D30)", async () => {
  for (let seed = 1; seed <= ORDERS; seed += 1) {
    const { order, vouchers, records } = drawCase(seed);
    if (vouchers.some(({ isBroken }) => isBroken)) continue;
    const pricer = await createPricer(hostOf(records));
    const { invalidVouchers, validVouchers } = await pricer.calculate(order);
    const shown = new Map([...invalidVouchers, ...validVouchers].map((one) => [one.voucherId, one]));
    for (const voucher of vouchers) {
      if (owns(order.ownerId, voucher)) continue;
      assert.deepEqual(shown.get(voucher.id), { voucherId: voucher.id, reasons: ["ownerMismatch"] });
      assert.equal(JSON.stringify(shown.get(voucher.id)), `{"voucherId":"${voucher.id}","reasons":["ownerMismatch"]}`);
    }
    const { steps } = await pricer.explain(order);
    for (const { operands } of steps.filter(({ rule }) => rule === "voucher")) {
      const voucher = vouchers.find(({ id }) => id === operands.voucherId);
      if (!owns(order.ownerId, voucher)) assert.deepEqual(operands, { voucherId: voucher.id, ownerMismatch: true });
    }
  }
});

describe("in flight together", () => {
  test("orders of many owners, whose answers come in any order", async () => {
    const cases = Array.from({ length: allAtNight(60, 200) }, (_, index) => drawCase(1_000 + index));
    const records = new Map(cases.flatMap(({ records }) => [...records]));
    const later = (callback) => async (argument) => {
      await new Promise((resolve) => setTimeout(resolve, argument.length % 7));
      return callback(argument);
    };
    const { lookupPrices, lookupVouchers } = hostOf(records);
    const pricer = await createPricer({ lookupPrices: later(lookupPrices), lookupVouchers: later(lookupVouchers) });
    const answers = await Promise.all(cases.map(({ order }) => WAYS.calculateJson(pricer, order).catch(textOfError)));
    answers.forEach((answer, index) => {
      for (const { vouchers } of cases) assertPrivate(answer, { order: cases[index].order, vouchers }, `order ${index}`);
    });
  });
});

test("a record that cannot be written as JSON reveals no key", async () => {
  const odd = (key, value) => ({ ownerId: "mali", value: 7, isActive: true, isUsed: false, [key]: value });
  const cycle = odd("tel 0812345678", undefined);
  cycle["tel 0812345678"] = cycle;
  for (const [record, what] of [
    [odd("tel 0812345678", NaN), "expected a number"],
    [odd("x", { "tel 0812345678": 1n }), "expected a number"],
    [cycle, "expected JSON"],
  ]) {
    const pricer = await createPricer(hostOf(new Map([["V", record]])));
    for (const way of [(order) => pricer.calculate(order), (order) => pricer.explain(order), (order) => pricer.basket(order).settle()]) {
      await assert.rejects(way({ ownerId: "malee", voucherId: ["V"], productList: [PRODUCT] }), {
        message: `Invalid answer from lookupVouchers: V: ${what}`,
        code: "VOUCHER_LOOKUP_FAILED",
        retryable: false,
      });
    }
  }
});

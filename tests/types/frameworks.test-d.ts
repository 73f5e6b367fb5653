// The entries around a basket: what must type-check and what must not. Nothing here runs.
import type { Basket, BasketSnapshot, ExplainStep, FactStore, Pricer, PricingError, RefusedVoucher } from "order-cost";
import { keep, restore } from "order-cost/keep";
import {
  basketChanges,
  changeText,
  customerText,
  english,
  explainText,
  explainTexts,
  type Language,
  type Texts,
  thai,
} from "order-cost/messages";
import { useBasket } from "order-cost/react";
import { useBasket as useBasketInVue } from "order-cost/vue";
import { computed, type Ref, type ShallowRef } from "vue";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function assertType<_T extends true>(): void {}

export function Total({ basket, maybe }: { basket: Basket; maybe: Basket | null }): string {
  const whole = useBasket(basket);
  const orNull = useBasket(maybe);
  const none = useBasket(null);
  const selected = useBasket(basket, ({ rows, totals }) => ({ count: rows.length, total: totals.grandTotal }));
  const selectedOrNull = useBasket(maybe, ({ rows }) => rows[0]?.key);
  assertType<Equal<typeof whole, BasketSnapshot>>();
  assertType<Equal<typeof orNull, BasketSnapshot | null>>();
  assertType<Equal<typeof none, BasketSnapshot | null>>();
  assertType<Equal<typeof selected, { count: number; total: number }>>();
  assertType<Equal<typeof selectedOrNull, string | undefined | null>>();
  // @ts-expect-error: a snapshot is read-only
  whole.rows[0]!.quantity = 2;
  // @ts-expect-error: there may be no basket
  orNull.totals;
  // @ts-expect-error: a basket, not its pricer
  useBasket({});
  return `${selected.total}`;
}

export function setup(basket: Basket, ref: Ref<Basket>, maybe: ShallowRef<Basket | null>): () => number {
  const shown = useBasketInVue(basket);
  assertType<Equal<typeof shown, Readonly<ShallowRef<BasketSnapshot>>>>();
  const sources: Readonly<ShallowRef<BasketSnapshot>>[] = [useBasketInVue(ref), useBasketInVue(() => basket)];
  const orNull = useBasketInVue(maybe);
  assertType<Equal<typeof orNull, Readonly<ShallowRef<BasketSnapshot | null>>>>();
  // @ts-expect-error: the ref follows the basket
  shown.value = basket.snapshot;
  const total = computed(() => shown.value.totals.grandTotal + sources.length);
  return () => total.value;
}

export function texts(snapshot: BasketSnapshot, error: PricingError, refused: RefusedVoucher): string[] {
  const names = { product: (line: number) => snapshot.rows[line]?.productName ?? "" };
  // @ts-expect-error: English or Thai
  customerText(error, "de");
  // @ts-expect-error: there is no such code
  customerText({ code: "SHOP_CLOSED", retryable: false }, "en");
  return [
    ...snapshot.problems.map((problem) => customerText(problem, "en", names)),
    ...refused.reasons.map((reason) => customerText(reason, "th")),
    ...snapshot.coupons.flatMap(({ code, state, reason }) =>
      state === "refused" ? (reason ?? customerText({ failedCoupon: code }, "th")) : [],
    ),
    ...explainTexts(snapshot.steps, "th", names, { withoutZeros: true }),
    explainText(snapshot.steps[0]!, "en", names),
    customerText({ code: "ABORTED", retryable: false }, "en"),
  ];
}

/** A shop's own language; every text is required. */
export function ownTexts(before: BasketSnapshot, after: BasketSnapshot, steps: ExplainStep[]): string[] {
  const price: Texts["changes"]["price"] = ({ productName, after, money }) => `${productName}: ${money(after)}`;
  const ours: Texts = { ...thai, changes: { ...thai.changes, price, available: ({ productName }) => productName } };
  const row: Texts["steps"]["row"] = ({ number, operands, path }) => `${number}: ${operands.price} ${path ?? ""}`;
  const languages: Language[] = ["en", "th", ours, { ...english, steps: { ...english.steps, row } }];
  // @ts-expect-error: a rule without a text
  const withoutRow: Texts = { ...english, steps: { ...english.steps, row: undefined } };
  // @ts-expect-error: texts are missing
  const few: Texts = { someProduct: "A product" };
  // @ts-expect-error: a voucher has no price
  const wrong: Texts["changes"]["voucherRefused"] = ({ before }) => `${before}`;
  // @ts-expect-error: English, Thai or a shop's own
  explainText(steps[0]!, "de");
  return [...languages, withoutRow, few, { ...english, changes: { ...english.changes, voucherRefused: wrong } }].flatMap((language) => [
    ...basketChanges(before, after).map((change) => changeText(change, language)),
    ...steps.map((step) => explainText(step, language)),
  ]);
}

export function reload(pricer: Pricer, storage: Storage): () => void {
  const { basket, facts } = restore(pricer, storage, { ownerId: "malee", maxAgeMs: 60_000, autoSettle: true });
  assertType<Equal<typeof basket, Basket>>();
  assertType<Equal<typeof facts, FactStore>>();
  restore(pricer);
  restore(pricer, undefined, { name: "basket" });
  // @ts-expect-error: it makes the store itself
  restore(pricer, storage, { facts });
  // @ts-expect-error: a storage has texts by name
  keep(basket, new Map());
  // @ts-expect-error: a basket, not its pricer
  keep(pricer);
  return keep(basket, { getItem: () => null, setItem: () => {} }, { vouchers: true });
}

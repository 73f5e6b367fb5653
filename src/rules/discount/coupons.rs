//! The coupon service's answer, and its sums for the totals.

use std::borrow::Cow;
use std::mem;
use std::sync::Arc;

use crate::distinct::are_among;
use crate::error::{Expected, Fault};
use crate::explain::{Operand, Sink, Step};
use crate::json::{Document, Reader, Span, Writer, decode, table};
use crate::money::{Amount, Sum};
use crate::options::FoldedDiscounts;
use crate::order::Order;

table! {
    /// The answer of the coupon service (D26), which is final (D27). The default
    /// grants nothing, as for an order without coupons (D23).
    #[derive(Clone, Debug, Default)]
    pub struct DiscountResult(products: usize) {
        /// The discounts that apply, in the service's sequence (D27).
        discounts: Vec<Discount> = objects(
            "discounts",
            [],
            |json| json.list(|json| Discount::read(json, products))
        ) nested,
        /// The codes that failed, in the service's sequence (D27). The order is priced without them.
        failed_coupons: Vec<Span> = strings(
            "failedCoupons",
            [],
            |json| json.list(Reader::string)
        ) id,
        /// The coupon service's own report of an error, any JSON; `{}` on success. It does not fail
        /// the order (D26).
        error: Option<Span> = any("error", {}) anything,
        /// On which products discounts of no single coupon fall (D16).
        lines: Vec<LineDiscount> = objects(
            "lines",
            [],
            |json| json.list(|json| LineDiscount::read(json, products))
        ) nested;
        text: String = String::new(),
    }
    computed {}
    response [discounts(discounts), failed_coupons, error]
    apart [lines]
}

table! {
    /// What a coupon grants.
    #[derive(Clone, Debug)]
    pub struct Discount(products: usize) {
        /// Code of the coupon.
        coupon: Span = string("coupon", required) id,
        /// Off the cart; part of the order's `cartDiscount`.
        pub discount: Amount = baht("discount", 0) plain,
        /// Of a buy-one-get-one offer; part of the order's `bogoDiscount`.
        pub bogo_discount: Amount = baht("bogoDiscount", 0) plain,
        /// Of a two-for offer; part of the order's `two4Discount`, which is subtracted only with the policy
        /// `foldedDiscounts` (D48).
        pub two4_discount: Amount = baht("two4Discount", 0) plain,
        /// A multiplier, not THB: 0.1 is 10 %. The largest one makes the order's `percentageDiscount`, which
        /// is subtracted only with the policy `foldedDiscounts` (D48). Without it, put the amount into
        /// `discount`, too (D21).
        pub percentage_discount: Amount = factor("percentageDiscount", 0) plain,
        /// Whether the coupon grants free shipping (D28).
        pub free_shipping: bool = flag("freeshipping", false) plain,
        /// Off the delivery fee; part of the order's `shippingDiscount`.
        pub shipping_discount: Amount = baht("shippingDiscount", 0) plain,
        /// On which products the discount falls (D16).
        lines: Vec<LineDiscount> = objects(
            "lines",
            [],
            |json| json.list(|json| LineDiscount::read(json, products))
        ) nested,
    }
    computed {}
    response [
        coupon, discount, bogo_discount, two4_discount, percentage_discount, free_shipping,
        shipping_discount,
    ]
    apart [lines]
}

table! {
    /// The part of a discount that falls on one product (D16).
    #[derive(Clone, Debug)]
    pub struct LineDiscount(products: usize) {
        /// Index of the product in `productList`, counted from 0.
        line: usize = integer("line", required, |json| {
            json.integer_in(0..products as i64, "a line of the order").map(|line| line as usize)
        }) plain,
        /// Off the product, 0 or more.
        discount: Amount = baht("discount", 0) plain,
    }
}

/// What a multiplier is that a policy folds.
const LARGEST_MULTIPLIER: &str = "a multiplier of at most 1, because foldedDiscounts subtracts it";

impl DiscountResult {
    /// Reads the service's answer to an order with `products` products. `folds`:
    /// the policy of the order.
    pub(crate) fn from_answer(
        answer: Document,
        products: usize,
        folds: FoldedDiscounts,
    ) -> Result<Self, Fault> {
        let read = |json: &mut Reader<'_>| Self::read(json, products);
        let result = Reader::document(&answer.text, answer.origin, read)?;
        if folds.has_percentage() {
            result.check_multipliers()?;
        }
        Ok(Self {
            text: answer.text,
            ..result
        })
    }

    /// D26: a multiplier above 1 is most likely meant in per cent, and would make
    /// the order free.
    fn check_multipliers(&self) -> Result<(), Fault> {
        let mut discounts = self.discounts.iter();
        let too_large = discounts.position(|discount| discount.percentage_discount > Amount::ONE);
        too_large.map_or(Ok(()), |index| {
            Err(Fault::expected(Expected::A(LARGEST_MULTIPLIER))
                .under_key("percentageDiscount")
                .at_index(index)
                .under_key("discounts"))
        })
    }

    /// If the customer has removed a code that was asked, keeps only the
    /// discounts and failures whose code was asked and is still listed. Any
    /// other, such as one that the service added or named otherwise, may stem
    /// from the removed code. Else takes those of the `lost` codes out: the
    /// service may have added one that the customer then listed and removed.
    pub fn take_out(self: &mut Arc<Self>, asked: &[String], listed: &[String], lost: &[String]) {
        let [mut still, listed, lost] =
            [asked, listed, lost].map(|codes| Vec::from_iter(codes.iter().map(Cow::from)));
        let are_listed = are_among(&still, &listed);
        keep(&mut still, &are_listed, true);
        let is_whole = still.len() == asked.len();
        let known = if is_whole { &lost } else { &still };
        if is_whole && lost.is_empty() {
            return;
        }
        let result = Arc::make_mut(self);
        let are_known = |coupons: &mut dyn Iterator<Item = &Span>| {
            let codes = Vec::from_iter(coupons.map(|coupon| decode(coupon.of(&result.text))));
            are_among(&codes, known)
        };
        let discounts = are_known(&mut result.discounts.iter().map(|discount| &discount.coupon));
        let failed = are_known(&mut result.failed_coupons.iter());
        keep(&mut result.discounts, &discounts, !is_whole);
        keep(&mut result.failed_coupons, &failed, !is_whole);
        if still.is_empty() {
            result.lines.clear();
        }
    }

    /// D16: the coupon discounts of each of `lines` lines; empty if no discount
    /// falls on a line.
    pub fn by_line(&self, lines: usize) -> Vec<Option<Sum>> {
        let of_discounts = self.discounts.iter().flat_map(|discount| &discount.lines);
        let mut amounts = self.lines.iter().chain(of_discounts).peekable();
        if amounts.peek().is_none() {
            return Vec::new();
        }
        let mut by_line = vec![None; lines];
        for LineDiscount { line, discount } in amounts {
            if let Some(place) = by_line.get_mut(*line) {
                place.get_or_insert_with(Sum::default).add(*discount);
            }
        }
        by_line
    }

    /// The sum of one amount over the discounts.
    #[inline(never)]
    pub fn sum(&self, amount: fn(&Discount) -> Amount) -> Sum {
        self.discounts.iter().map(amount).collect()
    }

    /// The largest multiplier (D21).
    #[inline(never)]
    pub fn max_percentage(&self) -> Amount {
        let percentages = self
            .discounts
            .iter()
            .map(|discount| discount.percentage_discount);
        percentages.max().unwrap_or_default()
    }

    /// Whether any discount grants free shipping (D28).
    #[inline(never)]
    pub fn is_free_shipping(&self) -> bool {
        self.discounts.iter().any(|discount| discount.free_shipping)
    }

    /// Reports the service's result for each code, and the order's codes that
    /// have no result (D27).
    pub(crate) fn report(&self, sink: &mut dyn Sink) {
        for (index, discount) in self.discounts.iter().enumerate() {
            sink.step(&discount.step(index, &self.text));
        }
        for (index, coupon) in self.failed_coupons.iter().enumerate() {
            let failed = Step::new("failedCoupon", "D27", Sum::default())
                .at(format!("discountResult.failedCoupons[{index}]"))
                .with("coupon", Operand::Json(coupon.of(&self.text)))
                .with("error", self.error_json());
            sink.step(&failed);
        }
    }

    /// Reports the repeated codes (D24) and the codes without a result.
    pub(crate) fn report_rest(&self, order: &Order, sink: &mut dyn Sink) {
        let codes = &order.fields.coupon_codes;
        let discounted = self.discounts.iter().map(|discount| &discount.coupon);
        let answered = discounted.chain(&self.failed_coupons);
        let answered = Vec::from_iter(answered.map(|coupon| decode(coupon.of(&self.text))));
        let asked = Vec::from_iter(codes.iter().map(|code| decode(code.of(&order.text))));
        let found = order
            .first_places(codes)
            .into_iter()
            .zip(are_among(&asked, &answered));
        for (place, ((first, is_answered), code)) in found.zip(codes).enumerate() {
            let path = format!("couponCodeList[{place}]");
            let code = code.of(&order.text);
            let step = if first < place {
                Step::repeated(path, "D24", first)
            } else if !is_answered {
                Step::new("ignoredCoupon", "D27", Sum::default()).at(path)
            } else {
                continue;
            };
            sink.step(&step.with("coupon", Operand::Json(code)));
        }
    }

    /// One amount of each discount, with its path in the response.
    pub(crate) fn fields<'a>(
        &'a self,
        name: &'a str,
        amount: fn(&Discount) -> Amount,
    ) -> impl Iterator<Item = (String, Amount)> + 'a {
        let discounts = self.discounts.iter().enumerate();
        discounts.map(move |(index, discount)| {
            let path = format!("discountResult.discounts[{index}].{name}");
            (path, amount(discount))
        })
    }

    /// The answer as the service gave it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The approximate size of `discountResult` in bytes.
    pub(crate) fn size(&self) -> usize {
        self.text.len()
    }

    /// Writes `discountResult`.
    pub(crate) fn write(&self, out: &mut Writer) {
        let text = &self.text;
        self.write_fields(out, text, |out| {
            out.list(&self.discounts, |out, discount| {
                discount.write_fields(out, text);
                out.raw("}");
            });
        });
        out.raw("}");
    }

    /// Writes for each discount what it takes off, before any floor. The first
    /// discount of a coupon has what all of them take off. What several
    /// discounts cause at once, `percentage` and `waived`, has the first one that
    /// may cause it.
    pub(crate) fn write_taken_off(
        &self,
        has_two4: bool,
        mut percentage: Amount,
        mut waived: Amount,
        out: &mut Writer,
    ) {
        let largest = self.max_percentage();
        let discounts = || self.discounts.iter();
        out.list(discounts(), |out, first| {
            let first = decode(first.coupon.of(&self.text));
            let mut off = Sum::default();
            // A search of the whole list each time: answers are short.
            for discount in discounts() {
                if decode(discount.coupon.of(&self.text)) != first {
                    continue;
                }
                if has_two4 {
                    off.add(discount.two4_discount);
                }
                if discount.percentage_discount == largest {
                    off.add(mem::take(&mut percentage));
                }
                if discount.free_shipping {
                    off.add(mem::take(&mut waived));
                }
                off.add(discount.discount);
                off.add(discount.bogo_discount);
                off.add(discount.shipping_discount);
            }
            out.sum(off);
        });
    }

    fn error_json(&self) -> &str {
        self.error.map_or("{}", |error| error.of(&self.text))
    }
}

impl Discount {
    /// The step of this discount, with its amount before any floor.
    fn step<'a>(&self, index: usize, text: &'a str) -> Box<Step<'a>> {
        let off = [self.discount, self.bogo_discount, self.shipping_discount];
        Step::new("coupon", "D27", Sum::from_iter(off))
            .at(format!("discountResult.discounts[{index}]"))
            .with("coupon", Operand::Json(self.coupon.of(text)))
            .with("discount", self.discount)
            .with("bogoDiscount", self.bogo_discount)
            .with("two4Discount", self.two4_discount)
            .with("percentageDiscount", self.percentage_discount)
            .with("freeshipping", self.free_shipping)
            .with("shippingDiscount", self.shipping_discount)
    }
}

/// Keeps the entries of a list that are known, or those that are not.
fn keep<T>(list: &mut Vec<T>, are_known: &[bool], known: bool) {
    let mut are_known = are_known.iter();
    list.retain(|_| are_known.next() == Some(&known));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::DiscountResult;
    use crate::json::{Document, Origin, decode};
    use crate::options::FoldedDiscounts;

    #[test]
    fn what_a_removed_code_may_have_caused_goes_with_it() {
        let discounts = r#"{"discounts":[{"coupon":"A"},{"coupon":"PROMO"},{"coupon":"\u0042"}],"failedCoupons":["C","X"]}"#;
        let codes = |codes: &str| Vec::from_iter(codes.split(' ').map(str::to_owned));
        for (asked, listed, lost, left) in [
            (
                "A B C",
                "C A B D",
                "",
                ["A", "PROMO", "B", "C", "X"].as_slice(),
            ),
            ("A B C", "A B C", "D PROMO", &["A", "B", "C", "X"]),
            ("A B C", "A B C D", "X", &["A", "PROMO", "B", "C"]),
            ("A B C", "A C", "B X", &["A", "C"]),
            ("A B C", "B PROMO", "", &["B"]),
            ("A B C", "", "", &[]),
        ] {
            let answer = Document {
                text: discounts.to_owned(),
                origin: Origin::Wire,
            };
            let read = DiscountResult::from_answer(answer, 1, FoldedDiscounts::None);
            let mut result = Arc::new(read.expect("it is right"));
            result.take_out(&codes(asked), &codes(listed), &codes(lost));
            let text = &result.text;
            let discounts = result.discounts.iter().map(|discount| discount.coupon);
            let coupons = discounts.chain(result.failed_coupons.iter().copied());
            let coupons = coupons.map(|coupon| decode(coupon.of(text)));
            assert!(coupons.eq(left.iter().copied()), "{listed}");
        }
    }
}

//! The totals of an order.

use std::ops::Range;

use super::delivery::ScheduleFee;
use super::discount::{DiscountResult, Voucher};
use super::row::Row;
use crate::error::{Error, Part};
use crate::explain::{Sink, Step};
use crate::json::{Line, Writer, lines, members};
use crate::money::{Amount, Sum};
use crate::options::{ExcludeControlled, FoldedDiscounts, FreeShipping, Policy};

/// The sums of an order's rows. They are exact, so that a row can be subtracted
/// again.
#[derive(Clone, Copy, Debug, Default)]
pub struct RowSums {
    sub_total: Sum,
    total_weight: Sum,
    /// The number of rows whose weight does not fit an amount.
    overweight: i64,
    controlled: Sum,
}

/// The totals of rows and fees, which the coupon service is told (D23, D25).
#[derive(Clone, Copy, Debug, Default)]
pub struct Subtotals {
    /// THB.
    pub sub_total: Amount,
    /// kg.
    pub total_weight: Amount,
    /// THB.
    pub delivery_fee: Amount,
    /// THB.
    pub express_shipping_cost: Amount,
    /// The sum that D20 subtracts, which no response shows.
    controlled: Sum,
}

/// What is taken off an order, and how.
#[derive(Clone, Copy, Debug)]
pub struct Discounts<'a> {
    /// The result of the coupons.
    pub coupons: &'a DiscountResult,
    /// The vouchers that the order lists.
    pub vouchers: &'a [Voucher],
    /// What free shipping means, and what is folded (D28, D48).
    pub policy: &'a Policy,
}

impl RowSums {
    /// Adds a row; `quantity` is its number of units.
    pub fn add(&mut self, row: &Row, quantity: i64) {
        self.change(row, quantity, Sum::add, 1);
    }

    /// Subtracts a row that was added with this quantity.
    pub fn remove(&mut self, row: &Row, quantity: i64) {
        self.change(row, quantity, Sum::subtract, -1);
    }

    #[inline(always)]
    fn change(&mut self, row: &Row, quantity: i64, add: fn(&mut Sum, Amount), rows: i64) {
        add(&mut self.sub_total, row.of_sub_total());
        // D13: the weight is not floored.
        match row.record.weight.amount.times_units(quantity) {
            Some(weight) => add(&mut self.total_weight, weight),
            None => self.overweight += rows,
        }
        if row.record.is_controlled {
            // D20
            add(&mut self.controlled, row.excluded());
        }
    }

    fn total_weight(&self) -> Option<Amount> {
        if self.overweight > 0 {
            return None;
        }
        self.total_weight.total()
    }
}

/// The fields that do not fit an amount (D19), in the sequence of the
/// calculation. Such a field is 0.
#[derive(Debug, Default)]
pub struct Overflows(pub(crate) Vec<Error>);

impl Overflows {
    /// The first overflow, which fails an order.
    pub fn check(self) -> Result<(), Error> {
        self.0.into_iter().next().map_or(Ok(()), Err)
    }

    fn field(&mut self, name: &str, value: Option<Amount>) -> Amount {
        value.unwrap_or_else(|| {
            self.0.push(Error::Overflow(name.to_owned(), Part::Order));
            Amount::ZERO
        })
    }

    fn sum(&mut self, name: &str, amounts: impl IntoIterator<Item = Amount>) -> Amount {
        self.field(name, Sum::from_iter(amounts).total())
    }
}

impl Subtotals {
    /// Adds up the rows and the delivery fees.
    pub fn of(rows: &RowSums, fees: &[ScheduleFee], overflows: &mut Overflows) -> Self {
        Self {
            sub_total: overflows.field("subTotal", rows.sub_total.total()),
            total_weight: overflows.field("totalWeight", rows.total_weight()),
            // Rule 8: the sum over the calculated schedules.
            delivery_fee: overflows.sum("deliveryFee", fees.iter().map(|fee| fee.delivery_fee)),
            // D38
            express_shipping_cost: overflows
                .sum("expressShippingCost", fees.iter().map(|fee| fee.surcharge)),
            controlled: rows.controlled,
        }
    }
}

impl Discounts<'_> {
    /// D22: what each voucher that counts is worth.
    fn voucher_values(&self) -> impl Iterator<Item = Amount> {
        self.vouchers.iter().filter_map(Voucher::redeemable)
    }

    /// The shipping discounts that the coupons name.
    #[inline(never)]
    fn granted_shipping(&self) -> Sum {
        self.coupons.sum(|discount| discount.shipping_discount)
    }

    /// D28: the shipping discount on this delivery fee; `None` if it does not
    /// fit an amount.
    fn shipping(&self, delivery_fee: Amount) -> Option<Amount> {
        let granted = self.granted_shipping();
        let waives = self.policy.free_shipping == FreeShipping::WaivesDelivery;
        let is_more = || granted.less([delivery_fee]).is_negative();
        if waives && self.coupons.is_free_shipping() && is_more() {
            return Some(delivery_fee);
        }
        granted.total()
    }
}

impl Totals {
    /// Calculates the totals of an order whose coupons and vouchers are known.
    /// An overflow in the coupon sums comes before one in a discounted row
    /// (D19).
    pub fn of(
        subtotals: Subtotals,
        discounts: &Discounts<'_>,
        discounted_rows: Vec<Error>,
        overflows: &mut Overflows,
    ) -> Self {
        let coupons = discounts.coupons;
        let bogo = coupons.sum(|discount| discount.bogo_discount).total();
        let two4 = coupons.sum(|discount| discount.two4_discount).total();
        let percentage = coupons.max_percentage().times(subtotals.sub_total);
        let folds = discounts.policy.folded_discounts;
        let mut cart = coupons.sum(|discount| discount.discount);
        if folds.has_two4() {
            cart.add(two4.unwrap_or_default());
        }
        if folds.has_percentage() {
            cart.add(percentage.unwrap_or_default());
        }
        let mut totals = Self {
            subtotals,
            cart_discount: overflows.field("cartDiscount", cart.total()),
            bogo_discount: overflows.field("bogoDiscount", bogo),
            two4_discount: overflows.field("two4Discount", two4),
            percentage_discount: overflows.field("percentageDiscount", percentage),
            is_free_shipping: coupons.is_free_shipping(),
            ..Self::default()
        };
        let shipping = discounts.shipping(subtotals.delivery_fee);
        totals.shipping_discount = overflows.field("shippingDiscount", shipping);
        overflows.0.extend(discounted_rows);
        // D22
        let values = discounts.voucher_values();
        totals.voucher_discount = overflows.sum("voucherDiscount", values);
        let all = totals.discounts(folds).map(|(_, discount)| discount);
        totals.total_discount = overflows.sum("totalDiscount", all);
        let delivery_fee = totals.delivery_fee_left().floored_total();
        totals.discounted_delivery_fee = overflows.field("discountedDeliveryFee", delivery_fee);
        let grand_total = totals.left_to_pay().floored_total();
        totals.grand_total = overflows.field("grandTotal", grand_total);
        let mut without_controlled = subtotals.controlled.negated();
        without_controlled.add(totals.grand_total);
        totals.total_exclude_controlled_products =
            overflows.field("totalExcludeControlledProducts", without_controlled.total());
        totals
    }

    /// Writes what each coupon takes off, see
    /// [`DiscountResult::write_taken_off`]: together `cartDiscount`,
    /// `bogoDiscount` and `shippingDiscount` (D28, D48).
    pub(crate) fn write_taken_off(&self, discounts: &Discounts<'_>, out: &mut Writer) {
        let folds = discounts.policy.folded_discounts;
        let percentage = folds.has_percentage().then_some(self.percentage_discount);
        let mut waived = discounts.granted_shipping().negated();
        waived.add(self.shipping_discount);
        discounts.coupons.write_taken_off(
            folds.has_two4(),
            percentage.unwrap_or_default(),
            waived.total().unwrap_or_default(),
            out,
        );
    }

    /// Shows 0 in place of what is to pay, for which an amount is too large
    /// (D19): the rest of it would look like a price.
    pub(crate) fn withhold(&mut self) {
        self.grand_total = Amount::ZERO;
        self.total_exclude_controlled_products = Amount::ZERO;
    }

    /// The parts of `totalDiscount`, with their keys. What is folded is a part
    /// of `cartDiscount` (D48).
    fn discounts(&self, folds: FoldedDiscounts) -> impl Iterator<Item = (&'static str, Amount)> {
        let parts = [
            ("cartDiscount", self.cart_discount, false),
            ("bogoDiscount", self.bogo_discount, false),
            ("two4Discount", self.two4_discount, folds.has_two4()),
            ("voucherDiscount", self.voucher_discount, false),
            (
                "percentageDiscount",
                self.percentage_discount,
                folds.has_percentage(),
            ),
        ];
        let counted = parts.into_iter().filter(|(_, _, is_folded)| !is_folded);
        counted.map(|(key, discount, _)| (key, discount))
    }

    /// Rule 9, before the floor of 0.
    fn delivery_fee_left(&self) -> Sum {
        Sum::from_iter([self.subtotals.delivery_fee]).less([self.shipping_discount])
    }

    /// `grandTotal` before the floor of 0.
    fn left_to_pay(&self) -> Sum {
        let to_pay = [
            self.subtotals.sub_total,
            self.discounted_delivery_fee,
            self.subtotals.express_shipping_cost,
        ];
        let discounts = [
            self.cart_discount,
            self.bogo_discount,
            self.voucher_discount,
        ];
        Sum::from_iter(to_pay).less(discounts)
    }

    /// Reports how the discounts lead to `grandTotal`.
    pub(crate) fn report(&self, discounts: &Discounts<'_>, sink: &mut dyn Sink) {
        let coupons = discounts.coupons;
        // Rule 10
        let two4 = coupons.fields("two4Discount", |discount| discount.two4_discount);
        sink.step(&Step::new("two4Discount", None, self.two4_discount).with_all(two4));
        let percentage = Step::new("percentageDiscount", "D21", self.percentage_discount)
            .with("percentage", coupons.max_percentage())
            .with("subTotal", self.subtotals.sub_total);
        sink.step(&percentage);
        self.report_shipping(discounts, sink);
        sink.floor(
            self.delivery_fee_left(),
            None,
            "discountedDeliveryFee",
            true,
        );
        self.report_taken_off(discounts, sink);
        sink.floor(self.left_to_pay(), None, "grandTotal", true);
        let total_discount = Step::new("totalDiscount", None, self.total_discount);
        let parts = self.discounts(discounts.policy.folded_discounts);
        sink.step(&total_discount.with_all(parts));
    }

    fn report_shipping(&self, discounts: &Discounts<'_>, sink: &mut dyn Sink) {
        let granted = discounts.granted_shipping();
        let coupons = discounts.coupons;
        let fields = coupons.fields("shippingDiscount", |discount| discount.shipping_discount);
        let shipping = Step::new("shippingDiscount", "D28", granted.negated()).counted();
        sink.step(&shipping.with_all(fields));
        if self.is_free_shipping {
            let waived = granted.less([self.shipping_discount]);
            let free = Step::new("freeShipping", "D28", waived)
                .counted()
                .at("isFreeShipping")
                .with("freeShipping", discounts.policy.free_shipping.word())
                .with("deliveryFee", self.subtotals.delivery_fee)
                .with("shippingDiscount", granted);
            sink.step(&free);
        }
    }

    fn report_taken_off(&self, discounts: &Discounts<'_>, sink: &mut dyn Sink) {
        let coupons = discounts.coupons;
        let taken_off = |rule, decision: Option<_>, amount| {
            Step::new(rule, decision, Sum::default().less([amount])).counted()
        };
        let discount = coupons.fields("discount", |discount| discount.discount);
        let cart = taken_off("cartDiscount", None, self.cart_discount).with_all(discount);
        sink.step(&self.with_folded(cart, discounts.policy.folded_discounts));
        let bogo = coupons.fields("bogoDiscount", |discount| discount.bogo_discount);
        sink.step(&taken_off("bogoDiscount", None, self.bogo_discount).with_all(bogo));
        let values = discounts.voucher_values().enumerate();
        let values = values.map(|(index, value)| (format!("validVouchers[{index}].value"), value));
        let vouchers = taken_off("voucherDiscount", Some("D22"), self.voucher_discount);
        sink.step(&vouchers.with_all(values));
    }

    /// The step of `cartDiscount`, with what is folded into it (D48).
    fn with_folded<'a>(&self, mut cart: Box<Step<'a>>, folds: FoldedDiscounts) -> Box<Step<'a>> {
        if folds == FoldedDiscounts::None {
            return cart;
        }
        cart = cart.with("foldedDiscounts", folds.word());
        if folds.has_two4() {
            cart = cart.with("two4Discount", self.two4_discount);
        }
        if folds.has_percentage() {
            cart = cart.with("percentageDiscount", self.percentage_discount);
        }
        cart
    }

    /// Reports `totalExcludeControlledProducts` with the controlled rows (D20).
    pub(crate) fn report_controlled<'a>(
        &self,
        rows: impl Iterator<Item = (usize, &'a Row)>,
        exclude_controlled: ExcludeControlled,
        sink: &mut dyn Sink,
    ) {
        let total = self.total_exclude_controlled_products;
        let step = Step::new("totalExcludeControlledProducts", "D20", total);
        let (step, field) = match exclude_controlled {
            ExcludeControlled::Effective => (step, "row"),
            ExcludeControlled::RowTotal => {
                let word = exclude_controlled.word();
                (step.with("excludeControlled", word), "rowTotal")
            }
        };
        let controlled = rows.filter(|(_, row)| row.record.is_controlled);
        let fields =
            controlled.map(|(line, row)| (format!("productList[{line}].{field}"), row.excluded()));
        sink.step(&step.with("grandTotal", self.grand_total).with_all(fields));
    }

    /// Writes `summary`. Its fields equal the top-level fields; `coupons` is the
    /// place of `discountResult`.
    pub(crate) fn write_summary(&self, out: &mut Writer, coupons: Range<usize>) {
        let amounts = self.amounts();
        out.object(|out| {
            for (key, amount) in SUMMARY.iter().filter_map(|place| amounts.get(*place)) {
                out.key(key).amount(*amount);
            }
            out.key("discountResult").repeat(coupons);
        });
    }
}

/// Makes of one table the totals, their lines for documents, the text, and the sequence
/// of `summary`. An amount has its rank in that; 0 if it is not there.
macro_rules! totals {
    (
        amounts { $(
            $(#[$($doc:tt)*])* $key:literal: $kind:ident $rank:literal = $($value:ident).+;
        )+ }
        flags { $($(#[$($flag_doc:tt)*])* $flag_key:literal = $flag:ident;)+ }
    ) => {
        totals! { @struct []
            $($(#[$($doc)*])* $($value).+: Amount;)+
            $($(#[$($flag_doc)*])* $flag: bool;)+
        }

        const RANKS: &[usize] = &[$($rank),+];

        impl Totals {
            /// The totals, in the contract's sequence (D1).
            pub const LINES: &'static [Line] = lines! {
                $($(#[$($doc)*])* $key: $kind plain,)+
                $($(#[$($flag_doc)*])* $flag_key: flag plain,)+
            };

            /// The amounts with their keys, in the order of the response (D1).
            #[inline(never)]
            pub fn amounts(&self) -> [(&'static str, Amount); RANKS.len()] {
                [$(($key, self.$($value).+)),+]
            }

            /// Writes the computed scalars, each with a comma before it.
            pub(crate) fn write(&self, out: &mut Writer) {
                for (key, amount) in self.amounts() {
                    out.key(key).amount(amount);
                }
                members!(out.raw, $($flag_key: boolean(self.$flag)),+);
            }
        }
    };
    // A value that is no subtotal is a field, with the line's sentence.
    (@struct [$($fields:tt)*] $(#[$doc:meta])* subtotals.$value:ident: Amount; $($lines:tt)*) => {
        totals! { @struct [$($fields)*] $($lines)* }
    };
    (@struct [$($fields:tt)*] $(#[$doc:meta])* $value:ident: $Value:ident; $($lines:tt)*) => {
        totals! { @struct [$($fields)* $(#[$doc])* pub $value: $Value,] $($lines)* }
    };
    (@struct [$($fields:tt)*]) => {
        /// The computed scalars of the response, in THB; `total_weight` is in kg.
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Totals {
            /// The totals without coupons and vouchers.
            pub subtotals: Subtotals,
            $($fields)*
        }
    };
}

totals! {
    amounts {
        /// What the products cost: Σ max(price × quantity, 0) (D15). The policy `subTotal` may say otherwise (D48).
        "subTotal": baht 1 = subtotals.sub_total;
        /// What the customer pays: max(subTotal + discountedDeliveryFee + expressShippingCost − cartDiscount −
        /// bogoDiscount − voucherDiscount, 0).
        "grandTotal": baht 2 = grand_total;
        /// `grandTotal` − Σ max(price × quantity, 0) of the controlled products; may be negative (D20). The policy
        /// `excludeControlled` may say otherwise (D48).
        "totalExcludeControlledProducts": baht 9 = total_exclude_controlled_products;
        /// What the products weigh: Σ weight × quantity.
        "totalWeight": kilograms 13 = subtotals.total_weight;
        /// The schedules' fees, before any discount: Σ `deliveryFee`; 0 without delivery.
        "deliveryFee": baht 11 = subtotals.delivery_fee;
        /// max(deliveryFee − shippingDiscount, 0).
        "discountedDeliveryFee": baht 12 = discounted_delivery_fee;
        /// 50 or 0, Σ `expressFee` of the schedules (D38). With the policy `expressSurcharge: "anyExpress"`:
        /// 50 if any schedule of the delivery is `EXPRESS` (D48).
        "expressShippingCost": baht 10 = subtotals.express_shipping_cost;
        /// Equal to `deliveryFee`.
        "shippingFee": baht 0 = subtotals.delivery_fee;
        /// Equal to `deliveryFee`.
        "shippingPrice": baht 0 = subtotals.delivery_fee;
        /// Σ `discount` of the discounts, and what the policy `foldedDiscounts` adds (D48).
        "cartDiscount": baht 4 = cart_discount;
        /// Σ `bogoDiscount` of the discounts.
        "bogoDiscount": baht 5 = bogo_discount;
        /// Σ `two4Discount` of the discounts. Subtracted only if the policy `foldedDiscounts` adds it to `cartDiscount` (D48).
        "two4Discount": baht 6 = two4_discount;
        /// The largest multiplier of the discounts × `subTotal` (D21). Subtracted only if the policy `foldedDiscounts` adds
        /// it to `cartDiscount` (D48).
        "percentageDiscount": baht 7 = percentage_discount;
        /// Σ `shippingDiscount` of the discounts. At least `deliveryFee` if a coupon grants free shipping and the policy is
        /// `freeShipping: "waivesDelivery"` (D28).
        "shippingDiscount": baht 8 = shipping_discount;
        /// Σ `value` of the valid vouchers, also where that exceeds the order (D22).
        "voucherDiscount": baht 3 = voucher_discount;
        /// cartDiscount + bogoDiscount + two4Discount + voucherDiscount + percentageDiscount. What the policy
        /// `foldedDiscounts` folds counts once, as a part of `cartDiscount` (D48).
        "totalDiscount": baht 0 = total_discount;
    }
    flags {
        /// Whether a coupon grants free shipping. The policy `freeShipping` decides what that is worth (D28).
        "isFreeShipping" = is_free_shipping;
    }
}

/// The places in `summary`'s sequence of the amounts that it repeats.
pub const SUMMARY: [usize; 13] = places_of_ranks();

#[allow(clippy::indexing_slicing, reason = "only the compiler runs it")]
const fn places_of_ranks() -> [usize; 13] {
    let mut places = [RANKS.len(); 13];
    let mut place = 0;
    while place < RANKS.len() {
        if RANKS[place] > 0 {
            assert!(places[RANKS[place] - 1] == RANKS.len(), "a rank twice");
            places[RANKS[place] - 1] = place;
        }
        place += 1;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{Discounts, Overflows, RowSums, Subtotals, Totals};
    use crate::error::{Error, Part};
    use crate::money::{Amount, Sum};
    use crate::options::Policy;
    use crate::rules::{DiscountResult, ScheduleFee};

    /// Twice this amount does not fit.
    const HUGE: Amount = Amount::new(i64::MAX, 0);

    fn twice_too_large() -> Sum {
        let largest = Amount::from_json("79228162514264337593543950335");
        let largest = largest.expect("it fits");
        Sum::from_iter([largest, HUGE])
    }

    #[test]
    fn d19_each_field_that_overflows_is_0_and_listed_in_sequence() {
        let rows = RowSums {
            sub_total: twice_too_large(),
            overweight: 1,
            controlled: twice_too_large(),
            ..RowSums::default()
        };
        let fee = ScheduleFee {
            delivery_fee: Amount::new(40, 0),
            express_fee: Amount::ZERO,
            surcharge: Amount::ZERO,
        };
        let mut overflows = Overflows::default();
        let subtotals = Subtotals::of(&rows, &[fee], &mut overflows);
        let of_row = Error::Overflow("productList[0].discountedRowTotal".to_owned(), Part::Order);
        let totals = Totals::of(
            subtotals,
            &Discounts {
                coupons: &DiscountResult::default(),
                vouchers: &[],
                policy: &Policy::default(),
            },
            vec![of_row],
            &mut overflows,
        );
        assert_eq!(totals.subtotals.sub_total, Amount::ZERO);
        assert_eq!(totals.subtotals.total_weight, Amount::ZERO);
        assert_eq!(totals.total_exclude_controlled_products, Amount::ZERO);
        assert_eq!(totals.grand_total, Amount::new(40, 0));
        let fields = overflows.0.iter().map(ToString::to_string);
        assert_eq!(
            Vec::from_iter(fields),
            [
                "Overflow: subTotal is too large",
                "Overflow: totalWeight is too large",
                "Overflow: productList[0].discountedRowTotal is too large",
                "Overflow: totalExcludeControlledProducts is too large",
            ]
        );
        let first = Error::Overflow("subTotal".to_owned(), Part::Order);
        assert_eq!(overflows.check(), Err(first));
        assert_eq!(Overflows::default().check(), Ok(()));
    }
}

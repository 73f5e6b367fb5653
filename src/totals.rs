//! What an order comes to.

use crate::delivery::{ScheduleFee, delivery_fee, express_shipping_cost};
use crate::discount::{Discount, DiscountResult, Voucher, voucher_discount};
use crate::error::Error;
use crate::json::Writer;
use crate::money::{Amount, Sum};
use crate::options::FreeShipping;
use crate::row::Row;
use crate::step::{Sink, Step};

/// What is known before the coupons are asked (D23, D25).
#[derive(Clone, Copy, Debug)]
pub struct Subtotals {
    /// THB.
    pub sub_total: Amount,
    /// kg.
    pub total_weight: Amount,
    /// THB.
    pub delivery_fee: Amount,
    /// THB.
    pub express_shipping_cost: Amount,
}

/// The computed scalars of the response: THB, but for `total_weight` in kg.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    /// What is known without coupons and vouchers.
    pub subtotals: Subtotals,
    /// `max(subTotal + discountedDeliveryFee + expressShippingCost −
    /// cartDiscount − bogoDiscount − voucherDiscount, 0)`.
    pub grand_total: Amount,
    /// D20.
    pub total_exclude_controlled_products: Amount,
    /// Rule 9.
    pub discounted_delivery_fee: Amount,
    /// Flat discounts.
    pub cart_discount: Amount,
    /// Buy one, get one.
    pub bogo_discount: Amount,
    /// Rule 10: not subtracted.
    pub two4_discount: Amount,
    /// D21, rule 10: not subtracted.
    pub percentage_discount: Amount,
    /// D28.
    pub shipping_discount: Amount,
    /// D22.
    pub voucher_discount: Amount,
    /// All but the shipping discount.
    pub total_discount: Amount,
    /// D28.
    pub is_free_shipping: bool,
}

impl Subtotals {
    /// Adds up the rows and the delivery fees.
    pub fn of(
        rows: &[Row],
        quantities: impl Iterator<Item = i64>,
        fees: &[ScheduleFee],
    ) -> Result<Self, Error> {
        let sub_total: Sum = rows.iter().map(|row| row.effective).collect();
        Ok(Self {
            sub_total: field("subTotal", sub_total.total())?,
            total_weight: field("totalWeight", total_weight(rows, quantities))?,
            delivery_fee: field("deliveryFee", delivery_fee(fees).total())?,
            express_shipping_cost: field(
                "expressShippingCost",
                express_shipping_cost(fees).total(),
            )?,
        })
    }
}

/// Σ weight × quantity (D13: not floored).
fn total_weight(rows: &[Row], quantities: impl Iterator<Item = i64>) -> Option<Amount> {
    let mut weight = Sum::default();
    for (row, quantity) in rows.iter().zip(quantities) {
        weight.add(row.record.weight.times_units(quantity)?);
    }
    weight.total()
}

impl Totals {
    /// Adds up an order whose coupons and vouchers are known.
    pub fn of(
        subtotals: Subtotals,
        rows: &[Row],
        vouchers: &[Voucher],
        coupons: &DiscountResult,
        policy: FreeShipping,
        sink: &mut impl Sink,
    ) -> Result<Self, Error> {
        let sum = |name, amount: fn(&Discount) -> Amount| field(name, coupons.sum(amount).total());
        let cart_discount = sum("cartDiscount", |discount| discount.discount)?;
        let bogo_discount = sum("bogoDiscount", |discount| discount.bogo_discount)?;
        let two4_discount = sum("two4Discount", |discount| discount.two4_discount)?;
        let percentage_discount = field(
            "percentageDiscount",
            coupons.max_percentage().times(subtotals.sub_total),
        )?;
        let is_free_shipping = coupons.is_free_shipping();
        let shipping_discount = coupons.sum(|discount| discount.shipping_discount);
        let waived = policy == FreeShipping::WaivesDelivery && is_free_shipping;
        let shipping_discount = if waived
            && shipping_discount
                .less([subtotals.delivery_fee])
                .is_negative()
        {
            subtotals.delivery_fee
        } else {
            field("shippingDiscount", shipping_discount.total())?
        };
        let voucher_discount = field("voucherDiscount", voucher_discount(vouchers).total())?;
        let total_discount = [
            cart_discount,
            bogo_discount,
            two4_discount,
            voucher_discount,
            percentage_discount,
        ];
        let total_discount = field("totalDiscount", Sum::from_iter(total_discount).total())?;

        // Rule 10
        sink.step(Step::NotSubtracted {
            field: "two4Discount",
            amount: two4_discount,
        });
        sink.step(Step::NotSubtracted {
            field: "percentageDiscount",
            amount: percentage_discount,
        });
        sink.step(Step::Discount {
            field: "shippingDiscount",
            amount: shipping_discount,
        });
        let discounted_delivery_fee =
            Sum::from_iter([subtotals.delivery_fee]).less([shipping_discount]);
        let discounted_delivery_fee =
            floored("discountedDeliveryFee", discounted_delivery_fee, sink)?;
        for (field, amount) in [
            ("cartDiscount", cart_discount),
            ("bogoDiscount", bogo_discount),
            ("voucherDiscount", voucher_discount),
        ] {
            sink.step(Step::Discount { field, amount });
        }
        let grand_total = Sum::from_iter([
            subtotals.sub_total,
            discounted_delivery_fee,
            subtotals.express_shipping_cost,
        ])
        .less([cart_discount, bogo_discount, voucher_discount]);
        let grand_total = floored("grandTotal", grand_total, sink)?;
        let controlled = rows
            .iter()
            .filter(|row| row.record.is_controlled)
            .map(|row| row.row_total);
        let total_exclude_controlled_products =
            Sum::from_iter([grand_total]).less(controlled).total();
        Ok(Self {
            subtotals,
            grand_total,
            total_exclude_controlled_products: field(
                "totalExcludeControlledProducts",
                total_exclude_controlled_products,
            )?,
            discounted_delivery_fee,
            cart_discount,
            bogo_discount,
            two4_discount,
            percentage_discount,
            shipping_discount,
            voucher_discount,
            total_discount,
            is_free_shipping,
        })
    }

    /// Writes the computed scalars in the order of the spec (D1).
    pub(crate) fn write(&self, out: &mut Writer) {
        let Subtotals {
            sub_total,
            total_weight,
            delivery_fee,
            express_shipping_cost,
        } = self.subtotals;
        out.raw(r#","subTotal":"#).amount(sub_total);
        out.raw(r#","grandTotal":"#).amount(self.grand_total);
        out.raw(r#","totalExcludeControlledProducts":"#)
            .amount(self.total_exclude_controlled_products);
        out.raw(r#","totalWeight":"#).amount(total_weight);
        out.raw(r#","deliveryFee":"#).amount(delivery_fee);
        out.raw(r#","discountedDeliveryFee":"#)
            .amount(self.discounted_delivery_fee);
        out.raw(r#","expressShippingCost":"#)
            .amount(express_shipping_cost);
        out.raw(r#","shippingFee":"#).amount(delivery_fee);
        out.raw(r#","shippingPrice":"#).amount(delivery_fee);
        out.raw(r#","cartDiscount":"#).amount(self.cart_discount);
        out.raw(r#","bogoDiscount":"#).amount(self.bogo_discount);
        out.raw(r#","two4Discount":"#).amount(self.two4_discount);
        out.raw(r#","percentageDiscount":"#)
            .amount(self.percentage_discount);
        out.raw(r#","shippingDiscount":"#)
            .amount(self.shipping_discount);
        out.raw(r#","voucherDiscount":"#)
            .amount(self.voucher_discount);
        out.raw(r#","totalDiscount":"#).amount(self.total_discount);
        out.raw(r#","isFreeShipping":"#)
            .boolean(self.is_free_shipping);
    }

    /// Writes `summary`, whose fields equal the top-level ones.
    pub(crate) fn write_summary(&self, out: &mut Writer, discount_result: &DiscountResult) {
        let Subtotals {
            sub_total,
            total_weight,
            delivery_fee,
            express_shipping_cost,
        } = self.subtotals;
        out.raw(r#"{"subTotal":"#).amount(sub_total);
        out.raw(r#","grandTotal":"#).amount(self.grand_total);
        out.raw(r#","voucherDiscount":"#)
            .amount(self.voucher_discount);
        out.raw(r#","cartDiscount":"#).amount(self.cart_discount);
        out.raw(r#","bogoDiscount":"#).amount(self.bogo_discount);
        out.raw(r#","two4Discount":"#).amount(self.two4_discount);
        out.raw(r#","percentageDiscount":"#)
            .amount(self.percentage_discount);
        out.raw(r#","shippingDiscount":"#)
            .amount(self.shipping_discount);
        out.raw(r#","totalExcludeControlledProducts":"#)
            .amount(self.total_exclude_controlled_products);
        out.raw(r#","expressShippingCost":"#)
            .amount(express_shipping_cost);
        out.raw(r#","deliveryFee":"#).amount(delivery_fee);
        out.raw(r#","discountedDeliveryFee":"#)
            .amount(self.discounted_delivery_fee);
        out.raw(r#","totalWeight":"#).amount(total_weight);
        out.raw(r#","discountResult":"#);
        discount_result.write(out);
        out.raw("}");
    }
}

fn floored(name: &'static str, sum: Sum, sink: &mut impl Sink) -> Result<Amount, Error> {
    if sum.is_negative() {
        sink.step(Step::Floor {
            field: name,
            lift: sum.negated(),
        });
    }
    field(name, sum.floored_total())
}

/// D19: a field whose value does not fit an amount is an overflow.
fn field(name: &str, value: Option<Amount>) -> Result<Amount, Error> {
    value.ok_or_else(|| Error::Overflow(name.to_owned()))
}

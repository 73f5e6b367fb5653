//! The response: the order with every computed field. The contract fixes the
//! order of the keys (D1, D3).

use std::sync::Arc;

use super::Found;
use crate::explain::Recorder;
use crate::json::{Line, Writer, lines};
use crate::money::Amount;
use crate::order::{Order, Schedule, SourceKind};
use crate::rules::{
    DiscountResult, NationwideRates, Row, ScheduleFee, Totals, Voucher, write_product,
};

/// A priced order.
#[derive(Debug)]
pub struct Priced {
    pub(crate) order: Order,
    pub(crate) rows: Vec<Row>,
    /// The rows as JSON text, if the coupon request has needed it.
    pub(crate) rows_json: Option<Vec<u8>>,
    /// One for each schedule.
    pub(crate) fees: Vec<ScheduleFee>,
    pub(crate) found: Found,
    pub(crate) coupons: Arc<DiscountResult>,
    pub(crate) totals: Totals,
}

impl Priced {
    /// What stands behind the totals, in the contract's sequence (D1).
    pub const LINES: &'static [Line] = lines! {
        /// The products with their prices, in the request's sequence.
        "productList": objects(Product) nested,
        /// The delivery with its fees; `null` if the order had none.
        "shipping": object(Shipping) nested,
        /// The vouchers that count, each once, in the request's sequence (D29, D30).
        "validVouchers": objects(Voucher) nested,
        /// The vouchers that do not count, with the reasons (D30).
        "invalidVouchers": objects(Voucher) nested,
        /// The coupon service's answer; empty if the order had no codes (D23).
        "discountResult": object(DiscountResult) nested,
        /// The totals again, as one object.
        "summary": object(Summary) nested,
    };

    /// The totals of the order.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The response as JSON text, always with all 35 keys (D1).
    pub fn write(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(self.size());
        self.write_to(&mut out, true);
        out.into_bytes()
    }

    /// The response `{order, steps}` with the recorder's steps of this order.
    pub fn write_explained(&self, recorder: Recorder) -> Vec<u8> {
        let steps = recorder.into_list();
        let mut out = Writer::with_capacity(self.size() + steps.len());
        out.raw(r#"{"order":"#);
        self.write_to(&mut out, true);
        out.raw(r#","steps":"#).bytes(&steps);
        out.raw("}");
        out.into_bytes()
    }

    /// The response with `null` as `productList`, for a caller that builds the
    /// rows itself.
    pub fn write_without_rows(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(self.order.text.len());
        self.write_to(&mut out, false);
        out.into_bytes()
    }

    fn write_to(&self, out: &mut Writer, with_rows: bool) {
        #[cfg(faults)]
        crate::quote::faults::strike(&self.order, "write");
        self.order.fields.write_fields(out, &self.order.text);
        self.totals.write(out);
        out.raw(r#","productList":"#);
        match &self.rows_json {
            _ if !with_rows => _ = out.raw("null"),
            Some(rows) => _ = out.bytes(rows),
            None => write_rows(out, &self.order, &self.rows),
        }
        out.raw(r#","shipping":"#);
        write_shipping(out, &self.order, &self.found.rates, &self.fees, &|_| true);
        out.raw(r#","validVouchers":"#);
        write_vouchers(out, &self.order, &self.found.vouchers, true);
        out.raw(r#","invalidVouchers":"#);
        write_vouchers(out, &self.order, &self.found.vouchers, false);
        out.raw(r#","discountResult":"#);
        let start = out.length();
        self.coupons.write(out);
        let coupons = start..out.length();
        out.raw(r#","summary":"#);
        self.totals.write_summary(out, coupons);
        out.raw("}");
    }

    /// The approximate size of the response in bytes. With this capacity the
    /// text does not move while it grows: two copies would count against D45.
    fn size(&self) -> usize {
        // The summary repeats `discountResult`.
        let coupons = 2 * self.coupons.size();
        size_hint(&self.order) + coupons
    }
}

/// Writes `shipping`. `is_known` returns whether the delivery fee of the schedule
/// at an index is known: if not, it is `null`.
pub(crate) fn write_shipping(
    out: &mut Writer,
    order: &Order,
    rates: &NationwideRates,
    fees: &[ScheduleFee],
    is_known: &dyn Fn(usize) -> bool,
) {
    let Some(shipping) = &order.fields.shipping else {
        out.raw("null");
        return;
    };
    shipping.write_fields(out, &order.text, |out| {
        let schedules = shipping.schedules.iter().enumerate();
        out.list(schedules, |out, (index, schedule)| {
            write_schedule(
                out,
                order,
                rates,
                schedule,
                fees.get(index),
                is_known(index),
            );
        });
    });
    out.raw("}");
}

fn write_schedule(
    out: &mut Writer,
    order: &Order,
    rates: &NationwideRates,
    schedule: &Schedule,
    fee: Option<&ScheduleFee>,
    is_known: bool,
) {
    let delivery_fee = |out: &mut Writer| match fee {
        Some(fee) if is_known => _ = out.amount(fee.delivery_fee),
        _ => _ = out.raw("null"),
    };
    let express_fee = |out: &mut Writer| {
        out.amount(fee.map_or(Amount::ZERO, |fee| fee.express_fee));
    };
    let is_nationwide = schedule.mode.terms().source == SourceKind::NationwideRate;
    // D36: from the answer, else from the request, else null.
    let config = |out: &mut Writer| {
        let rate = rates.get(schedule.nationwide_mode);
        out.raw(match rate.and_then(|rate| rate.config()) {
            // Without a fee it is an echo.
            _ if !is_nationwide && fee.is_some() => r#""none""#,
            Some(answered) => answered,
            None => order.json(
                schedule.nationwide_config,
                const { Schedule::default_of("nationwideConfig") },
            ),
        });
    };
    schedule.write_fields(out, &order.text, delivery_fee, express_fee, config);
    out.raw("}");
}

/// Writes the vouchers that the order may redeem, or the others.
pub(crate) fn write_vouchers(out: &mut Writer, order: &Order, vouchers: &[Voucher], valid: bool) {
    let vouchers = vouchers.iter();
    let vouchers = vouchers.filter(|voucher| voucher.redeemable().is_some() == valid);
    out.list(vouchers, |out, voucher| voucher.write(out, order));
}

/// All that the response takes from the order, as JSON text. Two orders with the
/// same echo have the same price.
pub(crate) fn echo(order: &Order) -> Vec<u8> {
    let mut out = Writer::with_capacity(size_hint(order));
    order.fields.write_fields(&mut out, &order.text);
    out.raw(r#","productList":"#)
        .list(&order.fields.products, |out, product| {
            write_product(out, order, product);
            out.raw("}");
        });
    out.raw(r#","shipping":"#);
    write_shipping(&mut out, order, &NationwideRates::default(), &[], &|_| {
        false
    });
    out.raw("}");
    out.into_bytes()
}

/// The approximate size of a priced order in bytes.
pub(crate) fn size_hint(order: &Order) -> usize {
    const OF_ROW: usize = 256;
    const OF_SCHEDULE: usize = 192;
    const OF_THE_REST: usize = 4096;
    let row = order.branch_id_json().len() + OF_ROW;
    let schedules = order.fields.shipping.as_ref();
    let schedules = schedules.map_or(0, |shipping| shipping.schedules.len());
    order.text.len() + order.fields.products.len() * row + schedules * OF_SCHEDULE + OF_THE_REST
}

/// Writes the priced products, as the response and the coupon request show them.
pub(crate) fn write_rows<'a>(
    out: &mut Writer,
    order: &Order,
    rows: impl IntoIterator<Item = &'a Row>,
) {
    out.list(
        order.fields.products.iter().zip(rows),
        |out, (product, row)| row.write(out, order, product),
    );
}

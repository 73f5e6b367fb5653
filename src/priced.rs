//! The response: the order with everything that was computed. The order of the
//! keys is part of the contract (D1, D3).

use crate::delivery::{NationwideRates, ScheduleFee};
use crate::discount::{DiscountResult, Voucher};
use crate::json::{EMPTY, Span, Writer};
use crate::order::Order;
use crate::row::Row;
use crate::shipping::{Mode, Schedule, Shipping};
use crate::totals::Totals;

/// A priced order.
#[derive(Debug)]
pub struct Priced {
    pub(crate) order: Order,
    pub(crate) rows: Vec<Row>,
    /// One for each schedule.
    pub(crate) fees: Vec<ScheduleFee>,
    pub(crate) rates: NationwideRates,
    pub(crate) vouchers: Vec<Voucher>,
    pub(crate) coupons: DiscountResult,
    pub(crate) totals: Totals,
}

impl Priced {
    /// What it comes to.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// The response as JSON text: all 35 keys, always (D1).
    pub fn write(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            self.write_passthrough(out);
            self.totals.write(out);
            out.key("productList")
                .array(|out| write_rows(out, &self.order, &self.rows));
            out.key("shipping");
            self.write_shipping(out);
            out.key("validVouchers")
                .array(|out| self.write_vouchers(out, true));
            out.key("invalidVouchers")
                .array(|out| self.write_vouchers(out, false));
            out.key("discountResult");
            self.coupons.write(out);
            out.key("summary");
            self.totals.write_summary(out, &self.coupons);
        });
        out.into_text()
    }

    fn write_passthrough(&self, out: &mut Writer) {
        let order = &self.order;
        let fields = &order.fields;
        out.key("branchId").json(order.branch_id_json());
        out.key("basketName")
            .json(order.json(fields.basket_name, EMPTY));
        out.key("basketId")
            .json(order.json(fields.basket_id, EMPTY));
        out.key("orderId").json(order.json(fields.order_id, EMPTY));
        out.key("orderDate")
            .json(order.json(fields.order_date, "0"));
        out.key("ownerId").json(order.json(fields.owner_id, EMPTY));
        out.key("requestSubstitute")
            .boolean(fields.request_substitute);
        out.key("specialComment")
            .json(order.json(fields.special_comment, "null"));
        out.key("noPlasticBags").boolean(fields.no_plastic_bags);
        out.key("couponCodeList")
            .array(|out| write_strings(out, order, &fields.coupon_codes));
        out.key("voucherId")
            .array(|out| write_strings(out, order, &fields.voucher_ids));
        out.key("cartDiscountInfo")
            .json(order.json(fields.cart_discount_info, "[]"));
    }

    fn write_shipping(&self, out: &mut Writer) {
        let Some(shipping) = &self.order.fields.shipping else {
            return out.json("null");
        };
        let order = &self.order;
        out.object(|out| {
            out.key("shippingType").word(shipping.shipping_type.word());
            out.key("scheduleList")
                .array(|out| self.write_schedules(out, shipping));
            out.key("shippingPostcode")
                .json(order.shipping_postcode_json());
            out.key("shippingLat")
                .json(order.json(shipping.lat.text, "0"));
            out.key("shippingLon")
                .json(order.json(shipping.lon.text, "0"));
            out.key("shippingFirstName")
                .json(order.json(shipping.first_name, EMPTY));
            out.key("shippingLastName")
                .json(order.json(shipping.last_name, EMPTY));
            out.key("shippingAddress")
                .json(order.json(shipping.address, EMPTY));
            out.key("shippingSubDistrict")
                .json(order.json(shipping.sub_district, EMPTY));
            out.key("shippingProvince")
                .json(order.json(shipping.province, EMPTY));
            out.key("shippingPhone")
                .json(order.json(shipping.phone, EMPTY));
            out.key("shippingEmail")
                .json(order.json(shipping.email, EMPTY));
            out.key("shippingDate").json(order.json(shipping.date, "0"));
            out.key("brcode").integer(shipping.brcode());
        });
    }

    fn write_schedules(&self, out: &mut Writer, shipping: &Shipping) {
        for (schedule, fee) in shipping.schedules.iter().zip(&self.fees) {
            out.object(|out| {
                out.key("scheduleId").integer(schedule.schedule_id);
                out.key("mode").word(schedule.mode.word());
                out.key("dateTime")
                    .json(self.order.json(schedule.date_time, "null"));
                out.key("deliveryFee").amount(fee.delivery_fee);
                out.key("expressFee").amount(fee.express_fee);
                out.key("nationwideMode")
                    .word(schedule.nationwide_mode.word());
                out.key("nationwideConfig")
                    .json(self.nationwide_config(schedule));
                out.key("pickingStatus")
                    .json(self.order.json(schedule.picking_status, "null"));
                out.key("date_slot")
                    .json(self.order.json(schedule.date_slot, "null"));
                out.key("booking_hour").integer(schedule.booking_hour);
            });
        }
    }

    /// D36: from the answer, else from the request, else null.
    fn nationwide_config(&self, schedule: &Schedule) -> &str {
        if schedule.mode != Mode::Nationwide {
            return r#""none""#;
        }
        let answered = self
            .rates
            .get(schedule.nationwide_mode)
            .and_then(|rate| rate.config());
        answered.unwrap_or_else(|| self.order.json(schedule.nationwide_config, "null"))
    }

    fn write_vouchers(&self, out: &mut Writer, valid: bool) {
        for voucher in self
            .vouchers
            .iter()
            .filter(|voucher| voucher.is_valid() == valid)
        {
            voucher.write(out, &self.order);
        }
    }
}

/// Writes the priced products, as the response and the coupon request show them.
pub(crate) fn write_rows(out: &mut Writer, order: &Order, rows: &[Row]) {
    for (product, row) in order.fields.products.iter().zip(rows) {
        row.write(out, order, product);
    }
}

/// Writes strings as the request wrote them.
pub(crate) fn write_strings(out: &mut Writer, order: &Order, strings: &[Span]) {
    for string in strings {
        out.json(string.of(&order.text));
    }
}

//! The price of an order: the rules once more, with big integers and without regard to speed.

use order_cost::{
    DiscountedRowTotal, ExcludeControlled, ExpressSurcharge, FoldedDiscounts, FreeShipping, Policy,
    RowTotal, SettlementPrice, SubTotal,
};

use super::host::{Host, THROWN, ZONES};
use super::json::{Json, Member, Node, Value};
use super::number::Number;
use super::schema::{self, Kind, double, integer, number};

type Priced<T> = Result<T, String>;

/// The response to a valid order, or the message of its error (D42).
pub(crate) fn price(order: Json<'_>, host: &Host, policy: &Policy) -> Priced<String> {
    let rows = rows(order, host)?;
    let fees = fees(order, host, policy)?;
    let vouchers = vouchers(order, host)?;
    let bill = Bill::new(rows, &fees, policy)?;
    let coupons = coupons(order, host)?;
    let coupons = Coupons::read(coupons.as_ref());
    let totals = bill.totals(&coupons, &vouchers, policy)?;
    Ok(response(order, &bill, &fees, &vouchers, &coupons, &totals))
}

/// A text that the schema accepts. `None`: it is `null`, so nothing was found.
fn found<'a>(text: &'a str, kind: &Kind, from: &str) -> Priced<Option<Node<'a>>> {
    let text = Node::read(text).ok_or_else(|| format!("{from}expected JSON"))?;
    if text.text == "null" {
        return Ok(None);
    }
    schema::check(&text, kind).map_err(|fault| format!("{from}{fault}"))?;
    Ok(Some(text))
}

fn amount(json: Json<'_>, key: &str) -> Option<Number> {
    json.get(key).and_then(number)
}

fn amount_or_zero(json: Json<'_>, key: &str) -> Number {
    amount(json, key).unwrap_or_else(Number::zero)
}

fn flag(json: Json<'_>, key: &str) -> bool {
    json.get(key).is_some_and(|value| value.text == "true")
}

fn string<'a>(json: Json<'a>, key: &str, default: &'a str) -> &'a str {
    json.get(key).and_then(Node::string).unwrap_or(default)
}

/// The text of a field, or of its default.
fn text<'a>(json: Json<'a>, key: &str, default: &'a str) -> &'a str {
    json.get(key).map_or(default, |value| value.text)
}

fn whole(json: Json<'_>, key: &str, default: i64) -> i64 {
    json.get(key).and_then(integer).unwrap_or(default)
}

/// A product and its price record.
struct Row<'a> {
    product: Json<'a>,
    quantity: i64,
    price: Number,
    original_price: Number,
    settlement_price: Option<Number>,
    weight: Number,
    is_controlled: bool,
    /// Known after the rows are multiplied.
    effective: Number,
    row_total: Number,
}

fn rows<'a>(order: Json<'a>, host: &Host) -> Priced<Vec<Row<'a>>> {
    let branch = string(order, "branchId", "1000");
    let row = |product: Json<'a>| {
        let cprcode = whole(product, "cprcode", 0);
        let record = host.prices.get(&cprcode).map_or("null", String::as_str);
        let from = format!("Invalid answer from lookupPrices: {cprcode}/{branch}: ");
        let record = found(record, &schema::price_record(), &from)?;
        let record = record.ok_or_else(|| format!("No price for {cprcode}/{branch}"))?;
        let record = &record;
        let price = amount_or_zero(record, "price");
        Ok(Row {
            product,
            quantity: whole(product, "quantity", 0),
            original_price: amount(record, "originalPrice").unwrap_or_else(|| price.clone()),
            settlement_price: amount(record, "settlementPrice"),
            weight: amount(record, "weight")
                .unwrap_or_else(|| Number::read("0.25").expect("it fits")),
            is_controlled: flag(record, "isControlledProduct"),
            price,
            effective: Number::zero(),
            row_total: Number::zero(),
        })
    };
    order.list("productList").iter().map(row).collect()
}

struct Fee {
    delivery: Number,
    express: Number,
    /// Whether the schedule is delivered as `EXPRESS`.
    is_express: bool,
    /// `nationwideConfig` as text.
    config: String,
}

fn fees(order: Json<'_>, host: &Host, policy: &Policy) -> Priced<Vec<Fee>> {
    let Some(shipping) = order.get("shipping") else {
        return Ok(Vec::new());
    };
    let is_delivered = string(shipping, "shippingType", "PICKUP") == "DELIVERY";
    let schedules = shipping.list("scheduleList");
    // D38, D48
    let surcharged = match policy.express_surcharge {
        ExpressSurcharge::FirstSchedule | ExpressSurcharge::AnyExpress => Some(0),
        ExpressSurcharge::FirstExpress => schedules
            .iter()
            .position(|schedule| string(schedule, "mode", "NATIONWIDE") == "EXPRESS"),
    };
    let fee = |(index, schedule): (usize, Json<'_>)| {
        let mode = string(schedule, "mode", "NATIONWIDE");
        let sent = text(schedule, "nationwideConfig", "null");
        let mut fee = Fee {
            delivery: Number::zero(),
            express: Number::zero(),
            is_express: false,
            config: if mode == "NATIONWIDE" {
                sent
            } else {
                r#""none""#
            }
            .to_owned(),
        };
        if !is_delivered {
            return Ok(fee);
        }
        match mode {
            "REGULAR" => fee.delivery = zone_fee(shipping)?,
            "EXPRESS" => {
                fee.delivery = zone_fee(shipping)?;
                fee.is_express = true;
                if surcharged == Some(index) {
                    fee.express = Number::from(50);
                }
            }
            "NATIONWIDE" => {
                let mode = string(schedule, "nationwideMode", "DRY");
                let rate = host.rates.get(mode).ok_or(THROWN)?;
                let from = "Invalid answer from nationwideRate: ";
                let rate = found(rate, &schema::rate(), from)?;
                // D46
                let postcode = string(shipping, "shippingPostcode", "10110");
                let rate =
                    rate.ok_or_else(|| format!("No nationwide rate for {postcode}/{mode}"))?;
                fee.delivery = amount_or_zero(&rate, "deliveryFee");
                fee.config = text(&rate, "nationwideConfig", sent).to_owned();
            }
            _ => {}
        }
        Ok(fee)
    };
    schedules.iter().enumerate().map(fee).collect()
}

fn zone_fee(shipping: Json<'_>) -> Priced<Number> {
    let degrees = |key| double(text(shipping, key, "0"));
    let (lon, lat) = (degrees("shippingLon"), degrees("shippingLat"));
    let brcode = whole(shipping, "brcode", 1000);
    let mut of_branch = ZONES.iter().filter(|zone| zone.0 == brcode).peekable();
    if of_branch.peek().is_none() {
        return Err(format!("Branch {brcode} is not available"));
    }
    let covering = of_branch.find(|(_, [left, bottom, right, top], _)| {
        (*left..=*right).contains(&lon) && (*bottom..=*top).contains(&lat)
    });
    let (_, _, fee) = covering.ok_or_else(|| format!("Branch {brcode} not in polygon"))?;
    Ok(Number::read(fee).expect("a fee is a number"))
}

struct Voucher {
    value: Number,
    is_valid: bool,
    echo: String,
}

fn vouchers(order: Json<'_>, host: &Host) -> Priced<Vec<Voucher>> {
    let owner = string(order, "ownerId", "");
    let mut seen = Vec::new();
    let mut vouchers = Vec::new();
    for sent in order.list("voucherId") {
        let id = sent.string().expect("an id is a string");
        // D29
        let units = sent.units();
        if seen.contains(&units) {
            continue;
        }
        let record = host.vouchers.get(id).map_or("null", String::as_str);
        let from = format!("Invalid answer from lookupVouchers: {id}: ");
        let record = found(record, &schema::voucher(id), &from)?;
        let record = record.ok_or_else(|| format!("Voucher {id} not found"))?;
        let record = &record;
        // D31
        let is_owned = !owner.is_empty() && string(record, "ownerId", "") == owner;
        let reasons = [
            (!flag(record, "isActive"), "inactive"),
            (flag(record, "isUsed"), "used"),
        ];
        let reasons = reasons.into_iter().filter(|(applies, _)| *applies);
        let reasons: Vec<_> = reasons.map(|(_, word)| format!("\"{word}\"")).collect();
        vouchers.push(Voucher {
            value: amount_or_zero(record, "value"),
            is_valid: is_owned && reasons.is_empty(),
            echo: if is_owned {
                voucher_echo(record, sent.text, &reasons)
            } else {
                foreign_echo(sent.text)
            },
        });
        seen.push(units);
    }
    Ok(vouchers)
}

/// D30: shows nothing of the record.
fn foreign_echo(id: &str) -> String {
    format!(r#"{{"voucherId":{id},"reasons":["ownerMismatch"]}}"#)
}

/// D30, D6.
fn voucher_echo(record: Json<'_>, id: &str, reasons: &[String]) -> String {
    let mut members: Vec<(String, String)> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    let Value::Object(sent) = &record.value else {
        panic!("a record is an object");
    };
    for Member {
        key: name,
        key_text,
        value,
    } in sent
    {
        let value = if name == "voucherId" && value.text == "null" {
            id
        } else {
            value.text
        };
        match names.iter().position(|known| known == name) {
            Some(place) => members[place].1 = value.to_owned(),
            None => {
                names.push(name);
                members.push((key_text.to_string(), value.to_owned()));
            }
        }
    }
    if !names.contains(&"voucherId") {
        names.insert(0, "voucherId");
        members.insert(0, (r#""voucherId""#.to_owned(), id.to_owned()));
    }
    let members = members.into_iter().zip(names);
    let mut members: Vec<_> = members
        .filter(|(_, name)| reasons.is_empty() || *name != "reasons")
        .map(|((key, value), _)| format!("{key}:{value}"))
        .collect();
    if !reasons.is_empty() {
        members.push(format!(r#""reasons":[{}]"#, reasons.join(",")));
    }
    format!("{{{}}}", members.join(","))
}

fn coupons<'a>(order: Json<'_>, host: &'a Host) -> Priced<Option<Node<'a>>> {
    if order.list("couponCodeList").is_empty() {
        return Ok(None);
    }
    let from = "Invalid answer from validateCoupons: ";
    let answer = host.coupons.as_deref().ok_or(THROWN)?;
    let products = order.list("productList").len();
    let answer = found(answer, &schema::discount_result(products), from)?;
    answer
        .map(Some)
        .ok_or_else(|| format!("{from}expected an object"))
}

/// The answer of `validateCoupons`; empty for an order without coupons.
struct Coupons<'a> {
    discounts: &'a [Node<'a>],
    failed: Vec<&'a str>,
    error: &'a str,
    /// Line and amount (D16).
    lines: Vec<(i64, Number)>,
}

impl<'a> Coupons<'a> {
    fn read(answer: Option<Json<'a>>) -> Self {
        let list = |key| answer.map_or(&[][..], |answer| answer.list(key));
        let discounts = list("discounts");
        let on_lines = discounts.iter().flat_map(|discount| discount.list("lines"));
        let lines = list("lines").iter().chain(on_lines);
        Self {
            lines: lines
                .map(|line| (whole(line, "line", 0), amount_or_zero(line, "discount")))
                .collect(),
            failed: list("failedCoupons").iter().map(|code| code.text).collect(),
            error: answer.map_or("{}", |answer| text(answer, "error", "{}")),
            discounts,
        }
    }

    fn sum(&self, key: &str) -> Number {
        let amounts = self.discounts.iter();
        amounts.map(|discount| amount_or_zero(discount, key)).sum()
    }

    fn write(&self) -> String {
        let discounts = self.discounts.iter().map(|discount| {
            let amount = |key| amount_or_zero(discount, key);
            format!(
                r#"{{"coupon":{},"discount":{},"bogoDiscount":{},"two4Discount":{},"percentageDiscount":{},"freeshipping":{},"shippingDiscount":{}}}"#,
                text(discount, "coupon", ""),
                amount("discount"),
                amount("bogoDiscount"),
                amount("two4Discount"),
                amount("percentageDiscount"),
                flag(discount, "freeshipping"),
                amount("shippingDiscount"),
            )
        });
        format!(
            r#"{{"discounts":[{}],"failedCoupons":[{}],"error":{}}}"#,
            discounts.collect::<Vec<_>>().join(","),
            self.failed.join(","),
            self.error
        )
    }
}

/// D19: a field that does not fit is an overflow.
fn field(name: &str, value: Number) -> Priced<Number> {
    if value.fits() {
        Ok(value)
    } else {
        Err(format!("Overflow: {name} is too large"))
    }
}

/// The totals that are known before the coupons.
struct Bill<'a> {
    rows: Vec<Row<'a>>,
    sub_total: Number,
    total_weight: Number,
    delivery_fee: Number,
    express_cost: Number,
}

impl<'a> Bill<'a> {
    fn new(mut rows: Vec<Row<'a>>, fees: &[Fee], policy: &Policy) -> Priced<Self> {
        for (line, row) in rows.iter_mut().enumerate() {
            // D13
            let units = Number::from(row.quantity).floored();
            let name = format!("productList[{line}].rowTotal");
            row.effective = field(&name, row.price.times(&units))?;
            row.row_total = match policy.row_total {
                RowTotal::Effective => row.effective.clone(),
                RowTotal::List => field(&name, row.original_price.times(&units))?,
            };
            // D17, D48
            let of_record = match policy.settlement_price {
                SettlementPrice::RecordOrRowTotal => row.settlement_price.clone(),
                SettlementPrice::Record => {
                    Some(row.settlement_price.as_ref().unwrap_or(&row.price).clone())
                }
                SettlementPrice::RowTotal => None,
            };
            row.settlement_price = of_record.or_else(|| Some(row.row_total.clone()));
        }
        let weight = |row: &Row<'_>| {
            let weight = row.weight.times(&Number::from(row.quantity));
            field("totalWeight", weight)
        };
        // D48
        let part = |row: &Row<'_>| match policy.sub_total {
            SubTotal::Effective => row.effective.clone(),
            SubTotal::RowTotals => row.row_total.clone(),
        };
        let sub_total = rows.iter().map(part).sum();
        Ok(Self {
            sub_total: field("subTotal", sub_total)?,
            total_weight: {
                let weights = rows.iter().map(weight).collect::<Priced<Vec<_>>>()?;
                field("totalWeight", weights.into_iter().sum())?
            },
            delivery_fee: field(
                "deliveryFee",
                fees.iter().map(|fee| fee.delivery.clone()).sum(),
            )?,
            express_cost: match policy.express_surcharge {
                // D48
                ExpressSurcharge::AnyExpress if fees.iter().any(|fee| fee.is_express) => {
                    Number::from(50)
                }
                ExpressSurcharge::AnyExpress => Number::zero(),
                _ => fees.iter().map(|fee| fee.express.clone()).sum(),
            },
            rows,
        })
    }

    /// In the sequence of the calculation.
    fn totals(
        &self,
        coupons: &Coupons<'_>,
        vouchers: &[Voucher],
        policy: &Policy,
    ) -> Priced<Totals> {
        let sum = |name, key| field(name, coupons.sum(key));
        let multipliers = coupons.discounts.iter();
        let multiplier = multipliers
            .map(|discount| amount_or_zero(discount, "percentageDiscount"))
            .max()
            .unwrap_or_else(Number::zero);
        // D48: what cannot be folded because it does not fit fails the order later.
        let percentage = field("percentageDiscount", multiplier.times(&self.sub_total));
        let two4 = sum("two4Discount", "two4Discount");
        let (folds_percentage, folds_two4) = match policy.folded_discounts {
            FoldedDiscounts::None => (false, false),
            FoldedDiscounts::Percentage => (true, false),
            FoldedDiscounts::Two4 => (false, true),
            FoldedDiscounts::Both => (true, true),
        };
        let mut cart = coupons.sum("discount");
        for (is_folded, discount) in [(folds_percentage, &percentage), (folds_two4, &two4)] {
            if let (true, Ok(discount)) = (is_folded, discount) {
                cart = cart + discount.clone();
            }
        }
        let cart = field("cartDiscount", cart)?;
        let bogo = sum("bogoDiscount", "bogoDiscount")?;
        let (two4, percentage) = (two4?, percentage?);
        let is_free = coupons
            .discounts
            .iter()
            .any(|one| flag(one, "freeshipping"));
        let mut shipping = coupons.sum("shippingDiscount");
        if is_free && policy.free_shipping == FreeShipping::WaivesDelivery {
            shipping = shipping.max(self.delivery_fee.clone());
        }
        let shipping = field("shippingDiscount", shipping)?;
        let discounted_rows = self.discounted_rows(coupons, policy)?;
        let valid = vouchers.iter().filter(|voucher| voucher.is_valid);
        let voucher = valid.map(|voucher| voucher.value.clone()).sum();
        let voucher = field("voucherDiscount", voucher)?;
        let mut all = vec![&cart, &bogo, &voucher];
        if !folds_two4 {
            all.push(&two4);
        }
        if !folds_percentage {
            all.push(&percentage);
        }
        let total_discount = field("totalDiscount", all.into_iter().cloned().sum())?;
        let delivery = (self.delivery_fee.clone() - shipping.clone()).floored();
        let delivery = field("discountedDeliveryFee", delivery)?;
        let charges = self.sub_total.clone() + delivery.clone() + self.express_cost.clone();
        let grand_total = charges - cart.clone() - bogo.clone() - voucher.clone();
        let grand_total = field("grandTotal", grand_total.floored())?;
        let controlled = self.rows.iter().filter(|row| row.is_controlled);
        // D20, D48
        let excluded = |row: &Row<'_>| match policy.exclude_controlled {
            ExcludeControlled::Effective => row.effective.clone(),
            ExcludeControlled::RowTotal => row.row_total.clone(),
        };
        let controlled: Number = controlled.map(excluded).sum();
        Ok(Totals {
            without_controlled: field(
                "totalExcludeControlledProducts",
                grand_total.clone() - controlled,
            )?,
            grand_total,
            discounted_delivery_fee: delivery,
            cart,
            bogo,
            two4,
            percentage,
            shipping,
            voucher,
            total_discount,
            is_free,
            discounted_rows,
        })
    }

    /// D16, D48.
    fn discounted_rows(&self, coupons: &Coupons<'_>, policy: &Policy) -> Priced<Vec<Number>> {
        let rows = (0..).zip(&self.rows);
        let discounted = rows.map(|(line, row)| {
            let here = coupons.lines.iter().filter(|(at, _)| *at == line);
            let off: Number = here.map(|(_, amount)| amount.clone()).sum();
            let name = format!("productList[{line}].discountedRowTotal");
            let before = match policy.discounted_row_total {
                DiscountedRowTotal::Effective => row.effective.clone(),
                DiscountedRowTotal::FromRowTotal => row.row_total.clone(),
            };
            field(&name, (before - off).floored())
        });
        discounted.collect()
    }
}

struct Totals {
    grand_total: Number,
    without_controlled: Number,
    discounted_delivery_fee: Number,
    cart: Number,
    bogo: Number,
    two4: Number,
    percentage: Number,
    shipping: Number,
    voucher: Number,
    total_discount: Number,
    is_free: bool,
    discounted_rows: Vec<Number>,
}

fn response(
    order: Json<'_>,
    bill: &Bill<'_>,
    fees: &[Fee],
    vouchers: &[Voucher],
    coupons: &Coupons<'_>,
    totals: &Totals,
) -> String {
    let mut out = Members::default();
    for (key, default) in [
        ("branchId", r#""1000""#),
        ("basketName", r#""""#),
        ("basketId", r#""""#),
        ("orderId", r#""""#),
        ("orderDate", "0"),
        ("ownerId", r#""""#),
        ("requestSubstitute", "false"),
        ("specialComment", "null"),
        ("noPlasticBags", "false"),
    ] {
        out.add(key, text(order, key, default));
    }
    for key in ["couponCodeList", "voucherId"] {
        out.add(key, array(order.list(key).iter().map(|item| item.text)));
    }
    out.add("cartDiscountInfo", text(order, "cartDiscountInfo", "[]"));
    let delivery_fee = &bill.delivery_fee;
    for (key, value) in [
        ("subTotal", &bill.sub_total),
        ("grandTotal", &totals.grand_total),
        ("totalExcludeControlledProducts", &totals.without_controlled),
        ("totalWeight", &bill.total_weight),
        ("deliveryFee", delivery_fee),
        ("discountedDeliveryFee", &totals.discounted_delivery_fee),
        ("expressShippingCost", &bill.express_cost),
        ("shippingFee", delivery_fee),
        ("shippingPrice", delivery_fee),
        ("cartDiscount", &totals.cart),
        ("bogoDiscount", &totals.bogo),
        ("two4Discount", &totals.two4),
        ("percentageDiscount", &totals.percentage),
        ("shippingDiscount", &totals.shipping),
        ("voucherDiscount", &totals.voucher),
        ("totalDiscount", &totals.total_discount),
    ] {
        out.add(key, value);
    }
    out.add("isFreeShipping", totals.is_free);
    let branch = text(order, "branchId", r#""1000""#);
    let rows = bill.rows.iter().zip(&totals.discounted_rows);
    out.add(
        "productList",
        array(rows.map(|(row, discounted)| row_text(row, discounted, branch))),
    );
    let shipping = order.get("shipping");
    let shipping = shipping.map(|shipping| shipping_text(shipping, fees));
    out.add("shipping", shipping.as_deref().unwrap_or("null"));
    for (key, valid) in [("validVouchers", true), ("invalidVouchers", false)] {
        let vouchers = vouchers.iter().filter(|one| one.is_valid == valid);
        out.add(key, array(vouchers.map(|voucher| &voucher.echo)));
    }
    let mut summary = Members::default();
    for (key, value) in [
        ("subTotal", &bill.sub_total),
        ("grandTotal", &totals.grand_total),
        ("voucherDiscount", &totals.voucher),
        ("cartDiscount", &totals.cart),
        ("bogoDiscount", &totals.bogo),
        ("two4Discount", &totals.two4),
        ("percentageDiscount", &totals.percentage),
        ("shippingDiscount", &totals.shipping),
        ("totalExcludeControlledProducts", &totals.without_controlled),
        ("expressShippingCost", &bill.express_cost),
        ("deliveryFee", delivery_fee),
        ("discountedDeliveryFee", &totals.discounted_delivery_fee),
        ("totalWeight", &bill.total_weight),
    ] {
        summary.add(key, value);
    }
    summary.add("discountResult", coupons.write());
    out.add("discountResult", coupons.write());
    out.add("summary", summary.finish());
    assert_eq!(out.0.len(), 35);
    out.finish()
}

fn row_text(row: &Row<'_>, discounted: &Number, branch: &str) -> String {
    let mut out = Members::default();
    out.add("cprcode", whole(row.product, "cprcode", 0));
    out.add("productName", text(row.product, "productName", ""));
    out.add("quantity", row.quantity);
    out.add("scheduleId", whole(row.product, "scheduleId", 0));
    out.add("isPreOrder", flag(row.product, "isPreOrder"));
    out.add("remark", text(row.product, "remark", r#""""#));
    out.add("branchId", branch);
    out.add("originalPrice", &row.original_price);
    out.add("price", &row.price);
    out.add("rowTotal", &row.row_total);
    out.add("discountedRowTotal", discounted);
    let settlement = row.settlement_price.as_ref();
    out.add("settlementPrice", settlement.unwrap_or(&row.row_total));
    out.add("weight", &row.weight);
    out.add("isControlledProduct", row.is_controlled);
    out.finish()
}

fn shipping_text(shipping: Json<'_>, fees: &[Fee]) -> String {
    let mut out = Members::default();
    let quoted = |json, key, default: &str| format!("\"{}\"", string(json, key, default));
    out.add("shippingType", quoted(shipping, "shippingType", "PICKUP"));
    let schedules = shipping.list("scheduleList").iter().zip(fees);
    let schedules = schedules.map(|(schedule, fee)| {
        let mut out = Members::default();
        out.add("scheduleId", whole(schedule, "scheduleId", 0));
        out.add("mode", quoted(schedule, "mode", "NATIONWIDE"));
        out.add("dateTime", text(schedule, "dateTime", "null"));
        out.add("deliveryFee", &fee.delivery);
        out.add("expressFee", &fee.express);
        out.add("nationwideMode", quoted(schedule, "nationwideMode", "DRY"));
        out.add("nationwideConfig", &fee.config);
        out.add("pickingStatus", text(schedule, "pickingStatus", "null"));
        out.add("date_slot", text(schedule, "date_slot", "null"));
        out.add("booking_hour", whole(schedule, "booking_hour", 0));
        out.finish()
    });
    out.add("scheduleList", array(schedules));
    for (key, default) in [
        ("shippingPostcode", r#""10110""#),
        ("shippingLat", "0"),
        ("shippingLon", "0"),
        ("shippingFirstName", r#""""#),
        ("shippingLastName", r#""""#),
        ("shippingAddress", r#""""#),
        ("shippingSubDistrict", r#""""#),
        ("shippingProvince", r#""""#),
        ("shippingPhone", r#""""#),
        ("shippingEmail", r#""""#),
        ("shippingDate", "0"),
    ] {
        out.add(key, text(shipping, key, default));
    }
    out.add("brcode", whole(shipping, "brcode", 1000));
    out.finish()
}

/// The members of an object in the response.
#[derive(Default)]
struct Members(Vec<String>);

impl Members {
    fn add(&mut self, key: &str, value: impl std::fmt::Display) {
        self.0.push(format!(r#""{key}":{value}"#));
    }

    fn finish(&self) -> String {
        format!("{{{}}}", self.0.join(","))
    }
}

fn array<T: std::fmt::Display>(items: impl Iterator<Item = T>) -> String {
    let items: Vec<_> = items.map(|item| item.to_string()).collect();
    format!("[{}]", items.join(","))
}

//! Cases in the shape of a golden file, and a host that answers from their facts: a peer without a runtime.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use order_cost::{
    CouponRequest, Document, Draft, Error, ExpressSurcharge, Facts, Failure, FreeShipping, Limits,
    Lookup, NationwideMode, Origin, Planned, Policy, Priced, Records, Resolved, RowTotal, Sink,
    Zones, decode,
};
use serde_json::Value;

/// Prices the order of a case.
pub(crate) fn price(case: &Value, sink: &mut dyn Sink) -> Result<Outcome, Error> {
    let options = &case["options"];
    let deadline_ms = options["deadlineMs"].as_u64().unwrap_or(5_000);
    let host = Host {
        facts: &case["host"],
        deadline_ms: u32::try_from(deadline_ms).expect("a deadline fits 32 bits"),
    };
    let draft = Draft::read(&body(case), Origin::Wire, &limits(&options["limits"]))?;
    let zones = zones(case)?;
    let mut planned = draft.plan(None, &Facts::default());
    planned.answer_zones(&zones);
    planned.report_zones(&zones, sink);
    host.price(planned, &policy(&options["policy"]), sink)
}

fn body(case: &Value) -> Vec<u8> {
    match (&case["body"], &case["bodyBase64"]) {
        (Value::String(body), _) => body.clone().into_bytes(),
        (_, Value::String(base64)) => STANDARD.decode(base64).expect("the body is base64"),
        _ => case["order"].to_string().into_bytes(),
    }
}

/// The zones of a case.
pub(crate) fn zones(case: &Value) -> Result<Zones, Error> {
    match case.get("zones") {
        None => Ok(Zones::default()),
        Some(Value::String(text)) => Zones::read(&Document {
            text: text.clone(),
            origin: Origin::Wire,
        }),
        Some(zones) => Zones::read(&Document {
            text: zones.to_string(),
            origin: Origin::Object,
        }),
    }
}

fn policy(policy: &Value) -> Policy {
    let row_total = if policy["rowTotal"] == "list" {
        RowTotal::List
    } else {
        RowTotal::Effective
    };
    let waives = policy["freeShipping"] == "waivesDelivery";
    let free_shipping = if waives {
        FreeShipping::WaivesDelivery
    } else {
        FreeShipping::AsStated
    };
    let express_surcharge = if policy["expressSurcharge"] == "firstExpress" {
        ExpressSurcharge::FirstExpress
    } else {
        ExpressSurcharge::FirstSchedule
    };
    Policy {
        row_total,
        free_shipping,
        express_surcharge,
    }
}

fn limits(limits: &Value) -> Limits {
    let defaults = Limits::default();
    let limit = |name: &str, default| {
        limits[name].as_u64().map_or(default, |limit| {
            usize::try_from(limit).expect("a limit fits")
        })
    };
    Limits {
        max_body_bytes: limit("maxBodyBytes", defaults.max_body_bytes),
        max_products: limit("maxProducts", defaults.max_products),
        max_vouchers: limit("maxVouchers", defaults.max_vouchers),
        max_coupons: limit("maxCoupons", defaults.max_coupons),
        max_schedules: limit("maxSchedules", defaults.max_schedules),
    }
}

/// What the host of a case knows and how it fails: `host` of a golden file.
pub(crate) struct Host<'a> {
    pub(crate) facts: &'a Value,
    pub(crate) deadline_ms: u32,
}

/// A priced order, and the request that the coupon service got for it.
pub(crate) struct Outcome {
    pub(crate) priced: Priced,
    pub(crate) coupon_request: Option<String>,
}

impl Host<'_> {
    /// Prices an order whose look-ups answer at once.
    fn price(
        &self,
        mut planned: Planned,
        policy: &Policy,
        sink: &mut dyn Sink,
    ) -> Result<Outcome, Error> {
        self.answer(&mut planned);
        let resolved = planned.resolve(policy, sink)?;
        let resolved = resolved.expect("every look-up has answered");
        let coupon_request = resolved.coupon_request().map(whole);
        assert_eq!(resolved.asks_coupons(), coupon_request.is_some());
        let coupons = coupon_request
            .is_some()
            .then(|| resolved.read_coupons(self.coupons(&resolved)));
        let coupons = coupons.transpose()?;
        let priced = resolved.price(coupons, policy, sink)?;
        Ok(Outcome {
            priced,
            coupon_request,
        })
    }

    /// Answers all look-ups at once.
    pub(crate) fn answer(&self, planned: &mut Planned) {
        planned.answer(Lookup::Prices, self.prices(planned));
        for mode in Vec::from_iter(planned.nationwide_modes()) {
            let rate = self.rate(mode).map(|rate| Records {
                texts: Some(rate.text),
                origin: rate.origin,
            });
            planned.answer(Lookup::NationwideRate(mode), rate);
        }
        if planned.voucher_ids_json().next().is_some() {
            planned.answer(Lookup::Vouchers, self.vouchers(planned));
        }
    }

    /// The answer of `lookupPrices`.
    pub(crate) fn prices(&self, asked: &Planned) -> Result<Records, Failure> {
        let branch_id = asked.order().branch_id();
        let price = |cprcode: i64| {
            let at_branch = format!("{cprcode}/{branch_id}");
            let known = self.facts["prices"].get(&at_branch).is_some();
            self.fact(
                "prices",
                &if known {
                    at_branch
                } else {
                    cprcode.to_string()
                },
            )
        };
        self.list(Lookup::Prices, || asked.cprcodes().map(price).collect())
    }

    /// The answer of `nationwideRate`.
    pub(crate) fn rate(&self, mode: NationwideMode) -> Result<Document, Failure> {
        self.one(Lookup::NationwideRate(mode), || {
            match self.facts["rates"].get(mode.word()) {
                Some(rate) => Ok(document(rate)),
                None => Err(Failure::Threw(Some(format!("No rate for {}", mode.word())))),
            }
        })
    }

    /// The answer of `lookupVouchers`.
    pub(crate) fn vouchers(&self, asked: &Planned) -> Result<Records, Failure> {
        let voucher = |id: &str| self.fact("vouchers", &decode(id));
        self.list(Lookup::Vouchers, || {
            asked.voucher_ids_json().map(voucher).collect()
        })
    }

    /// The answer of `validateCoupons`.
    pub(crate) fn coupons(&self, resolved: &Resolved) -> Result<Document, Failure> {
        self.one(Lookup::Coupons, || match self.facts.get("coupons") {
            Some(coupons) => Ok(document(coupons)),
            None => {
                // Without coupons every code fails.
                let request = resolved
                    .coupon_request()
                    .map(whole)
                    .expect("coupons are asked");
                let request: Value = serde_json::from_str(&request).expect("the request is JSON");
                Ok(document(
                    &serde_json::json!({ "failedCoupons": request["couponCodeList"] }),
                ))
            }
        })
    }

    /// The JSON text of a fact, or `null` if it is unknown.
    fn fact(&self, kind: &str, key: &str) -> String {
        text(self.facts[kind].get(key).unwrap_or(&Value::Null))
    }

    fn list(
        &self,
        lookup: Lookup,
        known: impl FnOnce() -> Vec<String>,
    ) -> Result<Records, Failure> {
        let texts = match self.planned_failure(lookup) {
            Some(Err(failure)) => return Err(failure),
            Some(Ok(Value::Array(answers))) if answers.is_empty() => None,
            Some(Ok(Value::Array(answers))) => Some(answers.iter().map(text).collect()),
            Some(Ok(_)) => None,
            None => Some(known()),
        };
        Ok(Records {
            texts: texts.map(|texts: Vec<String>| texts.join("\0")),
            origin: Origin::Wire,
        })
    }

    fn one(
        &self,
        lookup: Lookup,
        known: impl FnOnce() -> Result<Document, Failure>,
    ) -> Result<Document, Failure> {
        match self.planned_failure(lookup) {
            Some(answer) => answer.map(document),
            None => known(),
        }
    }

    /// How the case makes this look-up behave instead of answering from facts.
    fn planned_failure(&self, lookup: Lookup) -> Option<Result<&Value, Failure>> {
        let function = lookup.function();
        let missing = self.facts["missing"].as_array();
        if missing.is_some_and(|missing| missing.iter().any(|name| name == function)) {
            return Some(Err(Failure::NotSupplied));
        }
        let fails = self.facts["fails"].get(function)?;
        if let Some(answer) = fails.get("answers") {
            return Some(Ok(answer));
        }
        Some(Err(match (&fails["throws"], &fails["throwsValue"]) {
            (Value::String(message), _) | (_, Value::String(message)) => {
                Failure::Threw(Some(message.clone()).filter(|message| !message.is_empty()))
            }
            _ if fails.get("late").is_some() => Failure::Late(self.deadline_ms),
            _ => Failure::Threw(None),
        }))
    }
}

/// The coupon request as one text.
pub(crate) fn whole(request: CouponRequest<'_>) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("a request is UTF-8");
    let head = text(&request.head);
    let head = head.strip_suffix('}').expect("the head is an object");
    format!(r#"{head},"productList":{}}}"#, text(&request.product_list))
}

fn document(answer: &Value) -> Document {
    Document {
        text: text(answer),
        origin: Origin::Wire,
    }
}

/// A string is already JSON text; any other value is serialized.
fn text(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

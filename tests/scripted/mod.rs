//! Cases in the shape of a golden file, and a host that answers from their facts: a peer without a runtime.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use std::sync::Arc;

use order_cost::{
    Calculation, Conversation, Document, Draft, Error, ExpressSurcharge, Failure, FreeShipping,
    Limits, Lookup, Next, Origin, Policy, Priced, Question, Records, RowTotal, Sink, Zones,
};
use serde_json::{Value, json};

/// Prices the order of a case.
pub(crate) fn price(case: &Value, sink: &mut dyn Sink) -> Result<Outcome, Error> {
    let options = &case["options"];
    let deadline_ms = options["deadlineMs"].as_u64().unwrap_or(5_000);
    let host = Host {
        facts: &case["host"],
        deadline_ms: u32::try_from(deadline_ms).expect("a deadline fits 32 bits"),
    };
    let draft = Draft::read(&body(case), Origin::Wire, &limits(&options["limits"]))?;
    let zones = Arc::new(zones(case)?);
    let calculation = Calculation::new(draft, Some(zones), policy(&options["policy"]));
    host.price(calculation, sink)
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
    let document = match case.get("zones") {
        None => return Ok(Zones::default()),
        Some(Value::String(text)) => Document {
            text: text.clone(),
            origin: Origin::Wire,
        },
        Some(zones) => Document {
            text: zones.to_string(),
            origin: Origin::Object,
        },
    };
    Zones::read(&document).map_err(Error::InvalidZones)
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

/// A calculation that is done, and the request that the coupon service got.
pub(crate) struct Outcome {
    calculation: Calculation,
    pub(crate) coupon_request: Option<Value>,
}

impl Host<'_> {
    /// Prices an order whose look-ups answer at once.
    fn price(&self, mut calculation: Calculation, sink: &mut dyn Sink) -> Result<Outcome, Error> {
        let mut coupon_request = None;
        loop {
            for question in calculation.ask(true) {
                let rows = calculation.coupon_rows();
                let argument = argument(&question, calculation.conversation(), &rows);
                if question.lookup == Lookup::Coupons {
                    coupon_request = Some(argument.clone());
                }
                calculation.answer(question.call, self.answer(question.lookup, &argument));
            }
            match calculation.advance(sink).map_err(|problem| problem.error)? {
                Next::Ask => {}
                Next::Wait => panic!("every look-up has answered"),
                Next::Done => break,
            }
        }
        Ok(Outcome {
            calculation,
            coupon_request,
        })
    }

    /// The answer of a look-up.
    fn answer(&self, lookup: Lookup, argument: &Value) -> Result<Records, Failure> {
        let keys = || argument.as_array().into_iter().flatten();
        match lookup {
            Lookup::Prices => self.list(lookup, || keys().map(|key| self.price_of(key)).collect()),
            Lookup::Vouchers => self.list(lookup, || {
                let voucher = |id: &Value| self.fact("vouchers", id.as_str().expect("an id"));
                keys().map(voucher).collect()
            }),
            Lookup::NationwideRate(mode) => {
                self.one(lookup, || match self.facts["rates"].get(mode.word()) {
                    Some(rate) => Ok(text(rate)),
                    None => Err(Failure::Threw(Some(format!("No rate for {}", mode.word())))),
                })
            }
            Lookup::Coupons => self.one(lookup, || match self.facts.get("coupons") {
                Some(coupons) => Ok(text(coupons)),
                // Without coupons every code fails.
                None => Ok(json!({ "failedCoupons": argument["couponCodeList"] }).to_string()),
            }),
            Lookup::Zones => panic!("the zones are known"),
        }
    }

    fn price_of(&self, key: &Value) -> String {
        let (code, branch_id) = (&key["cprcode"], key["branchId"].as_str().expect("a branch"));
        let at_branch = format!("{code}/{branch_id}");
        let is_known = self.facts["prices"].get(&at_branch).is_some();
        let key = if is_known {
            at_branch
        } else {
            code.to_string()
        };
        self.fact("prices", &key)
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
        known: impl FnOnce() -> Result<String, Failure>,
    ) -> Result<Records, Failure> {
        let answer = match self.planned_failure(lookup) {
            Some(answer) => answer.map(text),
            None => known(),
        };
        Ok(Records {
            texts: Some(answer?),
            origin: Origin::Wire,
        })
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

impl Outcome {
    pub(crate) fn priced(&self) -> &Priced {
        self.calculation.priced().expect("it is done")
    }
}

/// The whole argument of a host's function. `rows`: `productList` of the coupon request.
pub(crate) fn argument(question: &Question, conversation: &Conversation, rows: &[u8]) -> Value {
    let stated = || serde_json::from_slice::<Value>(&question.argument).expect("it is JSON");
    match question.lookup {
        Lookup::Prices => {
            let branch_id = stated();
            let codes = conversation.cprcodes(question.call);
            let key = |code: i64| json!({ "cprcode": code, "branchId": branch_id });
            codes.map(key).collect()
        }
        Lookup::Coupons => {
            serde_json::from_str(&whole(question, rows)).expect("the request is JSON")
        }
        _ => stated(),
    }
}

/// The coupon request as one text.
pub(crate) fn whole(question: &Question, rows: &[u8]) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("a request is UTF-8");
    let head = text(&question.argument);
    let head = head.strip_suffix('}').expect("the head is an object");
    format!(r#"{head},"productList":{}}}"#, text(rows))
}

/// A string is already JSON text; any other value is serialized.
fn text(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

//! Cases in the shape of a golden file, and a host that answers from their facts: a peer without a runtime.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use std::fs;
use std::sync::{Arc, OnceLock};

use order_cost::{
    Document, Error, Failure, Lookup, NationwideMode, Options, Origin, Priced, Pricer, Records,
    Sink, Zones, at_once,
};
use serde_json::{Value, json};

/// The golden corpus: each case with its name.
pub(crate) fn cases() -> Vec<(String, Value)> {
    // Cargo runs tests in the folder of the package.
    let mut cases: Vec<_> = fs::read_dir("tests/golden")
        .expect("the corpus is there")
        .map(|entry| entry.expect("the corpus can be read").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        })
        .map(|path| {
            let text = fs::read_to_string(&path).expect("the case can be read");
            let name = path
                .file_stem()
                .expect("a file has a name")
                .to_string_lossy()
                .into_owned();
            let case =
                serde_json::from_str(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            (name, case)
        })
        .collect();
    cases.sort_by(|(left, _), (right, _)| left.cmp(right));
    cases
}

/// Prices the order of a case.
pub(crate) fn price(case: &Value, sink: &mut (dyn Sink + Send)) -> Result<Outcome, Error> {
    let (pricer, host) = (pricer(case)?, Host::new(case));
    let priced = at_once(pricer.calculate(&body(case), &host, sink));
    Ok(Outcome {
        priced: priced.expect("every look-up answers at once")?,
        coupon_request: host.coupon_request.into_inner(),
    })
}

/// A priced order, and the request that the coupon service got.
pub(crate) struct Outcome {
    pub(crate) priced: Priced,
    pub(crate) coupon_request: Option<Value>,
}

/// The request's body.
pub(crate) fn body(case: &Value) -> Vec<u8> {
    match (&case["body"], &case["bodyBase64"]) {
        (Value::String(body), _) => body.clone().into_bytes(),
        (_, Value::String(base64)) => STANDARD.decode(base64).expect("the body is base64"),
        _ => case["order"].to_string().into_bytes(),
    }
}

/// A pricer with the zones and the options of a case.
pub(crate) fn pricer(case: &Value) -> Result<Pricer, Error> {
    let Options {
        policy,
        limits,
        input,
        ..
    } = options(case);
    Ok(Pricer {
        zones: Arc::new(zones(case)?),
        policy,
        limits,
        input,
    })
}

fn options(case: &Value) -> Options {
    let text = case
        .get("options")
        .map_or("{}".to_owned(), Value::to_string);
    Options::from_text(text.as_bytes(), Origin::Wire).expect("the options are right")
}

/// The zones of a case.
pub(crate) fn zones(case: &Value) -> Result<Zones, Error> {
    let document = match case.get("zones") {
        None => return Ok(Zones::default()),
        Some(Value::String(text)) => return text.parse(),
        Some(zones) => Document {
            text: zones.to_string(),
            origin: Origin::Object,
        },
    };
    Zones::read(&document).map_err(Error::InvalidZones)
}

/// What the host of a case knows and how it fails: `host` of a golden file.
pub(crate) struct Host {
    facts: Value,
    deadline_ms: u32,
    coupon_request: OnceLock<Value>,
}

impl order_cost::Host for Host {
    async fn lookup_prices(&self, branch_id: &str, cprcodes: &[i64]) -> Result<Records, Failure> {
        let prices = cprcodes.iter().map(|code| self.price_of(*code, branch_id));
        self.list(Lookup::Prices, prices)
    }

    async fn nationwide_rate(
        &self,
        _: &str,
        mode: NationwideMode,
    ) -> Result<Option<String>, Failure> {
        let rate = self.facts["rates"].get(mode.word()).map(text);
        let rate = rate.ok_or_else(|| format!("No rate for {}", mode.word()));
        let rate = rate.map_err(|message| Failure::Threw(Some(message)));
        self.planned(Lookup::NationwideRate(mode))
            .map_or(rate, |planned| planned.map(text))
            .map(Some)
    }

    async fn validate_coupons(&self, request: &str) -> Result<String, Failure> {
        let request: Value = serde_json::from_str(request).expect("the request is JSON");
        // Without coupons every code fails.
        let failed = json!({ "failedCoupons": request["couponCodeList"] });
        self.coupon_request.set(request).expect("asked once");
        let known = text(self.facts.get("coupons").unwrap_or(&failed));
        self.planned(Lookup::Coupons)
            .map_or(Ok(known), |planned| planned.map(text))
    }

    async fn lookup_vouchers(&self, voucher_ids: &[String]) -> Result<Records, Failure> {
        let vouchers = voucher_ids.iter().map(|id| self.fact("vouchers", id));
        self.list(Lookup::Vouchers, vouchers)
    }
}

impl Host {
    pub(crate) fn new(case: &Value) -> Self {
        Self {
            facts: case["host"].clone(),
            deadline_ms: options(case).deadline_ms,
            coupon_request: OnceLock::new(),
        }
    }

    fn price_of(&self, cprcode: i64, branch_id: &str) -> String {
        let at_branch = format!("{cprcode}/{branch_id}");
        let is_known = self.facts["prices"].get(&at_branch).is_some();
        let key = if is_known {
            at_branch
        } else {
            cprcode.to_string()
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
        known: impl Iterator<Item = String>,
    ) -> Result<Records, Failure> {
        let Some(planned) = self.planned(lookup) else {
            return Ok(known.map(Some).collect());
        };
        let answers = planned?.as_array().into_iter().flatten();
        Ok(answers.map(|answer| Some(text(answer))).collect())
    }

    /// How the case makes this look-up behave instead of answering from facts.
    fn planned(&self, lookup: Lookup) -> Option<Result<&Value, Failure>> {
        let function = lookup.row().function;
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
                Failure::Threw(Some(message.clone()))
            }
            _ if fails.get("late").is_some() => Failure::Late(self.deadline_ms),
            _ => Failure::Threw(None),
        }))
    }
}

/// A string is already JSON text; any other value is serialized.
fn text(answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

//! The pricer's options as JavaScript gives them.

use crate::error::{Expected, Fault, Invalid};
use crate::json::{self, Origin, Reader, keys};
use crate::options::{ExpressSurcharge, FreeShipping, Limits, Policy, RowTotal};

const DEFAULT_DEADLINE_MS: u32 = 5_000;
/// JavaScript's timers count no further; a longer one would fire at once.
const MAX_DEADLINE_MS: u32 = i32::MAX as u32;

keys!(OptionsKey {
    Policy = "policy",
    DeadlineMs = "deadlineMs",
    Limits = "limits",
});
keys!(PolicyKey {
    RowTotal = "rowTotal",
    FreeShipping = "freeShipping",
    ExpressSurcharge = "expressSurcharge",
});
keys!(LimitsKey {
    BodyBytes = "maxBodyBytes",
    Products = "maxProducts",
    Vouchers = "maxVouchers",
    Coupons = "maxCoupons",
    Schedules = "maxSchedules",
});

/// What an operator chose.
#[derive(Debug)]
pub(super) struct Options {
    pub(super) policy: Policy,
    pub(super) limits: Limits,
    pub(super) deadline_ms: u32,
}

impl Options {
    /// Reads the options' JSON text; `None`: it is no JSON.
    pub(super) fn read(text: &[u8], origin: Origin) -> Result<Self, Option<Invalid>> {
        let text = json::text(text).ok_or(None)?;
        Reader::document(&text, origin, Self::read_fields).map_err(Fault::into_invalid)
    }

    fn read_fields(json: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut options = Self {
            policy: Policy::default(),
            limits: Limits::default(),
            deadline_ms: DEFAULT_DEADLINE_MS,
        };
        json.fields(|json, key| {
            match key {
                OptionsKey::Policy => options.policy = json.optional(policy)?.unwrap_or_default(),
                OptionsKey::Limits => options.limits = json.optional(limits)?.unwrap_or_default(),
                OptionsKey::DeadlineMs => {
                    let sent = json.optional(|json| {
                        count(json, MAX_DEADLINE_MS, "an integer of 0 to 2147483647")
                    })?;
                    options.deadline_ms = sent.unwrap_or(DEFAULT_DEADLINE_MS);
                }
            }
            Ok(())
        })?;
        Ok(options)
    }
}

fn policy(json: &mut Reader<'_>) -> Result<Policy, Fault> {
    let mut policy = Policy::default();
    json.fields(|json, key| {
        match key {
            PolicyKey::RowTotal => {
                let values = [RowTotal::Effective, RowTotal::List];
                policy.row_total = json
                    .optional(|json| json.word(&["effective", "list"], &values))?
                    .unwrap_or_default();
            }
            PolicyKey::FreeShipping => {
                let values = [FreeShipping::AsStated, FreeShipping::WaivesDelivery];
                let sent =
                    json.optional(|json| json.word(&["asStated", "waivesDelivery"], &values))?;
                policy.free_shipping = sent.unwrap_or_default();
            }
            PolicyKey::ExpressSurcharge => {
                let values = [
                    ExpressSurcharge::FirstSchedule,
                    ExpressSurcharge::FirstExpress,
                ];
                let sent =
                    json.optional(|json| json.word(&["firstSchedule", "firstExpress"], &values))?;
                policy.express_surcharge = sent.unwrap_or_default();
            }
        }
        Ok(())
    })?;
    Ok(policy)
}

fn limits(json: &mut Reader<'_>) -> Result<Limits, Fault> {
    let default = Limits::default();
    let mut limits = default;
    json.fields(|json, key| {
        let (limit, default) = match key {
            LimitsKey::BodyBytes => (&mut limits.max_body_bytes, default.max_body_bytes),
            LimitsKey::Products => (&mut limits.max_products, default.max_products),
            LimitsKey::Vouchers => (&mut limits.max_vouchers, default.max_vouchers),
            LimitsKey::Coupons => (&mut limits.max_coupons, default.max_coupons),
            LimitsKey::Schedules => (&mut limits.max_schedules, default.max_schedules),
        };
        let sent = json.optional(|json| count(json, u32::MAX, "an integer of 0 to 4294967295"))?;
        *limit = sent.map_or(default, |count| count as usize);
        Ok(())
    })?;
    Ok(limits)
}

fn count(json: &mut Reader<'_>, max: u32, expected: &'static str) -> Result<u32, Fault> {
    let sent = json
        .integer()
        .ok()
        .and_then(|count| u32::try_from(count).ok());
    sent.filter(|count| *count <= max)
        .ok_or_else(|| Fault::expected(Expected::A(expected)))
}

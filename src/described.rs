//! The objects and the options as documents show them. Nothing in the module for JavaScript
//! refers to this.

use crate::json::{Line, Origin};
use crate::lookup::NationwideMode;
use crate::options::{
    A_LIMIT, A_TIME, DiscountedRowTotal, ExcludeControlled, ExpressSurcharge, FoldedDiscounts,
    FreeShipping, Input, Limits, Options, Policy, RowTotal, SettlementPrice, SubTotal,
};
use crate::order::{Fields, Mode, Product, Schedule, Shipping, ShippingType};
use crate::quote::Priced;
use crate::rules::{
    Discount, DiscountResult, LineDiscount, NationwideRate, PriceRecord, Row, SUMMARY, Totals,
    VoucherRecord,
};
use crate::word::Word;

/// An option.
#[derive(Clone, Debug)]
pub struct Described {
    /// Its key.
    pub name: &'static str,
    /// What it is for.
    pub means: &'static str,
    /// What it may be.
    pub value: Value,
}

/// What an option may be.
#[derive(Clone, Debug)]
pub enum Value {
    /// One of these words, each with its effect; the default first.
    Words(Vec<(&'static str, &'static str)>),
    /// A number: which ones, and the default.
    Number(&'static str, usize),
}

/// An object of the request, of an answer of the host, or of the response.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name in documents.
    pub name: &'static str,
    /// The fields that are read.
    pub read: &'static [Line],
    /// The fields that the response adds.
    pub added: Vec<Line>,
    /// The keys of the response, in the contract's sequence (D1, D3).
    pub response: Vec<&'static str>,
}

/// All objects.
pub fn objects() -> Vec<Object> {
    let keys = |lines: &[Line]| Vec::from_iter(lines.iter().map(|line| line.key));
    let object = |name, read, added: &[&[Line]], response: &[&[&'static str]]| Object {
        name,
        read,
        added: added.concat(),
        response: response.concat(),
    };
    let totals = [Totals::LINES, Totals::FLAG].concat();
    let summary = SUMMARY.iter().filter_map(|place| totals.get(*place));
    let summary = summary.copied().collect::<Vec<_>>();
    vec![
        object(
            "Order",
            Fields::LINES,
            &[&totals, Priced::LINES],
            &[Fields::RESPONSE, &keys(&totals), &keys(Priced::LINES)],
        ),
        object(
            "Product",
            Product::LINES,
            &[Row::LINES],
            &[Product::RESPONSE, &["branchId"], &keys(Row::LINES)],
        ),
        object("Shipping", Shipping::LINES, &[], &[Shipping::RESPONSE]),
        object(
            "Schedule",
            Schedule::LINES,
            &[Schedule::COMPUTED],
            &[Schedule::RESPONSE],
        ),
        object("Summary", &[], &[], &[&keys(&summary), &["discountResult"]]),
        object("Price", PriceRecord::LINES, &[], &[]),
        object("Rate", NationwideRate::LINES, &[], &[]),
        object("Voucher", VoucherRecord::LINES, &[], &[]),
        object(
            "DiscountResult",
            DiscountResult::LINES,
            &[],
            &[DiscountResult::RESPONSE],
        ),
        object("Discount", Discount::LINES, &[], &[Discount::RESPONSE]),
        object("LineDiscount", LineDiscount::LINES, &[], &[]),
    ]
}

/// The enums of an order: their names, and their words with what these mean.
pub fn enums() -> [(&'static str, Vec<(&'static str, &'static str)>); 3] {
    fn of<W: Word>() -> (&'static str, Vec<(&'static str, &'static str)>) {
        let meanings = W::MEANINGS.iter().map(|means| means.trim());
        (W::NAME, W::WORDS.iter().copied().zip(meanings).collect())
    }
    [of::<ShippingType>(), of::<Mode>(), of::<NationwideMode>()]
}

/// The options that stand alone: no policy and no limit.
pub fn options() -> Vec<Described> {
    let deadline = Options::from_text(b"{}", Origin::Wire).map_or(0, |options| options.deadline_ms);
    let deadline = Value::Number(A_TIME, deadline as usize);
    let values = [None, Some(deadline), None, Some(words::<Input>())];
    described(Options::FIELDS, values)
}

/// The policies.
pub fn policies() -> Vec<Described> {
    let values = [
        words::<RowTotal>(),
        words::<FreeShipping>(),
        words::<ExpressSurcharge>(),
        words::<SubTotal>(),
        words::<DiscountedRowTotal>(),
        words::<SettlementPrice>(),
        words::<ExcludeControlled>(),
        words::<FoldedDiscounts>(),
    ];
    described(Policy::FIELDS, values.map(Some))
}

/// The limits.
pub fn limits() -> Vec<Described> {
    let limits = Limits::default();
    let values = [
        limits.max_body_bytes,
        limits.max_products,
        limits.max_vouchers,
        limits.max_coupons,
        limits.max_schedules,
    ];
    let values = values.map(|limit| Some(Value::Number(A_LIMIT, limit)));
    described(Limits::FIELDS, values)
}

/// The fields with their values, which stand in the same order.
fn described<const N: usize>(
    fields: &[(&'static str, &'static str)],
    values: [Option<Value>; N],
) -> Vec<Described> {
    let described = |(&(name, means), value): (&(_, &'static str), Option<_>)| {
        let means = means.trim();
        value.map(|value| Described { name, means, value })
    };
    fields.iter().zip(values).filter_map(described).collect()
}

fn words<T: Word + Default + PartialEq>() -> Value {
    let variants = T::ALL.iter().zip(T::WORDS.iter().zip(T::MEANINGS));
    let is_other = |variant: &T| *variant != T::default();
    let mut words: Vec<_> = variants
        .map(|(variant, (word, means))| (is_other(variant), (*word, means.trim())))
        .collect();
    words.sort_by_key(|(is_other, _)| *is_other);
    Value::Words(words.into_iter().map(|(_, word)| word).collect())
}

#[cfg(test)]
mod tests {
    use super::{Described, Limits, Options, Origin, Policy, Value, limits, options, policies};

    fn is_read(text: &str) -> bool {
        Options::from_text(text.as_bytes(), Origin::Wire).is_ok()
    }

    #[test]
    fn every_option_is_described_with_values_that_are_read() {
        assert_eq!(options().len() + 2, Options::FIELDS.len());
        assert_eq!(policies().len(), Policy::FIELDS.len());
        assert_eq!(limits().len(), Limits::FIELDS.len());
        for (described, place) in [
            (options(), ("{", "}")),
            (policies(), (r#"{"policy":{"#, "}}")),
            (limits(), (r#"{"limits":{"#, "}}")),
        ] {
            for option in described {
                check(&option, place);
            }
        }
    }

    /// It has a meaning, and each value is one of this option.
    fn check(option: &Described, (begin, end): (&str, &str)) {
        let Described { name, means, value } = option;
        assert!(means.ends_with('.'), "{name}: {means:?}");
        let values = match value {
            Value::Number(_, default) => vec![default.to_string()],
            Value::Words(words) => {
                let lacking = words.iter().find(|(_, means)| !means.ends_with('.'));
                assert_eq!(lacking, None, "{name}");
                words
                    .iter()
                    .map(|(word, _)| format!("\"{word}\""))
                    .collect()
            }
        };
        for value in values {
            assert!(
                is_read(&format!("{begin}\"{name}\":{value}{end}")),
                "{name}: {value}"
            );
            assert!(!is_read(&format!("{begin}\"{name}\":[]{end}")), "{name}");
        }
    }
}

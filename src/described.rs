//! The objects and the options as documents show them. Nothing in the module for JavaScript
//! refers to this.

use crate::certain::Certain;
use crate::json::Line;
use crate::options::{A_LIMIT, A_TIME, Limits, Options, Policy};
use crate::order::{Fields, Product, Schedule, Shipping};
use crate::quote::Priced;
use crate::rules::{
    Discount, DiscountResult, LineDiscount, NationwideRate, PriceRecord, Row, SUMMARY, Totals,
    VoucherRecord,
};

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
    let summary = SUMMARY.iter().filter_map(|place| Totals::LINES.get(*place));
    let summary = summary.copied().collect::<Vec<_>>();
    vec![
        object(
            "Order",
            Fields::LINES,
            &[Totals::LINES, Priced::LINES],
            &[Fields::RESPONSE, &keys(Totals::LINES), &keys(Priced::LINES)],
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
pub fn enums() -> Vec<(&'static str, Vec<(&'static str, &'static str)>)> {
    let lines = Shipping::LINES.iter().chain(Schedule::LINES);
    let enums = lines.filter(|line| line.kind == "word");
    enums.map(|line| (line.of, words(line))).collect()
}

/// The options that stand alone: no policy and no limit.
pub fn options() -> Vec<Described> {
    let alone = Options::LINES.iter().filter(|line| line.kind != "object");
    alone.map(|line| described(line, A_TIME)).collect()
}

/// The policies.
pub fn policies() -> Vec<Described> {
    Policy::LINES
        .iter()
        .map(|line| described(line, ""))
        .collect()
}

/// The limits.
pub fn limits() -> Vec<Described> {
    Limits::LINES
        .iter()
        .map(|line| described(line, A_LIMIT))
        .collect()
}

/// A number has the default that its line says, a word stands first if it is the
/// default.
fn described(line: &Line, number: &'static str) -> Described {
    let value = match line.kind {
        "word" => {
            let mut words = words(line);
            words.sort_by_key(|(word, _)| *word != line.default);
            Value::Words(words)
        }
        _ => Value::Number(number, line.default.parse().ok().certain()),
    };
    Described {
        name: line.key,
        means: line.means.trim(),
        value,
    }
}

fn words(line: &Line) -> Vec<(&'static str, &'static str)> {
    let meanings = line.meanings.iter().map(|means| means.trim());
    line.words.iter().copied().zip(meanings).collect()
}

//! Prices and rates as JSON text: given by somebody who knows them, and kept for
//! later. Vouchers may be another customer's (D30), and a failure is no fact:
//! both stay.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Conversation;
use super::facts::{Fact, Key, Record, Source};
use crate::error::{Error, Expected, Fault};
use crate::json::{Document, Origin, Reader, Writer, decode};
use crate::lookup::NationwideMode;
use crate::rules::{NationwideRate, PriceRecord};
use crate::word::Word;

/// The facts of a document, each with its answer.
struct Given<'a> {
    document: &'a Document,
    facts: Vec<(Key, Option<Record>)>,
    /// The places of the known times in `times`.
    dated: BTreeMap<Key, usize>,
    times: Vec<f64>,
}

const KINDS: [(&str, Source); 2] = [("prices", Source::Price), ("rates", Source::Rate)];

impl Conversation {
    /// Takes prices and rates as known now, or at the times that the document
    /// has. Takes nothing if one of them is wrong.
    pub fn add(&mut self, facts: &Document, now: f64) -> Result<(), Error> {
        let given = Given::read(facts).map_err(Error::InvalidFacts)?;
        self.tick(now);
        for (key, record) in given.facts {
            let time = given
                .dated
                .get(&key)
                .and_then(|place| given.times.get(*place));
            let at = self.clock.dated(time.copied().unwrap_or(now));
            let place = self.facts.place(key.source, &key.text, key.number);
            self.facts.at_mut(place).know(record, at);
        }
        self.tick(now);
        self.changed();
        Ok(())
    }

    /// All known prices and rates, as [`Conversation::add`] takes them: each
    /// with its text, and when it was answered.
    pub fn known(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(1024);
        out.raw("{");
        for (name, source) in KINDS {
            self.write_kind(&mut out, name, source, &|out, fact| match fact.record() {
                Some(record) => out.string(&record.text()),
                None => out.raw("null"),
            });
            out.raw(",");
        }
        out.raw("\"at\":{");
        for (index, (name, source)) in KINDS.into_iter().enumerate() {
            out.raw(if index > 0 { "," } else { "" });
            self.write_kind(&mut out, name, source, &|out, fact| {
                out.integer(fact.at as i64)
            });
        }
        out.raw("}}");
        out.into_bytes()
    }

    fn write_kind(
        &self,
        out: &mut Writer,
        name: &str,
        source: Source,
        write: &dyn for<'a> Fn(&'a mut Writer, &Fact) -> &'a mut Writer,
    ) {
        out.word(name).raw(":{");
        let mut comma = "";
        for (key, fact) in self.facts.by_key() {
            if key.source == source && fact.is_answered() {
                write(out.raw(comma).string(&key.name()).raw(":"), fact);
                comma = ",";
            }
        }
        out.raw("}");
    }

    /// Forgets everything that the host has answered, without the results of
    /// coupons, which belong to their requests.
    pub fn clear(&mut self) {
        self.clean(|fact| fact.forget());
        self.changed();
    }

    /// How many facts it has.
    pub fn count(&self) -> usize {
        self.facts.by_key().count()
    }

    /// The times of those that no order names.
    pub fn evictable(&self) -> Vec<f64> {
        let facts = self.facts.by_key().map(|(_, fact)| fact);
        facts
            .filter(|fact| fact.is_spare())
            .map(|fact| fact.at)
            .collect()
    }

    /// Forgets up to `count` of them: those that are not younger than `at`.
    pub fn evict(&mut self, at: f64, count: usize) {
        let mut left = count;
        self.clean(|fact| {
            if left > 0 && fact.is_spare() && fact.at <= at {
                left = left.saturating_sub(1);
                fact.forget();
            }
        });
    }

    /// Changes all facts that have a key. Removes those of which nothing is
    /// left.
    fn clean(&mut self, change: impl FnMut(&mut Fact)) {
        let places = Vec::from_iter(self.facts.places());
        self.facts.change(&places, change);
        self.facts.tidy(&places);
    }
}

impl<'a> Given<'a> {
    fn read(document: &'a Document) -> Result<Self, Fault> {
        let mut given = Self {
            document,
            facts: Vec::new(),
            dated: BTreeMap::new(),
            times: Vec::new(),
        };
        Reader::document(&document.text, document.origin, |json| {
            json.members(&mut |json, name| match &*json.decoded(name) {
                "at" => each_kind(json, &mut |json, key| given.date(json, key)),
                name => match kind(name) {
                    Some(source) => each(json, source, &mut |json, key| given.take(json, key)),
                    None => json.skip(),
                },
            })
        })?;
        Ok(given)
    }

    /// Takes a record. It stands as JSON, or as its JSON text in a string.
    fn take(&mut self, json: &mut Reader<'_>, key: Key) -> Result<(), Fault> {
        let written = json.opaque()?.of(&self.document.text);
        let record = if written.starts_with('"') {
            Record::read(&decode(written), Origin::Wire, key.source)
        } else {
            Record::read(written, self.document.origin, key.source)
        };
        let record = record.map_err(|fault| match fault.is_syntax() {
            true => Fault::expected(Expected::A("a record as JSON")),
            false => fault,
        })?;
        self.facts.push((key, record));
        Ok(())
    }

    fn date(&mut self, json: &mut Reader<'_>, key: Key) -> Result<(), Fault> {
        let (_, time) = json.coordinate()?;
        self.dated.insert(key, self.times.len());
        self.times.push(time);
        Ok(())
    }
}

type Take<'a> = &'a mut dyn FnMut(&mut Reader<'_>, Key) -> Result<(), Fault>;

fn each_kind(json: &mut Reader<'_>, take: Take<'_>) -> Result<(), Fault> {
    if json.take_null()? {
        return Ok(());
    }
    json.members(&mut |json, name| match kind(&json.decoded(name)) {
        Some(source) => each(json, source, take),
        None => json.skip(),
    })
}

/// Reads the facts of one kind.
fn each(json: &mut Reader<'_>, source: Source, take: Take<'_>) -> Result<(), Fault> {
    if json.take_null()? {
        return Ok(());
    }
    json.members(&mut |json, name| take(json, Key::named(source, &json.decoded(name))?))
}

fn kind(name: &str) -> Option<Source> {
    let kind = KINDS.into_iter().find(|(of, _)| *of == name);
    kind.map(|(_, source)| source)
}

impl Key {
    /// The key with this name: `<cprcode>/<branchId>`, or `<postcode>/<mode>`.
    fn named(source: Source, name: &str) -> Result<Self, Fault> {
        let key = match source {
            Source::Price => Self::of_price(name),
            _ => Self::of_rate(name),
        };
        key.ok_or_else(|| {
            Fault::expected(Expected::A(match source {
                Source::Price => "a key as \"<cprcode>/<branchId>\"",
                _ => "a key as \"<postcode>/<mode>\" with DRY, FRESH or MIX",
            }))
        })
    }

    fn of_price(name: &str) -> Option<Self> {
        let (cprcode, branch_id) = name.split_once('/')?;
        let number = Reader::document(cprcode, Origin::Wire, Reader::integer).ok()?;
        Some(Self {
            number,
            source: Source::Price,
            text: branch_id.into(),
        })
    }

    fn of_rate(name: &str) -> Option<Self> {
        let (postcode, mode) = name.rsplit_once('/')?;
        let mode = NationwideMode::ALL.iter().find(|of| of.word() == mode)?;
        Some(Self {
            number: *mode as i64,
            source: Source::Rate,
            text: postcode.into(),
        })
    }

    /// Its name among the facts of a store.
    fn name(&self) -> String {
        let modes = NationwideMode::ALL.iter();
        let mut modes =
            modes.filter(|mode| self.source == Source::Rate && **mode as i64 == self.number);
        match modes.next() {
            Some(mode) => format!("{}/{}", self.text, mode.word()),
            None => format!("{}/{}", self.number, self.text),
        }
    }
}

impl Record {
    fn read(text: &str, origin: Origin, source: Source) -> Result<Option<Self>, Fault> {
        if source == Source::Price {
            return Ok(PriceRecord::from_text(text, origin)?.map(Self::Price));
        }
        let text = text.to_owned();
        let rate = NationwideRate::from_answer(Document { text, origin })?;
        Ok(rate.map(|rate| Self::Rate(Rc::new(rate))))
    }

    /// Its fields as JSON text.
    fn text(&self) -> String {
        let mut out = Writer::with_capacity(128);
        match self {
            Self::Price(price) => price.write(&mut out),
            Self::Rate(rate) => rate.write(&mut out),
            Self::Voucher(_) | Self::Coupons(_) => {}
        }
        String::from_utf8(out.into_bytes()).unwrap_or_default()
    }
}

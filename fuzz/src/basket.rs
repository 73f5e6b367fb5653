//! Edits of a basket and answers to it, in any sequence. What its changes add up to is what it shows; if it says that it
//! knows everything, it equals the price of its order with the same answers.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use arbitrary::{Result as Drawn, Unstructured};
use order_cost::{
    Basket, Calculation, Conversation, Error, Failure, Limits, Lookup, NEW, Policy, Question,
    Records, Zones,
};

use super::draw;
use super::host::{self, Host, priced, records, text};
use super::json::{Node, Value};

type Bytes<'a> = Unstructured<'a>;

/// Makes an order, a host and edits from any bytes.
pub fn run(data: &[u8]) {
    // The bytes may end within the edits; everything up to there has been checked.
    let _ = Live::draw(&mut Unstructured::new(data));
}

struct Live {
    basket: Basket,
    store: Rc<RefCell<Conversation>>,
    policy: Policy,
    zones: Arc<Zones>,
    host: Host,
    order: Order,
    /// The calls that are out.
    out: Vec<Question>,
    /// The last record of each key, which is the text of what the host was asked.
    known: BTreeMap<(&'static str, String), String>,
    /// What the changes add up to.
    rows: Vec<String>,
    parts: BTreeMap<String, String>,
}

/// The texts of an order.
#[derive(Clone)]
struct Order {
    products: Vec<String>,
    /// The other members.
    members: Vec<(String, String)>,
}

impl Order {
    fn read(text: &str) -> Self {
        let node = Node::read(text).expect("an order is JSON");
        let Value::Object(members) = &node.value else {
            panic!("{text} is no object")
        };
        let members = members.iter().filter(|member| member.key != "productList");
        let texts = |product: &Node<'_>| product.text.to_owned();
        Self {
            products: node.list("productList").iter().map(texts).collect(),
            members: members
                .map(|member| (member.key.clone(), member.value.text.to_owned()))
                .collect(),
        }
    }

    fn text(&self) -> String {
        let products = format!("\"productList\":[{}]", self.products.join(","));
        let members = self.members.iter();
        let members = members.map(|(key, value)| {
            let key = serde_json::to_string(key).expect("a key is a string");
            format!("{key}:{value}")
        });
        let members = Vec::from_iter([products].into_iter().chain(members));
        format!("{{{}}}", members.join(","))
    }

    fn in_place(&self) -> Vec<u32> {
        (0..self.products.len() as u32).collect()
    }
}

impl Live {
    fn draw(bytes: &mut Bytes<'_>) -> Drawn<()> {
        let policy = draw::policy(bytes)?;
        let text = draw::order(bytes, 0)?;
        let host = draw::host(bytes, 0)?;
        let zones = Arc::new(host::zones());
        let document = host::document(text.clone());
        let store = Rc::new(RefCell::new(Conversation::lasting(f64::INFINITY)));
        let basket = Basket::new(
            &document,
            policy,
            Limits::default(),
            Some(Arc::clone(&zones)),
            &store,
        );
        let Ok(basket) = basket else {
            return Ok(());
        };
        let mut live = Self {
            basket,
            store,
            policy,
            zones,
            host,
            order: Order::read(&text),
            out: Vec::new(),
            known: BTreeMap::new(),
            rows: Vec::new(),
            parts: BTreeMap::new(),
        };
        live.check(&[]);
        // The same members in other words count the same.
        let same = host::document(live.order.text());
        let edited = live.basket.edit(&same, &live.order.in_place());
        assert_eq!(edited, Ok(false));
        for _ in 0..24 {
            if bytes.is_empty() {
                break;
            }
            match bytes.int_in_range(0..=7)? {
                0 | 1 => live.edit(bytes)?,
                2 => live.set_quantity(bytes)?,
                3 | 4 => live.ask(),
                5 => live.drop_useless(),
                6 => live.refresh(bytes)?,
                _ => live.answer(bytes)?,
            }
        }
        live.settle();
        Ok(())
    }

    fn set_quantity(&mut self, bytes: &mut Bytes<'_>) -> Drawn<()> {
        const LINES: [f64; 7] = [0.0, 1.0, 2.0, 3.0, -1.0, 0.5, f64::NAN];
        const QUANTITIES: [f64; 9] = [
            1.0,
            2.0,
            0.0,
            -0.0,
            -3.0,
            7.0,
            1.5,
            9_007_199_254_740_991.0,
            9_007_199_254_740_992.0,
        ];
        let (line, quantity) = (*bytes.choose(&LINES)?, *bytes.choose(&QUANTITIES)?);
        if let Ok(true) = self.basket.set_quantity(line, quantity) {
            let product = &mut self.order.products[line as usize];
            let rest = product.strip_suffix('}').expect("an object");
            // D9: the last one counts.
            *product = format!("{rest},\"quantity\":{}}}", quantity as i64);
        }
        self.check(&self.order.in_place());
        Ok(())
    }

    /// A refused edit changes nothing.
    fn edit(&mut self, bytes: &mut Bytes<'_>) -> Drawn<()> {
        let mut order = self.order.clone();
        let mut origins = order.in_place();
        let place = bytes.choose_index(order.products.len() + 1)?;
        let is_product = place < order.products.len();
        let mut text = None;
        match bytes.int_in_range(0..=11)? {
            0 | 1 => {
                order.products.insert(place, draw::product(bytes)?);
                origins.insert(place, NEW);
            }
            2 if is_product => {
                order.products.remove(place);
                origins.remove(place);
            }
            3 if is_product => {
                order.products.swap(place, 0);
                origins.swap(place, 0);
            }
            4 if is_product => order.products[place] = draw::product(bytes)?,
            5 => set(&mut order, "couponCodeList", draw::coupon_codes(bytes)?),
            6 => set(&mut order, "voucherId", draw::voucher_ids(bytes)?),
            7 => set(&mut order, "ownerId", draw::owner(bytes)?),
            8 => set(&mut order, "branchId", draw::branch(bytes)?),
            9 => set(&mut order, "shipping", draw::shipping(bytes)?),
            // Any text, and any origins.
            _ => {
                text = Some(draw::order(bytes, 0)?);
                let origin = |bytes: &mut Bytes<'_>| Ok(u32::from(bytes.arbitrary::<u8>()?) % 5);
                let count = bytes.int_in_range(0..=4)?;
                origins = (0..count)
                    .map(|_| origin(bytes))
                    .collect::<Drawn<Vec<_>>>()?;
            }
        }
        let text = text.unwrap_or_else(|| order.text());
        if self
            .basket
            .edit(&host::document(text.clone()), &origins)
            .is_ok()
        {
            self.order = Order::read(&text);
            self.check(&origins);
        } else {
            self.check(&self.order.in_place());
        }
        Ok(())
    }

    fn refresh(&mut self, bytes: &mut Bytes<'_>) -> Drawn<()> {
        match bytes.int_in_range(0..=4)? {
            0 => self.basket.ask_again(bytes.arbitrary()?),
            1 => {
                self.zones = Arc::new(match bytes.arbitrary()? {
                    true => host::zones(),
                    false => Zones::default(),
                });
                self.basket.set_zones(Arc::clone(&self.zones));
            }
            2 => {
                let line = f64::from(bytes.int_in_range(-1..=3)?);
                let refreshed = self.basket.refresh(Some(line));
                let has_line = (0..self.order.products.len()).any(|place| place as f64 == line);
                assert_eq!(refreshed.is_ok(), has_line);
            }
            _ => assert_eq!(self.basket.refresh(None), Ok(())),
        }
        self.check(&self.order.in_place());
        Ok(())
    }

    fn drop_useless(&mut self) {
        let useless = self.store.borrow_mut().useless();
        self.out
            .retain(|question| !useless.contains(&question.call));
        for call in useless {
            self.tell(call, Err(Failure::NotSupplied));
        }
        self.check(&self.order.in_place());
    }

    /// No fact is asked by two calls at once, and coupons only when no other call is out.
    fn ask(&mut self) {
        self.drop_useless();
        for mut question in self.basket.ask(true) {
            // The tests read the whole argument.
            let rows = self.basket.coupon_rows();
            let argument = host::argument(&question, &self.store.borrow(), &rows);
            question.argument = argument.into_bytes();
            self.out.push(question);
        }
        let mut keys = Vec::from_iter(self.out.iter().flat_map(keys_of));
        keys.sort();
        assert!(keys.is_sorted_by(|left, right| left < right), "{keys:?}");
        if self.out.iter().any(|one| one.lookup == Lookup::Coupons) {
            let asked_last = self.out.last().map(|last| last.lookup);
            let is_alone = asked_last != Some(Lookup::Coupons) || self.out.len() == 1;
            assert!(is_alone, "{:?}", self.out);
        }
        self.check(&self.order.in_place());
    }

    /// A call that is out ends: as the host knows it, with any record, or it fails.
    fn answer(&mut self, bytes: &mut Bytes<'_>) -> Drawn<()> {
        if self.out.is_empty() {
            return Ok(());
        }
        let question = self.out.remove(bytes.choose_index(self.out.len())?);
        match bytes.int_in_range(0..=7)? {
            0 => self.tell(question.call, Err(Failure::Threw(None))),
            // No text at all; of a rate, it is a wrong record.
            1 if matches!(question.lookup, Lookup::NationwideRate(_)) => {
                self.learn(&question, vec![String::new()]);
            }
            1 => self.tell(question.call, Ok(records(None))),
            2 if question.keys > 0 => {
                let texts = (0..question.keys).map(|_| draw::amount(bytes));
                let mut texts = texts.collect::<Drawn<Vec<_>>>()?;
                // What reads U+FFFD may stand for several keys (D29), which must not differ: `known` is by key.
                for (place, (_, key)) in keys_of(&question).iter().enumerate() {
                    if key.contains('\u{fffd}') {
                        texts[place] = self.texts(&question)[place].clone();
                    }
                }
                self.learn(&question, texts);
            }
            _ => {
                let texts = self.texts(&question);
                self.learn(&question, texts);
            }
        }
        self.check(&self.order.in_place());
        Ok(())
    }

    fn tell(&mut self, call: u32, answer: Result<Records, Failure>) {
        self.store.borrow_mut().answer(call, answer);
        self.basket.follow();
    }

    fn learn(&mut self, question: &Question, texts: Vec<String>) {
        if question.lookup != Lookup::Coupons {
            for (key, text) in keys_of(question).into_iter().zip(&texts) {
                self.known.insert(key, text.clone());
            }
        }
        // A NUL would end a text; JSON cannot contain one.
        let texts = texts.iter().map(|text| text.replace('\0', "\u{1}"));
        let texts = Vec::from_iter(texts).join("\0");
        self.tell(question.call, Ok(records(Some(texts))));
    }

    /// What the host knows.
    fn texts(&self, question: &Question) -> Vec<String> {
        let argument = text(&question.argument);
        let node = Node::read(argument).expect("a question is JSON");
        let items: &[Node<'_>] = match &node.value {
            Value::Array(items) => items,
            _ => std::slice::from_ref(&node),
        };
        match question.lookup {
            Lookup::Coupons => vec![self.coupons(argument)],
            _ => items
                .iter()
                .map(|item| self.host.record(question.lookup, item).to_owned())
                .collect(),
        }
    }

    /// A service whose answer depends on the whole request, so that an outdated answer shows.
    fn coupons(&self, request: &str) -> String {
        let mut hasher = DefaultHasher::new();
        request.hash(&mut hasher);
        let digest = hasher.finish() % 1000;
        let said = self.host.coupons.as_deref().unwrap_or("null");
        if digest.is_multiple_of(4) {
            return said.replace('\0', "\u{1}");
        }
        let request = Node::read(request).expect("it is JSON");
        let discounts = request.list("couponCodeList").iter().map(|code| {
            let line = r#"[{"line":0,"discount":0.25}]"#;
            format!(
                r#"{{"coupon":{},"discount":{digest}e-2,"shippingDiscount":1,"lines":{line}}}"#,
                code.text
            )
        });
        // A discount that the service adds itself. It no longer counts once a code is removed.
        let added = r#"{"coupon":"PROMO","discount":0.5}"#.to_owned();
        let discounts: Vec<_> = discounts.chain([added]).collect();
        // The host's own text becomes an `error` that is passed on.
        let error = Node::read(said).map_or("{}", |_| said);
        format!(
            r#"{{"discounts":[{}],"error":{error}}}"#,
            discounts.join(",")
        )
    }

    /// Asks and answers until nothing is left to ask: then nothing is pending, unless something is wrong.
    fn settle(&mut self) {
        self.basket.ask_again(None);
        for _ in 0..8 {
            while let Some(question) = self.out.pop() {
                let texts = self.texts(&question);
                self.learn(&question, texts);
                self.check(&self.order.in_place());
            }
            self.ask();
        }
        assert!(self.out.is_empty(), "{:?}", self.out);
        assert!(self.parts["pending"] == "[]" || !self.basket.problems().is_empty());
        self.compare();
    }

    /// The order, priced with the answers that the basket got.
    fn fresh(&self) -> Result<Calculation, Error> {
        let body = self.order.text();
        let zones = Arc::clone(&self.zones);
        host::calculate(
            body.as_bytes(),
            zones,
            &self.policy,
            |question, argument| {
                if question.lookup == Lookup::Coupons {
                    return Ok(records(Some(self.coupons(argument))));
                }
                let keys = keys(question.lookup, argument);
                let texts = keys
                    .iter()
                    .map(|key| self.known[key].replace('\0', "\u{1}"));
                Ok(records(Some(Vec::from_iter(texts).join("\0"))))
            },
        )
    }

    /// Applies the changes, and checks what the basket shows. `origins`: where the rows were before.
    fn check(&mut self, origins: &[u32]) {
        let count = self.order.products.len();
        let is_changed = self.apply(origins, count);
        assert!(is_nothing(text(&self.basket.changes())));
        if is_changed {
            self.compare();
        }
    }

    /// Compares what the basket shows with its order, priced without it.
    fn compare(&mut self) {
        let count = self.order.products.len();
        let problems = self.basket.problems();
        assert_eq!(problems, self.basket.shown_problems());
        let rows = format!("[{}]", self.rows.join(","));
        assert!(Node::read(&rows).is_some(), "{rows}");
        if count == 0 {
            assert!(problems.is_empty() && self.parts["pending"] == "[]");
            return;
        }
        let has_failed = problems.iter().any(|problem| problem.call.is_some());
        if self.parts["pending"] != "[]" || has_failed {
            // It need not have an answer, and must not panic.
            let _ = self.basket.price();
            return;
        }
        match (self.fresh(), problems.first()) {
            (Ok(fresh), None) => {
                let response = self.basket.price().expect("nothing is wrong");
                let response = response.expect("everything is known").write();
                assert_eq!(text(&response), text(&priced(&fresh).write()));
                let (shown, expected) = (self.basket.totals(), priced(&fresh).totals());
                assert_eq!(shown.amounts(), expected.amounts());
                assert_eq!(shown.is_free_shipping, expected.is_free_shipping);
                let response = Node::read(text(&response)).expect("it is JSON");
                let shown = |key: &str| response.get(key).map_or("null", |part| part.text);
                assert_eq!(rows, shown("productList"));
                for part in [
                    "shipping",
                    "validVouchers",
                    "invalidVouchers",
                    "discountResult",
                ] {
                    assert_eq!(self.parts[part], shown(part), "{part}");
                }
            }
            (Err(error), Some(first)) => assert_eq!(error, first.error),
            (fresh, first) => panic!("{:?}, but the basket says {first:?}", fresh.err()),
        }
    }

    fn apply(&mut self, origins: &[u32], count: usize) -> bool {
        let row = |place: usize| {
            let origin = origins.get(place).and_then(|origin| {
                // The second row of the same origin is a new one.
                let is_first = !origins[..place].contains(origin);
                self.rows.get(*origin as usize).filter(|_| is_first)
            });
            origin.cloned().unwrap_or_default()
        };
        let mut rows = Vec::from_iter((0..count).map(row));
        let changes = self.basket.changes();
        let is_changed = !is_nothing(text(&changes));
        let changes = Node::read(text(&changes)).expect("the changes are JSON");
        for change in changes.list("rows") {
            let Value::Array(change) = &change.value else {
                panic!("{} is no row", change.text)
            };
            let place: usize = change[0].text.parse().expect("an index");
            rows[place] = change[1].text.to_owned();
        }
        self.rows = rows;
        let Value::Object(parts) = &changes.value else {
            panic!("{} is no object", changes.text)
        };
        for part in parts {
            let text = part.value.text.to_owned();
            self.parts.insert(part.key.clone(), text);
        }
        is_changed
    }
}

fn set(order: &mut Order, key: &str, value: String) {
    order.members.retain(|(other, _)| other != key);
    order.members.push((key.to_owned(), value));
}

/// What a question asks for: the look-up and the text of each key.
fn keys(lookup: Lookup, argument: &str) -> Vec<(&'static str, String)> {
    let function = lookup.row().function;
    let node = Node::read(argument).expect("a question is JSON");
    match &node.value {
        Value::Array(items) => {
            let items = items.iter();
            items.map(|item| (function, item.text.to_owned())).collect()
        }
        _ => vec![(function, argument.to_owned())],
    }
}

fn keys_of(question: &Question) -> Vec<(&'static str, String)> {
    keys(question.lookup, text(&question.argument))
}

/// Whether changes are none, besides that a call has begun or ended.
fn is_nothing(changes: &str) -> bool {
    changes.starts_with(r#"{"rows":[],"areSlotsOpen":false,"isOut":"#)
}

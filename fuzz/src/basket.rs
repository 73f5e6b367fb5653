//! Edits of a basket and answers to it, in any order. If the basket shows itself as current, it equals the price of its
//! order; settling it gives that price.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use arbitrary::{Result as Drawn, Unstructured};
use order_cost::{
    Basket, CouponRequest, DiscountResult, Document, Draft, Error, Facts, Failure, Limits, Lookup,
    Origin, Planned, Policy, Priced, Resolved, Round, Zones,
};

use super::draw;
use super::host::{self, Host};
use super::json::Node;

/// Makes an order, a host and edits from any bytes.
pub fn run(data: &[u8]) {
    // The bytes may end within the edits; everything up to there has been checked.
    let _ = Live::draw(&mut Unstructured::new(data));
}

struct Live {
    basket: Basket,
    host: Host,
    zones: Rc<Zones>,
    policy: Policy,
}

impl Live {
    fn draw(bytes: &mut Unstructured<'_>) -> Drawn<()> {
        let policy = draw::policy(bytes)?;
        let order = host::document(draw::order(bytes, 0)?);
        let host = draw::host(bytes, 0)?;
        let zones = Rc::new(host::zones());
        let limits = Limits::default();
        let Ok(basket) = Basket::new(&order, policy, limits, Rc::clone(&zones)) else {
            return Ok(());
        };
        let mut live = Self {
            basket,
            host,
            zones,
            policy,
        };
        for _ in 0..12 {
            live.check();
            if bytes.is_empty() {
                break;
            }
            match bytes.int_in_range(0..=2)? {
                0 => live.settle(bytes)?,
                _ => live.edit(bytes)?,
            }
        }
        live.settle_for_good();
        Ok(())
    }

    /// A refused edit changes nothing.
    fn edit(&mut self, bytes: &mut Unstructured<'_>) -> Drawn<()> {
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
        let before = self.basket.order_text();
        let edited = match bytes.int_in_range(0..=10)? {
            0 | 1 => {
                let line = *bytes.choose(&LINES)?;
                self.basket.set_quantity(line, *bytes.choose(&QUANTITIES)?)
            }
            2 => self.basket.remove_product(*bytes.choose(&LINES)?),
            3 => match json(draw::product(bytes)?) {
                Some(product) => self.basket.add_product(&product),
                None => Ok(()),
            },
            4 => self.set("couponCodeList", draw::coupon_codes(bytes)?),
            5 => self.set("voucherId", draw::voucher_ids(bytes)?),
            6 => self.set("ownerId", draw::owner(bytes)?),
            7 => self.set("branchId", draw::branch(bytes)?),
            8 => self.set("shipping", draw::shipping(bytes)?),
            9 => {
                self.basket.forget();
                Ok(())
            }
            _ => {
                let zones = if bytes.arbitrary()? {
                    host::zones()
                } else {
                    Zones::default()
                };
                self.zones = Rc::new(zones);
                self.basket.set_zones(Rc::clone(&self.zones));
                Ok(())
            }
        };
        if edited.is_err() {
            assert_eq!(self.basket.order_text(), before);
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: String) -> Result<(), Error> {
        match json(value) {
            Some(value) => self.basket.set(&format!("\"{key}\""), &value),
            None => Ok(()),
        }
    }

    /// A round of look-ups. The answers arrive in any order or not at all, with edits in between.
    fn settle(&mut self, bytes: &mut Unstructured<'_>) -> Drawn<()> {
        let Ok((mut planned, round)) = self.basket.begin() else {
            return Ok(());
        };
        let first = bytes.int_in_range(0..=2)?;
        for answer in 0..3 {
            if bytes.ratio(1, 4)? {
                self.edit(bytes)?;
                self.check();
            }
            self.learn((first + answer) % 3, &mut planned, &round);
            self.check();
        }
        if bytes.ratio(1, 4)? {
            return Ok(());
        }
        let edit = bytes.ratio(1, 4)?;
        let mut said = None;
        let priced = self.finish(planned, &mut said);
        if edit {
            self.edit(bytes)?;
        }
        if let (Ok(_), Some((request, answer))) = (priced, said) {
            self.basket.learn_coupons(&round, request, answer);
        }
        Ok(())
    }

    /// After a round without edits the basket is current, and the result is its order's price.
    fn settle_for_good(&mut self) {
        let begun = self.basket.begin();
        let fresh = self.fresh();
        let (planned, round) = match begun {
            Ok(begun) => begun,
            Err(error) => {
                assert_eq!(fresh.err().as_ref(), Some(&error));
                return;
            }
        };
        let mut answered = planned;
        for answer in 0..3 {
            self.learn(answer, &mut answered, &round);
        }
        let mut said = None;
        let settled = self.finish(answered, &mut said);
        if let (Ok(_), Some((request, answer))) = (&settled, said) {
            self.basket.learn_coupons(&round, request, answer);
        }
        match (settled, fresh) {
            (Ok(settled), Ok(fresh)) => {
                assert_eq!(settled.write(), fresh.write());
                assert!(!self.basket.unknown().any());
                assert!(self.basket.overflow().is_none());
            }
            (settled, fresh) => assert_eq!(settled.err(), fresh.err()),
        }
        self.check();
    }

    /// The host answers one kind of look-up.
    fn learn(&mut self, kind: u8, planned: &mut Planned, round: &Round) {
        match kind {
            0 if planned.cprcodes().next().is_some() => {
                planned.answer_prices(Ok(self.host.price_records(planned)));
                self.basket.learn(round, planned, Lookup::Prices);
            }
            1 if planned.voucher_ids_json().next().is_some() => {
                planned.answer_vouchers(Ok(self.host.voucher_records(planned)));
                self.basket.learn(round, planned, Lookup::Vouchers);
            }
            0 | 1 => {}
            _ => {
                for mode in Vec::from_iter(planned.nationwide_modes()) {
                    planned.answer_rate(mode, self.host.rate(mode));
                    let lookup = Lookup::NationwideRate(mode);
                    self.basket.learn(round, planned, lookup);
                }
            }
        }
    }

    /// Prices with the coupon answer that the basket knows. `said` is the new answer if the service had to be asked.
    fn finish(
        &self,
        planned: Planned,
        said: &mut Option<(Vec<u8>, Rc<DiscountResult>)>,
    ) -> Result<Priced, Error> {
        let coupons = |resolved: &Resolved| {
            let request = resolved.coupon_request().expect("coupons are asked");
            if let Some(known) = self.basket.known_coupons(&request) {
                return Ok(known);
            }
            let answer = resolved.read_coupons(self.coupons(&request))?;
            *said = Some((request.to_bytes(), Rc::clone(&answer)));
            Ok(answer)
        };
        host::finish(planned, coupons, &self.policy)
    }

    /// A service whose answer depends on the whole request, so that an outdated answer shows.
    fn coupons(&self, request: &CouponRequest<'_>) -> Result<Document, Failure> {
        let said = self.host.coupons.as_ref().ok_or(Failure::NotSupplied)?;
        let head = str::from_utf8(&request.head).expect("it is UTF-8");
        let head = Node::read(head).expect("it is JSON");
        let mut hasher = DefaultHasher::new();
        request.to_bytes().hash(&mut hasher);
        let digest = hasher.finish() % 1000;
        let discounts = head.list("couponCodeList").iter().map(|code| {
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
        Ok(host::document(format!(
            r#"{{"discounts":[{}],"error":{error}}}"#,
            discounts.join(",")
        )))
    }

    /// The order, priced without the basket's facts.
    fn fresh(&self) -> Result<Priced, Error> {
        let text = self.basket.order_text();
        let draft = Draft::read(&text, Origin::Wire, &Limits::default())?;
        let mut planned = draft.plan(&self.zones, &Facts::default());
        self.host.answer(&mut planned);
        let coupons = |resolved: &Resolved| {
            let request = resolved.coupon_request().expect("coupons are asked");
            resolved.read_coupons(self.coupons(&request))
        };
        host::finish(planned, coupons, &self.policy)
    }

    /// Checks what the basket shows, unless it says that something is missing.
    fn check(&self) {
        let text = self.basket.order_text();
        let order = str::from_utf8(&text).expect("an order is UTF-8");
        let order = Node::read(order).expect("an order is JSON");
        let rows = self.basket.rows();
        let rows = str::from_utf8(&rows).expect("the rows are UTF-8");
        assert!(Node::read(rows).is_some(), "{rows}");
        if self.basket.unknown().any() || order.list("productList").is_empty() {
            return;
        }
        match (self.fresh(), self.basket.overflow()) {
            (Ok(fresh), None) => {
                let (shown, fresh_totals) = (self.basket.totals(), fresh.totals());
                assert_eq!(shown.amounts(), fresh_totals.amounts());
                assert_eq!(shown.is_free_shipping, fresh_totals.is_free_shipping);
                let response = String::from_utf8(fresh.write()).expect("it is UTF-8");
                let response = Node::read(&response).expect("it is JSON");
                let fresh_rows = response.get("productList").expect("there are rows");
                assert_eq!(rows, fresh_rows.text);
            }
            (Err(Error::Overflow(_)), Some(Error::Overflow(_))) => {}
            (fresh, overflow) => panic!("{:?}, but the basket says {overflow:?}", fresh.err()),
        }
    }
}

/// A basket gets only JSON, because its texts are written from objects.
fn json(text: String) -> Option<Document> {
    Node::read(&text).is_some().then(|| host::document(text))
}

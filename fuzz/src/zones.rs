//! Delivery zones are read or refused as D35 says, and cover exactly the points that exact arithmetic says.

use std::cmp::Ordering;

use arbitrary::{Result as Drawn, Unstructured};
use num_bigint::BigInt;
use order_cost::{Document, NoZone, Origin, Zones};

use super::json::{Json, Member, Node, Value};
use super::number::Number;
use super::schema::{amount, double, integer};

type Point = (f64, f64);
type Ring = Vec<Point>;

/// A zone as its text describes it.
struct Zone {
    brcode: i64,
    delivery_fee: Number,
    polygons: Vec<Vec<Ring>>,
}

/// If the first byte is even, the rest is any GeoJSON. Otherwise the bytes make a small collection.
pub fn run(data: &[u8]) {
    let Some((mode, rest)) = data.split_first() else {
        return;
    };
    let text = match mode % 2 {
        0 => str::from_utf8(rest).map(str::to_owned).ok(),
        _ => collection(&mut Unstructured::new(rest)).ok(),
    };
    if let Some(text) = text {
        check(text);
    }
}

fn check(text: String) {
    let expected = read(text.strip_prefix('\u{feff}').unwrap_or(&text));
    let zones = Zones::read(&Document {
        text: text.clone(),
        origin: Origin::Wire,
    });
    match (zones, expected) {
        (Ok(zones), Ok(expected)) => assert_covers(&zones, &expected),
        (Err(fault), Err(expected)) => {
            assert_eq!(fault.to_string(), expected);
            let path = expected.split_once(": ").map_or("", |(path, _)| path);
            assert_eq!(fault.path(), path);
        }
        (zones, expected) => panic!("{zones:?}, but {:?}", expected.err()),
    }
}

/// At the corners of all rings and between them, the first zone in the file counts.
fn assert_covers(zones: &Zones, expected: &[Zone]) {
    let rings = expected
        .iter()
        .flat_map(|zone| zone.polygons.iter().flatten());
    let corners: Vec<Point> = rings.flatten().copied().take(12).collect();
    let middles = corners.windows(2).map(|pair| middle(pair[0], pair[1]));
    let inner = corners
        .windows(3)
        .map(|three| middle(middle(three[0], three[1]), three[2]));
    let points = corners.iter().copied().chain(middles).chain(inner);
    for point in points.chain([(0.0, 0.0), (0.25, -0.125)]) {
        for brcode in [0, 1000, 2000] {
            let mut of_branch = expected
                .iter()
                .filter(|zone| zone.brcode == brcode)
                .peekable();
            let fee = zones.fee_at(brcode, point.0, point.1);
            if of_branch.peek().is_none() {
                assert_eq!(fee, Err(NoZone::OfBranch));
                continue;
            }
            match (fee, of_branch.find(|zone| zone.covers(point))) {
                (Ok(fee), Some(zone)) => {
                    assert_eq!(fee.to_string(), zone.delivery_fee.to_string(), "{point:?}");
                }
                (fee, first) => {
                    assert_eq!(fee.err(), Some(NoZone::AtAddress), "{point:?}");
                    assert!(first.is_none(), "{point:?}");
                }
            }
        }
    }
}

fn middle((left, bottom): Point, (right, top): Point) -> Point {
    (left / 2.0 + right / 2.0, bottom / 2.0 + top / 2.0)
}

impl Zone {
    fn covers(&self, point: Point) -> bool {
        self.polygons.iter().any(|rings| covers(rings, point))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
    Inside,
    Edge,
    Outside,
}

fn covers(rings: &[Ring], point: Point) -> bool {
    let mut places = rings.iter().map(|ring| place(ring, point));
    places.next() != Some(Place::Outside) && places.all(|hole| hole != Place::Inside)
}

/// Inside is what the ring winds round.
fn place(ring: &[Point], (x, y): Point) -> Place {
    let between = |a: f64, value: f64, b: f64| a.min(b) <= value && value <= a.max(b);
    let mut turns = 0;
    for edge in ring.windows(2) {
        let (a, b) = (edge[0], edge[1]);
        let side = side(a, b, (x, y));
        if side.is_eq() && between(a.0, x, b.0) && between(a.1, y, b.1) {
            return Place::Edge;
        }
        if a.1 <= y && b.1 > y && side.is_gt() {
            turns += 1;
        } else if a.1 > y && b.1 <= y && side.is_lt() {
            turns -= 1;
        }
    }
    match turns {
        0 => Place::Outside,
        _ => Place::Inside,
    }
}

/// Greater if `p` lies left of the line from `a` to `b`.
fn side(a: Point, b: Point, p: Point) -> Ordering {
    let on_grid = [a, b, p].map(|(x, y)| Some((grid(x)?, grid(y)?)));
    if let [Some(a), Some(b), Some(p)] = on_grid {
        return ((b.0 - a.0) * (p.1 - a.1)).cmp(&((b.1 - a.1) * (p.0 - a.0)));
    }
    let less = |left: f64, right: f64| exact(left) - exact(right);
    (less(b.0, a.0) * less(p.1, a.1)).cmp(&(less(b.1, a.1) * less(p.0, a.0)))
}

/// A double × 2^48, if that is an integer. Most are, and big integers are slow.
fn grid(double: f64) -> Option<i128> {
    let scaled = double * (1_u64 << 48) as f64;
    (scaled.trunc() == scaled).then_some(scaled as i128)
}

/// A double × 2^1074; always an integer.
fn exact(double: f64) -> BigInt {
    let bits = double.to_bits();
    let exponent = bits >> 52 & 0x7FF;
    let fraction = bits & ((1 << 52) - 1);
    let magnitude = match exponent {
        0 => BigInt::from(fraction),
        _ => BigInt::from(fraction | 1 << 52) << (exponent - 1),
    };
    if double < 0.0 { -magnitude } else { magnitude }
}

type Read<T> = Result<T, String>;

fn fault<T>(path: &str, what: &str) -> Read<T> {
    let path = path.strip_prefix('.').unwrap_or(path);
    let colon = if path.is_empty() { "" } else { ": " };
    Err(format!("{path}{colon}{what}"))
}

fn read(text: &str) -> Read<Vec<Zone>> {
    let Some(text) = Node::read(text) else {
        return fault("", "expected JSON");
    };
    let (mut is_collection, mut zones) = (false, None);
    for Member { key, value, .. } in members(&text, "")? {
        match key.as_str() {
            "type" => is_collection = is_type(value, "", "FeatureCollection")?,
            "features" => zones = Some(each(not_null(value, ".features")?, ".features", feature)?),
            _ => {}
        }
    }
    match zones {
        _ if !is_collection => fault(".type", "expected FeatureCollection"),
        None => fault(".features", "required"),
        Some(zones) => Ok(zones),
    }
}

fn feature(json: Json<'_>, path: &str) -> Read<Zone> {
    let (mut is_feature, mut polygons, mut properties) = (false, None, None);
    for Member { key, value, .. } in members(json, path)? {
        let place = format!("{path}.{key}");
        match key.as_str() {
            "type" => is_feature = is_type(value, path, "Feature")?,
            "geometry" => polygons = Some(geometry(not_null(value, &place)?, &place)?),
            "properties" => properties = Some(self::properties(not_null(value, &place)?, &place)?),
            _ => {}
        }
    }
    if !is_feature {
        return fault(&format!("{path}.type"), "expected Feature");
    }
    let Some(polygons) = polygons else {
        return fault(&format!("{path}.geometry"), "required");
    };
    let Some((brcode, delivery_fee)) = properties else {
        return fault(&format!("{path}.properties"), "required");
    };
    Ok(Zone {
        brcode,
        delivery_fee,
        polygons,
    })
}

fn properties(json: Json<'_>, path: &str) -> Read<(i64, Number)> {
    let (mut brcode, mut fee) = (None, None);
    for Member { key, value, .. } in members(json, path)? {
        let place = format!("{path}.{key}");
        match key.as_str() {
            "brcode" => {
                let read = integer(not_null(value, &place)?);
                brcode = Some(read.map_or_else(|| fault(&place, "expected an integer"), Ok)?);
            }
            "deliveryFee" => {
                let read = amount(not_null(value, &place)?);
                let wrong = |expected| fault(&place, &format!("expected {expected}"));
                fee = Some(read.or_else(wrong)?);
            }
            "name" if value.text != "null" && value.string().is_none() => {
                return fault(&place, "expected a string");
            }
            _ => {}
        }
    }
    match (fee, brcode) {
        (None, _) => fault(&format!("{path}.deliveryFee"), "required"),
        (_, None) => fault(&format!("{path}.brcode"), "required"),
        (Some(fee), Some(brcode)) => Ok((brcode, fee)),
    }
}

fn geometry(json: Json<'_>, path: &str) -> Read<Vec<Vec<Ring>>> {
    let (mut is_multi, mut coordinates) = (None, None);
    let place = format!("{path}.coordinates");
    let wrong_type = || {
        fault(
            &format!("{path}.type"),
            "expected one of Polygon, MultiPolygon",
        )
    };
    for Member { key, value, .. } in members(json, path)? {
        match key.as_str() {
            "type" => match value.string() {
                Some("Polygon") => is_multi = Some(false),
                Some("MultiPolygon") => is_multi = Some(true),
                _ => return wrong_type(),
            },
            "coordinates" => coordinates = Some(not_null(value, &place)?),
            _ => {}
        }
    }
    match (is_multi, coordinates) {
        (None, _) => wrong_type(),
        (_, None) => fault(&place, "required"),
        (Some(false), Some(coordinates)) => Ok(vec![polygon(coordinates, &place)?]),
        (Some(true), Some(coordinates)) => match each(coordinates, &place, polygon)? {
            polygons if polygons.is_empty() => fault(&place, "expected at least 1 polygon"),
            polygons => Ok(polygons),
        },
    }
}

fn polygon(json: Json<'_>, path: &str) -> Read<Vec<Ring>> {
    let rings = each(json, path, ring)?;
    if rings.is_empty() {
        return fault(path, "expected at least 1 ring");
    }
    Ok(rings)
}

fn ring(json: Json<'_>, path: &str) -> Read<Ring> {
    let positions = each(json, path, position)?;
    if positions.len() < 4 {
        return fault(path, "expected at least 4 positions");
    }
    if positions.first() != positions.last() {
        return fault(path, "expected a closed ring");
    }
    Ok(positions)
}

fn position(json: Json<'_>, path: &str) -> Read<Point> {
    let items = items(json, path)?;
    let degrees = |index: usize, limit: f64, name: &str| {
        let Some(item) = items.get(index) else {
            return Ok(None);
        };
        let degrees = match item.value {
            Value::Number => double(item.text),
            _ => f64::NAN,
        };
        if degrees.abs() <= limit {
            return Ok(Some(degrees));
        }
        fault(
            &format!("{path}[{index}]"),
            &format!("expected a {name} between -{limit} and {limit}"),
        )
    };
    match (
        degrees(0, 180.0, "longitude")?,
        degrees(1, 90.0, "latitude")?,
    ) {
        (Some(lon), Some(lat)) => Ok((lon, lat)),
        _ => fault(path, "expected a position"),
    }
}

fn members<'a>(json: Json<'a>, path: &str) -> Read<&'a [Member<'a>]> {
    match &json.value {
        Value::Object(members) => Ok(members),
        _ => fault(path, "expected an object"),
    }
}

fn items<'a>(json: Json<'a>, path: &str) -> Read<&'a [Node<'a>]> {
    match &json.value {
        Value::Array(items) => Ok(items),
        _ => fault(path, "expected an array"),
    }
}

fn each<T>(json: Json<'_>, path: &str, read: fn(Json<'_>, &str) -> Read<T>) -> Read<Vec<T>> {
    let items = items(json, path)?.iter().enumerate();
    items
        .map(|(index, item)| read(item, &format!("{path}[{index}]")))
        .collect()
}

fn not_null<'a>(json: Json<'a>, path: &str) -> Read<Json<'a>> {
    match json.text {
        "null" => fault(path, "required"),
        _ => Ok(json),
    }
}

fn is_type(json: Json<'_>, path: &str, expected: &str) -> Read<bool> {
    match json.string() {
        Some(word) if word == expected => Ok(true),
        _ => fault(&format!("{path}.type"), &format!("expected {expected}")),
    }
}

/// Zones with corners on a small grid, where edges, corners and holes meet.
fn collection(bytes: &mut Unstructured<'_>) -> Drawn<String> {
    let features = repeated(bytes, 1..=3, |bytes| {
        let brcode = bytes.choose(&["1000", "2000", "1e3"])?;
        let fee = bytes.choose(&["40", "0", "55.50", "1e2", "0.1"])?;
        let kind = bytes.choose(&["Polygon", "MultiPolygon"])?;
        let coordinates = match *kind {
            "Polygon" => drawn_polygon(bytes)?,
            _ => repeated(bytes, 0..=2, drawn_polygon)?,
        };
        Ok(format!(
            r#"{{"type":"Feature","geometry":{{"type":"{kind}","coordinates":{coordinates}}},"properties":{{"brcode":{brcode},"deliveryFee":{fee}}}}}"#
        ))
    })?;
    Ok(format!(
        r#"{{"type":"FeatureCollection","features":{features}}}"#
    ))
}

fn drawn_polygon(bytes: &mut Unstructured<'_>) -> Drawn<String> {
    repeated(bytes, 1..=2, |bytes| {
        let corners = bytes.int_in_range(3..=6)?;
        let corners = (0..corners).map(|_| drawn_position(bytes));
        let mut corners = corners.collect::<Drawn<Vec<_>>>()?;
        corners.push(corners[0].clone());
        Ok(format!("[{}]", corners.join(",")))
    })
}

fn drawn_position(bytes: &mut Unstructured<'_>) -> Drawn<String> {
    const GRID: [&str; 12] = [
        "-3", "-2", "-1.5", "-1", "-0", "0", "1", "1e0", "2.0", "2.5", "3", "0.125",
    ];
    Ok(format!(
        "[{},{}]",
        bytes.choose(&GRID)?,
        bytes.choose(&GRID)?
    ))
}

/// A JSON array of this many items.
fn repeated(
    bytes: &mut Unstructured<'_>,
    count: std::ops::RangeInclusive<usize>,
    item: impl Fn(&mut Unstructured<'_>) -> Drawn<String>,
) -> Drawn<String> {
    let count = bytes.int_in_range(count)?;
    let items = (0..count).map(|_| item(bytes));
    Ok(format!("[{}]", items.collect::<Drawn<Vec<_>>>()?.join(",")))
}

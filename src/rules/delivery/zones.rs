//! Delivery zones: which branch delivers where, and for how much (D34, D35).

use std::str::FromStr;

use geo::coordinate_position::{CoordPos, coord_pos_relative_to_ring};
use geo::{BoundingRect, Coord, Intersects, LineString, Polygon, Rect};

use crate::error::{Error, Expected, Fault, NoZone};
use crate::explain::{Operand, Sink, Step};
use crate::json::{BYTE_ORDER_MARK, Document, Origin, Reader, Span, table};
use crate::money::Amount;
use crate::order::{Order, Shipping};
use crate::word::{Word, words};

/// The delivery zones of every branch, in file order.
#[derive(Debug, Default)]
pub struct Zones(Vec<Zone>);

/// A polygon and its bounding box. For most points the box alone decides.
#[derive(Debug)]
struct Part {
    bounds: Rect<f64>,
    polygon: Polygon<f64>,
}

impl FromStr for Zones {
    type Err = Error;

    /// Reads a GeoJSON FeatureCollection of zones (D35).
    fn from_str(geo_json: &str) -> Result<Self, Error> {
        Self::read(&Document {
            text: geo_json.to_owned(),
            origin: Origin::Wire,
        })
        .map_err(Error::InvalidZones)
    }
}

impl Zones {
    /// Reads a GeoJSON FeatureCollection of zones (D35).
    #[doc(hidden)]
    #[inline(never)]
    pub fn read(geo_json: &Document) -> Result<Self, Fault> {
        // As in a body (D10): editors often save a byte order mark.
        let text = geo_json
            .text
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(&geo_json.text);
        Reader::document(text, geo_json.origin, Collection::read)
            .map(|collection| Self(collection.features))
    }

    /// The fee of the branch's first zone, in file order, that covers the
    /// point. The edges of a zone and of its holes belong to the zone.
    pub fn fee_at(&self, brcode: i64, lon: f64, lat: f64) -> Result<Amount, NoZone> {
        let (_, zone) = self.zone_at(brcode, Coord { x: lon, y: lat })?;
        Ok(zone.properties.delivery_fee)
    }

    /// The zone and its index in `features`.
    fn zone_at(&self, brcode: i64, point: Coord<f64>) -> Result<(usize, &Zone), NoZone> {
        let mut zones = self.of_branch(brcode).peekable();
        zones.peek().ok_or(NoZone::OfBranch)?;
        zones
            .find(|(_, zone)| zone.covers(point))
            .ok_or(NoZone::AtAddress)
    }

    fn of_branch(&self, brcode: i64) -> impl Iterator<Item = (usize, &Zone)> {
        let zones = self.0.iter().enumerate();
        zones.filter(move |(_, zone)| zone.properties.brcode == brcode)
    }

    /// Reports for each zone of the branch whether it covers the address.
    pub(crate) fn report(&self, order: &Order, shipping: &Shipping, sink: &mut dyn Sink) {
        let brcode = shipping.brcode;
        let (lon, lat) = (shipping.lon, shipping.lat);
        let point = Coord::from((order.degrees(lon), order.degrees(lat)));
        let chosen = self.zone_at(brcode, point).map(|(feature, _)| feature);
        for (feature, zone) in self.of_branch(brcode) {
            let is_chosen = chosen == Ok(feature);
            let fee = zone.properties.delivery_fee;
            let mut step = Step::new("zone", "D34", if is_chosen { fee } else { Amount::ZERO })
                .at("shipping")
                .with("brcode", brcode)
                .with(
                    "shippingLon",
                    Operand::Json(order.json(lon, const { Shipping::default_of("shippingLon") })),
                )
                .with(
                    "shippingLat",
                    Operand::Json(order.json(lat, const { Shipping::default_of("shippingLat") })),
                )
                .with("feature", feature as i64)
                .with("deliveryFee", fee)
                .with("covers", zone.covers(point))
                .with("isChosen", is_chosen);
            if let Some(name) = &zone.properties.name {
                step = step.with("name", name.as_str());
            }
            sink.step(&step);
        }
    }
}

impl Zone {
    fn covers(&self, point: Coord<f64>) -> bool {
        self.parts.iter().any(|part| part.covers(point))
    }
}

impl Part {
    /// A point inside any hole is outside, also on the edge of another hole. The
    /// crate's own `intersects` takes the first hole that has the point.
    fn covers(&self, point: Coord<f64>) -> bool {
        let place = |ring: &LineString<f64>| coord_pos_relative_to_ring(point, ring);
        let mut holes = self.polygon.interiors().iter();
        self.bounds.intersects(&point)
            && place(self.polygon.exterior()) != CoordPos::Outside
            && holes.all(|hole| place(hole) != CoordPos::Inside)
    }
}

// No document shows these: kind and class say nothing of them.
table! {
    struct Collection {
        _type: () = string(
            "type",
            required,
            |json| type_is(json, "FeatureCollection"),
            return Err(no_type("FeatureCollection"))
        ) plain,
        features: Vec<Zone> = objects("features", required, |json| json.list(Zone::read)) nested,
    }
}

table! {
    /// A delivery zone of one branch.
    #[derive(Debug)]
    struct Zone {
        _type: () = string(
            "type",
            required,
            |json| type_is(json, "Feature"),
            return Err(no_type("Feature"))
        ) plain,
        parts: Vec<Part> = any("geometry", required, |json| Geometry::read(json)?.parts(json)) nested,
        properties: Properties = object("properties", required, Properties::read) nested,
    }
}

table! {
    struct Geometry {
        shape: Shape = word(
            "type",
            required,
            Reader::word,
            return Err(Fault::expected(Expected::OneOf(Shape::WORDS)).under_key("type"))
        ) plain,
        /// Read later: `type` says how, and may come after this key.
        coordinates: Span = any("coordinates", required, some_json) plain,
    }
}

words! {
    enum Shape {
        Polygon = "Polygon",
        MultiPolygon = "MultiPolygon",
    }
}

table! {
    #[derive(Debug)]
    struct Properties {
        /// The fee in THB.
        delivery_fee: Amount = baht("deliveryFee", required) plain,
        /// The branch.
        brcode: i64 = integer("brcode", required) plain,
        name: Option<String> = string(
            "name",
            null,
            |json: &mut Reader<'_>| json.string().map(|name| json.decoded(name).into_owned())
        ) text,
    }
}

impl Geometry {
    fn parts(&self, json: &Reader<'_>) -> Result<Vec<Part>, Fault> {
        let mut json = json.revisit(self.coordinates);
        let parts = match self.shape {
            Shape::Polygon => part(&mut json).map(|part| vec![part]),
            Shape::MultiPolygon => json.list(part),
        };
        let parts = match parts {
            Ok(none) if none.is_empty() => Err(Fault::expected(Expected::A("at least 1 polygon"))),
            parts => parts,
        };
        parts.map_err(|fault| fault.under_key("coordinates"))
    }
}

fn some_json(json: &mut Reader<'_>) -> Result<Span, Fault> {
    match json.take_null()? {
        true => Err(Fault::expected(Expected::Required)),
        false => json.opaque(),
    }
}

fn part(json: &mut Reader<'_>) -> Result<Part, Fault> {
    let mut rings = json.list(ring)?.into_iter();
    let exterior = rings.next();
    let bounds = exterior.as_ref().and_then(LineString::bounding_rect);
    let (Some(exterior), Some(bounds)) = (exterior, bounds) else {
        return Err(Fault::expected(Expected::A("at least 1 ring")));
    };
    let polygon = Polygon::new(exterior, rings.collect());
    Ok(Part { bounds, polygon })
}

fn ring(json: &mut Reader<'_>) -> Result<LineString<f64>, Fault> {
    let positions = json.list(position)?;
    if positions.len() < 4 {
        return Err(Fault::expected(Expected::A("at least 4 positions")));
    }
    if positions.first() != positions.last() {
        return Err(Fault::expected(Expected::A("a closed ring")));
    }
    Ok(LineString::new(positions))
}

fn position(json: &mut Reader<'_>) -> Result<Coord<f64>, Fault> {
    let (mut lon, mut lat) = (None, None);
    json.array(&mut |json, index| {
        match index {
            0 => lon = Some(degrees(json, 180.0, "a longitude between -180 and 180")?),
            1 => lat = Some(degrees(json, 90.0, "a latitude between -90 and 90")?),
            _ => return json.skip(),
        }
        Ok(())
    })?;
    match (lon, lat) {
        (Some(x), Some(y)) => Ok(Coord { x, y }),
        _ => Err(Fault::expected(Expected::A("a position"))),
    }
}

fn degrees(json: &mut Reader<'_>, limit: f64, expected: &'static str) -> Result<f64, Fault> {
    let degrees = json.number().map(|number| json.double(number));
    degrees
        .ok()
        .filter(|degrees| degrees.abs() <= limit)
        .ok_or_else(|| Fault::expected(Expected::A(expected)))
}

fn type_is(json: &mut Reader<'_>, expected: &'static str) -> Result<(), Fault> {
    match json.string() {
        Ok(span) if json.decoded(span) == expected => Ok(()),
        _ => Err(Fault::expected(Expected::A(expected))),
    }
}

fn no_type(expected: &'static str) -> Fault {
    Fault::expected(Expected::A(expected)).under_key("type")
}

#[cfg(test)]
mod tests {
    use super::Zones;
    use crate::json::{Document, Origin};

    #[test]
    fn d44_the_first_wrong_part_of_zones_is_named() {
        let wrong = |text: &str| {
            let read = Zones::read(&Document {
                text: text.to_owned(),
                origin: Origin::Wire,
            });
            read.err().map(|fault| (fault.path(), fault.what()))
        };
        let none = r#"{"type":"FeatureCollection","features":[]}"#;
        assert_eq!(wrong(none), None);
        let text = r#"{"type":"FeatureCollection","features":[5,{}]}"#;
        let (path, expected) = wrong(text).expect("a part is wrong");
        assert_eq!(path, "features[0]");
        assert_eq!(expected, "an object");
    }
}

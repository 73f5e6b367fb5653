//! Delivery zones: which branch delivers where, and for how much (D34, D35).

use geo::{BoundingRect, Coord, Intersects, LineString, Polygon, Rect};

use crate::error::{Error, Expected, Fault};
use crate::json::{Document, Reader, keys};
use crate::money::Amount;
use crate::order::Order;
use crate::shipping::Shipping;
use crate::step::{Operand, Step};

keys!(CollectionKey {
    Type = "type",
    Features = "features",
});

keys!(FeatureKey {
    Type = "type",
    Geometry = "geometry",
    Properties = "properties",
});

keys!(PropertiesKey {
    Brcode = "brcode",
    DeliveryFee = "deliveryFee",
    Name = "name",
});

keys!(GeometryKey {
    Type = "type",
    Coordinates = "coordinates",
});

/// The delivery zones of every branch, in file order.
#[derive(Debug, Default)]
pub struct Zones(Vec<Zone>);

/// A delivery zone of one branch.
#[derive(Debug)]
pub struct Zone {
    /// The branch.
    pub brcode: i64,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// In THB.
    pub delivery_fee: Amount,
    parts: Vec<Part>,
}

/// A polygon and the box around it, which spares most points the polygon.
#[derive(Debug)]
struct Part {
    bounds: Rect<f64>,
    polygon: Polygon<f64>,
}

/// Why a branch does not deliver to a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoZone {
    /// It has no zone at all.
    Branch(i64),
    /// It has zones, and none covers the point.
    Point(i64),
}

impl From<NoZone> for Error {
    fn from(reason: NoZone) -> Self {
        match reason {
            NoZone::Branch(brcode) => Self::BranchNotAvailable(brcode),
            NoZone::Point(brcode) => Self::BranchNotInPolygon(brcode),
        }
    }
}

impl Zones {
    /// Reads a GeoJSON FeatureCollection of zones (D35).
    pub fn read(geo_json: &Document) -> Result<Self, Error> {
        // As of a body (D10): files are often saved with a byte order mark.
        let text = geo_json
            .text
            .strip_prefix('\u{feff}')
            .unwrap_or(&geo_json.text);
        Reader::document(text, geo_json.origin, feature_collection)
            .map(Self)
            .map_err(|fault| Error::InvalidZones(fault.into_invalid()))
    }

    /// The fee of the first zone of the branch, in file order, that covers the
    /// point; its edge belongs to a zone, that of a hole too.
    pub fn fee_at(&self, brcode: i64, lon: f64, lat: f64) -> Result<Amount, NoZone> {
        let (_, zone) = self.zone_at(brcode, Coord { x: lon, y: lat })?;
        Ok(zone.delivery_fee)
    }

    /// The zone and where it stands in `features`.
    fn zone_at(&self, brcode: i64, point: Coord<f64>) -> Result<(usize, &Zone), NoZone> {
        let mut zones = self.of_branch(brcode).peekable();
        zones.peek().ok_or(NoZone::Branch(brcode))?;
        zones
            .find(|(_, zone)| zone.covers(point))
            .ok_or(NoZone::Point(brcode))
    }

    fn of_branch(&self, brcode: i64) -> impl Iterator<Item = (usize, &Zone)> {
        let zones = self.0.iter().enumerate();
        zones.filter(move |(_, zone)| zone.brcode == brcode)
    }

    /// What each zone of the branch says of the address of an order.
    pub(crate) fn steps<'a>(
        &'a self,
        order: &'a Order,
        shipping: &Shipping,
    ) -> impl Iterator<Item = Step<'a>> {
        let brcode = shipping.brcode();
        let (lon, lat) = (shipping.lon, shipping.lat);
        let point = Coord {
            x: lon.degrees,
            y: lat.degrees,
        };
        let chosen = self.zone_at(brcode, point).map(|(feature, _)| feature);
        self.of_branch(brcode).map(move |(feature, zone)| {
            let is_chosen = chosen == Ok(feature);
            let fee = zone.delivery_fee;
            let step = Step::uncounted("zone", if is_chosen { fee } else { Amount::ZERO })
                .decided("D34")
                .at("shipping")
                .with("brcode", brcode)
                .with("shippingLon", Operand::Json(order.json(lon.text, "0")))
                .with("shippingLat", Operand::Json(order.json(lat.text, "0")))
                .with("feature", feature)
                .with("deliveryFee", fee)
                .with("covers", zone.covers(point))
                .with("isChosen", is_chosen);
            match &zone.name {
                Some(name) => step.with("name", name.as_str()),
                None => step,
            }
        })
    }
}

impl Zone {
    fn covers(&self, point: Coord<f64>) -> bool {
        self.parts
            .iter()
            .any(|part| part.bounds.intersects(&point) && part.polygon.intersects(&point))
    }
}

fn feature_collection(json: &mut Reader<'_>) -> Result<Vec<Zone>, Fault> {
    let (mut is_collection, mut features) = (false, None);
    json.fields(|json, key| {
        match key {
            CollectionKey::Type => is_collection = type_is(json, "FeatureCollection")?,
            CollectionKey::Features => features = Some(json.required(|json| json.list(feature))?),
        }
        Ok(())
    })?;
    if !is_collection {
        return Err(Fault::expected(Expected::A("FeatureCollection")).under_key("type"));
    }
    features.ok_or_else(|| Fault::missing("features"))
}

fn feature(json: &mut Reader<'_>) -> Result<Zone, Fault> {
    let (mut is_feature, mut parts, mut properties) = (false, None, None);
    json.fields(|json, key| {
        match key {
            FeatureKey::Type => is_feature = type_is(json, "Feature")?,
            FeatureKey::Geometry => parts = Some(json.required(geometry)?),
            FeatureKey::Properties => properties = Some(json.required(Properties::read)?),
        }
        Ok(())
    })?;
    if !is_feature {
        return Err(Fault::expected(Expected::A("Feature")).under_key("type"));
    }
    let parts = parts.ok_or_else(|| Fault::missing("geometry"))?;
    let Properties {
        brcode,
        delivery_fee,
        name,
    } = properties.ok_or_else(|| Fault::missing("properties"))?;
    Ok(Zone {
        brcode,
        name,
        delivery_fee,
        parts,
    })
}

struct Properties {
    brcode: i64,
    delivery_fee: Amount,
    name: Option<String>,
}

impl Properties {
    fn read(json: &mut Reader<'_>) -> Result<Self, Fault> {
        let (mut brcode, mut delivery_fee, mut name) = (None, None, None);
        json.fields(|json, key| {
            match key {
                PropertiesKey::Brcode => brcode = Some(json.required(Reader::integer)?),
                PropertiesKey::DeliveryFee => delivery_fee = Some(json.required(Reader::amount)?),
                PropertiesKey::Name => {
                    name = json
                        .optional(Reader::string)?
                        .map(|name| json.decoded(name).into_owned())
                }
            }
            Ok(())
        })?;
        Ok(Self {
            delivery_fee: delivery_fee.ok_or_else(|| Fault::missing("deliveryFee"))?,
            brcode: brcode.ok_or_else(|| Fault::missing("brcode"))?,
            name,
        })
    }
}

#[derive(Clone, Copy)]
enum GeometryType {
    Polygon,
    MultiPolygon,
}

fn geometry(json: &mut Reader<'_>) -> Result<Vec<Part>, Fault> {
    const WORDS: [&str; 2] = ["Polygon", "MultiPolygon"];
    let (mut geometry_type, mut coordinates) = (None, None);
    json.fields(|json, key| {
        match key {
            GeometryKey::Type => {
                geometry_type =
                    Some(json.word(&WORDS, &[GeometryType::Polygon, GeometryType::MultiPolygon])?);
            }
            GeometryKey::Coordinates => coordinates = Some(json.required(Reader::opaque)?),
        }
        Ok(())
    })?;
    let geometry_type =
        geometry_type.ok_or_else(|| Fault::expected(Expected::OneOf(&WORDS)).under_key("type"))?;
    let coordinates = coordinates.ok_or_else(|| Fault::missing("coordinates"))?;
    // `type` says how to read `coordinates` and may stand behind it.
    let mut json = json.revisit(coordinates);
    match geometry_type {
        GeometryType::Polygon => part(&mut json).map(|part| vec![part]),
        GeometryType::MultiPolygon => json.list(part),
    }
    .map_err(|fault| fault.under_key("coordinates"))
}

fn part(json: &mut Reader<'_>) -> Result<Part, Fault> {
    let mut rings = json.list(ring)?.into_iter();
    let exterior = rings
        .next()
        .ok_or_else(|| Fault::expected(Expected::A("at least 1 ring")))?;
    let polygon = Polygon::new(exterior, rings.collect());
    let bounds = polygon
        .bounding_rect()
        .ok_or_else(|| Fault::expected(Expected::A("at least 1 ring")))?;
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
    match json.coordinate() {
        Ok((_, degrees)) if degrees.abs() <= limit => Ok(degrees),
        _ => Err(Fault::expected(Expected::A(expected))),
    }
}

fn type_is(json: &mut Reader<'_>, expected: &'static str) -> Result<bool, Fault> {
    match json.string() {
        Ok(span) if json.decoded(span) == expected => Ok(true),
        _ => Err(Fault::expected(Expected::A(expected))),
    }
}

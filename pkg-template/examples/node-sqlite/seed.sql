insert or replace into prices (cprcode, branch_id, price, original_price, weight, is_controlled) values
  (1001, '1000', '37.25', '40', '0.7', 0),
  (1002, '1000', '231', null, '5', 0),
  (1003, '1000', '65', null, '0.49', 1),
  (1004, '1000', '0.1', null, null, 0),
  (1005, '1000', '12345678901234567.25', null, null, 0),
  (1001, '1001', '35', '40', '0.7', 0);

insert or replace into vouchers (voucher_id, owner_id, value, is_active, is_used) values
  ('V1', 'malee', '50', 1, 0),
  ('V2', 'malee', '20', 1, 1);

insert or replace into nationwide_rates (postcode, mode, delivery_fee, config) values
  ('50000', 'DRY', '60', 'north-dry'),
  ('50000', 'FRESH', '120.5', 'north-fresh');

insert or replace into delivery_zones (id, geojson) values (1, '{
  "type": "FeatureCollection",
  "features": [
    {
      "type": "Feature",
      "properties": { "brcode": 1000, "deliveryFee": 30, "name": "Silom" },
      "geometry": { "type": "Polygon", "coordinates": [[[100.5, 13.7], [100.6, 13.7], [100.6, 13.8], [100.5, 13.7]]] }
    }
  ]
}');

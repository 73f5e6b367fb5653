-- What an order needs to know. Amounts are decimal text: a REAL column would round them. The views write each row as
-- JSON text with the amounts as they stand, and that text goes to the pricer as it is.

create table if not exists prices (
  cprcode integer not null,
  branch_id text not null,
  price text not null,
  original_price text,
  settlement_price text,
  weight text,
  is_controlled integer not null default 0,
  primary key (cprcode, branch_id)
) strict, without rowid;

create table if not exists vouchers (
  voucher_id text primary key,
  owner_id text not null,
  value text not null,
  is_active integer not null,
  is_used integer not null
) strict, without rowid;

create table if not exists nationwide_rates (
  postcode text not null,
  mode text not null check (mode in ('DRY', 'FRESH', 'MIX')),
  delivery_fee text not null,
  config text,
  primary key (postcode, mode)
) strict, without rowid;

-- One row: the delivery zones as GeoJSON.
create table if not exists delivery_zones (
  id integer primary key check (id = 1),
  geojson text not null
) strict;

create view if not exists price_records as
select
  cprcode,
  branch_id,
  json_object(
    'price', json(price),
    'originalPrice', json(original_price),
    'settlementPrice', json(settlement_price),
    'weight', json(weight),
    'isControlledProduct', json(iif(is_controlled, 'true', 'false'))
  ) as record
from prices;

create view if not exists voucher_records as
select
  voucher_id,
  json_object(
    'voucherId', voucher_id,
    'ownerId', owner_id,
    'value', json(value),
    'isActive', json(iif(is_active, 'true', 'false')),
    'isUsed', json(iif(is_used, 'true', 'false'))
  ) as record
from vouchers;

create view if not exists rate_records as
select postcode, mode, json_object('deliveryFee', json(delivery_fee), 'nationwideConfig', config) as record
from nationwide_rates;

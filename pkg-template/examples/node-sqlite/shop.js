// The shop's host: what an order needs to know, from SQLite. Each record is JSON text that JavaScript never parses.
import Database from "better-sqlite3";

const PRICES = `
  select record from json_each(?) as asked
  left join price_records on cprcode = asked.value ->> 'cprcode' and branch_id = asked.value ->> 'branchId'
  order by asked.key`;
const VOUCHERS = `
  select record from json_each(?) as asked
  left join voucher_records on voucher_id = asked.value
  order by asked.key`;
const RATE = "select record from rate_records where postcode = ? and mode = ?";
const ZONES = "select geojson from delivery_zones";

export function openShop(file) {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  const [prices, vouchers, rates, zones] = [PRICES, VOUCHERS, RATE, ZONES].map((sql) => database.prepare(sql).pluck());

  return {
    host: {
      lookupPrices: reading("prices", (keys) => prices.all(JSON.stringify(keys))),
      lookupVouchers: reading("vouchers", (ids) => vouchers.all(JSON.stringify(ids))),
      nationwideRate: reading("rates", ({ shippingPostcode, nationwideMode }) => rates.get(shippingPostcode, nationwideMode)),
    },
    /** Read with the first order that needs a zone. */
    deliveryZones: reading("delivery zones", () => zones.get()),
    close: () => database.close(),
  };
}

/** The client reads the message of what a look-up throws. SQLite's own is for the log alone. */
function reading(what, read) {
  return (question) => {
    try {
      return read(question);
    } catch (cause) {
      throw new Error(`The ${what} could not be read`, { cause });
    }
  };
}

// Creates the database and fills it from seed.sql. Rows that the pricer would refuse are refused here.
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { checkPrice, checkZones } from "order-cost/data";
import { options } from "./options.js";

const sql = (name) => readFileSync(new URL(name, import.meta.url), "utf8");

const database = new Database(options.database);
database.pragma("journal_mode = WAL"); // orders are read while prices are written
database.exec(sql("schema.sql"));
database.transaction(() => {
  database.exec(sql("seed.sql"));
  const faults = [...priceFaults(), ...zoneFaults()];
  if (faults.length > 0) throw new Error(`${options.database} stays as it was:\n${faults.join("\n")}`);
})();
const count = database.prepare("select count(*) from prices").pluck().get();
console.log(`${options.database}: ${count} prices`);
database.close();

function priceFaults() {
  const rows = database.prepare("select cprcode, branch_id, record from price_records").all();
  return rows.flatMap(({ cprcode, branch_id, record }) =>
    checkPrice(record).map(({ column, expected }) => `${cprcode}/${branch_id}: ${column}: expected ${expected}`),
  );
}

function zoneFaults() {
  const [zones] = database.prepare("select geojson from delivery_zones").pluck().all();
  return checkZones(zones).map(({ path, expected }) => `delivery zones: ${path}: expected ${expected}`);
}

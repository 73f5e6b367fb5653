import { RequestError } from "../json/index.js";

const MODES = ["DRY", "FRESH", "MIX"];

/**
 * @typedef {{ shippingPostcode: string, nationwideMode: import("order-cost").NationwideMode }} Query
 * @typedef {{ zone: string, postcodes: string[] }} Area `postcodes`: whole ones, or how they begin
 *
 * What of worker/seed/rates.json is read.
 * @typedef {object} Table
 * @property {Record<string, { deliveryFee: Record<import("order-cost").NationwideMode, number> }>} zones
 * @property {Area[]} provinces
 * @property {Area[]} exceptions
 */

/**
 * The fee for a parcel to a Thai postcode.
 * @param {unknown} query a {@link Query}
 * @param {Table} table
 * @returns {{deliveryFee: number, nationwideConfig: string} | null} the fee in THB, and its zone and mode; null if nobody
 *   delivers there (D46)
 */
export function rateFor(query, table) {
  const { shippingPostcode, nationwideMode } = /** @type {Partial<Query>} */ (query ?? {});
  if (typeof shippingPostcode !== "string") throw new RequestError("shippingPostcode: expected a string");
  if (nationwideMode === undefined || !MODES.includes(nationwideMode))
    throw new RequestError(`nationwideMode: expected one of ${MODES.join(", ")}`);
  if (!/^[1-9]\d{4}$/.test(shippingPostcode)) throw new RequestError(`Postcode ${shippingPostcode} is not a Thai postcode`);

  const zone = zoneOf(shippingPostcode, table);
  if (zone === undefined) return null;
  return {
    deliveryFee: table.zones[zone].deliveryFee[nationwideMode],
    nationwideConfig: `${zone}-${nationwideMode.toLowerCase()}`,
  };
}

/**
 * The longest prefix wins: 1027 of Samut Prakan over 102 of Bangkok, an island's own postcode over its province's
 * prefix.
 * @param {string} postcode
 * @param {Table} table
 */
function zoneOf(postcode, { provinces, exceptions }) {
  let zone;
  let longest = 0;
  for (const area of [...provinces, ...exceptions]) {
    for (const prefix of area.postcodes) {
      if (prefix.length > longest && postcode.startsWith(prefix)) {
        zone = area.zone;
        longest = prefix.length;
      }
    }
  }
  return zone;
}

import { numberText, numberValue, stringText, stringValue, typeOf } from "order-cost/internal";
import { membersOf, objectOf } from "./exact.js";
import { partsOf, VOUCHER } from "./tables.js";

/** Redacts values by the tables, with the stand-ins of one capture. */
export class Redactor {
  #standIns;
  #isForeign;

  /**
   * @param {import("./stand-ins.js").StandIns} standIns
   * @param {(voucher: object) => boolean} isForeign whether a voucher in an answer is another customer's
   */
  constructor(standIns, isForeign) {
    this.#standIns = standIns;
    this.#isForeign = isForeign;
  }

  /**
   * @param {import("./exact.js").Value} value
   * @param {import("./tables.js").Field} field
   * @param {{ drops?: boolean }} [options] `drops`: members that the table does not have are left out, as the pricer does (D2);
   *   otherwise they stay, as anything under other names
   * @returns {import("./exact.js").Value}
   */
  redact(value, field, options = {}) {
    const type = typeOf(value);
    if (type === "number") return numberValue(this.#digits(numberText(value), field));
    if (type === "string") return stringValue(this.#text(stringText(value), field));
    if (Array.isArray(value)) return value.map((item) => this.redact(item, partsOf(field).list ?? "anything", options));
    if (type === "object") return field === VOUCHER && this.#isForeign(value) ? this.#foreign(value) : this.#object(value, field, options);
    return value;
  }

  #object(object, field, options) {
    return objectOf(membersOf(object).flatMap((member) => this.#member(member, partsOf(field).table, options)));
  }

  #member([name, value], table, options) {
    if (table && Object.hasOwn(table, name)) return [[name, this.redact(value, table[name], options)]];
    if (table && options.drops) return [];
    return [[this.#standIns.name(name), this.redact(value, "anything")]];
  }

  #digits(text, field) {
    if (field === "plain") return text;
    if (field === "hour") return this.#standIns.hour(text);
    if (field === "latitude") return this.#standIns.latitudes.of(text);
    if (field === "longitude") return this.#standIns.longitudes.of(text);
    return this.#standIns.numbers.of(text);
  }

  #text(text, field) {
    if (field === "id" || field === "branch" || field === "postcode") return this.#standIns[field](text);
    return Array.isArray(field) && field.includes(text) ? text : this.#standIns.text(text);
  }

  /** D30: nothing of its record, but which fields the answer shows. */
  #foreign(voucher) {
    const shown = (name, value) => (name === "voucherId" || name === "reasons" ? this.redact(value, VOUCHER.table[name]) : null);
    const nameOf = (name) => (Object.hasOwn(VOUCHER.table, name) ? name : this.#standIns.name(name));
    return objectOf(membersOf(voucher).map(([name, value]) => [nameOf(name), shown(name, value)]));
  }
}

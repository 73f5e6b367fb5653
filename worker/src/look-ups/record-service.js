import { exactText, readExact } from "order-cost/internal";
import { Failure } from "../log/index.js";
import { createProbe, createServiceClient } from "./service-client.js";
import { nounOf } from "./voucher-keys.js";

/**
 * Records from a URL: `POST {voucherIds}`, answered by a list with a record or null for each.
 * @param {{ part: string, id: string }} lookUp its part of the facts, and the field of its id
 * @param {string | undefined} url
 * @param {(text: string, question: unknown) => string} shownText what the log shows of the service's text
 * @returns {import("../service/service.js").Platform["vouchers"]}
 */
export function createRecordService({ part, id }, url, shownText) {
  const name = `${nounOf(id)} service`;
  const ask = createServiceClient(name, undefined, url, shownText);
  if (!ask) return undefined;
  return {
    async lookup(ids, ctx) {
      ctx.context.countReads(part, ids.length);
      return recordsOf(await ask({ [`${id}s`]: ids }, ctx), name);
    },
    probe: createProbe(name, undefined, url),
  };
}

/**
 * Each record as text, so that its amounts stay exact. The pricer refuses what is no list, and one of another length. What is
 * nested so deep that the stack ends is refused like what is no JSON: the pricer takes neither.
 */
function recordsOf(answer, name) {
  try {
    const list = readExact(answer);
    return Array.isArray(list) ? list.map((record) => (record === null ? null : exactText(record))) : list;
  } catch {
    throw new Failure(`The ${name} answered no JSON`);
  }
}

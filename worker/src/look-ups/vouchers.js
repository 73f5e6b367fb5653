import { exactText, readExact } from "order-cost/internal";
import { Failure } from "../log/index.js";
import { createProbe, createServiceClient } from "./service-client.js";

const NAME = "voucher service";

/**
 * Vouchers from a URL: `POST {voucherIds}`, answered by a list with a record or null for each.
 * @param {string | undefined} url
 * @param {(text: string, question: unknown) => string} shownText what the log shows of the service's text
 * @returns {import("../service/service.js").Platform["vouchers"]}
 */
export function createVoucherService(url, shownText) {
  const ask = createServiceClient(NAME, undefined, url, shownText);
  if (!ask) return undefined;
  return {
    async lookup(voucherIds, ctx) {
      ctx.context.countReads("vouchers", voucherIds.length);
      return recordsOf(await ask({ voucherIds }, ctx));
    },
    probe: createProbe(NAME, undefined, url),
  };
}

/**
 * Each record as text, so that its amounts stay exact. The pricer refuses what is no list, and one of another length. What is
 * nested so deep that the stack ends is refused like what is no JSON: the pricer takes neither.
 */
function recordsOf(answer) {
  try {
    const list = readExact(answer);
    return Array.isArray(list) ? list.map((record) => (record === null ? null : exactText(record))) : list;
  } catch {
    throw new Failure(`The ${NAME} answered no JSON`);
  }
}

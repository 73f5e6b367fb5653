import { ask, checkList, readAnswer } from "./facts.js";
import { Fault, invalidAnswer } from "./fault.js";
import { distinct, handed } from "./order.js";
import { optional, readers, required } from "./values.js";

const LOOKUP = "lookupVouchers";

/** `{ value, valid, text }` for each distinct voucher of the order (D29 to D32). */
export function lookUpVouchers(testCase, order) {
  const asked = distinct(order.voucherId);
  if (asked.length === 0) return [];
  const ids = asked.map(handed);
  const answers = checkList(ask(testCase, LOOKUP, ids), ids, LOOKUP);
  return asked.map((id, index) => readVoucher(answers[index], id, order.ownerId.value));
}

function readVoucher(answer, asked, ownerId) {
  const id = handed(asked);
  const node = readAnswer(answer, LOOKUP, [id]);
  if (node.type === "null") throw new Fault("VOUCHER_NOT_FOUND", `Voucher ${id} not found`);
  const fail = (field, what) => {
    throw invalidAnswer(LOOKUP, field ? [id, field] : [id], what);
  };
  const { amount, boolean, text, object } = readers(fail);
  const sameId = (value, path) => {
    if (text(value, path).value !== id) fail(path, `expected ${id}`);
  };
  const record = object({
    voucherId: optional(sameId),
    ownerId: optional(text),
    value: required(amount),
    isActive: required(boolean),
    isUsed: required(boolean),
  })(node, "");
  const isOwned = ownerId !== "" && record.ownerId?.value === ownerId; // D31
  if (!isOwned) return { value: record.value, valid: false, text: foreign(asked) };
  const reasons = reasonsAgainst(record);
  return { value: record.value, valid: reasons.length === 0, text: echo(node, asked, reasons) };
}

/** D30: a voucher of another owner, or of nobody, shows only the id that the order itself named. */
function foreign(asked) {
  return `{"voucherId":${asked.raw},"reasons":["ownerMismatch"]}`;
}

function reasonsAgainst({ isActive, isUsed }) {
  return [!isActive && "inactive", isUsed && "used"].filter(Boolean);
}

/** D6, D30: the owner's record unchanged, each key once, with the id and, if it is invalid, the reasons. */
function echo(node, asked, reasons) {
  const members = new Map();
  for (const { name, rawName, value } of node.members) {
    members.set(name, { rawName: members.get(name)?.rawName ?? rawName, raw: value.raw });
  }
  const id = members.get("voucherId");
  if (id?.raw === "null") id.raw = asked.raw;
  if (reasons.length > 0) members.delete("reasons");
  const texts = [...members.values()].map(({ rawName, raw }) => `${rawName}:${raw}`);
  if (!id) texts.unshift(`"voucherId":${asked.raw}`);
  if (reasons.length > 0) texts.push(`"reasons":${JSON.stringify(reasons)}`);
  return `{${texts.join(",")}}`;
}

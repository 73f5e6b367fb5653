// `order-cost verify-receipt`
import { existsSync } from "node:fs";
import { verifyReceipt } from "order-cost/receipt";
import { DEFAULT_POLICY } from "../core/index.js";
import { Failure, openInput, readBytes, readText } from "./files/index.js";
import { printable } from "./screen/index.js";

/** Says what a receipt proves, or why it is refused. Returns the exit code. */
export async function verifyReceiptOf(argument, { key, request, response, at = new Date() }, terminal) {
  const receipt = receiptIn(argument === "-" ? await readInput(terminal) : argument, argument);
  const of = { request: await readBytes(request), response: await readBytes(response), keys: await readKeys(key), at };
  const verified = await verifyReceipt(receipt, of);
  const lines = verified.valid ? proof(receipt, verified.payload) : [refusal(verified.reason, receipt, { key, request, response, at })];
  await terminal.write(lines.map((line) => `${printable(line)}\n`).join(""));
  return verified.valid ? 0 : 1;
}

/** Without the line break of a shell's output or of a header. What is plainly something else is refused by its name. */
function receiptIn(text, argument) {
  const receipt = text.trim();
  if (receipt === "") {
    throw new Failure(`${argument === "-" ? "stdin" : "the receipt"} is empty: did the service price the order, and does it sign?`);
  }
  if (HEADER.test(receipt)) throw new Failure("expected the value of the header, without its name x-order-cost-receipt");
  if (argument !== "-" && existsSync(receipt)) {
    throw new Failure(`expected a receipt, and ${receipt} is a file: "- < ${receipt}" reads it`);
  }
  return receipt;
}

const HEADER = /^x-order-cost-receipt\s*:/i;

async function readInput(terminal) {
  const parts = [];
  for await (const chunk of (await openInput("-", terminal)).chunks) parts.push(chunk);
  return `${Buffer.concat(parts)}`;
}

/** A set of keys, or one. */
async function readKeys(name) {
  const value = parsed(await readText(name), name);
  if (Array.isArray(value?.keys)) return value;
  if (typeof value?.kty === "string") return { keys: [value] };
  throw new Failure(`${name}: expected the JSON that GET /receipt-key answers, or one of its keys`);
}

function parsed(text, name) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`${name}: expected JSON`); // a parser's message would quote the file
  }
}

/**
 * @param {string} receipt
 * @param {import("order-cost/receipt").ReceiptPayload} payload
 */
function proof(receipt, { iat, exp, dataVersion, policy, module, requestId, jti }) {
  return [
    "valid: the holder of the key has answered this request with this response",
    `key           ${kidOf(receipt)}`,
    `priced        ${timeOf(iat)}`,
    `valid until   ${timeOf(exp)}`,
    `data version  ${dataVersion ?? "none"}`,
    `policy        ${chosenIn(policy)}`,
    `module        ${module}`,
    `request id    ${requestId}`,
    `jti           ${jti}`,
  ];
}

/** The policy as far as it is not the default. */
function chosenIn(policy) {
  const chosen = Object.entries(policy).filter(([name, value]) => value !== DEFAULT_POLICY[name]);
  return chosen.length === 0 ? "the default" : chosen.map(([name, value]) => `${name} ${value}`).join(", ");
}

/**
 * @typedef {import("order-cost/receipt").ReceiptRefusal} ReceiptRefusal
 * @typedef {{ key: string, request: string, response: string, at: Date }} Told the names of the files, and the time
 *
 * @param {ReceiptRefusal} reason
 * @param {string} receipt
 * @param {Told} of
 */
const refusal = (reason, receipt, of) => `${reason}: ${REFUSALS[reason](receipt, of)}`;

/** @type {Record<ReceiptRefusal, (receipt: string, of: Told) => string>} */
const REFUSALS = {
  malformed: () => "this is no receipt of the service, or it is damaged",
  unknownKey: (receipt, { key }) => `${key} does not have the key ${kidOf(receipt)}, which the receipt names`,
  signature: () => "the receipt was changed, or another key has signed it",
  request: (_, { request }) => `the receipt is of another request than ${request}`,
  response: (_, { response }) => `the receipt is of another response than ${response}`,
  expired: (receipt, { at }) => {
    const { iat, exp } = partOf(receipt, 1);
    return `the receipt is valid from ${timeOf(iat)} until before ${timeOf(exp)}, not at ${at.toISOString()}`;
  },
  unsupported: () => "this Node.js has no Ed25519",
};

const kidOf = (receipt) => partOf(receipt, 0).kid;

const partOf = (receipt, index) => JSON.parse(`${Buffer.from(receipt.split(".")[index], "base64url")}`);

/** The year 275760 is the last that a Date knows: the signer may state a later one. */
function timeOf(seconds) {
  const date = new Date(seconds * 1_000);
  return Number.isNaN(date.getTime()) ? `${seconds} s after 1970` : date.toISOString();
}

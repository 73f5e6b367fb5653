// `order-cost verify-receipt`: what it says, and its exit codes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { file, run } from "./command.js";
import { EXP, headerOf, IAT, makeKey, payloadOf, signed } from "./receipts.js";

const REQUEST = Buffer.from('{"productList":[]}\n');
const RESPONSE = Buffer.from('{"grandTotal":111.75}');
const KEY = makeKey("k1");
const RECEIPT = signed(KEY, headerOf("k1"), payloadOf(REQUEST, RESPONSE));
file("keys.json", { keys: [KEY.jwk] });
file("key.json", KEY.jwk);
file("order.json", REQUEST);
file("priced.json", RESPONSE);

const FILES = { key: "keys.json", request: "order.json", response: "priced.json", at: "2026-11-18T11:06:40Z" };

function verify(receipt, options = {}, settings) {
  const { key, request, response, at } = { ...FILES, ...options };
  return run(
    ["verify-receipt", "--key", key, "--request", request, "--response", response, ...(at ? ["--at", at] : []), receipt],
    settings,
  );
}

const PROOF = `\
valid: the holder of the key has answered this request with this response
key           k1
priced        ${new Date(1_000 * IAT).toISOString()}
valid until   ${new Date(1_000 * EXP).toISOString()}
data version  0123456789abcdef
policy        rowTotal list
module        ${"0".repeat(64)}
request id    4a0f1d0e-7a0b-4b8e-8f0a-0d0c0b0a0908
jti           3b241101-e2bb-4255-8caf-4136c566a962
`;

test("a valid receipt: exit code 0, and what it proves", async () => {
  assert.deepEqual(await verify(RECEIPT), { code: 0, stdout: PROOF, stderr: "" });
});

test("the receipt may come by a pipe, and the key alone", async () => {
  assert.deepEqual(await verify("-", { key: "key.json" }, { input: `${RECEIPT}\r\n` }), { code: 0, stdout: PROOF, stderr: "" });
});

test("the line break of a header does not belong to it", async () => {
  assert.deepEqual(await verify(` ${RECEIPT}\r\n`), { code: 0, stdout: PROOF, stderr: "" });
});

test("what is plainly no receipt: exit code 2, and what to give", async () => {
  file("receipt.txt", RECEIPT);
  const withName = "expected the value of the header, without its name x-order-cost-receipt";
  const why = "did the service price the order, and does it sign?";
  for (const [receipt, input, sentence] of [
    ["receipt.txt", undefined, 'expected a receipt, and receipt.txt is a file: "- < receipt.txt" reads it'],
    ["-", "", `stdin is empty: ${why}`],
    ["-", "\r\n", `stdin is empty: ${why}`],
    ["", undefined, `the receipt is empty: ${why}`],
    [`x-order-cost-receipt: ${RECEIPT}`, undefined, withName],
    ["-", `X-Order-Cost-Receipt:${RECEIPT}\r\n`, withName],
  ]) {
    assert.deepEqual(await verify(receipt, {}, { input }), { code: 2, stdout: "", stderr: `order-cost: ${sentence}\n` });
  }
});

test("a refused receipt: exit code 1, the reason and a sentence", async () => {
  file("other.json", '{"grandTotal":111.74}');
  file("others.json", { keys: [makeKey("k2").jwk] });
  file("changed.json", { keys: [makeKey("k1").jwk] });
  const [priced, until] = [IAT, EXP].map((seconds) => new Date(1_000 * seconds).toISOString());
  for (const [receipt, options, sentence] of [
    ["no.receipt", {}, "malformed: this is no receipt of the service, or it is damaged"],
    [RECEIPT, { key: "others.json" }, "unknownKey: others.json does not have the key k1, which the receipt names"],
    [RECEIPT, { key: "changed.json" }, "signature: the receipt was changed, or another key has signed it"],
    [RECEIPT, { request: "other.json" }, "request: the receipt is of another request than other.json"],
    [RECEIPT, { response: "other.json" }, "response: the receipt is of another response than other.json"],
    [RECEIPT, { at: until }, `expired: the receipt is valid from ${priced} until before ${until}, not at ${until}`],
  ]) {
    assert.deepEqual(await verify(receipt, options), { code: 1, stdout: `${sentence}\n`, stderr: "" });
  }
});

test("without --at it is checked as of now", async () => {
  const now = Math.floor(Date.now() / 1_000);
  const of = (iat, exp) => signed(KEY, headerOf("k1"), { ...payloadOf(REQUEST, RESPONSE), iat, exp });
  assert.equal((await verify(of(now, now + 900), { at: undefined })).code, 0);
  assert.match((await verify(of(now - 900, now - 1), { at: undefined })).stdout, /^expired: /);
});

test("what a receipt says cannot control a terminal", async () => {
  const kid = "k\u001b[31m";
  const { stdout } = await verify(signed(KEY, headerOf(kid), payloadOf(REQUEST, RESPONSE)));
  assert.equal(stdout, "unknownKey: keys.json does not have the key k\\u001b[31m, which the receipt names\n");
});

test("wrong usage and unreadable input: exit code 2, and a sentence on stderr", async () => {
  file("no.json", "{");
  file("text.json", '"secret"');
  for (const [options, sentence] of [
    [{ key: "missing.json" }, "cannot read missing.json: no such file or directory"],
    [{ request: "missing.json" }, "cannot read missing.json: no such file or directory"],
    [{ response: "missing.json" }, "cannot read missing.json: no such file or directory"],
    [{ key: "no.json" }, "no.json: expected JSON"],
    [{ key: "text.json" }, "text.json: expected the JSON that GET /receipt-key answers, or one of its keys"],
  ]) {
    assert.deepEqual(await verify(RECEIPT, options), { code: 2, stdout: "", stderr: `order-cost: ${sentence}\n` });
  }
  for (const at of ["soon", "2026-11-18T11:06:40", "2026-02-30", "2026-11-18T25:00:00Z", "1795000000"]) {
    const { code, stderr } = await verify(RECEIPT, { at });
    assert.equal(code, 2, at);
    assert.match(stderr, /Expected a time with its zone, such as 2026-11-25T20:00:00Z\./, at);
  }
  assert.match((await verify(RECEIPT, { at: "2569-11-18" })).stderr, /Expected a year of the common era: 2026-11-18 was meant\./);
  const missing = await run(["verify-receipt", "--key", "keys.json", "--request", "order.json", RECEIPT]);
  assert.equal(missing.code, 2);
  assert.match(missing.stderr, /required option '--response <file>' not specified/);
});

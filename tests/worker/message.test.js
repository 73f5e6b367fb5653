import assert from "node:assert/strict";
import { test } from "node:test";
import { clientMessage } from "../../worker/src/look-ups/message.js";

test("a message about the order reaches the client", () => {
  for (const message of [
    "Coupon EASTER is for members only",
    "NOT ENOUGH POINTS for EXTRA50, ERROR OF EXPIRED CARD",
    "Delivery to 10250 and/or 10270 begins at 13:30:00, slot 2",
    "The coupon starts on 2026-11-20T10:30:00+07:00, not on 2026-11-20T10:30Z",
    "คูปองนี้ใช้ได้กับยอด 1,500.25 บาท/ครั้ง: ขั้นต่ำ 3 ชิ้น",
    "Postcode 00000 is not a Thai postcode",
  ]) {
    assert.equal(clientMessage(message), message);
  }
});

test("D41: only the first line, with any kind of line break", () => {
  for (const lineBreak of ["\n", "\r\n", "\r", "\u2028", "\u2029"]) {
    assert.equal(clientMessage(`Rates are being updated${lineBreak}    at rates`), "Rates are being updated");
    assert.equal(clientMessage(`${lineBreak}at rates`), undefined);
  }
});

test("D41: no address, no place in the code and no system error code", () => {
  for (const message of [
    "connect ECONNREFUSED 10.1.2.3:8080",
    "no route to 10.1.2.3",
    "no route to fe80::1",
    "no route to 2001:db8:0:0:0:0:0:1",
    "cannot reach rates.internal:8080",
    "cannot reach redis1:6379, waiting",
    "cannot reach localhost:80",
    "GET https://rates.internal/v1 failed",
    "could not open postgres://rates",
    "TypeError: x is undefined at rates (/srv/app/rates.js:12:3)",
    "at rates.js:1:3",
    "panicked at src/rates.rs:12",
    "Cannot find module '/srv/app/rates'",
    "Cannot read C:\\srv\\rates",
    "getaddrinfo ENOTFOUND rates",
    "getaddrinfo EAI_AGAIN rates",
    "socket ETIMEDOUT",
    "ENOENT: no such file or directory",
    "UND_ERR_CONNECT_TIMEOUT",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    `${"x".repeat(495)} 10.1.2.3`,
  ]) {
    assert.equal(clientMessage(message), undefined, message);
  }
});

test("a long text is cut at a whole character", () => {
  assert.equal(clientMessage("ม".repeat(501)), "ม".repeat(500));
  assert.equal(clientMessage(`${"x".repeat(499)}\u{1F6D2}!`), "x".repeat(499));
  assert.equal(clientMessage(`${"x".repeat(498)}\u{1F6D2}!`), `${"x".repeat(498)}\u{1F6D2}`);
});

test("a long line is checked in a time that grows with its length, not with its square", () => {
  for (const part of ["a", "a.", "1.", "1:", "a1", "/a", " /a", "f:", "E", "2026-11-20T"]) {
    assert.equal(clientMessage(part.repeat(500_000))?.length ?? 500, 500, part);
  }
});

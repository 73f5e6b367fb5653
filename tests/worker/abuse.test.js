// HTTP that no `fetch` would send, over plain sockets, while other orders are in flight. An invalid order is
// refused, a body that is too large is refused before it has arrived, and the other orders are unaffected.
import assert from "node:assert/strict";
import net from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { until } from "../until.js";
import { startFailing } from "./failing.js";
import { onEachPlatform } from "./platforms.js";

const LIMIT = 1_048_576;
const TOO_LARGE = `{"error":"Request body is larger than ${LIMIT} bytes"}`;
const UNREADABLE = '{"error":"Failed to parse request body"}';
const UNKNOWN_PATH = '{"error":"Unknown path: expected /calculatecost2, /calculatecost3, /calculatecost4"}';
const NEIGHBOURS = 32;

/** Names of branches and vouchers. A branch may have 128 characters at most (D45). */
const TRICKS = [
  ...["/", "..", ".", "../price:1001:1000", "a:b", "a%2Fb", "%00", "\0", "\r\nx: y", "\u202e", "\ufeff", "Ｌ", "é", "e\u0301"],
  ...["\ud83d", "\u{1f6d2}", "__proto__", "constructor", "toString", "' OR 1=1", "${x}", "{{x}}", " ", "x".repeat(128)],
];

onEachPlatform((platform) => {
  let service;
  let url;

  before(async () => {
    // Half a character reaches the host as U+FFFD.
    service = await startFailing(platform, {}, ["", "\ufffd", ...TRICKS]);
    url = new URL(await service.url("order-cost"));
  });

  after(() => service?.stop());

  // ---------------------------------------------------------------- plain HTTP

  const ORDER = '{"productList":[{"cprcode":1001,"productName":"น้ำปลา","quantity":3}]}';
  const LENGTH = `content-length: ${Buffer.byteLength(ORDER)}`;
  const CHUNKED = "transfer-encoding: chunked";

  const head = (line, ...headers) => [line, "host: shop.example", ...headers, "", ""].join("\r\n");
  const postHead = (...headers) => head("POST /calculatecost4 HTTP/1.1", ...headers);
  const chunk = (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const END = "0\r\n\r\n";

  /** A connection that sends these parts. `answer()` waits for the first complete answer, `{ status, body }`. */
  function connect(...parts) {
    const socket = net.connect(Number(url.port), url.hostname);
    const received = [];
    let isOver = false;
    socket.on("error", () => {}); // the service may hang up first
    socket.on("data", (bytes) => received.push(bytes));
    socket.on("close", () => (isOver = true));
    for (const part of parts) socket.write(part);
    const text = () => Buffer.concat(received).toString("utf8");
    return {
      socket,
      text,
      async answer() {
        let found;
        await until("an answer is whole", () => (found = wholeAnswer(Buffer.concat(received), isOver)));
        return found;
      },
    };
  }

  /** The first answer that is more than "100 Continue". One that is closed without a word has status 0. */
  function wholeAnswer(received, isOver) {
    const [start] = received.toString("latin1").split("\r\n\r\n", 1);
    const [, status = 0] = /^HTTP\/1.1 (\d{3})/.exec(start) ?? [];
    const rest = received.subarray(start.length + 4);
    if (status === "100") return wholeAnswer(rest, isOver);
    const [, length] = /content-length: (\d+)/i.exec(start) ?? [];
    if (/transfer-encoding: chunked/i.test(start))
      return rest.toString("latin1").endsWith(END) ? { status: Number(status), body: "" } : undefined;
    if (length ? rest.length < Number(length) : !isOver) return undefined;
    return { status: Number(status), body: rest.subarray(0, Number(length ?? rest.length)).toString("utf8") };
  }

  async function exchange(...parts) {
    const connection = connect(...parts);
    try {
      return await connection.answer();
    } finally {
      connection.socket.destroy();
    }
  }

  const assertPriced = ({ status, body }, what) => {
    assert.equal(status, 200, `${what}: ${body}`);
    assert.equal(JSON.parse(body).grandTotal, 30, what);
  };

  const isNoOrder = ({ status, body }, what) => {
    assert.ok(status === 0 || status >= 400, `${what}: ${status}`);
    assert.doesNotMatch(body, /subTotal/, what);
  };

  const isNoOrderUnlessTaken = (answer, what) => (platform.http.takes(what) ? assertPriced : isNoOrder)(answer, what);

  /** Asserts the answer to a request, unless the platform's parser refuses it. */
  async function assertAnswer(assertIt, what, ...parts) {
    const answer = await exchange(...parts);
    (platform.http.refuses(parts[0]) ? isNoOrder : assertIt)(answer, what);
  }
  const assertPricedFor = (...request) => assertAnswer(assertPriced, ...request);
  const assertSame = (expected, ...request) => assertAnswer((answer, what) => assert.deepEqual(answer, expected, what), ...request);

  const send = (order) => fetch(new URL("/calculatecost4", url), { method: "POST", body: JSON.stringify(order) });

  /** Other orders: they begin before `abuse` and end after it. */
  async function amongOthers(abuse) {
    const half = ORDER.length / 2;
    const others = Array.from({ length: NEIGHBOURS }, () => connect(postHead(LENGTH), ORDER.slice(0, half)));
    try {
      await abuse();
      for (const { socket } of others) socket.write(ORDER.slice(half));
      for (const answer of await Promise.all(others.map((other) => other.answer()))) assertPriced(answer, "a neighbour");
    } finally {
      for (const { socket } of others) socket.destroy();
    }
  }

  // ---------------------------------------------------------------- the tests

  describe("a body that is too large, while others are in flight", () => {
    const PIECE = " ".repeat(65_536);

    for (const [what, ...headers] of [
      ["of no declared length", CHUNKED],
      ["that declares a small one and is chunked", "content-length: 5", CHUNKED],
      ["that is chunked and declares a small one", CHUNKED, "content-length: 5"],
    ]) {
      test(`${what}: refused at its first byte too many, before its end`, async () => {
        await amongOthers(async () => {
          const connection = connect(postHead(...headers));
          // What nobody has read when the service hangs up would destroy the answer, so that no more follows the last byte.
          for (let bytes = 0; bytes < LIMIT; bytes += PIECE.length) connection.socket.write(chunk(PIECE));
          connection.socket.write(chunk(" "));
          const answer = await connection.answer();
          if (platform.http.refuses(postHead(...headers))) isNoOrder(answer, what);
          else assert.deepEqual(answer, { status: 500, body: TOO_LARGE });
          connection.socket.destroy();
        });
      });
    }

    test("that declares its length: refused before any byte of it is sent", async () => {
      await amongOthers(async () => {
        for (const length of [LIMIT + 1, 2 ** 32, 2 ** 53, "99999999999999999999999"]) {
          for (const more of [[], ["expect: 100-continue"], [CHUNKED]]) {
            await assertSame({ status: 500, body: TOO_LARGE }, `${length}`, postHead(`content-length: ${length}`, ...more));
          }
        }
      });
    });

    test("a byte over the limit, in one chunk or in many", async () => {
      const body = `${ORDER}${" ".repeat(LIMIT + 1 - Buffer.byteLength(ORDER))}`;
      for (const pieces of [[body], body.match(/[^]{1,40000}/g)]) {
        await amongOthers(async () => {
          const answer = await exchange(postHead(CHUNKED), ...pieces.map(chunk), END);
          assert.deepEqual(answer, { status: 500, body: TOO_LARGE });
        });
      }
      const whole = body.slice(0, -1).match(/[^]{1,40000}/g);
      assertPriced(await exchange(postHead(CHUNKED), ...whole.map(chunk), END), "just the limit");
    });

    test("an order that is small and whose answer is large", async () => {
      await amongOthers(async () => {
        const branchId = "x".repeat(128);
        const [product] = JSON.parse(ORDER).productList;
        const response = await send({ branchId, productList: Array(5_000).fill(product), shipping: { scheduleList: Array(100).fill({}) } });
        assert.equal(response.status, 200);
        assert.equal((await response.json()).productList.at(-1).branchId, branchId);
      });
    });
  });

  describe("a body that is not what it says", () => {
    test("chunked: in pieces of a character, beside a length that is wrong", async () => {
      assertPriced(await exchange(postHead(CHUNKED), ...Array.from(ORDER, chunk), END));
      await assertPricedFor("two lengths", postHead(CHUNKED, "content-length: 5"), chunk(ORDER), END);
    });

    test("shorter or longer than it declares", async () => {
      assert.deepEqual(await exchange(postHead("content-length: 10"), ORDER.slice(0, 10)), { status: 500, body: UNREADABLE });
      isNoOrder(await exchange(postHead("content-length: 10"), ORDER), "longer");
      const connection = connect(postHead(`content-length: ${Buffer.byteLength(ORDER) + 1}`), ORDER);
      await wait(100);
      assert.equal(connection.text(), "", "it waits for the rest");
      connection.socket.destroy();
      assert.deepEqual(await exchange(postHead()), { status: 500, body: UNREADABLE });
    });

    test("with an invalid length or encoding", async () => {
      for (const header of [
        ...["content-length: -1", "content-length: 0x41", "content-length: 1e2", "content-length: +71"],
        ...[`${LENGTH}\r\n${LENGTH}`, `${LENGTH}\r\ncontent-length: 5`, `${LENGTH}, 5`],
        ...["transfer-encoding: gzip, chunked", "transfer-encoding: x"],
      ]) {
        isNoOrderUnlessTaken(await exchange(postHead(header), chunk(ORDER), END), header);
      }
    });

    test("in chunks of an invalid size", async () => {
      for (const size of ["-1", "x", "ffffffffffffffffffff", "", `${Buffer.byteLength(ORDER).toString(16)};a=b`]) {
        const connection = connect(postHead(CHUNKED), `${size}\r\n${ORDER}\r\n`, END);
        await wait(50);
        if (!platform.http.takes(size)) assert.doesNotMatch(connection.text(), / 200 /, size);
        connection.socket.destroy();
      }
    });

    test("two requests in one: each is answered, and the second is not part of the first", async () => {
      const twice = postHead("content-length: 4", CHUNKED);
      const smuggled = connect(twice, END, postHead(LENGTH), ORDER);
      const { refuses } = platform.http;
      await until("it is answered", () => (refuses(twice) ? / 400 / : / 200 /).test(smuggled.text()));
      const statuses = smuggled.text().match(/HTTP\/1\.1 \d{3}/g);
      assert.deepEqual(statuses, refuses(twice) ? ["HTTP/1.1 400"] : ["HTTP/1.1 500", "HTTP/1.1 200"]);
      smuggled.socket.destroy();
    });
  });

  describe("headers", () => {
    test("that contradict the body change nothing (D40)", async () => {
      for (const header of [
        ...["content-encoding: gzip", "content-type: text/plain; charset=utf-16", "content-type: multipart/form-data"],
        ...["x-http-method-override: GET", "x-original-url: /admin", "x-forwarded-host: evil.example", "upgrade: h2c"],
        ...["expect: 100-continue", "expect: something", "origin: null", "cookie: a=b; a=c", "authorization: Bearer x"],
        ...[`x: ${"a".repeat(60_000)}`, Array.from({ length: 2000 }, (_, index) => `x${index}: a`).join("\r\n"), "x: ก"],
      ]) {
        await assertPricedFor(header.slice(0, 40), postHead(LENGTH, header), ORDER);
      }
      const garbage = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xfe]);
      const answer = await exchange(postHead(`content-length: ${garbage.length}`, "content-encoding: gzip"), garbage);
      assert.deepEqual(answer, { status: 500, body: UNREADABLE });
    });

    test("that are invalid", async () => {
      for (const header of ["x: a\0b", "no colon", ": no name", "host: a\r\nhost: b", "na me: x"]) {
        isNoOrderUnlessTaken(await exchange(postHead(LENGTH, header), ORDER), header);
      }
    });
  });

  describe("methods and paths", () => {
    test("a method other than POST, and an invalid method", async () => {
      const asking = (method) => head(`${method} /calculatecost4 HTTP/1.1`, "connection: close");
      for (const method of ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]) {
        await assertSame({ status: 405, body: '{"error":"Method not allowed: expected POST"}' }, method, asking(method));
      }
      for (const method of ["post", "Post", "POST\t", "FOO", "CONNECT", "", "\x16\x03\x01"])
        isNoOrder(await exchange(asking(method)), method);
      const { socket, text } = connect(head("HEAD /calculatecost4 HTTP/1.1"));
      await until("it is answered", () => text().endsWith("\r\n\r\n"));
      assert.match(text(), /^HTTP\/1.1 405 [^]*\r\nallow: POST\r\n/i);
      assert.match(text(), /\r\nx-request-id: [0-9a-f-]{36}\r\n/);
      socket.destroy();
    });

    const request = (path) => head(`POST ${path} HTTP/1.1`, LENGTH);

    test("a path that is almost right is unknown", async () => {
      for (const path of [
        ...["//calculatecost4", "/calculatecost4//", "/calculatecost4%2f", "/calculatecost4%2F", "/CALCULATECOST4"],
        ...["/..;/calculatecost4", "/calculatecost4;x=1", "/calculatecost4%00", "/calculatecost4%20", "/calculatecos%744"],
        ...["/%2fcalculatecost4", "/x%2f..%2fcalculatecost4", "//evil.example/calculatecost4", "/calculatecost4/.x"],
        ...["/%E0%B8%81", "/%ff", "/%", "/?/calculatecost4", "/#/calculatecost4", `/${"a".repeat(60_000)}`],
      ]) {
        await assertSame({ status: 404, body: UNKNOWN_PATH }, path.slice(0, 40), request(path), ORDER);
      }
    });

    test("a path in another URL spelling is the same path", async () => {
      for (const path of [
        ...["/calculatecost4/", "/./calculatecost4", "/x/../calculatecost4", "/%2e%2e/calculatecost4", "/calculatecost4#x"],
        ...["/calculatecost4?", "/calculatecost4?/../x", `/calculatecost4?${"a".repeat(8000)}`, "/calculatecost4?__proto__=1"],
      ]) {
        await assertPricedFor(path.slice(0, 40), request(path), ORDER);
      }
    });

    test("an invalid path", async () => {
      for (const path of ["calculatecost4", "*", "http://evil.example/calculatecost4", "\\calculatecost4", "/calculatecost4\0"]) {
        isNoOrderUnlessTaken(await exchange(request(path), ORDER), path);
      }
    });
  });

  describe("names from an order in the stores", () => {
    test("a branch of any name has a price", async () => {
      for (const branchId of ["", ...TRICKS]) {
        const response = await send({ ...JSON.parse(ORDER), branchId });
        const body = await response.json();
        assert.deepEqual([response.status, body.subTotal, body.branchId], [200, 30, branchId], JSON.stringify(branchId));
      }
    });

    test("a voucher of any name has its own key", async () => {
      const order = { ...JSON.parse(ORDER), ownerId: "U1", voucherId: TRICKS };
      const body = await (await send(order)).json();
      assert.deepEqual(
        body.validVouchers.map(({ voucherId }) => voucherId),
        TRICKS,
      );
      assert.equal(body.voucherDiscount, 10 * TRICKS.length);
    });

    test("a branch of a long name, and one that JavaScript knows", async () => {
      for (const [more, error] of [
        [{ branchId: "x".repeat(129) }, "Invalid order: branchId: expected at most 128 characters"],
        [{ branchId: "ก".repeat(60) }, `No price for 1001/${"ก".repeat(60)}`],
        [{ branchId: "valueOf" }, "No price for 1001/valueOf"],
      ]) {
        const response = await send({ ...JSON.parse(ORDER), ...more });
        assert.deepEqual([response.status, await response.json()], [500, { error }]);
      }
    });

    test("keys such as __proto__ change nothing, here and in echoed values", async () => {
      const body = ORDER.replace(
        "{",
        '{"__proto__":{"branchId":"2"},"constructor":{"prototype":{"x":1}},"cartDiscountInfo":[{"__proto__":{"x":1}}],',
      );
      const { status, body: answered } = await exchange(postHead(`content-length: ${Buffer.byteLength(body)}`), body);
      assert.equal(status, 200);
      assert.match(answered, /^\{"branchId":"1000".*"cartDiscountInfo":\[\{"__proto__":\{"x":1\}\}\]/);
      assertPriced(await exchange(postHead(LENGTH), ORDER));
    });
  });

  test("none of this was a failure of ours", () => {
    assert.deepEqual(
      service.logs.filter((line) => /RuntimeError|panicked|unreachable|RangeError/.test(line)),
      [],
    );
  });
});

// A fetch-style handler behind Node's own server: real sockets, and clients that behave badly.
import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";
import { connect } from "node:net";
import { after, before, describe, mock, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createPricer } from "order-cost";
import { createNodeListener } from "order-cost/http";
import { createFetchHandler } from "order-cost/worker";
import { PATIENCE_MS } from "../until.js";

const MIB = 2 ** 20;
const ORDER = '{"productList":[{"cprcode":1001,"productName":"น้ำปลา","quantity":3}]}';
const PATH = "/calculatecost4";
const INTERNAL = '{"error":"Internal error"}';

const lookupPrices = (keys) => keys.map(() => ({ price: 37.25 }));

const unhandled = [];
const note = (error) => unhandled.push(error);
before(() => process.on("unhandledRejection", note).on("uncaughtException", note));
after(() => {
  process.off("unhandledRejection", note).off("uncaughtException", note);
  assert.deepEqual(unhandled, []);
});

/** Serves a handler while `use` runs with its port. Returns the lines that were logged. */
async function serving(handle, use, options) {
  const log = mock.method(console, "error", () => {});
  const server = http.createServer(createNodeListener(handle, options)).listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    await use(server.address().port, server);
    return log.mock.calls.map(({ arguments: [line] }) => line);
  } finally {
    log.mock.restore();
    server.close().closeAllConnections();
  }
}

/** A connection that sends exactly the given text. */
class Client {
  #text = "";

  constructor(port) {
    this.socket = connect({ port, host: "127.0.0.1" });
    this.socket.on("error", () => {}); // reset by the server
    this.socket.on("data", (chunk) => (this.#text += chunk.toString("latin1")));
    this.closed = new Promise((resolve) => this.socket.once("close", resolve));
  }

  send(...lines) {
    this.socket.write(lines.join("\r\n"));
    return this;
  }

  /** All that has come, as soon as it matches. */
  async came(pattern) {
    await until(
      () => pattern.test(this.#text),
      () => `${pattern} did not come, but: ${this.#text}`,
    );
    return this.#text;
  }

  /** All that came until the server closed the connection. */
  async all() {
    await this.closed;
    return this.#text;
  }
}

/** Waits until it is so. If that takes too long, `what()` says what did not happen. */
async function until(isSo, what) {
  for (const end = Date.now() + PATIENCE_MS; !isSo(); await wait(5)) if (Date.now() > end) assert.fail(what());
}

/** The status, headers and body of one request; its connection is not used again. */
async function ask(port, { body, ...options } = {}) {
  const request = http.request({ port, host: "127.0.0.1", agent: false, ...options });
  request.end(body);
  const [response] = await once(request, "response");
  const chunks = await response.toArray();
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() };
}

const post = (port, body = ORDER, options) => ask(port, { method: "POST", path: PATH, body, ...options });
const ok = (body = "ok") => new Response(body);

test("an order is priced as calculateJson prices it, with a declared length and in chunks", async () => {
  const pricer = await createPricer({ lookupPrices });
  const expected = Buffer.from(await pricer.calculateJson(ORDER)).toString();
  const logged = await serving(
    createFetchHandler(() => pricer),
    async (port) => {
      for (const headers of [{ "content-length": Buffer.byteLength(ORDER) }, { "transfer-encoding": "chunked" }]) {
        const { status, headers: answered, body } = await post(port, ORDER, { headers });
        assert.deepEqual([status, answered["content-type"], body], [200, "application/json", expected]);
      }
      const refused = await post(port, '{"productList":[]}');
      assert.equal(refused.status, 500);
      assert.equal(refused.body, '{"error":"Invalid order: productList: expected at least one product"}');
    },
  );
  assert.deepEqual(logged, []);
});

test("the handler gets the request, its env and a context", async () => {
  let seen;
  const handle = async (request, env) => {
    const { method, url, headers, signal } = request;
    seen = { method, url, header: headers.get("x-a"), aborted: signal.aborted, env, body: await request.text() };
    return new Response("made", { status: 201, statusText: "Made", headers: { "x-b": "1" } });
  };
  const env = { PRICES: 1 };
  await serving(
    handle,
    async (port) => {
      const { status, headers, body } = await ask(port, { method: "PUT", path: "/a?b=c", headers: { "x-a": "1" }, body: "x" });
      assert.deepEqual([status, headers["x-b"], body], [201, "1", "made"]);
      const url = `http://127.0.0.1:${port}/a?b=c`;
      assert.deepEqual(seen, { method: "PUT", url, header: "1", aborted: false, env, body: "x" });
    },
    { env },
  );
});

describe("a request's body", () => {
  test("is taken from the client no faster than the handler reads it", async () => {
    const size = 32 * MIB;
    let read;
    const isRead = new Promise((resolve) => (read = resolve));
    const handle = async (request) => {
      const reader = request.body.getReader();
      let { value, done } = await reader.read();
      await isRead;
      let count = 0;
      for (; !done; { value, done } = await reader.read()) count += value.byteLength;
      return ok(`${count}`);
    };
    await serving(handle, async (port, server) => {
      const [answer, [socket]] = await Promise.all([
        { answered: post(port, Buffer.alloc(size)) }, // an object, because `all` would await the answer
        once(server, "connection"),
      ]);
      let before = -1;
      while (socket.bytesRead !== before) {
        before = socket.bytesRead;
        await wait(200);
      }
      assert.ok(socket.bytesRead < MIB, `${socket.bytesRead} bytes were taken, but the handler had read one chunk`);
      read();
      assert.equal((await answer.answered).body, `${size}`);
    });
  });

  test("is absent from GET and HEAD, even if the client sends one", async () => {
    const bodies = [];
    const handle = async (request) => {
      bodies.push(request.body);
      return ok();
    };
    await serving(handle, async (port) => {
      const client = new Client(port);
      for (const method of ["HEAD", "GET"]) client.send(`${method} / HTTP/1.1`, "Host: a", "Content-Length: 3", "", "abc");
      assert.match(await client.came(/ok/), /^HTTP\/1.1 200 OK.*HTTP\/1.1 200 OK/s);
      assert.deepEqual(bodies, [null, null]);
      client.socket.destroy();
    });
  });

  test("that breaks off rejects, aborts the signal and affects no other", async () => {
    for (const head of ["Content-Length: 100", "Transfer-Encoding: chunked"]) {
      let outcome;
      const handle = async (request) => {
        if (request.method === "GET") return ok();
        outcome = await request.arrayBuffer().then(
          () => "read",
          () => (request.signal.aborted ? "aborted" : "rejected"),
        );
        return ok();
      };
      const logged = await serving(handle, async (port) => {
        const client = new Client(port).send("POST / HTTP/1.1", "Host: a", head, "", "5", "hello");
        await once(client.socket, "connect");
        await wait(50);
        client.socket.resetAndDestroy();
        await until(
          () => outcome,
          () => "the body neither came nor broke off",
        );
        assert.match(outcome, /^(aborted|rejected)$/, head);
        assert.equal((await ask(port)).body, "ok");
      });
      assert.deepEqual(logged, []);
    }
  });

  test("cannot be read to an end that it has not when the answer is out", async () => {
    let late;
    const handle = (request, _, { waitUntil }) => {
      late = wait(50)
        .then(() => request.text())
        .then(
          (text) => `read ${text.length}`,
          (error) => error.message,
        );
      waitUntil(late);
      return ok();
    };
    await serving(handle, async (port) => {
      const client = new Client(port).send("POST / HTTP/1.1", "Host: a", "Content-Length: 10", "", "12345");
      await client.came(/ok/);
      client.send("67890");
      assert.equal(await late, "The request has been answered");
      client.socket.destroy();
    });
  });

  test("that is refused leaves the connection open for the answer and the next order", async () => {
    const handle = createFetchHandler(() => createPricer({ lookupPrices }), { maxBodyBytes: 1_000 });
    const refusal = /Request body is larger than 1000 bytes/;
    const next = ["POST /calculatecost4 HTTP/1.1", "Host: a", `Content-Length: ${Buffer.byteLength(ORDER)}`, "", ORDER];
    await serving(handle, async (port) => {
      const client = new Client(port).send("POST /calculatecost4 HTTP/1.1", "Host: a", `Content-Length: ${2 * MIB}`, "", "");
      await client.came(refusal);
      client.socket.write(Buffer.alloc(2 * MIB));
      client.send(...next);
      await client.came(/200 OK.*"grandTotal":111\.75/s);

      const chunk = ["10000", "x".repeat(65_536), ""];
      client.send("POST /calculatecost4 HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "", "");
      for (let count = 0; count < 32; count += 1) client.send(...chunk);
      await client.came(new RegExp(`${refusal.source}.*${refusal.source}`, "s"));
      client.send("0", "", "");
      client.send(...next);
      await client.came(/200 OK.*200 OK.*"grandTotal":111\.75/s);
      client.socket.destroy();
    });
  });

  test("is waited for no longer than until it ends", async (t) => {
    const timers = t.mock.method(globalThis, "setTimeout");
    const cleared = t.mock.method(globalThis, "clearTimeout");
    await serving(
      () => ok(),
      async (port) => {
        const client = new Client(port).send("POST / HTTP/1.1", "Host: a", "Content-Length: 10", "", "12345");
        let waiting;
        await until(
          () => (waiting = timers.mock.calls.find(({ arguments: [, ms] }) => ms === 5_000)),
          () => "the body is not waited for",
        );
        client.send("67890");
        await until(
          () => cleared.mock.calls.some(({ arguments: [timer] }) => timer === waiting.result),
          () => "the timer still runs",
        );
        client.socket.destroy();
      },
    );
  });

  test("of a few chunks waits for no turn", async (t) => {
    const timers = t.mock.method(globalThis, "setTimeout");
    let count = 0;
    const handle = async (request) => {
      for await (const { length } of request.body) count += length;
      return ok();
    };
    await serving(handle, async (port) => {
      const client = new Client(port).send("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "", "");
      for (let sent = 1; sent <= 5; sent += 1) {
        client.send("1", "x", "");
        await until(
          () => count === sent,
          () => `${count} of ${sent} chunks came`,
        );
      }
      client.send("0", "", "");
      await client.came(/ok/);
      client.socket.destroy();
    });
    assert.equal(timers.mock.callCount(), 0);
  });

  test("that never ends after its refusal loses its connection", async (t) => {
    // The five seconds of the server are 50 ms here.
    const { setTimeout } = globalThis;
    t.mock.method(globalThis, "setTimeout", (callback, ms, ...args) => setTimeout(callback, ms === 5_000 ? 50 : ms, ...args));
    const handle = createFetchHandler(() => createPricer({ lookupPrices }), { maxBodyBytes: 1_000 });
    const logged = await serving(handle, async (port) => {
      const client = new Client(port).send("POST /calculatecost4 HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "", "");
      const sending = setInterval(() => client.send("400", "x".repeat(1_024), ""), 10);
      try {
        await Promise.race([client.closed, wait(PATIENCE_MS, undefined, { ref: false }).then(() => assert.fail("still connected"))]);
        assert.match(await client.all(), /Request body is larger than 1000 bytes/);
      } finally {
        clearInterval(sending);
      }
    });
    assert.deepEqual(logged, []);
  });

  test("is asked for with 100 Continue", async () => {
    await serving(
      async (request) => ok(await request.text()),
      async (port) => {
        const client = new Client(port).send("POST / HTTP/1.1", "Host: a", "Expect: 100-continue", "Content-Length: 5", "", "");
        await client.came(/^HTTP\/1.1 100 Continue\r\n\r\n$/);
        client.send("hello");
        await client.came(/200 OK.*hello/s);
        client.socket.destroy();
      },
    );
  });
});

describe("a client that hangs up", () => {
  test("aborts its order and the look-ups of that order, and nothing is logged", async () => {
    let signal;
    const host = { lookupPrices: (_, ctx) => new Promise(() => ({ signal } = ctx)) };
    const logged = await serving(
      createFetchHandler(() => createPricer(host)),
      async (port) => {
        const client = new Client(port).send("POST /calculatecost4 HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "", "");
        client.send(Buffer.byteLength(ORDER).toString(16), ORDER, "0", "", "");
        await until(
          () => signal,
          () => "no look-up was made",
        );
        assert.equal(signal.aborted, false);
        client.socket.destroy();
        await until(
          () => signal.aborted,
          () => "the look-up's signal did not abort",
        );
      },
    );
    assert.deepEqual(logged, []);
  });

  test("aborts its request even if no code refers to it any more", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc");
    let aborts = 0;
    let signal;
    const handle = (request) => {
      ({ signal } = request);
      signal.addEventListener("abort", () => (aborts += 1));
      return new Promise(() => {});
    };
    await serving(handle, async (port) => {
      const client = new Client(port).send("GET / HTTP/1.1", "Host: a", "", "");
      await until(
        () => signal,
        () => "the handler was not called",
      );
      for (let count = 0; count < 5; count += 1) {
        collect();
        await wait(5);
      }
      client.socket.destroy();
      await until(
        () => aborts === 1,
        () => "the signal did not abort",
      );
    });
  });

  test("aborts all of its pipelined requests, and Node warns about no listeners", async () => {
    const warnings = [];
    const warn = (warning) => warnings.push(warning.message);
    process.on("warning", warn);
    const signals = [];
    const handle = ({ signal }) => new Promise(() => signals.push(signal));
    const count = 20;
    try {
      await serving(handle, async (port) => {
        const client = new Client(port);
        for (let sent = 0; sent < count; sent += 1) client.send("GET / HTTP/1.1", "Host: a", "", "");
        await until(
          () => signals.length === count,
          () => `${signals.length} requests came`,
        );
        client.socket.destroy();
        await until(
          () => signals.every(({ aborted }) => aborted),
          () => "a signal did not abort",
        );
      });
    } finally {
      process.off("warning", warn);
    }
    assert.deepEqual(warnings, []);
  });

  test("is not what a client does that has its answer: its signal stays, and the socket keeps no listener", async () => {
    const signals = [];
    const handle = ({ signal }) => {
      signals.push(signal);
      return ok();
    };
    await serving(handle, async (port, server) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      const connected = once(server, "connection");
      await ask(port, { agent });
      const [socket] = await connected;
      const listeners = () => socket.eventNames().map((name) => `${String(name)} ${socket.listenerCount(name)}`);
      const first = listeners();
      for (let count = 0; count < 30; count += 1) await ask(port, { agent });
      assert.deepEqual(listeners(), first);
      agent.destroy();
      await until(
        () => socket.destroyed,
        () => "the connection did not close",
      );
      assert.equal(signals.length, 31);
      assert.ok(signals.every(({ aborted }) => !aborted));
    });
  });

  test("or stops reading gets no more than it takes; once it is gone, the answer is cancelled", async () => {
    let pulls = 0;
    let cancelled = false;
    const body = () =>
      new ReadableStream({
        pull(controller) {
          pulls += 1;
          controller.enqueue(new Uint8Array(65_536));
        },
        cancel() {
          cancelled = true;
        },
      });
    const logged = await serving(
      () => new Response(body()),
      async (port) => {
        const client = new Client(port);
        client.socket.pause();
        client.send("GET / HTTP/1.1", "Host: a", "", "");
        let before = -1;
        while (pulls === 0 || pulls !== before) {
          before = pulls;
          await wait(200);
        }
        assert.ok(pulls < 1_000, `${pulls} chunks were made for a client that reads none`);
        client.socket.destroy();
        await until(
          () => cancelled,
          () => "the answer's stream was not cancelled",
        );
      },
    );
    assert.deepEqual(logged, []);
  });

  test("or stops reading loses its connection after the server's timeout", async () => {
    const endless = () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }));
    await serving(endless, async (port, server) => {
      server.setTimeout(300);
      const connected = once(server, "connection");
      const client = new Client(port);
      client.socket.pause();
      client.send("GET / HTTP/1.1", "Host: a", "", "");
      const [socket] = await connected;
      await until(
        () => socket.destroyed,
        () => "the server kept the connection",
      );
      client.socket.destroy();
    });
  });
});

test("an answer without a body is whole, and its connection serves the next request", async () => {
  const logged = await serving(
    (request) => (request.method === "GET" ? ok() : new Response(null, { status: 204 })),
    async (port) => {
      const client = new Client(port);
      for (const method of ["OPTIONS", "GET"]) client.send(`${method} / HTTP/1.1`, "Host: a", "", "");
      assert.match(await client.came(/ok/), /^HTTP\/1.1 204 No Content.*HTTP\/1.1 200 OK/s);
      client.socket.destroy();
    },
  );
  assert.deepEqual(logged, []);
});

describe("a handler that fails", () => {
  const failures = {
    throws: [() => assert.fail("not today"), /^A request failed: not today/],
    rejects: [async () => assert.fail("not today"), /^A request failed: not today/],
    "throws what is no error": [() => Promise.reject(null), /^A request failed: null/],
    "returns nothing": [() => undefined, /^A request failed: /],
    "returns an object": [() => ({ status: 200 }), /^A request failed: /],
    "returns a network error": [() => Response.error(), /^A request failed: .*status code/],
    "returns a header that HTTP forbids": [() => new Response("", { headers: { "x-a": "\x7f" } }), /^A request failed: /],
  };
  for (const [what, [handle, line]] of Object.entries(failures)) {
    test(`${what}: 500, one line in the log, and the connection goes on`, async () => {
      const logged = await serving(
        (request) => (request.url.endsWith("/ok") ? ok() : handle()),
        async (port) => {
          const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
          const { status, headers, body } = await post(port, "x", { agent });
          assert.deepEqual([status, headers["content-type"], body], [500, "application/json", INTERNAL]);
          assert.equal((await ask(port, { agent, path: "/ok" })).body, "ok");
          agent.destroy();
        },
      );
      assert.equal(logged.length, 1, logged.join("\n"));
      assert.match(logged[0], line);
    });
  }

  test("in the middle of its answer breaks the connection, so that no client takes the part for the whole", async () => {
    const body = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("half")),
        pull: async (controller) => {
          await wait(20);
          controller.error(new Error("the other half is gone"));
        },
      });
    const logged = await serving(
      () => new Response(body()),
      async (port) => {
        const text = await new Client(port).send("GET / HTTP/1.1", "Host: a", "", "").all();
        assert.match(text, /half/);
        assert.doesNotMatch(text, /\r\n0\r\n\r\n$/);
      },
    );
    assert.equal(logged.length, 1);
    assert.match(logged[0], /^A request failed: the other half is gone/);
  });

  test("in waitUntil is logged", async () => {
    const handle = (_, __, { waitUntil }) => {
      waitUntil(Promise.reject(new Error("too late")));
      waitUntil("no promise");
      return ok();
    };
    const logged = await serving(handle, async (port) => assert.equal((await ask(port)).body, "ok"));
    assert.equal(logged.length, 1);
    assert.match(logged[0], /^A promise of waitUntil failed: too late/);
  });
});

test("repeated headers keep their meaning, in both directions", async () => {
  let seen;
  const handle = ({ headers }) => {
    seen = Object.fromEntries(headers);
    const answered = new Headers({ "x-b": "1" });
    answered.append("x-b", "2");
    answered.append("set-cookie", "a=1; Path=/");
    answered.append("set-cookie", "b=2");
    return new Response(null, { status: 204, headers: answered });
  };
  await serving(handle, async (port) => {
    const client = new Client(port).send(
      "POST / HTTP/1.1",
      "Host: a",
      "Connection: close",
      "X-A: 1",
      "x-a: 2",
      "Cookie: a=1",
      "Cookie: b=2",
      "Authorization: Bearer 1",
      "Authorization: Bearer 2",
      "constructor: c",
      "__proto__: p",
      "",
      "",
    );
    const text = await client.all();
    assert.match(text, /^HTTP\/1.1 204 No Content\r\n/);
    assert.match(text, /x-b: 1, 2\r\n/);
    assert.match(text, /set-cookie: a=1; Path=\/\r\nset-cookie: b=2\r\n/);
    const { "x-a": repeated, cookie, authorization, constructor } = seen;
    assert.deepEqual([repeated, cookie, authorization, constructor], ["1, 2", "a=1; b=2", "Bearer 1", "c"]);
  });
});

describe("the URL of a request", () => {
  const BAD = "400 ";
  const cases = [
    ["GET /a?b=c#d", "Host: shop.example:81", "http://shop.example:81/a?b=c#d"],
    ["GET /a", "Host: [::1]:81", "http://[::1]:81/a"],
    ["GET /a", "Host:", "http://localhost/a"],
    ["GET //other.example/a", "Host: a", "http://a//other.example/a"],
    ["GET /\\other.example/a", "Host: a", "http://a//other.example/a"],
    ["GET http://other.example/a", "Host: a", "http://other.example/a"],
    ["GET /a", "Host: a/calculatecost4?", BAD],
    ["GET /a", "Host: a#", BAD],
    ["GET /a", "Host: user:word@a", BAD],
    ["GET /a", "Host: @a", BAD],
    ["GET /a", "Host: a\\b", BAD],
    ["GET /a", "Host: a b", BAD],
    ["GET /a", "Host: a:99999", BAD],
    ["GET /a", "Host: %00", BAD],
    ["GET /a", "Host: a\r\nHost: b", BAD],
    ["GET http://user:word@a/", "Host: a", BAD],
    ["GET http://[/", "Host: a", BAD],
    ["OPTIONS *", "Host: a", BAD],
    ["TRACE /", "Host: a", BAD],
  ];
  for (const [target, host, expected] of cases) {
    test(`${target}, ${host.replaceAll("\r\n", ", ")}: ${expected}`, async () => {
      const logged = await serving(
        ({ url }) => ok(`<${url}>`),
        async (port) => {
          const text = await new Client(port).send(`${target} HTTP/1.1`, host, "Connection: close", "", "").all();
          if (expected !== BAD) return assert.equal(text.match(/<(.*)>/)?.[1], expected, text);
          assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\n/);
          assert.match(text, /\{"error":"Invalid request: expected a URL and a method that fetch accepts"\}/);
        },
      );
      assert.deepEqual(logged, []);
    });
  }
});

test("behind TLS the URL is https", async () => {
  const urls = [];
  const handle = ({ url }) => (urls.push(url), ok());
  await serving(handle, async (port, server) => {
    await ask(port);
    server.on("connection", (socket) => (socket.encrypted = true)); // as a TLS socket says
    await ask(port);
    assert.deepEqual(
      urls.map((url) => new URL(url).protocol),
      ["http:", "https:"],
    );
  });
});

test("HTTP/1.0 knows no host and no chunks, and its connection ends with the answer", async () => {
  await serving(
    async ({ url }) => ok(`${url} é`),
    async (port) => {
      const text = await new Client(port).send("GET /a HTTP/1.0", "", "").all();
      assert.match(text, /^HTTP\/1.1 200 OK\r\n/);
      assert.doesNotMatch(text, /transfer-encoding/i);
      assert.match(text, /\r\n\r\nhttp:\/\/localhost\/a Ã©$/);
    },
  );
});

test("a request that has come whole is not waited for", async () => {
  const timers = mock.method(globalThis, "setTimeout");
  const waits = [];
  const handle = async (request) => {
    await request.text();
    waits.push(timers.mock.calls.filter(({ arguments: [, ms] }) => ms === 5_000).length);
    return ok();
  };
  try {
    await serving(handle, async (port) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      for (let count = 0; count < 3; count += 1) await post(port, ORDER, { agent });
      agent.destroy();
    });
  } finally {
    timers.mock.restore();
  }
  assert.deepEqual(waits, [0, 0, 0]);
});

test("a client that has gone is not waited for, and the signal says why its request ends", async () => {
  const timers = mock.method(globalThis, "setTimeout");
  let signal;
  const handle = (request) => {
    ({ signal } = request);
    request.text().catch(() => {}); // without a reader the socket is paused and does not see its end
    return new Promise(() => {});
  };
  try {
    await serving(handle, async (port, server) => {
      const requested = once(server, "request");
      const client = new Client(port).send("POST / HTTP/1.1", "Host: a", "Content-Length: 10", "", "12345");
      const [, outgoing] = await requested;
      const closed = once(outgoing, "close");
      client.socket.destroy();
      await closed;
      assert.deepEqual(
        timers.mock.calls.filter(({ arguments: [, ms] }) => ms === 5_000),
        [],
      );
      await until(
        () => signal.aborted,
        () => "the signal did not abort",
      );
      assert.deepEqual([signal.reason.name, signal.reason.message], ["AbortError", "The client has gone"]);
    });
  } finally {
    timers.mock.restore();
  }
});

test("the text of a status is the handler's, or else the usual one", async () => {
  for (const [statusText, line] of [
    ["Made", "201 Made"],
    ["", "201 Created"],
  ]) {
    await serving(
      () => new Response(null, { status: 201, statusText }),
      async (port) => {
        const text = await new Client(port).send("GET / HTTP/1.1", "Host: a", "Connection: close", "", "").all();
        assert.ok(text.startsWith(`HTTP/1.1 ${line}\r\n`), text);
      },
    );
  }
});

test("HEAD is answered with the headers alone, and the handler's body is cancelled", async () => {
  let cancelled = false;
  const body = () =>
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => void (cancelled = true),
    });
  await serving(
    () => new Response(body(), { headers: { "x-a": "1" } }),
    async (port) => {
      const text = await new Client(port).send("HEAD / HTTP/1.1", "Host: a", "Connection: close", "", "").all();
      assert.match(text, /^HTTP\/1.1 200 OK\r\nx-a: 1\r\n[^]*\r\n\r\n$/);
      assert.equal(text.split("\r\n\r\n")[1], "");
      assert.ok(cancelled);
    },
  );
});

// How the commands ask Cloudflare: who they are, how fast, and what they do about answers that do not come.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { Fault } from "../../worker/command-line/fault.js";
import { Pace } from "../../worker/command-line/pace.js";
import { Cloudflare } from "../../worker/data/store/cloudflare-api.js";
import { Clock, startCloudflare } from "./cloudflare.js";

let cloudflare;
let limits;
let clock;

before(async () => {
  cloudflare = await startCloudflare();
  limits = cloudflare.limits;
});
beforeEach(() => {
  clock = new Clock();
  cloudflare.now = clock.now;
  cloudflare.limits = { ...limits };
  cloudflare.trouble = () => undefined;
  cloudflare.accounts = cloudflare.accounts.slice(0, 1);
  cloudflare.workers = new Map([["shop", ["API_KEYS"]]]);
  cloudflare.forget();
});
after(() => cloudflare?.stop());

const client = ({ environment = {}, pace = {}, silenceMs } = {}) =>
  new Cloudflare({ environment: { ...cloudflare.env, ...environment }, pace: new Pace({ ...clock, ...pace }), silenceMs });
const askFor = (its) => its.ask("GET", "workers/scripts/shop/secrets");

async function assertFault(promise, sentence) {
  await assert.rejects(promise, (error) => error instanceof Fault && (assert.equal(error.message, sentence), true));
}

describe("who asks", () => {
  test("without a token: how to get one, and nothing is asked", async () => {
    const sentence = "not logged in: set CLOUDFLARE_API_TOKEN to a token of https://dash.cloudflare.com/profile/api-tokens";
    for (const CLOUDFLARE_ACCOUNT_ID of [undefined, "1"]) {
      const environment = { CLOUDFLARE_API_TOKEN: "", CLOUDFLARE_ACCOUNT_ID };
      await assertFault(askFor(client({ environment })), sentence);
    }
    assert.deepEqual(cloudflare.calls, []);
  });

  const environment = { CLOUDFLARE_ACCOUNT_ID: undefined };

  test("without an account: the token's only one, which is asked for once", async () => {
    const its = client({ environment });
    await Promise.all([askFor(its), askFor(its)]);
    assert.deepEqual(cloudflare.calls, ["GET /accounts", ...Array(2).fill("GET worker shop/secrets")]);
  });

  test("without an account, and several or none to choose from", async () => {
    const [{ id }] = cloudflare.accounts;
    cloudflare.accounts = [...cloudflare.accounts, { id: "2", name: "test" }];
    await assertFault(askFor(client({ environment })), `set CLOUDFLARE_ACCOUNT_ID: expected ${id} (shop) or 2 (test)`);
    cloudflare.accounts = [];
    await assertFault(askFor(client({ environment })), "set CLOUDFLARE_ACCOUNT_ID: the token shows no account");
    cloudflare.accounts = [{ id, name: "shop" }];
  });

  test("without an account, and a token that may not see any", async () => {
    cloudflare.trouble = () => 403;
    const refused = "Cloudflare answered 403: service unavailable (code 10001)";
    await assertFault(askFor(client({ environment })), `set CLOUDFLARE_ACCOUNT_ID, as the token does not tell the account: ${refused}`);
  });
});

describe("how fast", () => {
  test("waits before Cloudflare would refuse, and says so", async () => {
    cloudflare.limits.requests = 12;
    const its = client({ pace: { most: 10 } });
    const times = [];
    for (let asked = 0; asked < 25; asked += 1) {
      await askFor(its);
      times.push(clock.time);
      clock.time += 1000;
    }
    assert.equal(cloudflare.calls.length, 25, "none was refused");
    assert.deepEqual([times[9], times[10], times[11], times[20]], [9000, 300_000, 301_000, 600_000]);
    assert.deepEqual(clock.lines, ["Cloudflare's limit: waiting 290 s", "Cloudflare's limit: waiting 290 s"]);
  });

  test("1,100 requests in 5 minutes, of the 1,200 that Cloudflare takes", async () => {
    const pace = new Pace(clock);
    for (let asked = 0; asked < 1100; asked += 1) await pace.turn();
    assert.equal(clock.time, 0);
    await pace.turn();
    assert.equal(clock.time, 300_000);
  });

  test("where others have used up the limit, everything waits for as long as Cloudflare says", async () => {
    cloudflare.limits.requests = 3;
    const its = client();
    for (let asked = 0; asked < 3; asked += 1) await askFor(its);
    await Promise.all([askFor(its), askFor(its), askFor(its)]);
    assert.equal(clock.time >= 300_000, true);
    assert.ok(clock.lines.length > 0 && clock.lines.every((line) => line === "Cloudflare's limit: waiting 300 s"), clock.lines);
  });

  test("Retry-After is a date, too, by Cloudflare's clock", async () => {
    const headers = { date: "Mon, 23 Nov 2026 09:00:00 GMT", "retry-after": "Mon, 23 Nov 2026 09:00:42 GMT" };
    cloudflare.trouble = (_, number) => (number === 1 ? { status: 429, headers } : undefined);
    await askFor(client());
    assert.deepEqual([clock.time, clock.lines], [42_000, ["Cloudflare's limit: waiting 42 s"]]);
  });

  test("Retry-After of hours is another limit: it is said at once", async () => {
    cloudflare.trouble = () => ({ status: 429, headers: { "retry-after": "86400" } });
    await assertFault(askFor(client()), "Cloudflare answered 429: service unavailable (code 10001)");
    assert.deepEqual([cloudflare.calls.length, clock.time], [1, 0]);
  });
});

describe("what is tried again, at most five times", () => {
  for (const [trouble, sentence] of [
    [429, "Cloudflare answered 429: service unavailable (code 10001)"],
    [500, "Cloudflare answered 500: service unavailable (code 10001)"],
    [{ status: 502, text: "<h1>Bad gateway</h1>" }, "Cloudflare answered 502"],
    ["break", "Cloudflare's API cannot be reached (UND_ERR_SOCKET)"],
    ["lost", "Cloudflare's API cannot be reached (UND_ERR_SOCKET)"],
    ["silence", "Cloudflare's API does not answer"],
  ]) {
    const what = JSON.stringify(trouble);
    test(`${what}, once`, async () => {
      cloudflare.trouble = (_, number) => (number === 1 ? trouble : undefined);
      // The second answer has to come within it, however busy the machine is.
      const silenceMs = trouble === "silence" ? 500 : undefined;
      assert.equal((await askFor(client({ silenceMs }))).result[0].name, "API_KEYS");
      assert.deepEqual([cloudflare.calls.length, clock.time], [2, 500]);
    });

    test(`${what}, always`, async () => {
      cloudflare.trouble = () => trouble;
      await assertFault(askFor(client({ silenceMs: trouble === "silence" ? 50 : undefined })), sentence);
      assert.deepEqual([cloudflare.calls.length, clock.time], [5, 7500]);
      const reason = trouble === 429 ? "Cloudflare's limit" : sentence;
      assert.deepEqual(clock.lines, [`${reason}: waiting 2 s`, `${reason}: waiting 4 s`]);
    });
  }

  test("an answer that stops in the middle", async () => {
    const headers = { "content-length": 1000 };
    cloudflare.trouble = (_, number) => (number === 1 ? { status: 200, headers } : undefined);
    assert.equal((await askFor(client({ silenceMs: 500 }))).result[0].name, "API_KEYS");
    assert.equal(cloudflare.calls.length, 2);
  });
});

describe("what is said at once", () => {
  for (const [trouble, sentence] of [
    [400, "Cloudflare answered 400: service unavailable (code 10001)"],
    [{ status: 403, text: "blocked" }, "Cloudflare answered 403"],
    [{ status: 200, text: "<h1>Sign in to the network</h1>" }, "Cloudflare answered 200: expected the JSON of its API"],
  ]) {
    test(JSON.stringify(trouble), async () => {
      cloudflare.trouble = () => trouble;
      await assertFault(askFor(client()), sentence);
      assert.deepEqual([cloudflare.calls.length, clock.time], [1, 0]);
    });
  }
});

// The processes of the service on Node: they share the port, are replaced, and end without losing an order.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, rename, writeFile } from "node:fs/promises";
import net from "node:net";
import path from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { until } from "../until.js";
import { killAll, startProgram } from "./program.js";
import { isListening, ORDER, price, remove, shopFolder, startService, TOTAL, WITH_COUPON } from "./shop.js";

let folder;
before(async () => (folder = await shopFolder()));
after(() => remove(folder));
after(killAll);

/** The processes that a program has started. */
async function childrenOf({ child }) {
  const { stdout } = await promisify(execFile)("pgrep", ["-P", `${child.pid}`]);
  return stdout.trim().split("\n").map(Number);
}

const reloads = (program) => program.records("reload").map(({ level, message }) => [level, message]);
const DONE = ["info", "All processes were replaced"];

async function assertPriced(url, headers) {
  const { status, body } = await price(url, ORDER, headers);
  assert.deepEqual([status, body.grandTotal], [200, TOTAL]);
}

test("processes share the port; one that is killed is replaced, and the log says so", async () => {
  const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: folder });
  const url = await program.url;
  const before = await childrenOf(program);
  assert.deepEqual([before.length, program.records("start").length], [2, 2]);
  process.kill(before[0], "SIGKILL");
  await until("another has started", () => program.records("start").length === 3);
  assert.deepEqual(
    program.records("process").map(({ level, message }) => [level, message]),
    [["error", "A process ended by SIGKILL and is replaced"]],
  );
  await until("there are two", async () => (await childrenOf(program)).length === 2);
  await assertPriced(url);
});

/** Limits the open files of a process, and of those that it starts from then on. */
const limitFiles = (pid, soft, hard = "") => promisify(execFile)("prlimit", ["--pid", `${pid}`, `--nofile=${soft}:${hard}`]);
const isRunning = (pid) =>
  readdir(`/proc/${pid}`).then(
    () => true,
    () => false,
  );
const openFiles = async (pid) => (await readdir(`/proc/${pid}/fd`)).length;
const onLinux = { skip: process.platform !== "linux" };

test("a process that the system cannot start is tried again, and the others take the orders", onLinux, async () => {
  const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: folder });
  const url = await program.url;
  const { pid } = program.child;
  await limitFiles(pid, (await openFiles(pid)) - 2);
  process.kill((await childrenOf(program))[0], "SIGKILL");
  const failures = () => program.records("process").filter(({ message }) => message === "A process could not be started");
  await until("it was tried twice", () => failures().length === 2);
  assert.match(failures()[0].cause, /EMFILE/);
  await limitFiles(pid, 1024);
  await until("there are two", async () => (await childrenOf(program)).length === 2);
  await assertPriced(url);
});

/** Opens a connection that says nothing. */
function connect(url) {
  const { hostname, port } = new URL(url);
  return net
    .connect(port, hostname)
    .on("error", () => {})
    .resume();
}

test("connections beyond half of the open files are refused; when they are gone, orders are taken", onLinux, async () => {
  const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: folder });
  const url = await program.url;
  await limitFiles(program.child.pid, 128, 128);
  program.child.kill("SIGHUP");
  await until("both are replaced", () => reloads(program).length === 1);
  const said = () => program.records("process").map(({ message }) => message);
  const connections = [];
  await until("both are full", () => {
    connections.push(connect(url));
    return said().length === 2;
  });
  for (const connection of connections) connection.destroy();
  for (const pid of await childrenOf(program)) await until("it is free", async () => (await openFiles(pid)) < 50);
  for (let count = 0; count < 4; count++) await assertPriced(url);
  assert.deepEqual(said(), Array(2).fill("A process refuses connections: it has 64"));
});

test("a process without room for another file is replaced, and a connection that did not reach it is closed", onLinux, async () => {
  const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: folder });
  const url = await program.url;
  const old = await childrenOf(program);
  for (const pid of old) await limitFiles(pid, 1);
  const connections = [connect(url), connect(url)];
  await until("they are closed", () => connections.every(({ closed }) => closed));
  await until("both are replaced", () => program.records("process").length === 2);
  assert.equal(program.records("process")[0].message, "A process has too many open files and is replaced");
  await until("the old ones have ended", async () => !(await childrenOf(program)).some((pid) => old.includes(pid)));
  await until("there are two", async () => (await childrenOf(program)).length === 2);
  for (let count = 0; count < 4; count++) await assertPriced(url);
});

test("a process without room that says so again and again: its successor listens before it ends", onLinux, async () => {
  const program = startProgram({ CATALOGUE_DIR: folder });
  const url = await program.url;
  const [old] = await childrenOf(program);
  await limitFiles(old, 1);
  const connections = Array.from({ length: 5 }, () => connect(url));
  await until("they are closed", () => connections.every(({ closed }) => closed));
  await until("the old one has ended", async () => !(await childrenOf(program)).includes(old));
  // Without anybody who listens, the next one would listen on another port.
  await assertPriced(url);
  assert.equal(program.records("process").length, 1);
});

test("five reads that hang, as captures and the catalogue may have, leave a thread for the name of a service", onLinux, async () => {
  const shop = await shopFolder();
  const [fifo, hang] = [path.join(shop, "fifo"), path.join(shop, "hang.mjs")];
  await promisify(execFile)("mkfifo", [fifo]);
  await writeFile(
    hang,
    `import { readFile } from "node:fs";
    process.on("SIGUSR2", () => {
      for (let count = 0; count < 5; count++) readFile(${JSON.stringify(fifo)}, () => {});
      console.log(JSON.stringify({ event: "hangs" }));
    });`,
  );
  const coupons = await startService(() => ({ discounts: [] }));
  const program = startProgram({
    CATALOGUE_DIR: shop,
    COUPONS_URL: coupons.url.replace("127.0.0.1", "localhost"),
    NODE_OPTIONS: `--import ${hang}`,
  });
  const url = await program.url;
  await assertPriced(url);
  const [pid] = await childrenOf(program);
  process.kill(pid, "SIGUSR2");
  await until("they hang", () => program.records("hangs").length === 1);
  assert.equal((await price(url, WITH_COUPON)).status, 200);
  program.child.kill("SIGKILL");
  await until("the process has ended, too", async () => !(await isRunning(pid)));
  await remove(shop);
});

describe("SIGTERM", () => {
  for (const [what, signals, variables] of [
    ["two signals, as npm passes one on that its group gets", ["SIGTERM", "SIGTERM"]],
    ["SIGINT three times", ["SIGINT", "SIGINT", "SIGINT"]],
    ["the longest deadline", ["SIGTERM"], { ORDER_DEADLINE_MS: "2147483647", DEADLINE_MS: "2147483647" }],
  ]) {
    test(`${what}: an order under way is answered`, async () => {
      let answer;
      const coupons = await startService(() => new Promise((resolve) => (answer = resolve)));
      const program = startProgram({ CATALOGUE_DIR: folder, COUPONS_URL: coupons.url, ...variables });
      const url = await program.url;
      const order = price(url, WITH_COUPON);
      await Promise.race([
        until("the service is asked", () => coupons.asked.length === 1),
        order.then(({ body }) => assert.fail(body.error)),
      ]);
      for (const signal of signals) {
        program.child.kill(signal);
        await until("nobody listens", async () => !(await isListening(url)));
      }
      answer({ discounts: [] });
      assert.equal((await order).status, 200);
      assert.deepEqual(await program.ended, { code: 0, signal: null });
      assert.equal(program.records("end").length, 1);
    });
  }

  test("orders under way are answered, new connections are refused, exit code 0", async () => {
    let answer;
    const coupons = await startService(() => new Promise((resolve) => (answer = resolve)));
    const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: folder, COUPONS_URL: coupons.url });
    const url = await program.url;
    const order = price(url, WITH_COUPON);
    await until("the service is asked", () => coupons.asked.length === 1);
    program.child.kill("SIGTERM");
    await until("nobody listens", async () => !(await isListening(url)));
    answer({ discounts: [{ coupon: "C1", discount: 5 }] });
    const { status, body } = await order;
    assert.deepEqual([status, body.grandTotal], [200, TOTAL - 5]);
    assert.deepEqual(await program.ended, { code: 0, signal: null });
    assert.deepEqual(program.errors, []);
  });

  test("an order that hangs is given up at its deadline", async () => {
    const coupons = await startService(() => new Promise(() => {}));
    const program = startProgram({ CATALOGUE_DIR: folder, COUPONS_URL: coupons.url, ORDER_DEADLINE_MS: "800" });
    let isOver = false;
    const order = price(await program.url, WITH_COUPON).finally(() => (isOver = true));
    // On a busy machine the deadline may come first: the answer is the same.
    await until("the service is asked", () => coupons.asked.length === 1 || isOver);
    program.child.kill("SIGTERM");
    assert.deepEqual((await order).body, { error: "The order was not priced within 800 ms" });
    assert.deepEqual(await program.ended, { code: 0, signal: null });
  });
});

describe("SIGHUP", { concurrency: 3 }, () => {
  test("reads the file of variables again: a key is rotated without a refused order", async () => {
    const file = path.join(folder, "service.env");
    const write = (keys) => writeFile(file, `API_KEYS=${keys}\n`);
    await write("old");
    const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: folder }, { args: ["--env-file", file] });
    const url = await program.url;
    let key = "old";
    let isOver = false;
    const orders = (async () => {
      while (!isOver) await assertPriced(url, { authorization: `Bearer ${key}` });
    })();
    for (const [index, keys] of ["old,new", "new"].entries()) {
      await write(keys);
      program.child.kill("SIGHUP");
      await until("it is done", () => reloads(program).length === index + 1);
      key = "new";
    }
    isOver = true;
    await orders;
    assert.deepEqual(reloads(program), [DONE, DONE]);
    assert.equal((await price(url, ORDER, { authorization: "Bearer old" })).status, 401);
    assert.equal(program.records("start").length, 6);
    assert.deepEqual(program.records("process"), [], "none has died");

    await write("two words");
    program.child.kill("SIGHUP");
    await until("it is refused", () => reloads(program).length === 3);
    const { message, cause } = program.records("reload").at(-1);
    assert.deepEqual([message, /^Variable API_KEYS: /.test(cause)], ["Nothing was replaced", true]);
    await assertPriced(url, { authorization: "Bearer new" });
  });

  test("those that come meanwhile are one", async () => {
    const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: folder });
    await program.url;
    let sent = 0;
    await until("60 were sent", () => (sent += program.child.kill("SIGHUP")) === 60);
    const done = reloads(program).length;
    await until("the last one is done", () => reloads(program).length > done);
    await wait(3_000); // long enough for several
    const more = reloads(program).length - done;
    assert.ok(more <= 2, `${more} replacements after the last signal`);
  });

  test("old processes that die meanwhile are replaced once", async () => {
    const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: folder });
    await program.url;
    const old = await childrenOf(program);
    program.child.kill("SIGHUP");
    await until("the first new one starts", () => program.records("start").length === 3);
    for (const id of old) process.kill(id, "SIGKILL");
    await until("it is done", () => reloads(program).length === 1);
    await wait(2_500); // longer than the pause before a process that lived shortly is replaced
    const isNew = async () => {
      const now = await childrenOf(program);
      return now.length === 2 && !now.some((id) => old.includes(id));
    };
    await until("there are two new ones", isNew);
    assert.deepEqual(reloads(program), [DONE]);
  });

  test("a process that is just starting is replaced, too: an old key counts no more", async () => {
    const file = path.join(folder, "starting.env");
    await writeFile(file, "API_KEYS=old\n");
    const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: folder }, { args: ["--env-file", file] });
    const url = await program.url;
    const [dead, other] = await childrenOf(program);
    process.kill(dead, "SIGKILL");
    const successor = async () => (await childrenOf(program)).find((id) => id !== dead && id !== other);
    await until("its successor is there", successor);
    const starting = await successor();
    await writeFile(file, "API_KEYS=new\n");
    program.child.kill("SIGHUP");
    await until("it is done", () => reloads(program).length === 1);
    assert.deepEqual(reloads(program), [DONE]);
    await until("the log has all starts", () => program.records("start").length === 5);
    assert.equal((await childrenOf(program)).includes(starting), false);
    for (let count = 0; count < 2; count++) assert.equal((await price(url, ORDER, { authorization: "Bearer old" })).status, 401);
    await assertPriced(url, { authorization: "Bearer new" });
  });

  test("leaves the old processes, which have the prices in memory, if the catalogue cannot be had", async () => {
    const own = await shopFolder();
    const away = `${own}-away`;
    const program = startProgram({ WORKERS: "2", CATALOGUE_DIR: own });
    const url = await program.url;
    const old = await childrenOf(program);
    await assertPriced(url);
    await rename(own, away);
    program.child.kill("SIGHUP");
    await until("it is refused", () => reloads(program).length === 1);
    assert.deepEqual(reloads(program), [["error", "A new process did not start: the others stay as they were"]]);
    assert.ok(
      program
        .records("data")
        .some(({ message }) => message === "The price store did not answer: a process without a version replaces none"),
    );
    assert.deepEqual(await childrenOf(program), old);
    await assertPriced(url);
    await rename(away, own);
    program.child.kill("SIGHUP");
    await until("it is done", () => reloads(program).length === 2);
    assert.deepEqual(reloads(program)[1], DONE);
    await remove(own);
  });

  test("leaves the old processes if a new one does not start", async () => {
    const taken = await startService(() => ({}));
    const file = path.join(folder, "port.env");
    const write = (port) => writeFile(file, `PORT=${port}\n`);
    await write(0);
    const program = startProgram({ CATALOGUE_DIR: folder, PORT: undefined }, { args: ["--env-file", file] });
    const url = await program.url;
    await write(new URL(taken.url).port);
    program.child.kill("SIGHUP");
    await until("it is refused", () => reloads(program).length === 1);
    assert.deepEqual(reloads(program), [["error", "A new process did not start: the others stay as they were"]]);
    await assertPriced(url);
  });
});

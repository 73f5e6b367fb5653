// The files that the command writes: whole, or as they were.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { someOf } from "../effort.js";
import { CLI, file, path, run, start } from "./command.js";

const OLD = "what an earlier run wrote\n";
const PRICED = /^\{"branchId":.*"grandTotal":37\.25,.*\}\n$/;
const order = `${JSON.stringify({ productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 1 }] })}\n`;
const unknown = order.replace("1001", "9");

const price = (...args) => run(["price", "--facts", "facts.json", ...args]);
const content = (name) => readFileSync(path(name), "utf8");
/** What a command may leave beside its output. */
const rest = () => readdirSync(path("out")).filter((name) => name !== "old.ndjson");

mkdirSync(path("out"));
file("facts.json", { prices: { 1001: { price: 37.25 } } });

beforeEach(() => {
  file("order.ndjson", order);
  file("out/old.ndjson", OLD);
});

describe("an output that is also an input is refused, and nothing is lost", () => {
  for (const [kind, link] of [
    ["a hard link", linkSync],
    ["a symbolic link", symlinkSync],
  ]) {
    test(kind, async (context) => {
      link(path("order.ndjson"), path("other-name.ndjson"));
      context.after(() => unlinkSync(path("other-name.ndjson")));
      assert.deepEqual(await price("order.ndjson", "-o", "other-name.ndjson"), {
        code: 2,
        stdout: "",
        stderr: "order-cost: other-name.ndjson is read and cannot be written\n",
      });
      assert.equal(content("order.ndjson"), order);
    });
  }

  test("on a terminal no text of an order controls it; a pipe gets the bytes of the answer", async () => {
    const controls = "\u009b2J\u202e\u2028";
    file("controls.json", { productList: [{ cprcode: 1001, productName: controls, quantity: 1 }] });
    const [shown, piped] = [await run(["price", "controls.json", "-f", "facts.json"], { tty: ["stdout"] }), await price("controls.json")];
    assert.ok(shown.stdout.includes('"productName":"\\u009b2J\\u202e\\u2028"'), shown.stdout);
    assert.ok(piped.stdout.includes(`"productName":"${controls}"`), piped.stdout);
    assert.deepEqual(JSON.parse(shown.stdout), JSON.parse(piped.stdout));
  });

  test("standard input from the file itself gives the right output", () => {
    const script = `"$0" "$1" price --facts facts.json -o order.ndjson < order.ndjson`;
    const { status } = spawnSync("sh", ["-c", script, process.execPath, CLI], { cwd: path(".") });
    assert.equal(status, 0);
    assert.match(content("order.ndjson"), PRICED);
  });
});

describe("the new content takes the old file's place", () => {
  test("with its mode", async () => {
    chmodSync(path("out/old.ndjson"), 0o666); // more than the umask leaves to a new file
    assert.equal((await price("order.ndjson", "-o", "out/old.ndjson")).code, 0);
    assert.match(content("out/old.ndjson"), PRICED);
    assert.equal(statSync(path("out/old.ndjson")).mode & 0o777, 0o666);
    assert.deepEqual(rest(), []);
  });

  test("behind a symbolic link, also one to a file that is not there yet", async (context) => {
    for (const target of ["out/old.ndjson", "out/new.ndjson"]) {
      symlinkSync(target, path("link.ndjson"));
      context.after(() => unlinkSync(path(target)));
      assert.equal((await price("order.ndjson", "-o", "link.ndjson")).code, 0);
      assert.match(content(target), PRICED);
      assert.ok(lstatSync(path("link.ndjson")).isSymbolicLink());
      unlinkSync(path("link.ndjson"));
    }
  });

  test("also when orders failed: each has its line", async () => {
    file("orders.ndjson", unknown + order);
    assert.equal((await price("orders.ndjson", "-o", "out/old.ndjson")).code, 1);
    const [failed, priced] = content("out/old.ndjson").split(/(?<=\n)/);
    assert.equal(failed, '{"error":"No price for 9/1000"}\n');
    assert.match(priced, PRICED);
  });
});

describe("the old file stays, and nothing is beside it", () => {
  const stays = () => {
    assert.equal(content("out/old.ndjson"), OLD);
    assert.deepEqual(rest(), []);
  };

  test("when the input cannot be read to its end", async () => {
    mkdirSync(path("folder"));
    const { code, stderr } = await price("folder", "-o", "out/old.ndjson");
    assert.deepEqual({ code, stderr }, { code: 2, stderr: "order-cost: cannot read folder: illegal operation on a directory\n" });
    stays();
  });

  test("when there are no orders", async () => {
    file("empty.ndjson", "");
    assert.equal((await price("empty.ndjson", "-o", "out/old.ndjson")).code, 2);
    stays();
  });

  test("when the disk takes no more", () => {
    file("many.ndjson", order.repeat(2000));
    const script = `ulimit -f 8; exec "$0" "$1" price --facts facts.json many.ndjson -o out/old.ndjson`;
    const env = { ...process.env, NODE_OPTIONS: "" }; // what measures the tests writes files, too
    const { status, stderr } = spawnSync("bash", ["-c", script, process.execPath, CLI], { cwd: path("."), encoding: "utf8", env });
    assert.deepEqual({ status, stderr }, { status: 2, stderr: "order-cost: cannot write out/old.ndjson: file too large\n" });
    stays();
  });

  for (const signal of someOf(["SIGINT", "SIGTERM", "SIGHUP"])) {
    test(`after ${signal}`, async () => {
      const command = start(["price", "--facts", "facts.json", "-o", "out/old.ndjson"]);
      const ended = once(command, "close");
      command.stdin.on("error", () => {}); // it ends before it has read all
      // More than one read, so that something is written while more is awaited.
      command.stdin.write(order.repeat(5000));
      const sizes = () => rest().map((name) => statSync(path(`out/${name}`)).size);
      while (!sizes().some((size) => size > 0) && command.exitCode === null && content("out/old.ndjson") === OLD) await wait(20);
      command.kill(signal);
      assert.deepEqual(await ended, [null, signal]);
      stays();
    });
  }

  test("in verify --ids, when a side cannot be read", async () => {
    const { code } = await run(["verify", "order.ndjson", dirname(path("facts.json")), "--ids", "out/old.ndjson"]);
    assert.equal(code, 2);
    stays();
  });

  test("in verify --ids, when there are no responses", async () => {
    file("empty.ndjson", "");
    file("empty-too.ndjson", "");
    assert.equal((await run(["verify", "empty.ndjson", "empty-too.ndjson", "--ids", "out/old.ndjson"])).code, 2);
    stays();
  });
});

describe("what is no file takes the output as it comes", () => {
  const shell = (script) => {
    const ran = spawnSync("sh", ["-c", script, process.execPath, CLI], { cwd: path("."), encoding: "utf8" });
    assert.deepEqual({ status: ran.status, stderr: ran.stderr }, { status: 0, stderr: "" });
    return ran.stdout;
  };
  const command = `"$0" "$1" price --facts facts.json order.ndjson -o`;

  test("/dev/stdout as a pipe, and as a file that holds something", () => {
    assert.match(shell(`${command} /dev/stdout | cat`), PRICED);
    assert.match(
      shell(`{ echo before; ${command} /dev/stdout; echo after; } >> out/old.ndjson; cat out/old.ndjson`),
      /^what .*\nbefore\n\{.*\}\nafter\n$/,
    );
  });

  test("/dev/null and a named pipe", () => {
    assert.equal(shell(`${command} /dev/null`), "");
    assert.ok(statSync("/dev/null").isCharacterDevice());
    assert.match(shell(`mkfifo named; cat named & ${command} named; wait`), PRICED);
  });
});

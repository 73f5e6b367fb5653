// The command `npm run data` as an operator types it, on a store of its own: what it prints, and its exit codes.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { main } from "../../worker/data/program.js";
import { allAtNight } from "../effort.js";
import { temporaryFolder } from "../folder.js";
import { run } from "./run.js";

const MAIN = fileURLToPath(new URL("../../worker/data/main.js", import.meta.url));
const SURROUNDINGS = new URL("../../worker/command-line/surroundings.js", import.meta.url).href;

/** A store, and what the commands call it. page-walk.test.js has the one on this machine each day. */
const [STORE, PLACE] = allAtNight(["--dir @store", "in @store"], ["--persist-to @store", "on this machine"]);

const folder = temporaryFolder();
const path = (name) => join(folder, name);
before(async () => {
  for (const store of ["store", "empty"]) await mkdir(path(store));
});

const write = (name, lines) => writeFile(path(name), `${lines.join("\n")}\n`);

/** Runs a command line. Its output has the test's folder left out. */
async function data(line, store = STORE, more = {}) {
  const stored = /--help|--remote|--dir/.test(line) ? line : `${line} ${store}`;
  const words = stored.split(" ").map((word) => word.replace(/^@/, `${folder}/`));
  const { code, out, err } = await run(main, words, more);
  const short = (text) => text.replaceAll(`${folder}/`, "@").replaceAll(` ${store}`, "");
  return { code, out: short(out), err: short(err) };
}

const HEADER = "cprcode,branchId,price";

async function built(name, rows, options = "--no-zones") {
  await write(`${name}.csv`, [HEADER, ...rows]);
  const { code, err } = await data(`build --prices @${name}.csv ${options} --out @${name}`);
  assert.equal(code, 0, err);
  return JSON.parse(await readFile(path(`${name}/manifest.json`), "utf8")).id;
}

describe("wrong usage", () => {
  for (const [line, message] of [
    ["build --prices x.csv", "required option '--out <folder>' not specified"],
    ["build --out @x", "expected --prices FILE"],
    ["build --prices x.csv --remove y.csv --out @x", "--remove: expected --onto current beside it"],
    ["build --onto 123 --prices x.csv --out @x", "Expected current."],
    ["build --prices x.csv --map cost=Price --out @x", "Expected column=name, with a column of cprcode, branchId, price,"],
    ["diff @x --max-change much", "Expected a percentage such as 30%."],
    ["activate", "expected the id of a version, or --cancel"],
    ["activate 0123456789abcdef --cancel", "--cancel: expected no version and no --at beside it"],
    ["activate --cancel --at 2026-12-01T00:00:00Z", "--cancel: expected no version and no --at beside it"],
    ...["tomorrow", "2026-12-01", "2026-12-01T00:00:00", "2026-02-30T00:00:00Z", "2026-12-01T25:00:00+07:00"].map((time) => [
      `activate 0123456789abcdef --at ${time}`,
      "Expected a time with its zone, such as 2026-12-01T00:00:00+07:00.",
    ]),
    ["gc", "required option '--keep <n>' not specified"],
    ["gc --keep -1", "Expected a whole number."],
    ["status --remote", "--remote: expected --env NAME, an environment of wrangler.jsonc"],
    ["status --remote --env production --local", "expected --local or --remote, got both"],
    ["status --env production", "--env: expected --remote beside it"],
    ["status --dir @x --remote --env staging", "--dir: expected no --remote beside it"],
    ["status --dir @x --env staging", "--dir: expected no --env beside it"],
    ["status --dir @x --local", "--dir: expected no --local beside it"],
    ["status --dir @x --persist-to @y", "--dir: expected no --persist-to beside it"],
    ["status --dir ", "--dir: expected a folder"],
    ["rollback --force", "unknown option '--force'"],
    ["publish", "unknown command 'publish'"],
  ]) {
    it(line, async () => {
      const { code, err } = await data(line, "--persist-to @store");
      assert.equal(code, 2);
      assert.ok(err.startsWith("data: ") && err.includes(message), err);
    });
  }

  it("an option that npm took for its own", async () => {
    const ran = await run(main, ["rollback"], { env: { npm_config_remote: "true" } });
    assert.deepEqual(ran, {
      code: 2,
      out: "",
      err: "data: npm took --remote for itself: write -- before the command, as in npm run data -- status\n",
    });
  });

  it("--help shows the way from a file to the orders", async () => {
    const { code, out } = await data("--help");
    assert.equal(code, 0);
    for (const command of ["build", "diff", "push", "activate", "rollback", "status", "gc"]) assert.ok(out.includes(command));
  });
});

describe("the commands", () => {
  it("have colours on a terminal only, and neither with NO_COLOR nor with --no-color", async () => {
    const tty = `data:text/javascript,${encodeURIComponent("process.stdout.isTTY = true;")}`;
    const { NO_COLOR, ...environment } = { ...process.env, TERM: "xterm" };
    const onTerminal = ["--import", tty];
    const node = (args, env) =>
      new Promise((resolve, reject) => {
        const done = (error, out) => (error ? reject(error) : resolve(out));
        execFile(process.execPath, args, { env: { ...environment, CI: "1", ...env } }, done);
      });
    await write("colours.csv", [HEADER, "1,1000,100"]);
    const build = ["build", "--prices", path("colours.csv"), "--no-zones", "--out", path("colours")];
    assert.ok((await node([...onTerminal, MAIN, ...build])).includes("\x1b["));
    const asked = `import { processSurroundings } from "${SURROUNDINGS}"; console.log(String(processSurroundings().hasColours));`;
    const hasColours = async (args = [], env = {}, options = onTerminal) =>
      (await node([...options, "--input-type=module", "--eval", asked, "--", ...args], env)).trim();
    assert.equal(await hasColours(), "true");
    assert.equal(await hasColours([], {}, []), "false");
    assert.equal(await hasColours([], { NO_COLOR: "1" }), "false");
    assert.equal(await hasColours(["--no-color"]), "false");
    assert.equal(await hasColours([], { npm_config_color: "" }), "false"); // npm run data build --no-color
    for (const line of [
      [...build, "--no-color"],
      ["--no-color", ...build],
    ])
      assert.equal((await run(main, line)).code, 0);
  });

  it("publish, switch and roll back versions, and say so", async () => {
    assert.match((await data("status")).out, /^No version is in use: build, push and activate one\./);

    const first = await built("first", ["1,1000,100", "2,1000,200"]);
    const pushed = await data("push @first");
    assert.deepEqual(pushed, {
      code: 0,
      out: `${first} is published ${PLACE}: 2 texts uploaded\n\nNext: npm run data -- activate ${first}\n`,
      err: "",
    });
    assert.ok((await data("push @first")).out.includes(`is published already ${PLACE}: 0 texts uploaded, 2 there already`));
    assert.equal((await data(`activate ${first} --note start`)).out, `${first} is in use ${PLACE}\n`);
    assert.equal((await data(`activate ${first}`)).out, `${first} is in use already ${PLACE}\n`);

    const second = await built("second", ["2,1000,210"], "--onto current");
    const compared = await data("diff @second");
    assert.equal(compared.code, 0);
    assert.equal(
      compared.out,
      `${second}, against 2 records in use
  0 records added, 0 removed, 1 changed
  delivery zones: the same

The largest price changes:
             2 at 1000: 200 → 210 THB (+5%)
`,
    );
    await data("push @second");
    assert.equal((await data(`activate ${second}`)).out, `${second} is in use ${PLACE}, in place of ${first}\n`);

    const third = await built("third", ["1,1000,900"]);
    const tooMuch = await data("diff @third");
    assert.equal(tooMuch.code, 1);
    assert.equal(tooMuch.err, "1 price changes by more than 30% (--max-change)\n1 of 2 records goes, 50%: more than 5% (--max-removed)\n");
    assert.equal((await data("diff @third --max-change 800% --max-removed 50%")).code, 0);
    await data("push @third");
    const refused = await data(`activate ${third}`);
    assert.equal(refused.code, 1);
    assert.match(
      refused.err,
      new RegExp(`^data: ${third} was not activated: 1 price changes by more than 30% .*--force passes the limits`),
    );
    assert.equal((await data(`activate ${third} --force`)).code, 0);

    assert.equal((await data("rollback")).out, `${second} is in use again ${PLACE}, in place of ${third}\n`);
    assert.equal((await data("rollback")).out, `${first} is in use again ${PLACE}, in place of ${second}\n`);
    const { code, err } = await data("rollback");
    assert.deepEqual([code, err], [1, `data: ${first} has no predecessor left: activate another version by its id\n`]);

    const shown = (await data("status")).out;
    assert.match(shown, new RegExp(`^In use: ${first} since `));
    for (const id of [second, third]) assert.match(shown, new RegExp(`${id} .*rolled back`));

    const told = (await data("status --history")).out;
    assert.match(told, new RegExp(`UTC  back to ${first}, from ${second}\n  by Ann\n\n`));
    assert.match(told, new RegExp(`UTC  ${first} activated\n  by Ann: start\n$`));

    const collected = (await data("gc --keep 0")).out.split("\n");
    assert.match(collected.at(-2), /^No version and 0 texts deleted; 3 versions and \d+ texts stay$/);
    assert.ok(
      collected.some((line) => line.startsWith(`${second} of 20`) && line.includes(" stays: in use until ")),
      collected.join("\n"),
    );
  });

  it("plan a switch, take it back, and say what drops it", async () => {
    const ids = [];
    for (const [name, price] of [
      ["one", 100],
      ["two", 110],
      ["three", 120],
    ]) {
      ids.push(await built(name, [`1,1000,${price}`]));
      await data(`push @${name}`, "--dir @planned");
    }
    const [one, two, three] = ids;
    const plan = (id, more = "") => data(`activate ${id} --at 2126-12-01T00:00:00+07:00${more}`, "--dir @planned");
    assert.match((await plan(one)).err, /^data: nothing readable is in use until then/);
    await data(`activate ${one}`, "--dir @planned");
    const time = "2126-11-30 17:00:00 UTC";
    assert.equal((await plan(two)).out, `${two} is planned for ${time} in @planned, in place of ${one}\n`);
    assert.match((await data("status", "--dir @planned")).out, new RegExp(`\nPlanned: ${two} from ${time}\n  by Ann\n`));
    assert.equal(
      (await data("activate --cancel --note wait", "--dir @planned")).out,
      `The plan of ${two} for ${time} is taken back: ${one} stays in use in @planned\n`,
    );
    assert.match((await data("activate --cancel", "--dir @planned")).err, /^data: nothing is planned\n$/);
    await plan(two);
    assert.equal(
      (await data(`activate ${three}`, "--dir @planned")).out,
      `${three} is in use in @planned, in place of ${one}\nnote ${two} is not planned for ${time} any more\n`,
    );
    await plan(two);
    assert.match((await data("rollback", "--dir @planned")).out, new RegExp(`^${one} is in use again .*\nnote ${two} is not planned`));
    const planAt = (now) => data(`activate ${two} --at 2126-12-01T00:00:00+07:00`, "--dir @planned", { now: () => new Date(now) });
    const late = await planAt("2126-11-30T17:00:00Z");
    assert.deepEqual(late, {
      code: 1,
      out: "",
      err: "data: --at 2126-11-30T17:00:00.000Z has passed: without --at the version is in use at once\n",
    });
    assert.equal((await planAt("2126-11-30T16:59:59Z")).out, `${two} is planned for ${time} in @planned, in place of ${one}\n`);
    await data("activate --cancel", "--dir @planned");
    const dry = (await data("gc --keep 1 --dry-run", "--dir @planned")).out;
    assert.match(
      dry,
      new RegExp(`${three} of .* stays: one of the 1 newest; in use until |${three} of .* stays: in use until .*; one of the 1 newest`),
    );
    assert.match(dry, new RegExp(`${two} would go\n`));
  });

  it("report every fault of a file, and write nothing", async () => {
    await write("faulty.csv", [HEADER, '1,1000,"1,299.00"', "2,1000,5", "2,1000,6"]);
    assert.deepEqual(await data("build --prices @faulty.csv --no-zones --out @faulty"), {
      code: 1,
      out: "",
      err: `@faulty.csv:2: price: expected an amount as a JSON number, such as 12.5, got "1,299.00"
@faulty.csv:4: cprcode: expected each product once a branch, got 2 at branch 1000 again, as in @faulty.csv:3

2 faults: nothing was written
`,
    });
  });

  it("leave nothing behind when a build is interrupted", async () => {
    const rows = Array.from({ length: 400_000 }, (_, index) => `${index},1000,5`);
    await write("long.csv", [HEADER, ...rows]);
    const child = execFile(process.execPath, [MAIN, "build", "--prices", path("long.csv"), "--no-zones", "--out", path("long")]);
    const ended = new Promise((resolve) => child.on("exit", resolve));
    const building = async () => (await readdir(folder)).filter((name) => name.startsWith("long."));
    while ((await building()).length < 2) await wait(10);
    child.kill("SIGINT");
    assert.equal(await ended, 130);
    assert.deepEqual(await building(), ["long.csv"]);
  });

  it("fail with a sentence", async () => {
    for (const [line, message] of [
      ["build --prices @nowhere.csv --no-zones --out @x", /^data: cannot read @nowhere\.csv: /],
      ["build --prices @faulty.csv --onto current --out @x", /^data: nothing is in use yet: build without --onto current\n$/],
      ["diff @nowhere", /^data: @nowhere holds no version: expected the folder that build --out names\n$/],
      ["push @nowhere", /^data: @nowhere holds no version/],
      ["activate 0123456789abcdef", /^data: 0123456789abcdef is not published: push it first/],
      ["rollback", /^data: nothing is in use yet/],
    ]) {
      const { code, err } = await data(line, "--dir @empty");
      assert.equal(code, 1, line);
      assert.match(err, message);
    }
  });

  it("of an account name a missing environment and a placeholder", async () => {
    for (const [env, message] of [
      ["nowhere", /^data: wrangler\.jsonc has no environment "nowhere": expected staging or production\n$/],
      ["production", /^data: wrangler\.jsonc, env\.production: CATALOGUE still has the placeholder "<id of the namespace>"/],
    ]) {
      const { code, err } = await data(`status --remote --env ${env}`);
      assert.equal(code, 1);
      assert.match(err, message);
    }
  });
});

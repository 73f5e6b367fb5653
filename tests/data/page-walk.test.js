// The commands of the page "Prices and zones", typed from its top to its end, with the files that it shows.
import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { capture, ZONES } from "../package/captured.js";
import { blocksOf } from "../package/snippets.js";
import { copyCommands } from "./copied-commands.js";
import { typist } from "./typed.js";

const PAGE = fileURLToPath(new URL("../../www/docs/service/data.md", import.meta.url));
const blocks = blocksOf(PAGE);
const text = await readFile(PAGE, "utf8");

/** What an order of the product on the page is priced from, before its price changes. */
const RECORD = '{"price":50.50,"originalPrice":55,"weight":1}';
const ORDER = { productList: [{ cprcode: 110001, productName: "Rice", quantity: 2 }] };

const codeUnder = (heading, language = "sh") => {
  const found = blocks.filter((block) => block.heading === heading && block.language === language);
  assert.equal(found.length, 1, heading);
  return found[0].code;
};

/** The id that `build` prints. */
const idIn = (stdout) => stdout.match(/^[0-9a-f]{16}\b/m)[0];

const inText = (command) => {
  assert.ok(text.includes(`\`${command}`), command);
  return command;
};

test("versions: the first, one price changed, refused for its money, planned, taken back", async (context) => {
  const { worker, untracked } = await copyCommands(context);
  const before = untracked();
  const { inBash, type } = await typist(context, worker);
  await writeFile(join(worker, "prices.csv"), codeUnder("The files", "csv"));
  await writeFile(join(worker, "zones.geojson"), JSON.stringify(ZONES));

  const publishing = codeUnder("Prices and zones");
  const [building, switching] = publishing.split(/(?=^npm run data -- diff)/m);
  const first = idIn((await inBash(building)).stdout);
  await type(switching.replace("<id>", first));

  const built = await type(codeUnder("One price"));
  const second = idIn(built.stdout);
  assert.doesNotMatch(built.stdout + built.stderr, /weight/, "the row keeps the weight");
  await type("npm run data -- push catalogue");

  await mkdir(join(worker, "captures"));
  await writeFile(join(worker, "captures/17"), await capture("r-17", ORDER, { answers: { lookupPrices: () => [RECORD] } }));
  const gate = codeUnder("Limits").replace("<id>", second);
  await assert.rejects(type(gate), /moves more of the captured money than --max-impact 0\.5%, and --force does not pass that/);
  assert.match(await readFile(join(worker, "impact.html"), "utf8"), /110001/);

  const [planning, cancelling] = codeUnder("A switch at a later time").trim().split("\n");
  await type(planning.replace("<id>", second));
  assert.match((await type("npm run --silent data -- status")).stdout, /2030-11-30 17:00/);
  await type(cancelling);

  const switched = await type(`npm run data -- activate ${second}`);
  assert.equal(switched.stdout, `${second} is in use on this machine, in place of ${first}\n`, "the gate has left what was in use");
  const back = await type(inText("npm run data -- rollback"));
  assert.equal(back.stdout, `${first} is in use again on this machine, in place of ${second}\n`);
  assert.match((await type(`npm run --silent data -- ${inText("status --history")}`)).stdout, new RegExp(`back to ${first}`));
  await type(`npm run data -- ${inText("gc --keep 5")} --dry-run`);
  assert.equal(untracked(), before, "git ignores what the commands make");
});

test("a folder as the store: the files have the names that the page gives `cache-control` for", async (context) => {
  const { worker } = await copyCommands(context);
  await writeFile(join(worker, "prices.csv"), codeUnder("The files", "csv"));
  await writeFile(join(worker, "zones.geojson"), JSON.stringify(ZONES));
  const [building, , pushing, activating] = codeUnder("Prices and zones")
    .trim()
    .split("\n")
    .map((line) => `${line} --dir public`);
  const { type } = await typist(context, worker);
  const id = idIn((await type(building)).stdout);
  await type(`${pushing}\n${activating.replace("<id>", id)}`);
  const names = await readdir(join(worker, "public"));
  const fixed = ["history", "layer", "shard", "zones"]; // named by their content
  assert.deepEqual(names.filter((name) => !fixed.includes(name)).toSorted(), ["current", "pushing", "version"]);
  assert.equal(JSON.parse(await readFile(join(worker, "public/current"), "utf8")).id, id);
});

test("no command of the page is left out", () => {
  const tried = ["Prices and zones", "One price", "Limits", "A switch at a later time"];
  assert.deepEqual(
    blocks.filter(({ language }) => language === "sh").map(({ heading }) => heading),
    tried,
  );
});

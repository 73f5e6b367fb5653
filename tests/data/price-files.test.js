// Price files as shops write them: what is broken is a fault that says where, and nothing of it is published or lost in silence.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { main } from "../../worker/data/program.js";
import { temporaryFolder } from "../folder.js";
import { run } from "./run.js";

const folder = temporaryFolder();

let files = 0;

/** Writes files of rows. */
async function written(...texts) {
  const names = texts.map(() => join(folder, `${(files += 1)}.csv`));
  await Promise.all(names.map((name, index) => writeFile(name, texts[index])));
  return names;
}

/** Types a command; F stands for the file of prices in what it prints. */
async function typed(args, prices) {
  const { code, out, err } = await run(main, args);
  return {
    code,
    out,
    faults: err
      .split("\n")
      .filter((line) => line && !line.startsWith("note "))
      .map((line) => line.replaceAll(prices, "F")),
  };
}

/** Builds a version of a file of prices. */
async function built(text, ...args) {
  const [prices] = await written(text);
  return typed(["build", "--prices", prices, "--no-zones", "--out", join(folder, `out-${files}`), ...args], prices);
}

async function assertFaults(text, faults, ...args) {
  const { code, faults: found } = await built(text, ...args);
  assert.deepEqual([code, found], [1, [...faults, `${faults.length} fault${faults.length === 1 ? "" : "s"}: nothing was written`]]);
}

async function assertRead(text, lines, rows, ...args) {
  const { code, out, faults } = await built(text, ...args);
  assert.deepEqual([code, faults], [0, []]);
  assert.ok(out.includes(`  read: ${lines} lines, ${rows} row`), out);
}

const HEAD = "cprcode,branchId,name,price\n";

describe("quotes", () => {
  const QUOTE = 'expected a quote inside a quoted cell to be doubled, as in "TV 55""": nothing behind it was read';

  for (const [what, rows] of [
    ["inch marks in quoted names", '1,1000,"TV 55"",15990\n2,1000,"TV 65"",19990\n3,1000,"Cable",190\n'],
    ["a word in quotes in a quoted name", '1,1000,"the "best" rice",50\n'],
    ["text behind a quoted cell", '1,1000,"rice" 5 kg,50\n'],
  ]) {
    it(`${what}: a fault on the row's line`, () => assertFaults(HEAD + rows, [`F:2: ${QUOTE}`]));
  }

  it("that are doubled, or inside an unquoted cell, are data", async () => {
    await assertRead(`${HEAD}1,1000,"TV 55""",50\n2,1000,5" pipe,60\n3,1000,"""Best"" rice",70\n4,1000,"",80\n`, 5, 4);
  });

  for (const [what, rows, line] of [
    ["two stray ones around rows", '1,1000,"TV,15990\n2,1000,Cable,190\n3,1000,Radio",900\n', 3],
    ["two stray ones in rows that follow each other", '1,1000,"TV,15990\n3,1000,Radio",900\n', 3],
    ["two stray ones and CRLF", '1,1000,"TV,15990\r\n2,1000,Cable,190\r\n3,1000,Radio",900\r\n', 3],
    ["two stray ones around a faulty row", '1,1000,"TV,15990\n2,\'1000,Cable,free\n3,1000,Radio",900\n', 3],
  ]) {
    const fault = `F:2: expected a closing quote, got line ${line}, which is a row, inside a cell; --line-breaks allows it`;
    it(`${what} swallow them: a fault`, () => assertFaults(HEAD + rows, [fault]));
  }

  it("two stray ones before the key swallow its row: a fault", () =>
    assertFaults('name,cprcode,branchId,price\n"TV,1,1000,15990\nRadio, red",2,1000,900\n', [
      "F:2: expected a closing quote, got line 2, which is a row, inside a cell; --line-breaks allows it",
    ]));

  it("around lines that are no rows are data, and --line-breaks takes also rows", async () => {
    await assertRead(`${HEAD}1,1000,"two\nlines, of text",50\n`, 3, 1);
    await assertRead(`${HEAD}1,1000,"like\n2,1000,a row,60\n",50\n`, 4, 1, "--line-breaks");
  });
});

describe("--map", () => {
  const MAP = "SKU,Store,Price,Kg,Alcohol\n1,1000,50.00,1.2,true\n";
  const key = "cprcode=SKU,branchId=Store";

  for (const [map, message] of [
    [`${key},price=Price,weight=kg`, "data: --map weight=kg: expected the name of a column: F has SKU, Store, Price, Kg, Alcohol"],
    [`${key},price=Price,price=Kg`, /Expected price once\./],
    ["weight=price", /Expected price for weight or price, got both: only prices may share a column\./],
    [
      `${key},price=Price,weight=Kg,isControlledProduct=Kg`,
      /Expected Kg for weight or isControlledProduct, got both: only prices may share a column\./,
    ],
  ]) {
    it(`${map}: wrong usage`, async () => {
      const { code, faults } = await built(MAP, "--map", map);
      assert.equal(code, 2);
      if (typeof message === "string") assert.deepEqual(faults, [message]);
      else assert.match(faults[0], message);
    });
  }

  it("of a member that no line of NDJSON has: wrong usage", async () => {
    const { code, faults } = await built('{"SKU":1,"branchId":"1000","price":5}\n', "--map", "cprcode=SKU,weight=kg");
    assert.deepEqual([code, faults], [2, ["data: --map weight=kg: expected the name of a column: F has SKU, branchId, price"]]);
  });

  it("may name a column for two prices", () => assertRead(MAP, 2, 1, "--map", `${key},price=Price,originalPrice=Price`));

  it("of the prices stays right beside --remove", async () => {
    const dir = join(folder, "shop-map");
    await publish(dir, MAP, "--map", `${key},price=Price,weight=Kg`);
    const [remove] = await written("SKU,Store\n1,1000\n");
    const out = join(folder, `out-${files}`);
    const { code, faults } = await typed(
      ["build", "--remove", remove, "--onto", "current", "--dir", dir, "--out", out, "--map", `${key},price=Price,weight=Kg`],
      remove,
    );
    assert.deepEqual([code, faults], [0, []]);
  });
});

describe("faults of one kind", () => {
  it("are shown ten times and then counted, so that they hide no other", async () => {
    const rows = Array.from({ length: 1012 }, (_, code) => (code === 1005 ? "1005,1000,free,\n" : `${code},1000,50,yes\n`)).join("");
    const flag = (line) => `F:${line}: isControlledProduct: expected true or false, got "yes"`;
    const { code, faults } = await built(`cprcode,branchId,price,isControlledProduct\n${rows}`);
    assert.deepEqual(
      [code, faults],
      [
        1,
        [
          ...Array.from({ length: 10 }, (_, index) => flag(index + 2)),
          'F:1007: price: expected an amount as a JSON number, such as 12.5, got "free"',
          "… and 1,001 more: F: isControlledProduct: expected true or false",
          "1,012 faults: nothing was written",
        ],
      ],
    );
  });
});

describe("a name with a space that nobody sees", () => {
  const text = "cprcode,สาขา ,Unit\u00a0Price\n1,1000,50\n";

  it("is shown in quotes where the columns are listed", async () => {
    const { code, faults } = await built(text, "--map", "price=Price");
    assert.deepEqual(
      [code, faults],
      [2, ['data: --map price=Price: expected the name of a column: F has cprcode, "สาขา ", "Unit\\u00a0Price"']],
    );
    assert.deepEqual((await built(text, "--map", "price=Price ")).faults, [
      'data: --map price="Price ": expected the name of a column: F has cprcode, "สาขา ", "Unit\\u00a0Price"',
    ]);
  });

  it("can be mapped", () => assertRead(text, 2, 1, "--map", "branchId=สาขา , price=Unit\u00a0Price"));
});

describe("headers that are nearly right", () => {
  const fault = (column, got, line = 1) =>
    `F:${line}: expected the column ${column}, got ${JSON.stringify(got).replaceAll("\u200b", "\\u200b")}: rename it; --ignore passes it by`;

  for (const [name, column] of [
    ["Weight", "weight"],
    ["weight ", "weight"],
    ["weight\u200b", "weight"],
    ["WEIGHT", "weight"],
    ["wieght", "weight"],
    ["weigth_", "weight"],
    ["height", "weight"],
    ["original_price", "originalPrice"],
    ["Original Price", "originalPrice"],
    ["orignalPrice", "originalPrice"],
    ["Price", "price"],
  ]) {
    it(`${JSON.stringify(name)}: a fault, unless --ignore names it`, async () => {
      const text = `cprcode,branchId,price,${name}\n1,1000,50,1\n`;
      await assertFaults(text, [fault(column, name)]);
      await assertRead(text, 2, 1, "--ignore", name);
    });
  }

  it("each has its own fault, also where a column is missing for it", async () => {
    await assertFaults("CprCode,branch_id,price\n1,1000,50\n", [fault("cprcode", "CprCode"), fault("branchId", "branch_id")]);
  });

  it("in NDJSON, on the line where it stands first", async () => {
    await assertFaults('{"cprcode":1,"branchId":"1000","price":5}\n{"cprcode":2,"branchId":"1000","price":5,"Weight":1}\n', [
      fault("weight", "Weight", 2),
    ]);
    await assertFaults('{"cprcode":1,"branchId":"1000","price":5,"price":6}\n', ['F:1: "price": expected each name once']);
  });

  it("that resemble a column that is there are ignored with a notice", () =>
    assertRead("cprcode,branchId,price,weight,height\n1,1000,50,1,20\n", 2, 1));

  it("--ignore of a name that no file has is wrong usage", async () => {
    const { code, faults } = await built("cprcode,branchId,price\n1,1000,50\n", "--ignore", "barcode");
    assert.deepEqual([code, faults], [2, ["data: --ignore barcode: expected a name in the files that is not that of a column"]]);
  });
});

describe("codes that a spreadsheet has touched", () => {
  for (const branchId of [
    "1000.0",
    "1E+03",
    "1.5e+3",
    "#N/A",
    "#REF!",
    "#NAME?",
    "#DIV/0!",
    "########",
    '="1000"',
    "'1000",
    "1000\u200b",
    "10\u00ad00",
    "\u202e1000",
  ]) {
    it(`${JSON.stringify(branchId)}: a fault, unless --allow-branch names it`, async () => {
      const cell = `"${branchId.replaceAll('"', '""')}"`;
      const shown = JSON.stringify(branchId).replaceAll(
        /[\u00ad\u200b\u202e]/g,
        (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
      const text = `cprcode,branchId,price\n1,1000,50\n2,${cell},51\n`;
      await assertFaults(text, [`F:3: branchId: expected a branch as the orders name it, got ${shown}; --allow-branch takes it as it is`]);
      await assertRead(text, 3, 2, "--allow-branch", branchId);
    });
  }

  it("in cprcode they are faults, with what nobody sees", async () => {
    await assertFaults("cprcode,branchId,price\n1.0,1000,50\n2\u200b,1000,51\n3,1000\u00a0,52\n", [
      'F:2: cprcode: expected an integer of at most 16 digits, without leading zeros, got "1.0"',
      'F:3: cprcode: expected an integer of at most 16 digits, without leading zeros, got "2\\u200b"',
      'F:4: branchId: expected a text of 1 to 128 characters in UTF-8, without white space around it, got "1000\\u00a0"',
    ]);
  });

  it("branches such as ร้าน 1, 12e5, A#1 or True are right, and stay as they are", async () => {
    const dir = join(folder, "shop-named");
    const { out } = await publish(dir, "cprcode,branchId,price\n1,ร้าน 1,5\n1,12e5,5\n1,A#1,5\n1,True,5\n");
    assert.deepEqual(Object.keys(JSON.parse(await readFile(join(out, "manifest.json"), "utf8")).branches), [
      "12e5",
      "A#1",
      "True",
      "ร้าน 1",
    ]);
  });
});

describe("what spreadsheets write", () => {
  const SAVE = 'save it as "CSV UTF-8"';
  const ZEROS = "bytes of 0, as in a workbook or in UTF-16 without a byte order mark";
  const WINDOWS_874 = "what looks like Thai in Windows-874 (TIS-620)";
  /** Windows-874 has the Thai block of Unicode from 0xA1 on. */
  const thai = (text) =>
    Buffer.from(
      text.replaceAll(/[\u0e01-\u0e5b]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xe00 + 0xa0)),
      "latin1",
    );

  const utf16le = (text) => Buffer.from(`\ufeff${text}`, "utf16le");
  const NAMED = "cprcode,branchId,name,price\r\n1,ร้าน 1,ข้าว 😀,50\r\n2,ร้าน 1,x,51\r\n";
  for (const [what, text] of [
    ["UTF-16", utf16le(NAMED)],
    ["UTF-16, the high byte first", utf16le(NAMED).swap16()],
    ["UTF-16 with tabs, as Excel's Unicode Text", utf16le(NAMED.replaceAll(",", "\t"))],
    ["UTF-8 with a byte order mark", `\ufeff${NAMED}`],
    ["NDJSON in UTF-16", utf16le([1, 2].map((cprcode) => JSON.stringify({ cprcode, branchId: "ร้าน 1", price: 50 })).join("\r\n"))],
  ]) {
    it(`${what} is read`, async () => {
      const { code, out, faults } = await built(text);
      assert.deepEqual([code, faults], [0, []]);
      assert.match(out, /2 records in 1 branch\n/);
      assert.deepEqual(Object.keys(JSON.parse(await readFile(join(folder, `out-${files}`, "manifest.json"), "utf8")).branches), ["ร้าน 1"]);
    });
  }

  it("of UTF-16 the lines and texts of faults are right, also behind the first part that is read", () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `${index},1000,ข้าวหอมมะลิ ${index},50\r\n`).join("");
    return assertFaults(utf16le(`${HEAD}${rows}1,1001,"two\r\nlines",50\r\n2,1001,x,ห้า\r\n`), [
      'F:20004: price: expected an amount as a JSON number, such as 12.5, got "ห้า"',
    ]);
  });

  it("a large file is read in parts, whose borders split no character and no line", async () => {
    const line = (code) => JSON.stringify({ cprcode: code, branchId: "1000", price: 50, name: "ข้าวหอมมะลิ😀".repeat((code % 7) + 1) });
    for (const end of ["\n", "\r\n", "\r"])
      await assertRead(Array.from({ length: 5000 }, (_, code) => line(code)).join(end), "5,000", "5,000");
    await assertRead(
      `${HEAD}${Array.from({ length: 5000 }, (_, code) => `${code},1000,${"ข้าวหอมมะลิ😀".repeat((code % 7) + 1)},50\n`).join("")}`,
      "5,001",
      "5,000",
    );
  });

  it("is taken: a line that names the separator, TRUE and FALSE, rows of empty cells", () =>
    assertRead("\ufeffsep=;\r\ncprcode;branchId;price;isControlledProduct\r\n1;1000;50;TRUE\r\n2;1000;51;False\r\n;;;\r\n ; ;;\r\n", 6, 2));

  for (const [what, text, sentence] of [
    [
      "UTF-16 without its mark",
      Buffer.from("cprcode,branchId,price\n1,1000,50\n", "utf16le"),
      `data: F:1: expected UTF-8, got ${ZEROS}: ${SAVE}`,
    ],
    ["a workbook", Buffer.from("504b0304140000000800", "hex"), `data: F:1: expected UTF-8, got ${ZEROS}: ${SAVE}`],
    [
      "Thai in Windows-874",
      thai("cprcode,branchId,name,price\n1,1000,rice,50\r\n2,1000,ข้าว,51\n"),
      `data: F:3: expected UTF-8, got ${WINDOWS_874}: ${SAVE}`,
    ],
    ["a Thai header in Windows-874", thai("cprcode,สาขา,price\n1,1000,50\n"), `data: F:1: expected UTF-8, got ${WINDOWS_874}: ${SAVE}`],
    [
      "NDJSON in Windows-874",
      thai('{"cprcode":1,"branchId":"1000","price":5}\n\n{"cprcode":1,"branchId":"ร้าน","price":5}\n'),
      `data: F:3: expected UTF-8, got ${WINDOWS_874}: ${SAVE}`,
    ],
    [
      "Windows-1252",
      Buffer.from("cprcode,branchId,name,price\n1,1000,café,50\n", "latin1"),
      `data: F:2: expected UTF-8, got other bytes: ${SAVE}`,
    ],
    [
      "a character that is cut off",
      Buffer.from("cprcode,branchId,price,name\r1,1000,50,ก").subarray(0, -1),
      `data: F:2: expected UTF-8, got other bytes: ${SAVE}`,
    ],
    ["a JSON array", '[{"cprcode":1,"branchId":"1000","price":5}]', "data: F:1: expected CSV, or one JSON object a line, got a JSON array"],
    ["a file without a header", "1,1000,50\n2,1000,51\n", 'data: F:1: expected a line of column names, got a row: "1, 1000, 50"'],
  ]) {
    it(`${what} is told what is expected`, async () => {
      const { code, faults } = await built(text);
      assert.deepEqual([code, faults], [1, [sentence]]);
    });
  }

  it("rows of empty cells above the names are passed by", () => assertRead("\n,,\ncprcode,branchId,price\n1,1000,50\n", 4, 1));

  it("prices of 0 and those with the tail of a double are counted, with the first of each", async () => {
    const noted = async (text) => {
      const [prices] = await written(text);
      const { code, err } = await run(main, ["build", "--prices", prices, "--no-zones", "--out", join(folder, `out-${files}`)]);
      return [code, err.replaceAll(prices, "F")];
    };
    const rows = ["1,1000,50,0,0.00", "2,1000,0,60,", "3,1000,50.12345,60,37.300000000000004", "4,1000,37.30000000000,60.1234,"];
    assert.deepEqual(await noted(`cprcode,branchId,price,originalPrice,settlementPrice\n${rows.join("\n")}\n`), [
      0,
      "note F: 3 prices are 0 (first: originalPrice in line 2); 2 prices have more than 4 decimal places (first: price in line 4, 50.12345)\n",
    ]);
    const one = '{"cprcode":1,"branchId":"1000","price":0e5,"weight":0}\n{"cprcode":2,"branchId":"1000","price":1e-5,"weight":0.1234567}\n';
    assert.deepEqual(await noted(one), [
      0,
      "note F: 1 price is 0 (first: price in line 1); 1 price has more than 4 decimal places (first: price in line 2, 0.00001)\n",
    ]);
    assert.deepEqual(await noted("cprcode,branchId,price\n1,1000,50.5\n2,1000,0.0001\n"), [0, ""]);
  });

  it("commas between objects are faults that say so", () =>
    assertFaults('{"cprcode":1,"branchId":"1000","price":5},\n', ["F:1: expected a JSON object without a comma behind it"]));

  it("a pipe or a folder in a file's place is a sentence", async () => {
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const subfolder = join(folder, "subfolder");
    await mkdir(subfolder);
    for (const place of [pipe, subfolder]) {
      const { code, err } = await run(main, ["build", "--prices", place, "--no-zones", "--out", join(folder, "out")]);
      assert.deepEqual([code, err], [1, `data: cannot read ${place}: expected a file\n`]);
    }
  });

  it("an object over many lines is one fault", () =>
    assertFaults('{\n  "cprcode": 1\n}\n', ["F:1: expected one JSON object a line, got one over many lines"]));

  for (const [what, end] of [
    ["\\n", "\n"],
    ["\\r\\n", "\r\n"],
    ["\\r", "\r"],
  ]) {
    it(`the line of a fault is the editor's, with ${what}, and where a row is repeated`, () =>
      assertFaults([HEAD.trim(), '1,1000,"two', 'lines",50', "2,1000,x,oops", "", '3,1000,"a', "", 'b",60', "1,1000,y,50", ""].join(end), [
        'F:4: price: expected an amount as a JSON number, such as 12.5, got "oops"',
        "F:9: cprcode: expected each product once a branch, got 1 at branch 1000 again, as in F:2",
      ]));
  }

  it("the line of a fault is the editor's, where line ends are mixed", () =>
    assertFaults('cprcode,branchId,name,price\r\n1,1000,"two\nli\r\nnes",50\n2,1000,x,50\r3,1000,x,oops\n', [
      'F:6: price: expected an amount as a JSON number, such as 12.5, got "oops"',
    ]));
});

/** Builds a file and puts it into use. */
async function publish(dir, text, ...args) {
  const [prices] = await written(text);
  const out = join(folder, `out-${files}`);
  for (const line of [
    ["build", "--prices", prices, "--no-zones", "--out", out, ...args],
    ["push", out],
  ]) {
    const { code, err } = await run(main, [...line, "--dir", dir]);
    assert.equal(code, 0, err);
  }
  const { id } = JSON.parse(await readFile(join(out, "manifest.json"), "utf8"));
  const diff = await run(main, ["diff", out, "--dir", dir]);
  const activated = (more) => run(main, ["activate", id, "--dir", dir, ...more]);
  return { out, id, diff, activated, first: await activated([]) };
}

describe("what a version takes away or adds", () => {
  const rows = (length, of) => Array.from({ length }, (_, index) => of(index + 1)).join("");
  const WHOLE = `cprcode,branchId,price,weight,isControlledProduct\n${rows(40, (code) => `${code},1000,50,${code % 2 ? 1 : ""},${code <= 4}\n`)}`;

  it("fields that are lost are counted, and stop the switch beyond --max-lost", async () => {
    const dir = join(folder, "shop-lost");
    const before = await publish(dir, WHOLE);
    const { id, diff, first, activated } = await publish(
      dir,
      `cprcode,branchId,price,weight\n${rows(40, (code) => `${code},1000,50,${code % 2 && code > 1 ? 1 : ""}\n`)}`,
    );
    const LOST = ["1 of 20 records loses its weight, 5%", "4 of 4 records lose their isControlledProduct, 100%"];
    assert.ok(diff.out.includes(`\n  ${LOST.join("\n  ")}\n`), diff.out);
    assert.equal(diff.err, `${LOST[1]}: more than 5% (--max-lost)\n`);
    assert.deepEqual(
      [first.code, first.err],
      [1, `data: ${id} was not activated: ${LOST[1]}: more than 5% (--max-lost); --force passes the limits\n`],
    );
    const { code, out, err } = await activated(["--max-lost", "100%"]);
    assert.deepEqual([code, out, err], [0, `note ${LOST[0]}\nnote ${LOST[1]}\n${id} is in use in ${dir}, in place of ${before.id}\n`, ""]);
  });

  it("also in a version that was built onto the one in use", async () => {
    const dir = join(folder, "shop-lost-onto");
    await publish(dir, WHOLE);
    const { diff, first } = await publish(dir, `cprcode,branchId,price\n${rows(3, (code) => `${code},1000,51\n`)}`, "--onto", "current");
    assert.match(diff.out, /\n {2}2 of 20 records lose their weight, 10%\n {2}3 of 4 records lose their isControlledProduct, 75%\n/);
    assert.equal(first.code, 1);
    const { diff: next } = await publish(dir, "cprcode,branchId,price,weight,isControlledProduct\n2,1000,50,1,true\n", "--onto", "current");
    assert.doesNotMatch(next.out, /loses? /);
  });

  it("branches that were not there before are named, and wait for --new-branches", async () => {
    const dir = join(folder, "shop-new");
    assert.equal(
      (await publish(dir, "cprcode,branchId,price\n1,1000,50\n")).first.code,
      0,
      "the first version of a shop has only new ones",
    );
    const { id, diff, first, activated } = await publish(dir, "cprcode,branchId,price\n1,1000,50\n1,1001,50\n", "--onto", "current");
    assert.match(diff.out, /\n {2}new: branch 1001\n/);
    assert.deepEqual(
      [first.code, first.err],
      [1, `data: ${id} was not activated: branch 1001 was not there before (--new-branches); --force passes the limits\n`],
    );
    assert.equal((await activated(["--new-branches"])).code, 0);
  });
});

describe("an output", () => {
  it("lies neither on nor in the store or an input, by any path", async () => {
    const [dir, captures] = [join(folder, "store"), join(folder, "captures")];
    await mkdir(join(dir, "version"), { recursive: true });
    await mkdir(captures);
    await symlink(dir, join(folder, "link"));
    await symlink(join(dir, "new"), join(folder, "dangling"));
    for (const html of [
      "store/current",
      "store/version/page.html",
      "link/current",
      "store/../store/current",
      "dangling",
      "captures/page.html",
    ].map((name) => join(folder, name))) {
      const args = ["activate", "0123456789abcdef", "--dir", dir, "--captures", captures, "--max-impact", "1%", "--html", html];
      const { code, err } = await run(main, args);
      const read = html.includes("captures") ? captures : dir;
      assert.deepEqual([code, err], [1, `data: --html ${html}: expected a place outside ${read}, which the command reads\n`]);
    }
    const [prices] = await written("cprcode,branchId,price\n1,1000,50\n");
    const build = ["build", "--prices", prices, "--no-zones", "--dir", dir];
    for (const [option, place, ...more] of [
      ["--out", join(dir, "catalogue")],
      ["--cache-dir", dir, "--out", join(folder, "out")],
      ["--cache-dir", join(dir, "cache"), "--out", join(folder, "out")],
    ]) {
      const { code, err } = await run(main, [...build, option, place, ...more]);
      assert.deepEqual([code, err], [1, `data: ${option} ${place}: expected a place outside ${dir}, which the command reads\n`]);
    }
  });

  it("of a build's cache is no folder of a version or a store: what a cache does not need goes", async () => {
    const { out } = await publish(join(folder, "shop-cache"), "cprcode,branchId,price\n1,1000,50\n");
    const [prices] = await written("cprcode,branchId,price\n1,1000,51\n");
    for (const [place, found] of [
      [out, "manifest.json"],
      [join(folder, "shop-cache"), "current"],
    ]) {
      const { code, err } = await run(main, [
        "build",
        "--prices",
        prices,
        "--no-zones",
        "--out",
        join(folder, "out"),
        "--cache-dir",
        place,
      ]);
      assert.deepEqual([code, err], [1, `data: --cache-dir ${place}: expected a folder of its own, got one with ${found}\n`]);
    }
  });
});

describe("an option", () => {
  for (const [args, message] of [
    [["--prices", "a.csv", "--prices", "b.csv"], "--prices: expected it once"],
    [["--map", "price=A", "--map", "weight=B"], "--map: expected it once"],
    [["--zones", "z.geojson", "--no-zones"], "expected --zones or --no-zones, got both"],
    [["--no-zones", "--zones", "z.geojson"], "expected --no-zones or --zones, got both"],
  ]) {
    it(`${args.join(" ")}: wrong usage`, async () => {
      const { code, err } = await run(main, ["build", "--out", "x", ...args]);
      assert.equal(code, 2);
      assert.ok(err.startsWith(`data: ${message}\n`), err);
    });
  }

  it("--allow-branch of a branch that no row has: wrong usage", async () => {
    const { code, faults } = await built("cprcode,branchId,price\n1,1000,50\n", "--allow-branch", "1000.0");
    assert.deepEqual([code, faults], [2, ["data: --allow-branch 1000.0: expected a branch of the files"]]);
  });
});

it("a year of the Buddhist era is refused, with the one that was meant", async () => {
  const { code, err } = await run(main, ["activate", "0123456789abcdef", "--at", "2573-12-01T00:00:00+07:00"]);
  assert.equal(code, 2);
  assert.match(err, /Expected a year of the common era: 2030-12-01T00:00:00\+07:00 was meant\./);
});

// The tutorials, as a reader types them: their blocks unchanged, in folders outside the repository. A change bundles
// the baskets' code (basket-tutorial.test.js) and types the commands of the service (tests/data/own-prices.test.js).
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { copyCommands } from "../../data/copied-commands.js";
import { startDev } from "../../data/dev.js";
import { closeBrowser, servedFiles, visit } from "../../matrix/browser.js";
import { run, serve } from "../../matrix/commands.js";
import { temporaryDirectory } from "../../matrix/workspace.js";
import { blocksIn, blocksOf } from "../../package/snippets.js";
import { freePorts } from "../../ports.js";
import { tutorialOf } from "../basket-tutorial.js";

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const FOLDER = join(ROOT, "www/docs/tutorials");

/** The versions that are installed. That of React: after an update of create-vite, make a project and run `npm install --package-lock-only`. */
const LOCKS = {
  react: "tests/site/night/shop/package-lock.json",
  vue: "tests/matrix/examples/vue/package-lock.json",
  svelte: "tests/matrix/examples/svelte/package-lock.json",
};
const baskets = await Promise.all(
  Object.entries(LOCKS).map(async ([framework, lock]) => ({ framework, lock, ...(await tutorialOf(framework)) })),
);

after(closeBrowser);

for (const { framework, lock, text, files, pressAll } of baskets) {
  describe(`a basket in ${framework}`, () => {
    const blocks = blocksIn(text);
    const shell = (word) => blocks.find(({ language, code }) => language === "sh" && code.includes(word)).code;
    const folder = temporaryDirectory();
    const shop = join(folder, "shop");
    const type = (script, cwd) => run("bash", ["-ec", script], cwd);

    before(async () => {
      const making = shell("create vite").replace("npm create vite@latest", createVite()).replace(" -- ", " ");
      await type(making, folder);
      await cp(join(ROOT, lock), join(shop, "package-lock.json"));

      const clone = join(folder, "order-cost");
      await mkdir(clone);
      await symlink(join(ROOT, "pkg"), join(clone, "pkg"));
      const [build, packing] = shell("npm pack").split(" && ");
      assert.equal(build, "cargo xtask build"); // has made pkg/
      await type(packing, clone);
      await type(`export npm_config_prefer_offline=true\n${shell("npm install")}`, shop);

      for (const { name, code } of files) await writeFile(join(shop, name), code);
    });

    test("the dev server shows what the page says", async () => {
      const port = await freePorts();
      const url = `http://127.0.0.1:${port}/`;
      const script = `${shell("npm run dev").trim()} -- --host 127.0.0.1 --port ${port}`;
      const stop = await serve("bash", ["-ec", `exec ${script}`], shop, url);
      try {
        await visit(url, pressAll);
      } finally {
        await stop();
      }
    });

    test("the built page shows it, too", async () => {
      await type("npm run build", shop);
      await servedFiles(join(shop, "dist"), (url) => visit(url, pressAll));
    });

    // Only this project has one.
    if (framework === "react") test("the project's own linter finds nothing", () => type("npm run lint -- --deny-warnings", shop));

    function createVite() {
      return `"${process.execPath}" "${join(ROOT, "tests/node_modules/create-vite/index.js")}"`;
    }
  });
}

describe("a service on your machine", () => {
  const blocks = blocksOf(join(FOLDER, "service.md"));
  const [building, preparing, onNode, ordering, onWorkerd] = blocks.map(({ code }) => code);
  const total = (code) => code.match(/^It prints `(.+)`:/m)[1];

  test("an order has the total of the page, on Node and on workerd", async (context) => {
    assert.equal(building, "cargo xtask build\ncd worker\nnpm ci\n"); // have prepared this test
    const { worker, stores, untracked } = await copyCommands(context);
    const before = untracked();
    const type = async (script) => (await execute("bash", ["-ec", script], { cwd: worker })).stdout;
    const [id] = (await type(preparing)).match(/^[0-9a-f]{16}$/m);
    const expected = total(await readFile(join(FOLDER, "service.md"), "utf8"));
    const order = (url) => type(ordering.replace("http://127.0.0.1:8787/", url));
    /** All lines but the last, which starts a service. */
    const publish = async (code) => {
      const lines = code.trim().replaceAll("<id>", id).split("\n");
      await type(lines.slice(0, -1).join("\n"));
      return lines.at(-1);
    };

    const start = await publish(onNode);
    const node = `http://127.0.0.1:${await freePorts()}/`;
    const stop = await serve("bash", ["-ec", start], worker, `${node}health`);
    try {
      assert.equal((await order(node)).trim(), expected);
    } finally {
      await stop();
    }

    assert.equal(await publish(onWorkerd), "npm run dev");
    const dev = await startDev(context, stores);
    assert.equal((await order(new URL("/", dev).href)).trim(), expected);
    assert.equal(untracked(), before, "git ignores what the commands make");
  });
});

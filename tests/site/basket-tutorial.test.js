// The code of the tutorials of a basket does what their pages say, in the project that create-vite makes. The night also
// types the commands.
import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, describe, test } from "node:test";
import { components } from "../frameworks/components.js";
import { closeBrowser, servedFiles, visit } from "../matrix/browser.js";
import { temporaryDirectory } from "../matrix/workspace.js";
import { ROOT } from "../package/pages.js";
import { TUTORIALS, tutorialOf } from "./basket-tutorial.js";

const { build } = createRequire(path.join(ROOT, "worker/package.json"))("esbuild");
const PACKAGES = path.join(ROOT, "tests/node_modules");

after(closeBrowser);

describe("the tutorial's basket shows what its page says", () => {
  for (const framework of Object.keys(TUTORIALS)) {
    test(framework, async () => {
      const { text, files, pressAll } = await tutorialOf(framework);
      const [, template] = text.match(/^npm create vite@latest shop -- --template (\S+)/m);
      const folder = temporaryDirectory();
      const inFolder = (name) => path.join(folder, name);
      cpSync(path.join(PACKAGES, `create-vite/template-${template}`), folder, { recursive: true });
      symlinkSync(PACKAGES, inFolder("node_modules"), "junction");
      assert.equal(files.length, 2);
      for (const { name, code, isThere } of files) {
        assert.equal(existsSync(inFolder(name)), isThere, name);
        writeFileSync(inFolder(name), code);
      }
      await bundle(folder);
      await servedFiles(inFolder("public"), (url) => visit(url, pressAll));
    });
  }
});

/** Puts the project's page and its bundled code beside its pictures. */
async function bundle(folder) {
  const page = readFileSync(path.join(folder, "index.html"), "utf8");
  const [, main] = page.match(/src="\/(src\/main\.\w+)"/);
  await build({
    entryPoints: [path.join(folder, main)],
    outfile: path.join(folder, "public/main.js"),
    bundle: true,
    format: "esm",
    jsx: "automatic",
    plugins: [components("client")],
    preserveSymlinks: true,
  });
  writeFileSync(path.join(folder, "public/index.html"), page.replace(`/${main}`, "main.js"));
}

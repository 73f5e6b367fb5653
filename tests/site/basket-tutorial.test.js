// The code of the tutorial of a basket in React does what its page says. The night also types its commands.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, test } from "node:test";
import { closeBrowser, servedFiles, visit } from "../matrix/browser.js";
import { temporaryDirectory } from "../matrix/workspace.js";
import { ROOT } from "../package/pages.js";
import { files, pressAll } from "./basket-tutorial.js";

const { build } = createRequire(path.join(ROOT, "worker/package.json"))("esbuild");

after(closeBrowser);

test("the tutorial's basket shows what its page says", async () => {
  const folder = temporaryDirectory();
  mkdirSync(path.join(folder, "src"));
  symlinkSync(path.join(ROOT, "tests/node_modules"), path.join(folder, "node_modules"), "junction");
  for (const [name, code] of files) writeFileSync(path.join(folder, name), code);
  const bundled = { entryPoints: [path.join(folder, "src/main.jsx")], outfile: path.join(folder, "main.js") };
  await build({ ...bundled, bundle: true, format: "esm", jsx: "automatic", preserveSymlinks: true });
  writeFileSync(
    path.join(folder, "index.html"),
    '<!doctype html><link rel="icon" href="data:,"><div id="root"></div><script type="module" src="main.js"></script>',
  );
  await servedFiles(folder, (url) => visit(url, pressAll));
});

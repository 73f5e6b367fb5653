// The documents from workerd, as cargo xtask dev starts it: each page at its address, and as Markdown.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { address, startServer, stopServer } from "../../browser/site.js";
import { PAGES } from "../documents.js";

before(startServer);
after(stopServer);

test("each page has an address without .html, and is there as Markdown", async () => {
  for (const place of PAGES) {
    for (const [file, type] of [
      [place, "text/html"],
      [`${place.replace(/(^|\/)$/, "$1index")}.md`, "text/markdown"],
    ]) {
      const response = await fetch(`${address}/docs/${file}`);
      assert.equal(response.status, 200, file);
      assert.ok(response.headers.get("content-type").startsWith(type), `${file}: ${response.headers.get("content-type")}`);
      await response.arrayBuffer();
    }
  }
});

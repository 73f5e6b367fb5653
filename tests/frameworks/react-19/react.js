import "../dom.js";
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { useBasket } from "order-cost/react";
import React from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { formats } from "../formats.js";
import { testReact } from "../react.js";

assert.match(React.version, /^19\./);

const require = createRequire(import.meta.url);
for (const [format, entry] of formats({ useBasket }, require("order-cost/react"))) {
  testReact(format, { React, createRoot, hydrateRoot, renderToString, require, useBasket: entry.useBasket });
}

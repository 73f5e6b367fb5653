import "../dom.js";
import React from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { createRequire } from "node:module";
import { useBasket } from "order-cost/react";
import { testReact } from "../react.js";

const require = createRequire(import.meta.url);
const required = require("order-cost/react");
for (const [format, entry] of Object.entries({ "an ES module": { useBasket }, CommonJS: required })) {
  testReact(format, { React, createRoot, hydrateRoot, renderToString, require, useBasket: entry.useBasket });
}

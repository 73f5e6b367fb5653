import { parseArgs } from "node:util";

export const { values: options } = parseArgs({
  options: {
    database: { type: "string", default: "shop.db" },
    host: { type: "string", default: "127.0.0.1" },
    port: { type: "string", default: "8787" },
  },
});

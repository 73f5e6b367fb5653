// Node's own variables. Those of the service stand in ../../options.js.
import { availableParallelism } from "node:os";
import { integer, url } from "../../variables.js";

const MOST = 2 ** 31 - 1;
const text = (value) => value;
const port = integer(0, 65_535);

/** Each variable's default and how its text is read. */
export const VARIABLES = {
  HOST: ["127.0.0.1", text],
  PORT: [8787, port],
  METRICS_PORT: [undefined, port],
  WORKERS: [availableParallelism(), integer(1, 1024)],
  CATALOGUE_DIR: [undefined, text],
  CATALOGUE_URL: [undefined, url],
  DECISIONS_DIR: [undefined, text],
  RATE_LIMIT: [undefined, integer(1, MOST)],
  RATE_LIMIT_SECONDS: [60, integer(1, MOST)],
  TRUST_PROXY: [0, integer(0, 100)],
  DEPLOYMENT: [undefined, text],
};

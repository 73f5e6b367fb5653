// Node's own variables. Those of the service stand in ../../options/options.js.
import { availableParallelism } from "node:os";
import { integer, url } from "../../options/index.js";

const MOST = 2 ** 31 - 1;

/** A timer counts up to `MOST` milliseconds. A longer one would end at once, and the limit with it. */
const MOST_SECONDS = Math.floor(MOST / 1000);

const text = (value) => value;

/** Kubernetes tells of each Service beside: METRICS_PORT is the address of one that is called `metrics`. */
function port(text, name) {
  if (!text.startsWith("tcp://")) return integer(0, 65_535)(text, name);
  throw new Error(
    `Variable ${name}: expected a port, got ${JSON.stringify(text)}, which Kubernetes makes of a Service: set enableServiceLinks to false`,
  );
}

/** @type {Record<string, import("../../options/variables.js").Variable>} */
export const VARIABLES = {
  /** The address where it listens. `0.0.0.0`: on all. */
  HOST: ["127.0.0.1", text],
  /** The port where it listens. */
  PORT: [8787, port],
  /** The port of `GET /metrics`, at `HOST`. Counts only at the start of the program. */
  METRICS_PORT: [undefined, port],
  /**
   * The processes, which share the port. One that dies is replaced. Counts only at the start of the program.
   * @default one for each core
   */
  WORKERS: [availableParallelism(), integer(1, 1024)],
  /** The folder of the catalogue, as `npm run data` writes it with `--dir`. */
  CATALOGUE_DIR: [undefined, text],
  /**
   * In place of the folder: the address where the files of such a folder are served, without a redirect. `current` must not
   * be cached.
   */
  CATALOGUE_URL: [undefined, url],
  /** The folder of [captures](../service/decision-log.md). The start fails if it is not there. */
  DECISIONS_DIR: [undefined, text],
  /**
   * How many orders a key, or an address without a right key, may send in `RATE_LIMIT_SECONDS`. Each process counts for
   * itself.
   */
  RATE_LIMIT: [undefined, integer(1, MOST), "door"],
  /** The period of `RATE_LIMIT`. */
  RATE_LIMIT_SECONDS: [60, integer(1, MOST_SECONDS), "door"],
  /**
   * How many proxies of yours stand in front. Their `X-Forwarded-For` then says the client's address; with 0 the socket does.
   */
  TRUST_PROXY: [0, integer(0, 100)],
  /** The name of the deployment in log lines, such as the image's tag. */
  DEPLOYMENT: [undefined, text],
};

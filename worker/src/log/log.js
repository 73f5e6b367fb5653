// The log: one line of JSON for each record. A record holds nothing of an order but what order-line.js lets through.

export const MOST_CHARACTERS = 500;

/**
 * The events, and when each is logged.
 * @typedef {object} LogEvents
 * @property {string} order Each failed order, each priced order with a coupon error, each captured one, and of the other priced
 *   orders the share `LOG_SAMPLE`.
 * @property {string} data A version of the catalogue is taken up or refused, or a look at `current` fails.
 * @property {string} coupons The coupon service answers a `percentageDiscount` above 1. Once a process.
 * @property {string} decisions Orders of the sample were too many at once. Once a minute at most.
 * @property {string} start The first request of an isolate, on Node the start of a process. At `warn`: a name is almost one of our
 *   variables.
 * @property {string} rate-limit The rate limiter fails.
 * @property {string} receipt A receipt cannot be signed.
 * @property {string} fault The service itself fails.
 * @property {string} listening Node: the service takes orders.
 * @property {string} reload Node: SIGHUP came, and the processes were replaced or not.
 * @property {string} process Node: a process ended, could not start or refuses connections.
 * @property {string} end Node: SIGTERM or SIGINT came. The orders under way are ended.
 */

/**
 * The fields, and what each says.
 * @typedef {object} LogFields
 * @property {string} level `error`: a part of the service failed. `warn`: the order is at fault, or its coupons are, or its
 *   capture could not be stored. Else `info`.
 * @property {string} event One of the events above.
 * @property {string} requestId The header `x-request-id`: the client's, if it has 1 to 64 characters of `A-Za-z0-9._-`, or a new one.
 * @property {string} ray Cloudflare's id of the request. Not on Node, where any client may send one.
 * @property {string} route `calculatecost2`, `calculatecost3` or `calculatecost4`.
 * @property {number} status The HTTP status.
 * @property {string} code The [error code](../reference/errors.md) of a failed order.
 * @property {string} message What the client reads, with `…` in place of a voucher's id, a branch or a postcode. Of a service's
 *   message only the length, unless `LOG_SERVICE_TEXT` is `1`.
 * @property {string} cause What only operators read: KV's message, the missing key, where the code failed.
 * @property {string} lookup The host function that failed. The zones have none.
 * @property {number} lines How many products the order has.
 * @property {number} vouchers How many vouchers the order has.
 * @property {number} coupons How many coupon codes the order has.
 * @property {number} schedules How many schedules the order has.
 * @property {string} dataVersion The version of the catalogue that is in use, or that the order was priced with.
 * @property {string} deployment The id of the deployment. Needs the binding `CF_VERSION_METADATA`, on Node `DEPLOYMENT`.
 * @property {string} key The first 8 hex digits of the SHA-256 of the API key.
 * @property {object} ms How many milliseconds the order and each of its look-ups took. On Cloudflare times of waiting alone.
 * @property {number} reads How many keys of prices and vouchers the order read from the store.
 * @property {boolean} retryable Whether the same order may succeed later.
 * @property {boolean} shadow `true`: the client got another service's answer ([the shadow Worker](../service/migrate.md)).
 * @property {string} capture The name of the order's [capture](../service/decision-log.md).
 * @property {string} notCaptured Why there is no capture of an order that was to be captured.
 * @property {number} orders How many orders were not captured since the last such line.
 * @property {string} package The version of `order-cost`.
 * @property {object} options The variables in force. Of a secret, whether it is set.
 * @property {string} url The address of the service.
 * @property {number} processes How many processes there are.
 * @property {number} pid The id of the program's process.
 */

/** @typedef {import("../../migration/src/line.js").LogEvents} OfShadow those of the shadow Worker */

/**
 * @param {"info" | "warn" | "error"} level
 * @param {keyof LogEvents | keyof OfShadow} event
 * @param {Partial<LogFields | import("../../migration/src/line.js").LogFields>} fields
 */
export function log(level, event, fields) {
  write(printable(JSON.stringify({ level, event, ...fields })));
}

let write = (line) => console.log(line);

/**
 * Gives the lines to a command that prices orders in its own process: its stdout is for people.
 * @param {(line: string) => void} take
 * @returns {() => void} gives them back to the console
 */
export function takeLines(take) {
  const before = write;
  write = take;
  return () => {
    write = before;
  };
}

/** JSON escapes the rest of what could imitate a line or control a terminal. */
export const printable = (line) =>
  line.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${hex(character.charCodeAt(at))}`).join(""),
  );

const hex = (unit) => unit.toString(16).padStart(4, "0");

/** A text of the platform or of a service, as long as the log shows it. */
export const cut = (text) => `${text}`.slice(0, MOST_CHARACTERS);

/**
 * What an error of our own says, and where it was thrown. The message of a SyntaxError quotes the text that was parsed,
 * so only its name is shown.
 * @param {unknown} error
 */
export function errorText(error) {
  const said = [];
  let frames = "";
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    said.push(cause instanceof SyntaxError ? cause.name : `${cause.name}: ${cause.message}`);
    frames = framesOf(cause);
  }
  return cut([...said, frames].filter(Boolean).join(": ") || typeof error);
}

/** The places of a stack. It begins with the message, which may look like a place. */
function framesOf({ name, message, stack = "" }) {
  const said = message === "" ? name : `${name}: ${message}`;
  return stack.startsWith(said)
    ? stack
        .slice(said.length)
        .replace(/\s*\n\s*/g, " ")
        .trim()
    : "";
}

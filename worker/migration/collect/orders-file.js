// A file of orders: one on each line.
import { entriesOf, isObject } from "order-cost/internal";
import { requestIdOf } from "order-cost/worker";
import { Fault } from "../../command-line/index.js";
import { openFile, quoted } from "../../data/input/index.js";
import { ROUTES } from "../../src/options/index.js";

/** Beyond any order: a file that has longer lines is none of orders. */
const MOST_LINE_BYTES = 16_777_216;

/** The route of an order that names none. */
const DEFAULT_ROUTE = "calculatecost4";

/** What a line may say beside its order. */
const NAMES = ["requestId", "route", "request"];

const [LINE_FEED, RETURN] = [10, 13];
const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * @typedef {{ line: number, requestId?: string, route: string, body: Uint8Array<ArrayBuffer> }} GivenOrder `body` is what its
 *   client sent, byte for byte
 */

/**
 * @typedef {object} Orders
 * @property {number} size in bytes
 * @property {(onBytes?: (bytes: number) => void) => AsyncGenerator<GivenOrder, void>} orders throws a Fault that says where a line is
 *   wrong
 * @property {() => Promise<void>} close
 */

/**
 * Opens a file of orders, to be read more than once.
 * @param {string} file
 * @returns {Promise<Orders>}
 */
export async function openOrders(file) {
  const handle = await openFile(file);
  const { size } = await handle.stat();

  /** @type {Orders["orders"]} */
  async function* orders(onBytes = () => {}) {
    const stream = handle.createReadStream({ start: 0, autoClose: false });
    let line = 0;
    for await (const bytes of byteLinesOf(stream, (line) => `${file}:${line}`)) {
      line += 1;
      onBytes(bytes.length + 1);
      if (bytes.length > 0) yield { line, ...orderIn(bytes, `${file}:${line}`) };
    }
  }

  return { size, orders, close: () => handle.close() };
}

/**
 * Lines as bytes, without their ends: a reader of text would change what is no UTF-8, and break lines at other characters.
 * @param {AsyncIterable<Buffer>} stream
 * @param {(line: number) => string} placeOf
 */
async function* byteLinesOf(stream, placeOf) {
  let rest = Buffer.alloc(0);
  let count = 0;
  for await (const chunk of stream) {
    rest = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED, start)) {
      yield content(rest.subarray(start, end), (count += 1));
      start = end + 1;
    }
    rest = rest.subarray(start);
    if (rest.length > MOST_LINE_BYTES) throw new Fault(`${placeOf(count + 1)}: expected an order on each line, got more than 16 MiB`);
  }
  if (rest.length > 0) yield content(rest, count + 1);
}

/**
 * @param {Buffer} bytes
 * @param {number} line
 */
function content(bytes, line) {
  const start = line === 1 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  return bytes.subarray(start, bytes.at(-1) === RETURN ? -1 : undefined);
}

/**
 * Nothing of the line is shown: it is a customer's.
 * @param {Buffer} bytes
 * @param {string} place
 * @returns {Omit<GivenOrder, "line">}
 */
function orderIn(bytes, place) {
  /**
   * @param {string} what
   * @returns {never}
   */
  const refuse = (what) => {
    throw new Fault(`${place}: ${what}`);
  };
  const text = textIn(bytes);
  const value = objectIn(text) ?? refuse("expected an order on each line, as a JSON object in UTF-8");
  if (Object.hasOwn(value, "productList")) return { route: DEFAULT_ROUTE, body: Uint8Array.from(bytes) };
  if (!Object.hasOwn(value, "request")) refuse(`expected an order with productList, or ${NAMES.join(", ")}`);
  const { requestId, route = DEFAULT_ROUTE, request } = value;
  const unknown = Object.keys(value).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) refuse(`expected ${NAMES.join(", ")}, got ${quoted(unknown)}`);
  if (requestId !== undefined && !isRequestId(requestId)) refuse("requestId: expected 1 to 64 characters of A-Za-z0-9._-");
  if (!ROUTES.includes(route)) refuse(`route: expected one of ${ROUTES.join(", ")}`);
  if (typeof request !== "string" && !isObject(request)) refuse("request: expected an order, or its text");
  const written = typeof request === "string" ? request : Object.fromEntries(entriesOf(text)).request;
  return { requestId, route, body: new TextEncoder().encode(written) };
}

/** @param {Uint8Array} bytes */
function textIn(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return "";
  }
}

/** @param {string} text */
function objectIn(text) {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Both services would replace any other.
 * @param {unknown} id
 */
const isRequestId = (id) => requestIdOf(/** @type {Request} */ ({ headers: /** @type {unknown} */ ({ get: () => id }) })) === id;

import type { PricerOptions } from "order-cost";

/** Public keys, as `GET /receipt-key` of the service gives them (RFC 7517). */
export interface JsonWebKeySet {
  /** The keys that are trusted: of Ed25519 (RFC 8037), others are passed over. One without a `kid` has its thumbprint (RFC 7638). */
  keys: readonly object[];
}

/** What a receipt says. Digests are SHA-256 in hexadecimal, as `sha256sum` prints them. */
export interface ReceiptPayload {
  /** The digest of the request's body, before any content encoding. */
  request: string;
  /** The digest of the response's body, before any content encoding. */
  response: string;
  /** The digest of the WebAssembly module that has priced the order. */
  module: string;
  /** The version of the catalogue that prices and zones came from; `null` if there was none. */
  dataVersion: string | null;
  /** The service's policy. */
  policy: Required<NonNullable<PricerOptions["policy"]>>;
  /** Random: no two receipts have the same. Whoever honours a receipt once remembers it until `exp`. */
  jti: string;
  /** The request's id if the service made it; of one that the client chose, `sha256:` and its digest. */
  requestId: string;
  /** When the order was priced: a Unix timestamp in seconds. */
  iat: number;
  /** From when on the receipt is worth nothing: a Unix timestamp in seconds. */
  exp: number;
}

/** Why a receipt is refused. */
export type ReceiptRefusal =
  /** It is no receipt of this service, or damaged. */
  | "malformed"
  /** None of the keys is the one that it names. */
  | "unknownKey"
  /** It has been changed, or another key has signed it. */
  | "signature"
  /** It is of another request. */
  | "request"
  /** It is of another response. */
  | "response"
  /** The time is not before `exp`, or more than 60 seconds before `iat`. */
  | "expired"
  /** This runtime has no Ed25519 in WebCrypto. */
  | "unsupported";

/** What {@link verifyReceipt} says. */
export type VerifiedReceipt =
  | {
      /** The receipt is of these bytes, and in time. */
      valid: true;
      /** What it says. */
      payload: ReceiptPayload;
    }
  | {
      /** The receipt is refused. */
      valid: false;
      /** What differs first, in the order of {@link ReceiptRefusal}. */
      reason: ReceiptRefusal;
    };

/**
 * Says whether a receipt of the order service is of a request and its response, or the first thing that differs. It throws
 * a `TypeError` if its arguments are of other types, and never because of the receipt.
 *
 * The same bytes verify until the receipt expires: see `jti`.
 *
 * ```js
 * const response = await fetch("https://shop.example/calculatecost4", { method: "POST", body });
 * const bytes = new Uint8Array(await response.arrayBuffer());
 * const keys = await (await fetch("https://shop.example/receipt-key")).json();
 * await verifyReceipt(response.headers.get("x-order-cost-receipt"), { request: body, response: bytes, keys });
 * // { valid: true, payload: { … } }
 * ```
 *
 * @param receipt the header `x-order-cost-receipt`; `null`, where there was none, is `malformed`
 */
export function verifyReceipt(
  receipt: string | null,
  of: {
    /** The bytes of the request's body. */
    request: Uint8Array;
    /** The bytes of the response's body. */
    response: Uint8Array;
    /** The keys that are trusted: get them once, from the service itself. */
    keys: JsonWebKeySet;
    /** The time to check for. Default: now. */
    at?: Date;
  },
): Promise<VerifiedReceipt>;

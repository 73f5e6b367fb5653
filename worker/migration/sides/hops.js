// What holds between two neighbours alone ends here: RFC 9110, 7.6.1.

const ONE_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** The runtime would take the `100 Continue` of the old service for its answer. */
const EXPECT = "expect";

/**
 * The headers that are for the other end.
 * @param {Headers} headers of a request or an answer
 */
export function endToEnd(headers) {
  const all = new Headers(headers);
  const named = (headers.get("connection") ?? "").split(",").map((name) => name.trim());
  // A transfer encoding overrides a declared length, which nothing enforces then.
  const length = headers.has("transfer-encoding") ? ["content-length"] : [];
  for (const name of [...ONE_HOP, EXPECT, ...named.filter(isName), ...length]) all.delete(name);
  return all;
}

/** @param {string} name */
const isName = (name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name);

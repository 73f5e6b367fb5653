const MAX_LENGTH = 500;
const LINE_BREAK = /[\r\n\u2028\u2029]/;

/** Text that says where a service runs, and nothing about the order. */
const INTERNALS = [
  /:\/\//, // a URL
  /\d{1,3}(?:\.\d{1,3}){3}/, // 10.1.2.3
  /::|(?:[\da-f]{1,4}:){4}/i, // fe80::1, and names of code such as service::rates
  /(?<!\d{4}-\d\d-\d\d)[a-z][\d.]{0,20}:\d{2,5}(?!\d)/i, // rates.internal:8080, but not 2026-11-20T10:30
  /[^\s\d]:\d+:\d+/, // rates.js:12:3
  /(?:^|[\s("'`=])\/[\w.-]+\/|\b[a-z]:\\/i, // /srv/rates, C:\rates
  // Error codes of operating systems and Node.js. Listed one by one, because EASTER may be a coupon.
  /(?:\b|_)E(?:ACCES|ADDR\w+|AGAIN|AI_\w+|CONN[A-Z]+|EXIST|HOST[A-Z]+|INVAL|IO|MFILE|NET[A-Z]+)\b/,
  /(?:\b|_)E(?:NOENT|NOMEM|NOSPC|NOTCONN|NOTDIR|NOTFOUND|PERM|PIPE|PROTO|RR_\w+|TIMEDOUT)\b/,
];

/**
 * The part of a service's error that a client may read: its first line, because a stack trace starts on the second.
 * D41: undefined if that line has an address, a place in the code or a system error code. Only the log may show those.
 *
 * @param {string} error
 */
export function clientMessage(error) {
  const [line] = error.split(LINE_BREAK, 1);
  if (INTERNALS.some((internal) => internal.test(line))) return undefined;
  return line.slice(0, MAX_LENGTH).replace(/[\ud800-\udbff]$/, "") || undefined; // without half a surrogate pair
}

// `npm run receipt-key`: a new RECEIPT_KEY on standard output; with --public a RECEIPT_OLD_KEYS.
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { publicKeysIn } from "./keys.js";

const HELP = `Usage: npm run --silent receipt-key [-- --public FILE…]

Prints a new private key as a JWK, for RECEIPT_KEY.

--public prints the public halves of the keys in the files, a list of JWKs, for RECEIPT_OLD_KEYS. A file
holds a private key, or what GET /receipt-key answered. A key that stands in several counts once.`;

/**
 * Runs a command line.
 * @param {string[]} args
 * @param {{ stdout: import("node:stream").Writable, stderr: import("node:stream").Writable }} surroundings
 * @returns {number} its exit code
 */
export function main(args, { stdout, stderr }) {
  try {
    stdout.write(`${printed(args)}\n`);
    return 0;
  } catch (error) {
    stderr.write(`receipt-key: ${/** @type {Error} */ (error).message}\n`);
    return 2;
  }
}

function printed(args) {
  const { values, positionals } = parseArgs({
    args,
    options: { public: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help) return HELP;
  if (!values.public && positionals.length === 0) return JSON.stringify(newKey());
  if (values.public && positionals.length > 0) return JSON.stringify(publicKeys(positionals));
  throw new Error("expected --public with the files of keys, or nothing; --help says more");
}

function newKey() {
  const { kty, crv, x, d } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  return { kty, crv, x, d };
}

function publicKeys(files) {
  const keys = files.flatMap(keysIn);
  return keys.filter(({ x }, index) => keys.findIndex((other) => other.x === x) === index);
}

function keysIn(file) {
  const keys = publicKeysIn(readFileSync(file, "utf8"));
  if (keys === undefined) throw new Error(`${file}: expected an Ed25519 key as a JWK, or what GET /receipt-key answers`);
  return keys;
}

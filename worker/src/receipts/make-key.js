// `npm run receipt-key`: a new RECEIPT_KEY on standard output.
import { generateKeyPairSync } from "node:crypto";

const { kty, crv, x, d } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
console.log(JSON.stringify({ kty, crv, x, d }));

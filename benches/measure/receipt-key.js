// A key with which a measured service signs its receipts.
import { generateKeyPairSync } from "node:crypto";

export const makeReceiptKey = () => JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }));

// Verifies a receipt with the npm package jose.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRemoteJWKSet, jwtVerify } from "jose";

// The time of the order, for an old receipt: new Date("2026-11-26T00:35:00Z")
const at = new Date();
const receipt = readFileSync("receipt.txt", "utf8").trim();
// Make it once: it fetches the list again for a key that it does not know, every 30 seconds at most.
const keys = createRemoteJWKSet(new URL("https://shop.example/receipt-key"));
const { payload } = await jwtVerify(receipt, keys, {
  algorithms: ["EdDSA"],
  typ: "order-cost-receipt+jwt",
  requiredClaims: ["iat", "exp", "jti"],
  currentDate: at,
});
if (payload.iat > at / 1000 + 60) throw new Error(`The receipt is not valid at ${at}`);
for (const [name, file] of [
  ["request", "order.json"],
  ["response", "priced.json"],
]) {
  const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
  if (payload[name] !== hash) throw new Error(`The receipt is of another ${name}`);
}
console.log(`answered at ${payload.iat}, once: ${payload.jti}`);

// A key with which a measured service signs its receipts. Pages load this folder, too: no node:crypto here.
export async function makeReceiptKey() {
  const { privateKey } = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  return JSON.stringify(await crypto.subtle.exportKey("jwk", privateKey));
}

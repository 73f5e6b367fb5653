// Whom a rate limit counts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { clientOf } from "../../worker/src/access/client.js";

for (const [address, client, prefix = 64] of [
  ["1.2.3.4", "1.2.3.4"],
  ["1.2.3.4:5678", "1.2.3.4"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2:0:0:0:0/64"],
  ["2001:0DB8:1:2::", "2001:db8:1:2:0:0:0:0/64"],
  ["[2001:db8:1:2::9]:5678", "2001:db8:1:2:0:0:0:0/64"],
  ["[2001:db8:1:2::9]", "2001:db8:1:2:0:0:0:0/64"],
  ["2001:db8:1:2fff::9", "2001:db8:1:2f00:0:0:0:0/56", 56],
  ["2001:db8:1:2fff::9", "2001:db8:1:0:0:0:0:0/48", 48],
  ["2001:db8:1:2fff::9", "2001:db8:1:2fff:0:0:0:9/128", 128],
  ["fe80::1%eth0", "fe80:0:0:0:0:0:0:0/64"],
  ["::1", "0:0:0:0:0:0:0:0/64"],
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["::FFFF:102:304", "1.2.3.4"],
  ["[::ffff:1.2.3.4]:80", "1.2.3.4"],
  ["64:ff9b::1.2.3.4", "1.2.3.4"],
  ["64:ff9b::102:304", "1.2.3.4"],
  ["", ""],
  ["unknown", "unknown"],
  ["_hidden:80", "_hidden:80"],
  ["1:2", "1:2"],
  ["[::1]@x", "[::1]@x"],
]) {
  test(`${JSON.stringify(address)} by ${prefix} bits`, () => assert.equal(clientOf(address, prefix), client));
}

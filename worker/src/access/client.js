const V4 = /^(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/;
const V6 = /^(?:\[([\da-f:.]+)(?:%[^\]]*)?\](?::\d+)?|([\da-f:.]+)(?:%.*)?)$/i;

/** IPv6 addresses that stand for an IPv4 one: mapped, and by NAT64. */
const OF_V4 = ["0,0,0,0,0,65535", "100,65435,0,0,0,0"];

/**
 * Whom a rate limit counts: an address without its port, of IPv6 the network. What is no address counts as it is.
 * @param {string} address
 * @param {number} prefix the bits of an IPv6 network
 */
export function clientOf(address, prefix) {
  const v4 = V4.exec(address)?.[1];
  if (v4) return v4;
  const groups = groupsOf(address);
  if (!groups) return address;
  if (OF_V4.includes(`${groups.slice(0, 6)}`))
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join(".");
  return `${groups.map((group, at) => begin(group, prefix - 16 * at).toString(16)).join(":")}/${prefix}`;
}

/** The eight numbers of an IPv6 address. Undefined if it is none. The URL parser knows every way to write one. */
function groupsOf(address) {
  const [, bracketed, bare] = V6.exec(address) ?? [];
  const url = `http://[${bracketed ?? bare}]/`;
  if (!URL.canParse(url)) return undefined;
  const [left, right] = new URL(url).hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  if (right) left.push(...Array(8 - left.length - right.length).fill("0"), ...right);
  return left.map((group) => Number.parseInt(group, 16));
}

/** The first bits of a number of 16. */
const begin = (group, bits) => group & (0xffff << (16 - Math.max(0, Math.min(16, bits))));

/** A port after an IPv4 address has one colon only. */
const IPV6 = /^[\da-f]*:[\da-f]*:[\da-f:.]*(%.*)?$/i;
const MAPPED_IPV4 = /^::ffff:(?=\d+\.)/i;
/** Characters of the longest address with a zone. Longer text comes from no network. */
const ADDRESS_MAX = 64;
const IPV6_GROUPS = 8;
/** The smallest network that one customer of a provider has, with every address in it; many have 256 or more of these. */
const NETWORK_GROUPS = 4;

/** An address as people write it: a server that listens to both kinds gets IPv4 addresses in the form of IPv6. */
export function plainAddress(address: string): string {
  return address.replace(MAPPED_IPV4, "");
}

/**
 * The unit that limits for each address count: an IPv4 address itself, or the /64 network of an IPv6 address. Otherwise everybody with IPv6 could
 * begin again with another of their addresses as often as they like. A text that is no address stays as it is.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (plain.length > ADDRESS_MAX || !IPV6.test(plain)) return plain;
  const [left = "", right = ""] = plain.split("::", 2).map((half) => half.replace(/%.*$/, ""));
  const [before, after] = [groupsOf(left), groupsOf(right)];
  const missing = Math.max(0, IPV6_GROUPS - before.length - after.length);
  const groups = [...before, ...Array.from({ length: missing }, () => "0"), ...after];
  return `${groups.slice(0, NETWORK_GROUPS).join(":")}::/64`;
}

function groupsOf(half: string): string[] {
  if (half === "") return [];
  // The end of an address may be written as IPv4, which takes two groups and is never among the first four.
  const groups = half.replace(/\d+\.[\d.]+$/, "0:0").split(":");
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}

import { type LookupAddress, lookup } from "node:dns";
import { BlockList, type LookupFunction, isIP } from "node:net";

/** Networks that are no part of the public internet (IANA special-purpose registries), multicast, and ways to write an IPv4 address as IPv6. */
const NOT_PUBLIC = {
  ipv4: [
    ["0.0.0.0", 8],
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.88.99.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
    ["224.0.0.0", 3],
  ],
  // Of IPv6 only 2000::/3 is public, without the parts below.
  ipv6: [
    ["::", 3],
    ["2001::", 23],
    ["2001:db8::", 32],
    ["2002::", 16],
    ["3fff::", 20],
    ["4000::", 2],
    ["8000::", 1],
  ],
} as const;

/** One list for each family: a list compares IPv4 addresses with its IPv6 networks too, as `::ffff:` addresses. */
const notPublic = { ipv4: blockListOf("ipv4"), ipv6: blockListOf("ipv6") };

function blockListOf(family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of NOT_PUBLIC[family]) list.addSubnet(network, prefix, family);
  return list;
}

/** Whether an IP address is one of the public internet. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 6 ? "ipv6" : "ipv4";
  return !notPublic[family].check(address, family);
}

/** Names that lead to the own machine or the own network and are never on the public internet (RFC 6761, 6762, 8375, and ICANN for `internal`). */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** Whether a host may be on the public internet, as far as its text tells: the address of a name is known only when it is looked up. */
export function mayBePublic(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host);
  const name = host.toLowerCase().replace(/\.$/, "");
  // A name without a dot is one of the own network.
  return name.includes(".") && !LOCAL_NAME.test(name);
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** Looks up all addresses of a name, as `lookup` of Node does. */
export type Resolve = (
  hostname: string,
  options: { all: true },
  answer: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Looks a name up for a connection, and fails if any of its addresses is not public. The connection uses the address that was checked, so
 * an attacker gains nothing by changing the name after the check. Node does not look up a host that is an address already.
 */
export function lookupPublic(resolve: Resolve = lookup): LookupFunction {
  return (hostname, options, answer) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return answer(error ?? new Error("no address"), "");
      if (!addresses.every(({ address }) => isPublicAddress(address))) {
        return answer(new Error("its address is not public"), "");
      }
      if (options.all === true) answer(null, addresses);
      else answer(null, first.address, first.family);
    });
  };
}

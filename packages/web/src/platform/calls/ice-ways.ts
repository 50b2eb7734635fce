import type { IceServer } from "@parley/core/call-ports";

/** A way to the servers for calls. */
export type IceWay = "stun" | "turnUdp" | "turnTcp" | "turnTls";

/** The servers of one way. */
export function serversOf(way: IceWay, servers: readonly IceServer[]): IceServer[] {
  return servers
    .map((server) => ({ ...server, urls: server.urls.filter((url) => wayOf(url) === way) }))
    .filter(({ urls }) => urls.length > 0);
}

/** Without a transport in the address, TURN goes over UDP, and with TLS over TCP. */
function wayOf(url: string): IceWay {
  if (/^stuns?:/i.test(url)) return "stun";
  if (/^turns:/i.test(url)) return "turnTls";
  return /[?&]transport=tcp\b/i.test(url) ? "turnTcp" : "turnUdp";
}

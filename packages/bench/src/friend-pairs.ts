import { Terminal } from "@parley/protocol/codes";
import { befriend, clientHeaders, inParallel, logIn, createPerson } from "./benchmark-person.ts";
import { makeToken } from "./reference/token.ts";
import type { FriendPair } from "./load/private-load.ts";
import type { SocketLogin } from "./load/socket.ts";

/** Registers pairs of friends on the product. */
export function createFriendPairs(origin: string, count: number): Promise<FriendPair[]> {
  return inParallel(count, 8, async (index) => {
    const sender = await createPerson(origin, `sender${index}`);
    const peer = await createPerson(origin, `peer${index}`);
    await befriend(origin, sender, peer);
    const secondDevice = await logIn(origin, sender.userName, Terminal.APP);
    return {
      headers: clientHeaders(sender.login, Terminal.WEB),
      recvId: peer.id,
      secondDevice,
      peer: peer.login,
    };
  });
}

/** The same pairs for a reference server, which trusts its tokens. */
export function createReferencePairs(secret: string, count: number): FriendPair[] {
  return Array.from({ length: count }, (_, index) => {
    const senderId = 1 + index * 2;
    const login = (sub: number, terminal: Terminal): SocketLogin =>
      createReferenceLogin(secret, sub, index, terminal);
    return {
      headers: clientHeaders(login(senderId, Terminal.WEB), Terminal.WEB),
      recvId: senderId + 1,
      secondDevice: login(senderId, Terminal.APP),
      peer: login(senderId + 1, Terminal.WEB),
    };
  });
}

/** A login of person `sub` that a reference server accepts. */
export function createReferenceLogin(
  secret: string,
  sub: number,
  index: number,
  terminal: Terminal,
): SocketLogin {
  const name = `person${index}`;
  const sid = `session-${sub}-${terminal}`;
  return {
    accessToken: makeToken({ sub, name, sid, terminal }, secret),
    devId: `device-${sub}-${terminal}`,
    clientId: `client-${sub}-${terminal}`,
  };
}

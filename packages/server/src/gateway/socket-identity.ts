/** The person, the device and the client of a socket. */
import { Terminal } from "@parley/protocol/codes";
import type { Session } from "../api/api-call.ts";
import type { ClientInstance } from "../ports/bus.ts";
import { type ConnectedSocket, deviceOf } from "../ports/presence.ts";
import type { GatewaySocket } from "./gateway-socket.ts";

/** The terminal of a session. Older web clients count as web. */
export function terminalOf(session: Session): number {
  return session.terminal === Terminal.OLD_WEB ? Terminal.WEB : session.terminal;
}

/** Whether the socket is one of this terminal. */
export function isOfTerminal({ session }: GatewaySocket, terminal: number): boolean {
  return session !== undefined && terminalOf(session) === terminal;
}

/** Whether a socket of the same terminal stays when somebody logs in with this session on this device: a reconnect, or another tab. */
export function isBeside(
  { session, deviceNo }: GatewaySocket,
  login: { sessionId: string; deviceNo: string | null },
): boolean {
  return session?.sessionId === login.sessionId || (login.deviceNo !== null && deviceNo === login.deviceNo);
}

/** What presence knows of a socket. */
export function socketPresence({ deviceNo }: GatewaySocket, session: Session): ConnectedSocket {
  const { userId } = session;
  return { userId, terminal: terminalOf(session), device: deviceOf({ ...session, deviceNo }) };
}

/** The client instance of a socket. */
export function instanceOf({ clientId }: GatewaySocket, { userId, sessionId }: Session): ClientInstance {
  return { userId, clientId, sessionId };
}

/** Whether it is a socket of this client. Clients choose their clientId, so somebody else may have the same one: compare the user too. */
export function isInstance({ session, clientId }: GatewaySocket, instance: ClientInstance): boolean {
  if (session?.userId !== instance.userId) return false;
  return instance.clientId === null
    ? session.sessionId === instance.sessionId
    : clientId === instance.clientId;
}

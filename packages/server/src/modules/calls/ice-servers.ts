/** STUN and TURN servers for clients, with credentials of their own for the TURN servers (the "TURN REST API" of coturn). */
import { createHmac } from "node:crypto";
import type { SystemConfig } from "@parley/protocol/entities";

type IceServers = SystemConfig["webrtc"]["iceServers"];

/** How long a credential is valid. Clients ask for a new one before each call. */
const CREDENTIAL_SECONDS = 3_600;

/** Returns the ICE servers for a person. The user name is when it expires (epoch seconds) and whose it is, signed with the secret. */
export function createIceServers(
  urls: readonly string[],
  secret: string,
): (userId: number, now: number) => IceServers {
  const isTurn = (url: string) => /^turns?:/.test(url);
  const stun = urls.filter((url) => !isTurn(url));
  const turn = urls.filter(isTurn);
  return (userId, now) => {
    const username = `${Math.floor(now / 1_000) + CREDENTIAL_SECONDS}:${userId}`;
    const credential = createHmac("sha1", secret).update(username).digest("base64");
    return [
      ...(stun.length > 0 ? [{ urls: stun, username: null, credential: null }] : []),
      ...(turn.length > 0 ? [{ urls: turn, username, credential }] : []),
    ];
  };
}

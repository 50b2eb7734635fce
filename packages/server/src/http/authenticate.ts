/** From request headers to the acting session. */
import type { IncomingHttpHeaders } from "node:http";
import { type Actor, ApiError, type Session, type Sessions } from "../ports/call.ts";

const HEADER_MAX = 4_096;

/** URI-decoded value of a header; null when absent, empty, too long or not decodable. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const raw = headers[name];
  if (typeof raw !== "string" || raw === "" || raw.length > HEADER_MAX) return null;
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return null;
  }
}

/**
 * The actor of a request: at once for a token that was seen before. Without a token `auth.notLoggedIn`, or null where that is allowed;
 * a token that is bad, expired or revoked is refused everywhere.
 */
export function authenticate(
  sessions: Sessions,
  headers: IncomingHttpHeaders,
  isOptional: boolean,
  now: number,
): Actor | null | Promise<Actor> {
  const token = headers["accesstoken"];
  if (token === undefined || token === "") {
    if (isOptional) return null;
    throw new ApiError("auth.notLoggedIn");
  }
  const accessToken = headerOf(headers, "accesstoken");
  const session = accessToken === null ? undefined : sessions.find(accessToken, now);
  return session instanceof Promise
    ? session.then((found) => actorOf(found, headers))
    : actorOf(session, headers);
}

function actorOf(session: Session | undefined, headers: IncomingHttpHeaders): Actor {
  if (session === undefined) throw new ApiError("auth.tokenInvalid");
  const clientId = headerOf(headers, "clientid");
  return {
    userId: session.userId,
    sessionId: session.sessionId,
    terminal: session.terminal,
    deviceNo: session.deviceNo,
    clientId: clientId !== null && clientId.length <= 64 ? clientId : null,
  };
}

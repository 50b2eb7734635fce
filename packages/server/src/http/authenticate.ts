/** Finds the acting session from the headers of a request. */
import type { IncomingHttpHeaders } from "node:http";
import { ApiError } from "../api/api-error.ts";
import type { Actor, Session, Sessions } from "../api/api-call.ts";

const HEADER_MAX = 4_096;

/** Returns the URI-decoded value of a header; null if it is absent, empty, too long or not decodable. */
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
 * Returns the actor of a request, without a promise if the token is cached. Without a token it throws `auth.notLoggedIn`, or returns null if
 * the token is optional. An invalid, expired or revoked token is always an error.
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

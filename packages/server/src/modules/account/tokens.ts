/** JSON Web Tokens: HS256 and nothing else, whatever a token says of itself. */
import { type KeyObject, createSecretKey } from "node:crypto";
import { type JWTPayload, SignJWT, jwtVerify } from "jose";
import type { TokenPair } from "@parley/protocol/entities";
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from "@parley/protocol/limits";
import type { Session } from "../../ports/call.ts";

const ALGORITHM = "HS256";

export interface AccessClaims {
  session: Session;
  /** Epoch milliseconds. */
  expiresAt: number;
}

export interface RefreshClaims {
  session: Session;
  serial: number;
}

export interface Issued {
  pair: TokenPair;
  /** Of its access token. */
  claims: AccessClaims;
}

export interface Tokens {
  issue(session: Session, serial: number, now: number): Promise<Issued>;
  /** Undefined: foreign, expired, of the other kind, or no token at all. */
  readAccess(token: string, now: number): Promise<AccessClaims | undefined>;
  readRefresh(token: string, now: number): Promise<RefreshClaims | undefined>;
}

export function createTokens(secret: string): Tokens {
  const key = createSecretKey(Buffer.from(secret, "utf8"));
  return {
    async issue(session, serial, now) {
      const at = Math.floor(now / 1_000);
      const [accessToken, refreshToken] = await Promise.all([
        sign(key, session, { use: "access" }, at, ACCESS_TOKEN_SECONDS),
        sign(key, session, { use: "refresh", serial }, at, REFRESH_TOKEN_SECONDS),
      ]);
      return {
        pair: {
          accessToken,
          accessTokenExpiresIn: ACCESS_TOKEN_SECONDS,
          refreshToken,
          refreshTokenExpiresIn: REFRESH_TOKEN_SECONDS,
        },
        claims: { session, expiresAt: (at + ACCESS_TOKEN_SECONDS) * 1_000 },
      };
    },
    async readAccess(token, now) {
      const claims = await verify(key, token, "access", now);
      const session = claims && sessionOf(claims);
      return session && { session, expiresAt: (claims.exp ?? 0) * 1_000 };
    },
    async readRefresh(token, now) {
      const claims = await verify(key, token, "refresh", now);
      const session = claims && sessionOf(claims);
      const serial = claims?.["serial"];
      return session && typeof serial === "number" ? { session, serial } : undefined;
    },
  };
}

function sign(
  key: KeyObject,
  session: Session,
  claims: Record<string, unknown>,
  at: number,
  seconds: number,
): Promise<string> {
  return new SignJWT({
    ...claims,
    terminal: session.terminal,
    device: session.deviceNo,
    sid: session.sessionId,
  })
    .setProtectedHeader({ alg: ALGORITHM })
    .setSubject(String(session.userId))
    .setIssuedAt(at)
    .setExpirationTime(at + seconds)
    .sign(key);
}

async function verify(
  key: KeyObject,
  token: string,
  use: string,
  now: number,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      currentDate: new Date(now),
      requiredClaims: ["sub", "exp", "sid", "use"],
    });
    return payload["use"] === use ? payload : undefined;
  } catch {
    return undefined;
  }
}

function sessionOf(claims: JWTPayload): Session | undefined {
  const userId = Number(claims.sub);
  const { terminal, device, sid } = claims;
  if (!Number.isSafeInteger(userId) || typeof terminal !== "number" || typeof sid !== "string")
    return undefined;
  return { userId, terminal, sessionId: sid, deviceNo: typeof device === "string" ? device : null };
}

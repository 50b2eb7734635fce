/** JSON Web Tokens. The algorithm is always HS256, whatever a token claims. */
import { type KeyObject, createHmac, createSecretKey, randomBytes, timingSafeEqual } from "node:crypto";
import { type JWTPayload, SignJWT } from "jose";
import type { TokenPair } from "@parley/protocol/entities";
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from "@parley/protocol/limits";
import type { ExportTokens, Session } from "../../api/api-call.ts";

const ALGORITHM = "HS256";
const EXPORT_TOKEN_SECONDS = 60;
/** The first part of every token that this server signs. */
const HEADER = Buffer.from(JSON.stringify({ alg: ALGORITHM })).toString("base64url");

/** What an access token says. */
export interface AccessClaims {
  session: Session;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** What a refresh token says. */
export interface RefreshClaims {
  session: Session;
  serial: number;
}

/** A new pair of tokens. */
export interface IssuedTokens {
  pair: TokenPair;
  /** The claims of the access token. */
  claims: AccessClaims;
}

/** Issues tokens and checks them. */
export interface Tokens {
  issue(session: Session, serial: number, now: number): Promise<IssuedTokens>;
  /** Undefined if the token is malformed, expired, of the other kind or signed with another secret. */
  readAccess(token: string, now: number): AccessClaims | undefined;
  readRefresh(token: string, now: number): RefreshClaims | undefined;
}

export function createTokens(secret: string): Tokens & ExportTokens {
  const key = createSecretKey(Buffer.from(secret, "utf8"));
  return {
    async issue(session, serial, now) {
      const issuedAt = Math.floor(now / 1_000);
      const [accessToken, refreshToken] = await Promise.all([
        sign(key, session, { use: "access" }, issuedAt, ACCESS_TOKEN_SECONDS),
        sign(key, session, { use: "refresh", serial }, issuedAt, REFRESH_TOKEN_SECONDS),
      ]);
      return {
        pair: {
          accessToken,
          accessTokenExpiresIn: ACCESS_TOKEN_SECONDS,
          refreshToken,
          refreshTokenExpiresIn: REFRESH_TOKEN_SECONDS,
        },
        claims: { session, expiresAt: (issuedAt + ACCESS_TOKEN_SECONDS) * 1_000 },
      };
    },
    readAccess(token, now) {
      const claims = verify(key, token, "access", now);
      const session = claims && sessionOf(claims);
      return session && { session, expiresAt: claims.exp * 1_000 };
    },
    readRefresh(token, now) {
      const claims = verify(key, token, "refresh", now);
      const session = claims && sessionOf(claims);
      const serial = claims?.["serial"];
      return session && typeof serial === "number" ? { session, serial } : undefined;
    },
    issueExport(session, now) {
      const claims = { use: "export", jti: randomBytes(12).toString("base64url") };
      return sign(key, session, claims, Math.floor(now / 1_000), EXPORT_TOKEN_SECONDS);
    },
    readExport(token, now) {
      const claims = verify(key, token, "export", now);
      return claims && sessionOf(claims);
    },
  };
}

type Claims = JWTPayload & { exp: number };

function sign(
  key: KeyObject,
  session: Session,
  claims: Record<string, unknown>,
  issuedAt: number,
  lifetimeSeconds: number,
): Promise<string> {
  return new SignJWT({
    ...claims,
    terminal: session.terminal,
    device: session.deviceNo,
    sid: session.sessionId,
  })
    .setProtectedHeader({ alg: ALGORITHM })
    .setSubject(String(session.userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(key);
}

/**
 * Computes the HMAC synchronously: the library would use a thread, which makes the login of a socket ten times as expensive.
 * Only tokens with our own header are accepted, so a token cannot choose the algorithm.
 */
function verify(key: KeyObject, token: string, use: string, now: number): Claims | undefined {
  const [header, payload, signature, ...rest] = token.split(".", 4);
  if (header !== HEADER || payload === undefined || signature === undefined || rest.length > 0)
    return undefined;
  const expected = createHmac("sha256", key).update(`${header}.${payload}`).digest("base64url");
  if (!isSame(signature, expected)) return undefined;
  // The signature matches, so this server wrote the JSON.
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as JWTPayload;
  const { exp } = claims;
  const isCurrent = typeof exp === "number" && now < exp * 1_000;
  return isCurrent && claims["use"] === use ? { ...claims, exp } : undefined;
}

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function sessionOf(claims: JWTPayload): Session | undefined {
  const userId = Number(claims.sub);
  const { terminal, device, sid } = claims;
  if (!Number.isSafeInteger(userId) || typeof terminal !== "number" || typeof sid !== "string")
    return undefined;
  return { userId, terminal, sessionId: sid, deviceNo: typeof device === "string" ? device : null };
}

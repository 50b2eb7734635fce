/** Caches access tokens whose signature and session were checked. */
import type { AccessClaims } from "./tokens.ts";

const TOKENS_MAX = 50_000;

/** Access tokens by session. */
export interface TokenCache {
  get(token: string): AccessClaims | undefined;
  /** Adds a token. A full cache drops its oldest one. */
  add(token: string, claims: AccessClaims): void;
  delete(token: string): void;
  deleteSession(sessionId: string): void;
  clear(): void;
}

export function createTokenCache(tokensMax = TOKENS_MAX): TokenCache {
  /** The oldest first. */
  const claimsOf = new Map<string, AccessClaims>();
  const tokensOf = new Map<string, Set<string>>();

  const deleteToken = (token: string) => {
    const sessionId = claimsOf.get(token)?.session.sessionId ?? "";
    claimsOf.delete(token);
    const siblings = tokensOf.get(sessionId);
    siblings?.delete(token);
    if (siblings?.size === 0) tokensOf.delete(sessionId);
  };

  return {
    get: (token) => claimsOf.get(token),
    add(token, claims) {
      for (const oldest of claimsOf.keys()) {
        if (claimsOf.size < tokensMax) break;
        deleteToken(oldest);
      }
      claimsOf.set(token, claims);
      const { sessionId } = claims.session;
      tokensOf.set(sessionId, (tokensOf.get(sessionId) ?? new Set()).add(token));
    },
    delete: deleteToken,
    deleteSession(sessionId) {
      for (const token of tokensOf.get(sessionId) ?? []) deleteToken(token);
    },
    clear() {
      claimsOf.clear();
      tokensOf.clear();
    },
  };
}

/** Tokens, passwords and presence without cryptography or other threads, so that a run does not depend on the machine. */
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from "@parley/protocol/limits";
import { type MemoryPresence, createMemoryPresence } from "@parley/server/adapters/presence/memory-presence";
import type { PasswordHasher } from "@parley/server/modules/account/password-hasher";
import type { AccessClaims, RefreshClaims, Tokens } from "@parley/server/modules/account/tokens";
import type { Presence } from "@parley/server/ports/presence";

/** Tokens for all nodes in one table, because nodes share one secret. */
export function createFakeTokens(): Tokens {
  const access = new Map<string, AccessClaims>();
  const refresh = new Map<string, RefreshClaims & { expiresAt: number }>();
  let issued = 0;
  return {
    async issue(session, serial, now) {
      const n = ++issued;
      const claims = { session, expiresAt: now + ACCESS_TOKEN_SECONDS * 1_000 };
      const pair = {
        accessToken: `access-${n}`,
        accessTokenExpiresIn: ACCESS_TOKEN_SECONDS,
        refreshToken: `refresh-${n}`,
        refreshTokenExpiresIn: REFRESH_TOKEN_SECONDS,
      };
      access.set(pair.accessToken, claims);
      refresh.set(pair.refreshToken, { session, serial, expiresAt: now + REFRESH_TOKEN_SECONDS * 1_000 });
      return { pair, claims };
    },
    readAccess(token, now) {
      const claims = access.get(token);
      return claims !== undefined && now < claims.expiresAt ? claims : undefined;
    },
    readRefresh(token, now) {
      const claims = refresh.get(token);
      return claims !== undefined && now < claims.expiresAt ? claims : undefined;
    },
  };
}

/** A hasher that stores the password itself. */
export const fakePasswordHasher: PasswordHasher = {
  hash: async (password) => `plain:${password}`,
  async verify(password, passwordHash, onTurn) {
    await onTurn();
    return passwordHash === `plain:${password}` && "normalized";
  },
  waiting: () => 0,
};

/** Presence over all nodes. Each node counts its own sockets, and `leave` forgets those of a dead node. */
export function createFakePresence() {
  const byNode = new Map<number, MemoryPresence>();
  return {
    of(node: number): Presence {
      const own = createMemoryPresence();
      byNode.set(node, own);
      return {
        connected: (socket, now) => own.connected(socket, now),
        disconnected: (socket) => own.disconnected(socket),
        heard: (device, now) => own.heard(device, now),
        async online(userIds) {
          const all = new Map<number, number[]>();
          for (const nodePresence of byNode.values())
            for (const [userId, terminals] of await nodePresence.online(userIds))
              all.set(
                userId,
                [...new Set([...(all.get(userId) ?? []), ...terminals])].sort((a, b) => a - b),
              );
          return all;
        },
        async countOnline() {
          return new Set([...byNode.values()].flatMap((nodePresence) => [...nodePresence.userIds()])).size;
        },
        async lastHeard(devices) {
          const all = new Map<string, number>();
          for (const nodePresence of byNode.values()) {
            for (const [id, at] of await nodePresence.lastHeard(devices)) {
              all.set(id, Math.max(at, all.get(id) ?? at));
            }
          }
          return all;
        },
        close: async () => undefined,
      };
    },
    leave: (node: number) => void byNode.delete(node),
  };
}

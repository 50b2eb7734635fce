/** Logout, and the sessions of a person on all of their devices. */
import type { Handlers } from "../../api/api-call.ts";
import type { Delivery } from "../../delivery/delivery.ts";
import type { SessionRow } from "../../ports/account-store.ts";
import type { AccountsStore } from "./accounts-store.ts";
import type { SessionCache } from "./session-cache.ts";

export interface SessionsDeps {
  store: AccountsStore;
  delivery: Delivery;
  sessions: SessionCache;
}

export function createSessions({
  store,
  delivery,
  sessions,
}: SessionsDeps): Pick<Handlers, "logout" | "listSessions" | "endSession"> {
  return {
    async logout({ actor, now }) {
      await store.write((tx) => tx.updateSession(actor.sessionId, { endedAt: now, ...ENDED_BY_USER }));
      delivery.endSessions(actor.userId, [actor.sessionId], "sessionEnded");
      return null;
    },

    async listSessions({ actor, now }) {
      const rows = await store.listSessions(actor.userId, now);
      return rows.map(({ id, terminal, device, os, browser, lastSeenAt, address }) => ({
        id,
        terminal,
        device,
        os,
        browser,
        lastSeen: Math.max(lastSeenAt, sessions.lastSeen(id) ?? 0),
        address: sessions.lastAddress(id) ?? address,
        current: id === actor.sessionId,
      }));
    },

    async endSession({ actor, query, now }) {
      const { userId } = actor;
      const endedIds = await store.write(async (tx) => {
        if (query.id === undefined) return tx.endSessions(userId, actor.sessionId, "sessionEnded", now);
        const row = sessions.findUnsaved(query.id) ?? (await tx.findSession(query.id));
        // The session has ended already or is somebody else's: nothing to end.
        if (row === undefined || row.userId !== userId || row.endedAt !== null) return [];
        await tx.updateSession(row.id, { endedAt: now, ...ENDED_BY_USER });
        return [row.id];
      });
      delivery.endSessions(
        userId,
        endedIds,
        "sessionEnded",
        query.id === undefined ? actor.sessionId : undefined,
      );
      return null;
    },
  };
}

const ENDED_BY_USER = { endReason: "sessionEnded" } as const satisfies Partial<SessionRow>;

import type { Presence } from "../../ports/presence.ts";

interface OpenSession {
  sockets: number;
  heardAt: number;
}

/** Presence inside one process; it is lost when the process ends. */
export function createMemoryPresence(): Presence {
  /** Number of open sockets by person and terminal; entries with 0 are removed. */
  const sockets = new Map<number, Map<number, number>>();
  const sessions = new Map<string, OpenSession>();

  function forget(userId: number, terminal: number): void {
    const terminals = sockets.get(userId);
    const count = terminals?.get(terminal);
    if (terminals === undefined || count === undefined) return;
    if (count > 1) terminals.set(terminal, count - 1);
    else terminals.delete(terminal);
    if (terminals.size === 0) sockets.delete(userId);
  }

  return {
    connected({ userId, terminal, sessionId }, now) {
      const terminals = sockets.get(userId) ?? new Map<number, number>();
      terminals.set(terminal, (terminals.get(terminal) ?? 0) + 1);
      sockets.set(userId, terminals);
      const session = sessions.get(sessionId);
      sessions.set(sessionId, { sockets: (session?.sockets ?? 0) + 1, heardAt: now });
    },
    disconnected({ userId, terminal, sessionId }) {
      forget(userId, terminal);
      const session = sessions.get(sessionId);
      if (session === undefined) return;
      if (session.sockets > 1) session.sockets--;
      else sessions.delete(sessionId);
    },
    heard(sessionId, now) {
      const session = sessions.get(sessionId);
      if (session !== undefined) session.heardAt = now;
    },
    async online(userIds) {
      const online = new Map<number, number[]>();
      for (const userId of userIds) {
        const terminals = sockets.get(userId);
        if (terminals !== undefined)
          online.set(
            userId,
            [...terminals.keys()].sort((a, b) => a - b),
          );
      }
      return online;
    },
    async lastHeard(sessionIds) {
      const heard = new Map<string, number>();
      for (const id of sessionIds) {
        const session = sessions.get(id);
        if (session !== undefined) heard.set(id, session.heardAt);
      }
      return heard;
    },
    async close() {
      sockets.clear();
      sessions.clear();
    },
  };
}

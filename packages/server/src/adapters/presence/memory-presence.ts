import type { Presence } from "../../ports/presence.ts";

/** Presence inside one process; it is lost when the process ends. */
export function createMemoryPresence(): Presence {
  /** Number of open sockets by person and terminal; entries with 0 are removed. */
  const sockets = new Map<number, Map<number, number>>();

  return {
    connected(userId, terminal) {
      const terminals = sockets.get(userId) ?? new Map<number, number>();
      terminals.set(terminal, (terminals.get(terminal) ?? 0) + 1);
      sockets.set(userId, terminals);
    },
    disconnected(userId, terminal) {
      const terminals = sockets.get(userId);
      const count = terminals?.get(terminal);
      if (terminals === undefined || count === undefined) return;
      if (count > 1) terminals.set(terminal, count - 1);
      else terminals.delete(terminal);
      if (terminals.size === 0) sockets.delete(userId);
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
    async close() {
      sockets.clear();
    },
  };
}

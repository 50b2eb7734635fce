import type { Presence } from "../../ports/presence.ts";

interface OpenDevice {
  sockets: number;
  heardAt: number;
}

/** Presence inside one process, and everything that it knows. */
export interface MemoryPresence extends Presence {
  /** The people who are online. */
  userIds(): Iterable<number>;
  /** Their terminals in ascending order; empty for somebody who is not online. */
  terminalsOf(userId: number): number[];
  /** The devices with a socket. */
  devices(): Iterable<string>;
  /** When a page of the device was last heard (epoch ms); undefined without a socket. */
  heardAt(device: string): number | undefined;
}

/** Presence inside one process; it is lost when the process ends. */
export function createMemoryPresence(): MemoryPresence {
  /** Number of open sockets by person and terminal; entries with 0 are removed. */
  const sockets = new Map<number, Map<number, number>>();
  const devices = new Map<string, OpenDevice>();

  function forget(userId: number, terminal: number): void {
    const terminals = sockets.get(userId);
    const count = terminals?.get(terminal);
    if (terminals === undefined || count === undefined) return;
    if (count > 1) terminals.set(terminal, count - 1);
    else terminals.delete(terminal);
    if (terminals.size === 0) sockets.delete(userId);
  }

  const terminalsOf = (userId: number): number[] =>
    [...(sockets.get(userId)?.keys() ?? [])].sort((a, b) => a - b);
  const heardAt = (device: string): number | undefined => devices.get(device)?.heardAt;

  return {
    userIds: () => sockets.keys(),
    terminalsOf,
    devices: () => devices.keys(),
    heardAt,
    connected({ userId, terminal, device }, now) {
      const terminals = sockets.get(userId) ?? new Map<number, number>();
      terminals.set(terminal, (terminals.get(terminal) ?? 0) + 1);
      sockets.set(userId, terminals);
      const open = devices.get(device);
      devices.set(device, { sockets: (open?.sockets ?? 0) + 1, heardAt: now });
    },
    disconnected({ userId, terminal, device }) {
      forget(userId, terminal);
      const open = devices.get(device);
      if (open === undefined) return;
      if (open.sockets > 1) open.sockets--;
      else devices.delete(device);
    },
    heard(device, now) {
      const open = devices.get(device);
      if (open !== undefined) open.heardAt = now;
    },
    async online(userIds) {
      const online = new Map<number, number[]>();
      for (const userId of userIds) if (sockets.has(userId)) online.set(userId, terminalsOf(userId));
      return online;
    },
    async countOnline() {
      return sockets.size;
    },
    async lastHeard(ids) {
      const heard = new Map<string, number>();
      for (const id of ids) {
        const at = heardAt(id);
        if (at !== undefined) heard.set(id, at);
      }
      return heard;
    },
    async close() {
      sockets.clear();
      devices.clear();
    },
  };
}

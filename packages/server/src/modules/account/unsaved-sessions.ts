/** Sessions of people who logged in while the disk was full: they are valid at once and stored later. */
import type { LogoutReason } from "@parley/protocol/envelope";
import type { SessionRow, UserRow } from "../../ports/account-store.ts";
import { type Bus, type BusEvent, endsSession } from "../../ports/bus.ts";
import { isAccountActive } from "../../access/people.ts";
import type { AccountsStore } from "./accounts-store.ts";

/** The sessions that wait to be stored. */
export interface UnsavedSessions {
  add(row: SessionRow, user: UserRow): void;
  find(sessionId: string): SessionRow | undefined;
  /** Whether a call has ended the session without finding it, because it was stored at that moment. */
  isEnded(sessionId: string): boolean;
  /** Ends those sessions that the event ends, and returns their ids. */
  end(event: Extract<BusEvent, { kind: "endSessions" }>): string[];
  /** Stores the sessions. Throws `StoreUnavailableError` while the disk is full. */
  save(now: number): Promise<void>;
}

export function createUnsavedSessions({ store, bus }: { store: AccountsStore; bus: Bus }): UnsavedSessions {
  /** With the hash of the password that was used for the login. */
  const unsaved = new Map<string, { row: SessionRow; passwordHash: string }>();
  /**
   * The sessions that the last round of `save` stored, by id. A call that ended such a session at the moment of its write did not find it
   * in the store. The event on the bus then sets the reason here, and the next round stores it.
   */
  const justSaved = new Map<string, { userId: number; endReason: LogoutReason | null }>();

  const insert = async () => {
    for (const [id, { row, passwordHash }] of unsaved) {
      const isSaved = await store.write(async (tx) => {
        if (!unsaved.has(id)) return false;
        const user = await tx.findUser(row.userId);
        if (user === undefined || !isAccountActive(user) || user.passwordHash !== passwordHash) return false;
        await tx.insertSession(row);
        return true;
      });
      // If it is no longer in the map, it was ended while it was written.
      const isEnded = !unsaved.delete(id);
      if (isSaved) justSaved.set(id, { userId: row.userId, endReason: isEnded ? "sessionEnded" : null });
      else if (!isEnded)
        bus.publish({ kind: "endSessions", userId: row.userId, sessionIds: [id], reason: "sessionEnded" });
    }
  };

  /** Handles the sessions that the round before stored: by now the bus has reported if one of them was ended while it was stored. */
  const storeMissedEnds = async (now: number) => {
    for (const [id, { endReason }] of justSaved) {
      if (endReason !== null) await store.write((tx) => tx.updateSession(id, { endedAt: now, endReason }));
      justSaved.delete(id);
    }
  };

  return {
    add: (row, { passwordHash }) => void unsaved.set(row.id, { row, passwordHash }),
    find: (sessionId) => unsaved.get(sessionId)?.row,
    isEnded: (sessionId) => justSaved.get(sessionId)?.endReason != null,
    end(event) {
      const endedIds: string[] = [];
      for (const [id, { row }] of unsaved) {
        if (row.userId !== event.userId || !endsSession(event, id)) continue;
        unsaved.delete(id);
        endedIds.push(id);
      }
      for (const [id, saved] of justSaved) {
        if (saved.userId !== event.userId || !endsSession(event, id)) continue;
        saved.endReason = event.reason;
        endedIds.push(id);
      }
      return endedIds;
    },
    async save(now) {
      await storeMissedEnds(now);
      await insert();
    },
  };
}

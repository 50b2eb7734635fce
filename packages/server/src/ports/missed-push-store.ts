/** What a node asks to find pushes that the bus has lost: the part of `store.ts` for it. */
import type { ChatType } from "@parley/protocol/codes";
import type { ChatKind } from "./stored-message.ts";

/** A message that a person sees. */
export interface SeenMessage {
  id: number;
  userId: number;
}

/** Reads for the search of lost pushes. Ids are in the order of the commits, so nothing below a known id appears later. */
export interface MissedPushReads {
  /** The newest id of all messages of this kind; 0 if there is none. */
  newestIdOf(type: ChatType): Promise<number>;
  /** Ids above `after`, ascending. */
  listIdsAfter(type: ChatType, after: number, limit: number): Promise<number[]>;
  /** Which of these people see which of these messages. Any number of both. */
  listSeenBy(kind: ChatKind, ids: readonly number[], userIds: readonly number[]): Promise<SeenMessage[]>;
  /** The newest change number of each of these people, without those who have none. Any number of ids. */
  lastChangesOf(userIds: readonly number[]): Promise<Map<number, number>>;
}

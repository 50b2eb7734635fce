/** Extras of messages, what people did to them after they were sent: the part of `store.ts` for them. */
import type { MessageExtra, Pin, TallyKind } from "@parley/protocol/message-extra";
import type { Poll } from "@parley/protocol/poll";
import type { RowOf } from "./message-store.ts";
import type { ChatKind } from "./stored-message.ts";

/** An extra as one person sees it. A `targetId` is the other person or the group. */
export interface SeenExtra {
  type: ChatKind;
  targetId: number;
  id: number;
  extra: MessageExtra;
}

/** One person's choice of a key of a message. */
export interface TallyEntry {
  userId: number;
  /** The version of the extra that it made, which orders them. */
  v: number;
  /** Epoch ms. */
  at: number;
}

/** A choice to store or, if `on` is false, to remove. */
export interface ChosenKey {
  kind: TallyKind;
  messageId: number;
  userId: number;
  key: string;
  on: boolean;
  /** Epoch ms. */
  at: number;
}

/** What a person has voted in a poll, all of it. */
export interface Vote {
  messageId: number;
  userId: number;
  /** Keys of the options; none: no vote. */
  options: readonly string[];
  /** Epoch ms. */
  at: number;
}

/** What is read about extras. Versions are given under the lock of the commit, so their order is the order of the commits, on every node. */
export interface MessageExtraReads {
  /** The extras of those of these messages that have one, with what this person did. Whether the person sees a message is not checked. */
  listExtras(userId: number, ids: readonly number[]): Promise<Map<number, MessageExtra>>;
  /** The messages whose extra changed after the version `after`, each with its version, ascending. */
  listExtrasAfter(after: number, limit: number): Promise<{ id: number; v: number }[]>;
  /** The highest version; 0 if there is none. */
  newestExtra(): Promise<number>;
  /**
   * The extras that changed after the version `since`, of messages that this person sees, the earliest first and at most `limit`; `next` is
   * the `since` of the next call.
   */
  listExtraChanges(
    userId: number,
    since: number,
    limit: number,
  ): Promise<{ changes: SeenExtra[]; next: number }>;
  /** Who has chosen a key of a message, the earliest first, after the version `after`. */
  listTally(
    kind: TallyKind,
    messageId: number,
    key: string,
    after: number,
    limit: number,
  ): Promise<TallyEntry[]>;
  /** Polls that should be closed by this time (epoch ms), and are not. */
  listDuePolls(now: number, limit: number): Promise<number[]>;
  /** How many messages are pinned in the chat of this message. */
  countPins(messageId: number): Promise<number>;
  /** The pinned messages of a chat that this person sees, the one that was pinned last first, and how many others there are. */
  listPins<Kind extends ChatKind>(
    kind: Kind,
    userId: number,
    targetId: number,
  ): Promise<{ rows: RowOf<Kind>[]; unseen: number }>;
}

/** What a transaction writes about extras. */
export interface MessageExtraWrites {
  /**
   * Stores or removes a choice that is not stored, or is. `before` is what `listExtras` has read for this person in the same transaction.
   * Returns the extra after it.
   */
  changeTally(choice: ChosenKey, before: MessageExtra | undefined): Promise<MessageExtra>;
  /** Pins a message or, if `pin` is null, unpins it. `before` and the answer are as those of `changeTally`. */
  setPin(messageId: number, pin: Pin | null, before: MessageExtra | undefined): Promise<MessageExtra>;
  /** Makes a message that was stored in the same transaction a poll. */
  createPoll(messageId: number, poll: Poll): Promise<MessageExtra>;
  /** Replaces what a person has voted. `before`, of a poll, and the answer are as those of `changeTally`. */
  setVotes(vote: Vote, before: MessageExtra): Promise<MessageExtra>;
  /** Changes the options of a poll; its votes stay. `before` and the answer are as those of `setVotes`. */
  changePoll(messageId: number, poll: Poll, before: MessageExtra): Promise<MessageExtra>;
  /** Closes a poll at this time (epoch ms). `before` and the answer are as those of `setVotes`. */
  closePoll(messageId: number, at: number, before: MessageExtra): Promise<MessageExtra>;
}

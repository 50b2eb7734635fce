import type { ChatKey, ChatMessage, OutboxEntry } from "../model/state.ts";
import type { ChatRecord, Database, DatabaseWrite, MessageRecord, RemovedMessages } from "../ports.ts";
import { type RemovedSender, idsOfRemovedSender, isFromRemovedSender } from "./removed-senders.ts";

/** A change of a message that depends on its stored copy. It is part of the write that it was added with. */
export interface MessageUpdate {
  readonly chatKey: ChatKey;
  readonly id: number;
  /** Returns the changed message; undefined: nothing to write. */
  apply(stored: ChatMessage | undefined): ChatMessage | undefined;
}

/** Writes that wait, merged into one. */
export interface PendingWrite {
  readonly isEmpty: boolean;
  /** Whether the write depends on stored data. */
  readonly readsFirst: boolean;
  add(
    write: DatabaseWrite,
    updates?: readonly MessageUpdate[],
    removedSenders?: readonly RemovedSender[],
  ): void;
  /** Drops everything but the outbox. */
  dropMessages(): void;
  /** Reads what the write depends on; call it before `take` if `readsFirst`. */
  prepare(database: Database): Promise<void>;
  /** `termsOf`: yields the search terms of a message. */
  take(termsOf: (message: ChatMessage) => readonly string[]): DatabaseWrite;
}

/** Creates an empty one. The later of two writes of the same record wins. */
export function createPendingWrite(): PendingWrite {
  const chats = new Map<ChatKey, ChatRecord>();
  /** In the order of arrival; the later of two copies of a message wins. */
  let messages: MessageRecord[] = [];
  const outbox = new Map<string, OutboxEntry>();
  const removedOutbox = new Set<string>();
  let updates: MessageUpdate[] = [];
  let removedSenders: RemovedSender[] = [];
  let removedMessages: RemovedMessages[] = [];
  let values: Record<string, unknown> = {};
  let clearMessages = false;
  let keptValues: readonly string[] = [];
  let isEmpty = true;
  const dropMessages = () => {
    chats.clear();
    messages = [];
    values = {};
    updates = [];
    removedSenders = [];
    removedMessages = [];
  };
  return {
    dropMessages,
    get isEmpty() {
      return isEmpty;
    },
    get readsFirst() {
      return updates.length > 0 || removedSenders.length > 0;
    },
    add(write, newUpdates = [], newRemovedSenders = []) {
      isEmpty = false;
      if (write.clearMessages) {
        clearMessages = true;
        keptValues = write.keptValues ?? [];
        const unsaved = Object.entries(values).filter(([key]) => hasPrefix(key, keptValues));
        dropMessages();
        values = Object.fromEntries(unsaved);
      }
      for (const removed of write.removedMessages ?? []) {
        removedMessages.push(removed);
        messages = messages.filter((row) => !isRemoved(removed, row.chatKey, row.message.id));
        updates = updates.filter((update) => !isRemoved(removed, update.chatKey, update.id));
      }
      removedSenders.push(...newRemovedSenders);
      messages = messages.filter(
        ({ chatKey, message }) => !isFromRemovedSender(newRemovedSenders, chatKey, message),
      );
      for (const chat of write.chats ?? []) chats.set(chat.key, chat);
      for (const row of write.messages ?? []) messages.push(row);
      updates.push(...newUpdates);
      for (const entry of write.outbox ?? []) {
        outbox.set(entry.tmpId, entry);
        removedOutbox.delete(entry.tmpId);
      }
      for (const tmpId of write.removedOutbox ?? []) {
        outbox.delete(tmpId);
        removedOutbox.add(tmpId);
      }
      values = { ...values, ...write.values };
    },
    async prepare(database) {
      if (!clearMessages)
        for (const removedSender of removedSenders)
          removedMessages.push({
            chatKey: removedSender.chatKey,
            ids: await idsOfRemovedSender(database, removedSender),
          });
      const written = new Map(messages.map((row) => [messageKey(row.chatKey, row.message.id), row.message]));
      const unresolved = clearMessages
        ? []
        : updates.filter(
            ({ chatKey, id }) =>
              !written.has(messageKey(chatKey, id)) &&
              !removedMessages.some((removed) => isRemoved(removed, chatKey, id)),
          );
      const storedMessages = unresolved.length === 0 ? [] : await database.messagesAt(unresolved);
      unresolved.forEach(({ chatKey, id }, i) => {
        const message = storedMessages[i];
        if (message !== undefined) written.set(messageKey(chatKey, id), message);
      });
      for (const { chatKey, id, apply } of updates) {
        const storedKey = messageKey(chatKey, id);
        const message = apply(written.get(storedKey));
        // A message that this write removes must not be written back.
        if (message === undefined || isFromRemovedSender(removedSenders, chatKey, message)) continue;
        written.set(storedKey, message);
        messages.push({ chatKey, message });
      }
    },
    take: (termsOf) => ({
      ...(clearMessages && { clearMessages, keptValues }),
      chats: [...chats.values()],
      removedMessages,
      messages: messages.map(({ chatKey, message }) => ({ chatKey, message, terms: () => termsOf(message) })),
      outbox: [...outbox.values()],
      removedOutbox: [...removedOutbox],
      values,
    }),
  };
}

/** Whether a key begins with one of these texts. */
export function hasPrefix(key: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => key.startsWith(prefix));
}

function isRemoved(removed: RemovedMessages, chatKey: ChatKey, id: number | null): boolean {
  if (removed.chatKey !== chatKey || id === null) return false;
  return "ids" in removed ? removed.ids.includes(id) : id <= removed.upTo;
}

function messageKey(chatKey: ChatKey, id: number | null): string {
  return `${chatKey} ${id}`;
}

import type { ChangedRow, ChatsChange, Removal } from "../model/chats/chat-input.ts";
import { applyRowEvent } from "../model/chats/row-events.ts";
import { mergeMessages } from "../model/chats/merge-messages.ts";
import { withReceipt } from "../model/chats/receipts.ts";
import type { Chat, ChatKey, ChatMessage, Chats, Receipt, RowEvent } from "../model/state.ts";
import { isSavedEqual, saveChat } from "../model/chats/saved-chat.ts";
import type { LocalDatabase, MessageUpdate } from "./local-database.ts";
import type { DatabaseWrite, RemovedMessages } from "../ports.ts";

/** Puts what a batch changed onto the disk, together with `values`, in one write; nothing where nothing changed. */
export function saveChanges(
  database: LocalDatabase,
  before: Chats,
  { chats, rows, missedEvents, missedReceipts, removals }: ChatsChange,
  values: DatabaseWrite["values"],
): void {
  if (!database.isUsable()) return;
  const messages: { chatKey: ChatKey; message: ChatMessage }[] = [];
  const updates: MessageUpdate[] = [];
  for (const row of rows) {
    if (row.isOutsideWindow) updates.push(mergeUpdate(row));
    else messages.push({ chatKey: row.key, message: row.message });
  }
  updates.push(...missedEvents.map(eventUpdate), ...missedReceipts.map(receiptUpdate));
  const write: DatabaseWrite = {
    chats: changedChats(before.byKey, chats.byKey).map(saveChat),
    removedMessages: removals.flatMap(toRemovedMessages),
    messages,
    ...(values !== undefined && { values }),
  };
  const removedSenders = removals.flatMap((part) =>
    "byModerator" in part ? [{ chatKey: part.key, ...part.byModerator }] : [],
  );
  if (hasContent(write) || updates.length > 0 || removedSenders.length > 0)
    database.save(write, updates, removedSenders);
}

function toRemovedMessages(removal: Removal): RemovedMessages[] {
  if ("byModerator" in removal) return [];
  return [
    "ids" in removal
      ? { chatKey: removal.key, ids: removal.ids }
      : { chatKey: removal.key, upTo: removal.upTo },
  ];
}

/** A row outside the window: the disk may know more of it, e.g. its time tip. */
function mergeUpdate({ key, message }: ChangedRow): MessageUpdate {
  const apply: MessageUpdate["apply"] = (known) =>
    known === undefined ? message : mergeMessages(known, message);
  return { chatKey: key, id: message.id ?? 0, apply };
}

/** An edit or a recall of a message that lies on disk only. */
function eventUpdate({ key, event }: { key: ChatKey; event: RowEvent }): MessageUpdate {
  return { chatKey: key, id: event.targetId, apply: (known) => known && applyRowEvent(known, event) };
}

function receiptUpdate({ key, receipt }: { key: ChatKey; receipt: Receipt }): MessageUpdate {
  return { chatKey: key, id: receipt.id, apply: (known) => known && withReceipt(known, receipt) };
}

function changedChats(
  before: Readonly<Record<ChatKey, Chat>>,
  after: Readonly<Record<ChatKey, Chat>>,
): Chat[] {
  if (before === after) return [];
  return Object.values(after).filter((chat) => {
    const known = before[chat.key];
    return known !== chat && (known === undefined || !isSavedEqual(known, chat));
  });
}

function hasContent(write: DatabaseWrite): boolean {
  const parts = [write.chats, write.messages, write.removedMessages];
  return write.values !== undefined || parts.some((part) => part !== undefined && part.length > 0);
}

import type { ChangedRow, ChatsChange, Removal } from "../model/chats/chat-input.ts";
import { type MessageExtraChange, withExtra } from "../model/chats/extras.ts";
import { applyRowEvent } from "../model/chats/row-events.ts";
import { mergeMessages } from "../model/chats/merge-messages.ts";
import { withReceipt } from "../model/chats/receipts.ts";
import type { Chat, ChatKey, ChatMessage, Chats, Receipt, RowEvent } from "../model/state.ts";
import { isSavedEqual, saveChat } from "../model/chats/saved-chat.ts";
import type { LocalDatabase, LocalWrite } from "./local-database.ts";
import type { MessageUpdate } from "./pending-write.ts";
import type { RemovedMessages } from "../ports.ts";
import type { ValuesToSave } from "./stored-values.ts";

/** Saves what a batch changed, together with `values`, in one write; writes nothing if nothing changed. */
export function saveChanges(
  database: LocalDatabase,
  before: Chats,
  { chats, rows, missedEvents, missedReceipts, missedExtras, removals }: ChatsChange,
  values: ValuesToSave | undefined,
): void {
  if (!database.isUsable()) return;
  const messages: { chatKey: ChatKey; message: ChatMessage }[] = [];
  const updates: MessageUpdate[] = [];
  for (const row of rows) {
    if (row.isOutsideWindow) updates.push(mergeUpdate(row));
    else messages.push({ chatKey: row.key, message: row.message });
  }
  updates.push(
    ...missedEvents.map(eventUpdate),
    ...missedReceipts.map(receiptUpdate),
    ...missedExtras.map(extraUpdate),
  );
  const write: LocalWrite = {
    chats: changedChats(before.byKey, chats.byKey).map(saveChat),
    removedMessages: removals.flatMap(toRemovedMessages),
    messages,
    ...(values !== undefined && { values }),
  };
  const removedSenders = removals.flatMap((change) =>
    "byModerator" in change ? [{ chatKey: change.key, ...change.byModerator }] : [],
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

/** Merges a row outside the window with its stored copy, which may have more fields, such as its time tip. */
function mergeUpdate({ key, message }: ChangedRow): MessageUpdate {
  const apply: MessageUpdate["apply"] = (stored) =>
    stored === undefined ? message : mergeMessages(stored, message);
  return { chatKey: key, id: message.id ?? 0, apply };
}

/** Applies an edit or a recall to a message that is only in the database. */
function eventUpdate({ key, event }: { key: ChatKey; event: RowEvent }): MessageUpdate {
  return { chatKey: key, id: event.targetId, apply: (stored) => stored && applyRowEvent(stored, event) };
}

function receiptUpdate({ key, receipt }: { key: ChatKey; receipt: Receipt }): MessageUpdate {
  return { chatKey: key, id: receipt.id, apply: (stored) => stored && withReceipt(stored, receipt) };
}

function extraUpdate({ key, change }: { key: ChatKey; change: MessageExtraChange }): MessageUpdate {
  return { chatKey: key, id: change.id, apply: (stored) => stored && withExtra(stored, change.extra) };
}

function changedChats(
  before: Readonly<Record<ChatKey, Chat>>,
  after: Readonly<Record<ChatKey, Chat>>,
): Chat[] {
  if (before === after) return [];
  return Object.values(after).filter((chat) => {
    const previous = before[chat.key];
    return previous !== chat && (previous === undefined || !isSavedEqual(previous, chat));
  });
}

function hasContent(write: LocalWrite): boolean {
  const parts = [write.chats, write.messages, write.removedMessages];
  return write.values !== undefined || parts.some((part) => part !== undefined && part.length > 0);
}

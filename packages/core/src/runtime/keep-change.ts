import type { ChangedRow, ChatsChange, Gone } from "../model/chat-input.ts";
import { applyEvent } from "../model/events.ts";
import { mergeMessages } from "../model/merge.ts";
import { withReceipt } from "../model/receipts.ts";
import type { Chat, ChatKey, ChatMessage, Chats, Receipt, RowEvent } from "../model/state.ts";
import { isSavedAlike, saveChat } from "../model/stored.ts";
import type { Disk, Repair } from "./persist.ts";
import type { DiskWrite, RemovedMessages } from "./ports.ts";

/** Puts what a batch changed onto the disk, together with `values`, in one write; nothing where nothing changed. */
export function keepChange(
  disk: Disk,
  before: Chats,
  { chats, rows, missed, receipts, gone }: ChatsChange,
  values: DiskWrite["values"],
): void {
  if (!disk.isUsable()) return;
  const messages: { chatKey: ChatKey; message: ChatMessage }[] = [];
  const repairs: Repair[] = [];
  for (const row of rows) {
    if (row.isOutside) repairs.push(mergeOnDisk(row));
    else messages.push({ chatKey: row.key, message: row.message });
  }
  repairs.push(...missed.map(changeOnDisk), ...receipts.map(countOnDisk));
  const write: DiskWrite = {
    chats: changedChats(before.byKey, chats.byKey).map(saveChat),
    removedMessages: gone.flatMap(forgotten),
    messages,
    ...(values !== undefined && { values }),
  };
  const purges = gone.flatMap((part) => ("purge" in part ? [{ chatKey: part.key, ...part.purge }] : []));
  if (hasContent(write) || repairs.length > 0 || purges.length > 0) disk.keep(write, repairs, purges);
}

function forgotten(gone: Gone): RemovedMessages[] {
  if ("purge" in gone) return [];
  return ["ids" in gone ? { chatKey: gone.key, ids: gone.ids } : { chatKey: gone.key, upTo: gone.upTo }];
}

/** A row outside the window: the disk may know more of it, e.g. its time tip. */
function mergeOnDisk({ key, message }: ChangedRow): Repair {
  const apply: Repair["apply"] = (known) => (known === undefined ? message : mergeMessages(known, message));
  return { chatKey: key, id: message.id ?? 0, apply };
}

/** An edit or a recall of a message that lies on disk only. */
function changeOnDisk({ key, event }: { key: ChatKey; event: RowEvent }): Repair {
  return { chatKey: key, id: event.targetId, apply: (known) => known && applyEvent(known, event) };
}

function countOnDisk({ key, receipt }: { key: ChatKey; receipt: Receipt }): Repair {
  return { chatKey: key, id: receipt.id, apply: (known) => known && withReceipt(known, receipt) };
}

function changedChats(
  before: Readonly<Record<ChatKey, Chat>>,
  after: Readonly<Record<ChatKey, Chat>>,
): Chat[] {
  if (before === after) return [];
  return Object.values(after).filter((chat) => {
    const known = before[chat.key];
    return known !== chat && (known === undefined || !isSavedAlike(known, chat));
  });
}

function hasContent(write: DiskWrite): boolean {
  const parts = [write.chats, write.messages, write.removedMessages];
  return write.values !== undefined || parts.some((part) => part !== undefined && part.length > 0);
}

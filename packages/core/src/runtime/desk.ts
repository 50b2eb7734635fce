import type { ChatType } from "@parley/protocol/codes";
import { changeChats, type ChatInput } from "../model/chats.ts";
import { applyEvent, type RowEvent } from "../model/events.ts";
import { isSavedAlike, saveChat } from "../model/stored.ts";
import type { Chat, ChatKey, ChatMessage } from "../model/state.ts";
import type { Disk } from "./persist.ts";
import type { DiskWrite } from "./ports.ts";
import type { Store } from "./store.ts";

/** Where every change of chats passes: state, disk and those who follow rows stay in step. */
export interface Desk {
  /** One batch: one new state, one notification, one disk write together with `values`. */
  apply(inputs: readonly ChatInput[], values?: Readonly<Record<string, unknown>>): void;
  /** Rows below this id were never pulled, by kind. */
  floors: Record<ChatType, number>;
  /** Called with the rows of the server that a batch brought, as they now stand. */
  onRows: (rows: readonly { key: ChatKey; message: ChatMessage }[]) => void;
}

export const NO_FLOORS: Readonly<Record<ChatType, number>> = { PRIVATE: 0, GROUP: 0, SYSTEM: 0 };

export function createDesk(store: Store, disk: Disk): Desk {
  const desk: Desk = {
    floors: { ...NO_FLOORS },
    onRows: () => undefined,
    apply(inputs, values) {
      const before = store.get().chats;
      const { chats, rows, missed } = changeChats(before, inputs, {
        floors: desk.floors,
        hasDisk: disk.isUsable(),
      });
      store.set({ chats });
      if (disk.isUsable()) {
        const write: DiskWrite = {
          chats: changedChats(before.byKey, chats.byKey).map(saveChat),
          messages: rows.map(({ key, message }) => ({ chatKey: key, message })),
          ...(values !== undefined && { values }),
        };
        if (hasContent(write)) disk.keep(write);
        for (const { key, event } of missed) void changeOnDisk(key, event);
      }
      desk.onRows(rows);
    },
  };

  /** An edit or a recall of a message that lies on disk only. */
  async function changeOnDisk(key: ChatKey, event: RowEvent): Promise<void> {
    const [message] = await disk.messagesBefore(key, event.targetId + 1, 1);
    if (message === undefined) return;
    const changed = applyEvent(message, event);
    if (changed !== message) disk.keep({ messages: [{ chatKey: key, message: changed }] });
  }

  return desk;
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
  return write.values !== undefined || (write.chats?.length ?? 0) > 0 || (write.messages?.length ?? 0) > 0;
}

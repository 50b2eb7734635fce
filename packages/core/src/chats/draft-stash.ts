import { parseChatKey } from "../model/chats/chat-rows.ts";
import { parseMentions } from "../model/chats/mentions.ts";
import type { ChatKey, DraftEdit, DraftMention } from "../model/state.ts";
import { isRecord, readJson, writeValue } from "../storage/key-value-storage.ts";
import type { Ports } from "../ports.ts";
import { isDraftEdit } from "../storage/tab-sync.ts";

/**
 * What was typed last, where a page can still write at the moment it goes away: browsers drop a database's transaction that is begun then.
 * Held until the database surely has it.
 */
export interface DraftStash {
  save(userId: number, stashedDraft: StashedDraft): void;
  /** Another tab knows this draft better. */
  remove(key: ChatKey): void;
  /** What a page before this one in the same tab left behind. */
  load(userId: number): StashedDraft | null;
}

export interface StashedDraft {
  readonly key: ChatKey;
  readonly text: string;
  readonly mentions: readonly DraftMention[];
  readonly edit: DraftEdit | null;
}

const STASH = "parley.draft";
/** Far longer than the database waits before it writes. */
const STASH_MS = 2_000;

export function createDraftStash({ clock, storage }: Pick<Ports, "clock" | "storage">): DraftStash {
  let stashedKey: ChatKey | null = null;
  let cancel: () => void = () => undefined;

  function clear(): void {
    cancel();
    stashedKey = null;
    writeValue(storage.session, STASH, null);
  }

  return {
    save(userId, stashedDraft) {
      cancel();
      stashedKey = stashedDraft.key;
      writeValue(storage.session, STASH, JSON.stringify({ userId, ...stashedDraft }));
      cancel = clock.after(STASH_MS, clear);
    },
    remove(key) {
      if (stashedKey === key) clear();
    },
    load(userId) {
      const saved = readJson(storage.session, STASH);
      if (!isRecord(saved) || saved["userId"] !== userId || typeof saved["text"] !== "string") return null;
      const chat = typeof saved["key"] === "string" ? parseChatKey(saved["key"]) : null;
      const mentions = parseMentions(saved["mentions"]) ?? [];
      const edit = isDraftEdit(saved["edit"]) ? saved["edit"] : null;
      return chat === null ? null : { key: chat.key, text: saved["text"], mentions, edit };
    },
  };
}

import { parseChatKey } from "../model/rows.ts";
import { readMentions } from "../model/mentions.ts";
import type { ChatKey, DraftEdit, DraftMention } from "../model/state.ts";
import { isRecord, readJson, writeValue } from "./keep.ts";
import type { Ports } from "./ports.ts";
import { isEdit } from "./tab-talk.ts";

/**
 * What was typed last, where a page can still write at the moment it goes away: browsers drop a database's transaction that is begun then.
 * Held until the database surely has it.
 */
export interface DraftStash {
  put(userId: number, typed: Typed): void;
  /** Another tab knows this draft better. */
  drop(key: ChatKey): void;
  /** What a page before this one in the same tab left behind. */
  find(userId: number): Typed | null;
}

export interface Typed {
  readonly key: ChatKey;
  readonly text: string;
  readonly mentions: readonly DraftMention[];
  readonly edit: DraftEdit | null;
}

const STASH = "parley.draft";
/** Far longer than the database waits before it writes. */
const HOLD_MS = 2_000;

export function createDraftStash({ clock, storage }: Pick<Ports, "clock" | "storage">): DraftStash {
  let held: ChatKey | null = null;
  let cancel: () => void = () => undefined;

  function clear(): void {
    cancel();
    held = null;
    writeValue(storage.session, STASH, null);
  }

  return {
    put(userId, typed) {
      cancel();
      held = typed.key;
      writeValue(storage.session, STASH, JSON.stringify({ userId, ...typed }));
      cancel = clock.after(HOLD_MS, clear);
    },
    drop(key) {
      if (held === key) clear();
    },
    find(userId) {
      const kept = readJson(storage.session, STASH);
      if (!isRecord(kept) || kept["userId"] !== userId || typeof kept["text"] !== "string") return null;
      const chat = typeof kept["key"] === "string" ? parseChatKey(kept["key"]) : null;
      const mentions = readMentions(kept["mentions"]) ?? [];
      const edit = isEdit(kept["edit"]) ? kept["edit"] : null;
      return chat === null ? null : { key: chat.key, text: kept["text"], mentions, edit };
    },
  };
}

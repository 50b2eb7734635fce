import * as z from "zod/mini";
import { chatKey, draftEdit, draftMentions } from "../model/schemas.ts";
import type { ChatKey, DraftEdit, DraftMention } from "../model/state.ts";
import type { SessionEvents } from "../session-events.ts";
import { readJson, SESSION_KEYS, writeValue } from "../storage/key-value-storage.ts";
import type { Ports } from "../ports.ts";

/**
 * The newest draft in session storage, which a page can still write while it unloads: browsers drop a database transaction that begins
 * then. It is kept until the database certainly has the draft.
 */
export interface DraftStash extends Pick<SessionEvents, "signedOut"> {
  save(userId: number, stashedDraft: StashedDraft): void;
  /** Another tab has a newer version of this draft. */
  remove(key: ChatKey): void;
  /** The draft that the previous page of this tab stored; the caller shows it, which saves it in the database. */
  load(userId: number): StashedDraft | null;
}

/** A draft as the stash holds it. */
export interface StashedDraft {
  readonly key: ChatKey;
  readonly text: string;
  readonly mentions: readonly DraftMention[];
  readonly edit: DraftEdit | null;
}

const savedStash = z.object({
  userId: z.number(),
  key: chatKey,
  text: z.string(),
  mentions: draftMentions,
  edit: z.nullable(draftEdit),
});

/** Much longer than the database delays its writes. */
const STASH_MS = 2_000;

/** Creates the stash of this tab. */
export function createDraftStash({ clock, storage }: Pick<Ports, "clock" | "storage">): DraftStash {
  let stashedKey: ChatKey | null = null;
  let cancelClear: () => void = () => undefined;

  /** The database has the draft of this chat soon. */
  function clearLater(key: ChatKey): void {
    cancelClear();
    stashedKey = key;
    cancelClear = clock.after(STASH_MS, clear);
  }

  function clear(): void {
    cancelClear();
    stashedKey = null;
    writeValue(storage.session, SESSION_KEYS.draft, null);
  }

  return {
    save(userId, stashedDraft) {
      writeValue(storage.session, SESSION_KEYS.draft, JSON.stringify({ userId, ...stashedDraft }));
      clearLater(stashedDraft.key);
    },
    remove(key) {
      if (stashedKey === key) clear();
    },
    load(userId) {
      const { data: stashed } = savedStash.safeParse(readJson(storage.session, SESSION_KEYS.draft));
      if (stashed?.userId !== userId) {
        clear();
        return null;
      }
      const { userId: _userId, ...draft } = stashed;
      clearLater(draft.key);
      return draft;
    },
    // The database has the draft.
    signedOut: clear,
  };
}

import type { QuoteMessage } from "@parley/protocol/message";
import type { ChatKey } from "../model/state.ts";
import { isRecord, readJson, writeValue } from "../storage/key-value-storage.ts";
import type { Ports } from "../ports.ts";

/** What was taken back, to be written again. */
export interface RecalledText {
  readonly text: string;
  /** What it answered. */
  readonly quote: QuoteMessage | null;
}

/** Texts of one's own late recalls: for 5 minutes, over a reload of this tab, and until the person leaves. */
export interface RecalledTexts {
  get(key: ChatKey, id: number): RecalledText | null;
  add(key: ChatKey, id: number, text: RecalledText): void;
  remove(key: ChatKey, id: number): void;
  forget(): void;
}

const STORAGE_KEY = "parley.recalled";
/** How long the text of a recalled message can be edited again (interface §6). */
const REEDIT_MS = 300_000;

interface SavedText extends RecalledText {
  readonly until: number;
}

/** They lie with the tab, not on the disk: what was taken back does not outlive it. */
export function createRecalledTexts({ clock, storage }: Ports, me: () => number): RecalledTexts {
  const texts = new Map<string, SavedText>();
  let isRead = false;

  function write(): void {
    const saved = texts.size === 0 ? null : JSON.stringify({ userId: me(), texts: [...texts] });
    writeValue(storage.session, STORAGE_KEY, saved);
  }

  function hold(messageKey: string, saved: SavedText): void {
    texts.set(messageKey, saved);
    clock.after(saved.until - clock.now(), () => {
      if (texts.get(messageKey) !== saved) return;
      texts.delete(messageKey);
      write();
    });
  }

  /** What this tab kept before it was loaded anew. */
  function read(): void {
    if (isRead) return;
    isRead = true;
    const saved = readJson(storage.session, STORAGE_KEY);
    if (saved === null) return;
    if (isRecord(saved) && saved["userId"] === me() && Array.isArray(saved["texts"])) {
      for (const one of saved["texts"]) if (isSavedEntry(one) && one[1].until > clock.now()) hold(...one);
    }
    write();
  }

  return {
    get(key, id) {
      read();
      return texts.get(`${key} ${id}`) ?? null;
    },
    add(key, id, { text, quote }) {
      read();
      hold(`${key} ${id}`, { text, quote, until: clock.now() + REEDIT_MS });
      write();
    },
    remove(key, id) {
      read();
      texts.delete(`${key} ${id}`);
      write();
    },
    forget() {
      isRead = false;
      texts.clear();
      write();
    },
  };
}

function isSavedEntry(value: unknown): value is [string, SavedText] {
  if (!Array.isArray(value) || typeof value[0] !== "string" || !isRecord(value[1])) return false;
  const { text, quote, until } = value[1];
  return typeof text === "string" && typeof until === "number" && (quote === null || isRecord(quote));
}

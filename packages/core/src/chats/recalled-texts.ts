import * as z from "zod/mini";
import { type QuoteMessage, quoteMessage } from "@parley/protocol/message";
import type { ChatKey } from "../model/state.ts";
import type { SessionEvents } from "../session-events.ts";
import { readJson, SESSION_KEYS, writeValue } from "../storage/key-value-storage.ts";
import type { Ports } from "../ports.ts";

/** The text of a recalled message, to be edited and sent again. */
export interface RecalledText {
  readonly text: string;
  /** The quote of the recalled message. */
  readonly quote: QuoteMessage | null;
}

/** The texts of messages that the user recalled: for 5 minutes, also after a reload of this tab, but not after a logout. */
export interface RecalledTexts extends Pick<SessionEvents, "reset" | "signedOut"> {
  get(key: ChatKey, id: number): RecalledText | null;
  add(key: ChatKey, id: number, text: RecalledText): void;
  remove(key: ChatKey, id: number): void;
}

/** How long the text of a recalled message can be edited again (interface §6). */
const REEDIT_MS = 300_000;

const savedText = z.object({ text: z.string(), quote: z.nullable(quoteMessage), until: z.number() });
type SavedText = z.output<typeof savedText>;
const savedTexts = z.object({ userId: z.number(), texts: z.array(z.tuple([z.string(), savedText])) });

/** Creates the texts. They are saved in session storage, not in the database, so that they do not outlive the tab. */
export function createRecalledTexts({ clock, storage }: Ports, me: number): RecalledTexts {
  const texts = new Map<string, SavedText>();
  let isRead = false;

  function save(): void {
    const saved = texts.size === 0 ? null : JSON.stringify({ userId: me, texts: [...texts] });
    writeValue(storage.session, SESSION_KEYS.recalledTexts, saved);
  }

  function keepUntilExpiry(messageKey: string, saved: SavedText): void {
    texts.set(messageKey, saved);
    clock.after(saved.until - clock.now(), () => {
      if (texts.get(messageKey) !== saved) return;
      texts.delete(messageKey);
      save();
    });
  }

  /** Reads what this tab saved before it was reloaded. */
  function restoreOnce(): void {
    if (isRead) return;
    isRead = true;
    const stored = readJson(storage.session, SESSION_KEYS.recalledTexts);
    if (stored === null) return;
    const { data: saved } = savedTexts.safeParse(stored);
    if (saved?.userId === me) {
      for (const entry of saved.texts) if (entry[1].until > clock.now()) keepUntilExpiry(...entry);
    }
    save();
  }

  function forget(): void {
    isRead = false;
    texts.clear();
    save();
  }

  return {
    get(key, id) {
      restoreOnce();
      return texts.get(`${key} ${id}`) ?? null;
    },
    add(key, id, { text, quote }) {
      restoreOnce();
      keepUntilExpiry(`${key} ${id}`, { text, quote, until: clock.now() + REEDIT_MS });
      save();
    },
    remove(key, id) {
      restoreOnce();
      texts.delete(`${key} ${id}`);
      save();
    },
    reset(isOtherServer) {
      if (isOtherServer) forget();
    },
    signedOut: forget,
  };
}

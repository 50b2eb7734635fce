import type { QuoteMessage } from "@parley/protocol/message";
import type { ChatKey } from "../model/state.ts";
import { isRecord, readJson, writeValue } from "./keep.ts";
import type { Ports } from "./ports.ts";

/** What was taken back, to be written again. */
export interface RecalledText {
  readonly text: string;
  /** What it answered. */
  readonly quote: QuoteMessage | null;
}

/** Texts of one's own late recalls: for 5 minutes, over a reload of this tab, and until the person leaves. */
export interface Recalled {
  get(key: ChatKey, id: number): RecalledText | null;
  add(key: ChatKey, id: number, text: RecalledText): void;
  drop(key: ChatKey, id: number): void;
  forget(): void;
}

const RECALLED = "parley.recalled";
/** How long the text of a recalled message can be edited again (interface §6). */
const REEDIT_MS = 300_000;

interface Kept extends RecalledText {
  readonly until: number;
}

/** They lie with the tab, not on the disk: what was taken back does not outlive it. */
export function createRecalled({ clock, storage }: Ports, me: () => number): Recalled {
  const texts = new Map<string, Kept>();
  let isRead = false;

  function write(): void {
    const kept = texts.size === 0 ? null : JSON.stringify({ userId: me(), texts: [...texts] });
    writeValue(storage.session, RECALLED, kept);
  }

  function keep(place: string, kept: Kept): void {
    texts.set(place, kept);
    clock.after(kept.until - clock.now(), () => {
      if (texts.get(place) !== kept) return;
      texts.delete(place);
      write();
    });
  }

  /** What this tab kept before it was loaded anew. */
  function read(): void {
    if (isRead) return;
    isRead = true;
    const kept = readJson(storage.session, RECALLED);
    if (kept === null) return;
    if (isRecord(kept) && kept["userId"] === me() && Array.isArray(kept["texts"])) {
      for (const one of kept["texts"]) if (isPlaced(one) && one[1].until > clock.now()) keep(...one);
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
      keep(`${key} ${id}`, { text, quote, until: clock.now() + REEDIT_MS });
      write();
    },
    drop(key, id) {
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

function isPlaced(value: unknown): value is [string, Kept] {
  if (!Array.isArray(value) || typeof value[0] !== "string" || !isRecord(value[1])) return false;
  const { text, quote, until } = value[1];
  return typeof text === "string" && typeof until === "number" && (quote === null || isRecord(quote));
}

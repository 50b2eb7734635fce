import { ChatType } from "@parley/protocol/codes";
import { readSystemMessages } from "@parley/protocol/endpoints/messages";
import { READ_REPORT_MS } from "@parley/protocol/limits";
import { parseChatKey } from "../model/rows.ts";
import type { ChatKey } from "../model/state.ts";
import type { Api } from "./api.ts";
import type { Desk } from "./desk.ts";
import { isRecord } from "./keep.ts";
import type { Disk } from "./persist.ts";
import type { Ports } from "./ports.ts";
import type { Store } from "./store.ts";
import { talkIn } from "./talk-calls.ts";

/** Read positions on their way to the server: at once here, there at most every 500 ms a chat, and again until they arrive. */
export interface Reads {
  restore(): Promise<void>;
  markSeen(key: ChatKey, upTo: number): void;
  /** Everything of the chat. */
  markAllSeen(key: ChatKey): void;
  /** The server knows less than this client. */
  report(key: ChatKey): void;
  /** The network may be back. */
  retry(): void;
  forget(): void;
}

const RETRY_MS = 5_000;

export interface ReadsDeps {
  ports: Ports;
  api: Api;
  store: Store;
  disk: Disk;
  desk: Desk;
}

export function createReads({ ports, api, store, disk, desk }: ReadsDeps): Reads {
  /** Positions the server has not confirmed. */
  const unsent = new Map<ChatKey, number>();
  /** Chats whose next report waits, or is under way. */
  const busy = new Set<ChatKey>();
  let generation = 0;

  const positionIn = (key: ChatKey) => store.get().chats.byKey[key]?.readId ?? -1;

  function schedule(key: ChatKey, delay = READ_REPORT_MS): void {
    if (busy.has(key)) return;
    busy.add(key);
    const asked = generation;
    ports.clock.after(delay, () => {
      if (asked === generation) void send(key, asked);
    });
  }

  async function send(key: ChatKey, asked: number): Promise<void> {
    const upTo = unsent.get(key);
    const isSent = upTo === undefined || (await put(key, upTo));
    if (asked !== generation) return;
    busy.delete(key);
    if (upTo === undefined) return;
    // Offline it waits for the line to come back.
    if (!isSent) {
      if (store.get().connection.kind === "online") schedule(key, RETRY_MS);
      return;
    }
    if (unsent.get(key) === upTo) {
      unsent.delete(key);
      keep();
    } else schedule(key);
  }

  async function put(key: ChatKey, upTo: number): Promise<boolean> {
    const isSystem = parseChatKey(key)?.type === ChatType.SYSTEM;
    const result = await (isSystem
      ? api.call(readSystemMessages, { query: { maxSeqNo: upTo } }, { quiet: true })
      : talkIn(api, key)?.markRead(upTo));
    // A refusal will not change; only a lost answer is worth another try.
    return result === undefined || result.ok || result.failure.kind === "refused";
  }

  function keep(): void {
    disk.keep({ values: { unsentReads: Object.fromEntries(unsent) } });
  }

  function report(key: ChatKey): void {
    unsent.set(key, positionIn(key));
    keep();
    schedule(key);
  }

  return {
    async restore() {
      const stored = await disk.value("unsentReads");
      if (!isRecord(stored)) return;
      for (const [text, upTo] of Object.entries(stored)) {
        const target = parseChatKey(text);
        if (target !== null && typeof upTo === "number") unsent.set(target.key, upTo);
      }
    },
    markSeen(key, upTo) {
      if (upTo <= positionIn(key) || store.get().chats.byKey[key] === undefined) return;
      desk.apply([{ kind: "read", key, side: "mine", upTo }]);
      report(key);
    },
    markAllSeen(key) {
      const before = positionIn(key);
      desk.apply([{ kind: "read", key, side: "mine", upTo: null }]);
      if (positionIn(key) > before) report(key);
    },
    report,
    retry() {
      for (const key of unsent.keys()) schedule(key);
    },
    forget() {
      generation++;
      unsent.clear();
      busy.clear();
    },
  };
}

import { ChatType } from "@parley/protocol/codes";
import { readSystemMessages } from "@parley/protocol/endpoints/messages";
import { READ_REPORT_MS } from "@parley/protocol/limits";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey } from "../model/state.ts";
import type { Api } from "../connection/api.ts";
import type { ChatStore } from "./chat-store.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import type { LocalDatabase } from "../storage/local-database.ts";
import type { Ports } from "../ports.ts";
import type { StateStore } from "../state-store.ts";
import { chatApiOf } from "./chat-api.ts";

/** Applies read positions at once and reports them to the server at most every 500 ms per chat, until they have arrived. */
export interface ReadPositions {
  restore(): Promise<void>;
  markReadUpTo(key: ChatKey, upTo: number): void;
  /** Marks the whole chat as read. */
  markAllRead(key: ChatKey): void;
  /** Reports a position again, because the server has a lower one than this client. */
  report(key: ChatKey): void;
  /** The network may be back. */
  retry(): void;
  /** The server has another database: drops all positions, whose ids belong to other messages there. */
  drop(): void;
}

const RETRY_MS = 5_000;

/** What read positions need. */
export interface ReadPositionsDeps {
  ports: Ports;
  api: Api;
  stateStore: StateStore;
  database: LocalDatabase;
  chatStore: ChatStore;
}

/** Creates the read positions of one session. */
export function createReadPositions({
  ports,
  api,
  stateStore,
  database,
  chatStore,
}: ReadPositionsDeps): ReadPositions {
  /** Positions that the server has not confirmed. */
  let unsent = new Map<ChatKey, number>();
  /** Chats whose next report is scheduled or in flight. */
  let scheduled = new Set<ChatKey>();

  const positionIn = (key: ChatKey) => stateStore.get().chats.byKey[key]?.readId ?? -1;

  function schedule(key: ChatKey, delay = READ_REPORT_MS): void {
    if (scheduled.has(key)) return;
    scheduled.add(key);
    const positions = unsent;
    ports.clock.after(delay, () => {
      if (positions === unsent) void send(key);
    });
  }

  async function send(key: ChatKey): Promise<void> {
    const positions = unsent;
    const upTo = positions.get(key);
    const isSent = upTo === undefined || (await sendPosition(key, upTo));
    // All positions were dropped meanwhile.
    if (positions !== unsent) return;
    scheduled.delete(key);
    if (upTo === undefined) return;
    // Without a connection it waits until the connection is back.
    if (!isSent) {
      if (stateStore.get().connection.kind === "online") schedule(key, RETRY_MS);
      return;
    }
    if (unsent.get(key) === upTo) {
      unsent.delete(key);
      saveUnsent();
    } else schedule(key);
  }

  async function sendPosition(key: ChatKey, upTo: number): Promise<boolean> {
    const isSystem = parseChatKey(key)?.type === ChatType.SYSTEM;
    const result = await (isSystem
      ? api.call(readSystemMessages, { query: { maxSeqNo: upTo } }, { silent: true })
      : chatApiOf(api, key)?.markRead(upTo));
    // A refusal will not change; retry only after a lost answer.
    return result === undefined || result.ok || result.failure.kind === "refused";
  }

  function saveUnsent(): void {
    database.save({ values: { unsentReads: Object.fromEntries(unsent) } });
  }

  function report(key: ChatKey): void {
    unsent.set(key, positionIn(key));
    saveUnsent();
    schedule(key);
  }

  return {
    async restore() {
      const stored = await database.value("unsentReads");
      if (!isRecord(stored)) return;
      for (const [storedKey, upTo] of Object.entries(stored)) {
        const target = parseChatKey(storedKey);
        if (target !== null && typeof upTo === "number") unsent.set(target.key, upTo);
      }
    },
    markReadUpTo(key, upTo) {
      if (upTo <= positionIn(key) || stateStore.get().chats.byKey[key] === undefined) return;
      chatStore.dispatch([{ kind: "read", key, side: "mine", upTo }]);
      report(key);
    },
    markAllRead(key) {
      const before = positionIn(key);
      chatStore.dispatch([{ kind: "read", key, side: "mine", upTo: null }]);
      if (positionIn(key) > before) report(key);
    },
    report,
    retry() {
      for (const key of unsent.keys()) schedule(key);
    },
    drop() {
      unsent = new Map();
      scheduled = new Set();
    },
  };
}

import { ChatType } from "@parley/protocol/codes";
import { readSystemMessages } from "@parley/protocol/endpoints/messages";
import { READ_REPORT_MS } from "@parley/protocol/limits";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey } from "../model/state.ts";
import type { ChatDeps } from "./chat-store.ts";
import { createDurableQueue, type DurableQueue } from "../storage/durable-queue.ts";
import { isRecord } from "../storage/key-value-storage.ts";
import { createStoredEntries } from "../storage/stored-entries.ts";
import { chatApiOf } from "./chat-api.ts";

/**
 * Applies read positions at once and reports them to the server at most every 500 ms per chat, until they have arrived. In another database
 * of the server the ids belong to other messages, so all positions have to be dropped.
 */
export interface ReadPositions extends Pick<
  DurableQueue<UnsentPosition>,
  "restore" | "retry" | "saveAll" | "drop"
> {
  markReadUpTo(key: ChatKey, upTo: number): void;
  /** Marks the whole chat as read. */
  markAllRead(key: ChatKey): void;
  /** Reports a position again, because the server has a lower one than this client. */
  report(key: ChatKey): void;
}

/** A position that the server has not confirmed. */
export interface UnsentPosition {
  readonly key: ChatKey;
  readonly upTo: number;
}

const idOf = ({ key }: UnsentPosition) => key;

/** Creates the read positions of one session. */
export function createReadPositions({ ports, api, database, chatStore }: ChatDeps): ReadPositions {
  const queue = createDurableQueue<UnsentPosition>({
    ports,
    idOf,
    delayMs: READ_REPORT_MS,
    ...createStoredEntries<UnsentPosition>({
      database,
      prefix: "unsentRead ",
      idOf,
      valueOf: (entry) => entry,
      parse: (value) => (isRecord(value) ? parsePosition(value["key"], value["upTo"]) : []),
      oldKey: "unsentReads",
      parseOld: (old) =>
        isRecord(old) ? Object.entries(old).flatMap(([key, upTo]) => parsePosition(key, upTo)) : [],
    }),
    async send({ key, upTo }) {
      const isSystem = parseChatKey(key)?.type === ChatType.SYSTEM;
      const result = await (isSystem
        ? api.call(readSystemMessages, { query: { maxSeqNo: upTo } }, { silent: true })
        : chatApiOf(api, key)?.markRead(upTo));
      return result === undefined || result.ok ? null : result.failure;
    },
  });

  const positionIn = (key: ChatKey) => chatStore.chatOf(key)?.readId ?? -1;
  const report = (key: ChatKey) => void queue.put({ key, upTo: positionIn(key) });

  return {
    restore: queue.restore,
    retry: queue.retry,
    saveAll: queue.saveAll,
    drop: queue.drop,
    markReadUpTo(key, upTo) {
      if (upTo <= positionIn(key) || chatStore.chatOf(key) === undefined) return;
      chatStore.dispatch([{ kind: "read", key, side: "mine", upTo }]);
      report(key);
    },
    markAllRead(key) {
      const before = positionIn(key);
      chatStore.dispatch([{ kind: "read", key, side: "mine", upTo: null }]);
      if (positionIn(key) > before) report(key);
    },
    report,
  };
}

function parsePosition(storedKey: unknown, upTo: unknown): UnsentPosition[] {
  const target = typeof storedKey === "string" ? parseChatKey(storedKey) : null;
  return target === null || typeof upTo !== "number" ? [] : [{ key: target.key, upTo }];
}

import * as z from "zod/mini";
import { ChatType } from "@parley/protocol/codes";
import { readSystemMessages } from "@parley/protocol/endpoints/messages";
import { READ_REPORT_MS } from "@parley/protocol/limits";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import { chatKey } from "../model/schemas.ts";
import type { ChatKey } from "../model/state.ts";
import type { ChatDeps } from "./chat-store.ts";
import type { SessionEvents } from "../session-events.ts";
import { createDurableQueue } from "../storage/durable-queue.ts";
import { createStoredEntries } from "../storage/stored-entries.ts";
import { chatApiOf } from "./chat-api.ts";
import type { ChatPrefsService } from "./chat-prefs.ts";

/** What a person has read. */
export interface ReadActions {
  /** The person has seen everything up to this message (id; system chat: seqNo). Reported to the server at most every 500 ms. */
  markReadUpTo(key: ChatKey, upTo: number): void;
}

/**
 * Applies read positions at once and reports them to the server at most every 500 ms per chat, until they have arrived. In another database
 * of the server the ids belong to other messages, so all positions are dropped.
 */
export interface ReadPositions extends Pick<SessionEvents, "restore" | "reapply" | "retry" | "reset"> {
  readonly actions: ReadActions;
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

const unsentPosition: z.ZodMiniType<UnsentPosition> = z.object({ key: chatKey, upTo: z.number() });

/** Each position has an id of its own, so that a tab neither overwrites nor removes a higher one of another tab. */
const idOf = ({ key, upTo }: UnsentPosition) => `${key} ${upTo}`;

/** Creates the read positions of one session. */
export function createReadPositions({
  ports,
  api,
  database,
  chatStore,
  chatPrefs,
}: ChatDeps & { chatPrefs: Pick<ChatPrefsService, "keepFromArchive"> }): ReadPositions {
  const queue = createDurableQueue<UnsentPosition>({
    ports,
    idOf,
    laneOf: ({ key }) => key,
    delayMs: READ_REPORT_MS,
    ...createStoredEntries<UnsentPosition>({
      database,
      prefix: "unsentPosition ",
      idOf,
      valueOf: (entry) => entry,
      schema: unsentPosition,
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

  /** Positions below a higher one of the same chat need not be sent. */
  function removeLower(): void {
    const highest = new Map<ChatKey, number>();
    for (const { key, upTo } of queue.entries()) highest.set(key, Math.max(upTo, highest.get(key) ?? -1));
    queue.remove(
      queue
        .entries()
        .filter(({ key, upTo }) => upTo < (highest.get(key) ?? -1))
        .map(idOf),
    );
  }

  function report(key: ChatKey): void {
    void queue.put({ key, upTo: positionIn(key) });
    removeLower();
  }

  return {
    actions: {
      markReadUpTo(key, upTo) {
        if (upTo <= positionIn(key) || chatStore.chatOf(key) === undefined) return;
        // Read, a mention would not count any more.
        chatPrefs.keepFromArchive(key);
        chatStore.dispatch([{ kind: "read", key, side: "mine", upTo }]);
        report(key);
      },
    },
    async restore() {
      await queue.restore();
      removeLower();
    },
    retry: queue.retry,
    reset(isOtherServer) {
      if (isOtherServer) queue.drop();
      else queue.saveAll();
    },
    markAllRead(key) {
      const before = positionIn(key);
      chatPrefs.keepFromArchive(key);
      chatStore.dispatch([{ kind: "read", key, side: "mine", upTo: null }]);
      if (positionIn(key) > before) report(key);
    },
    report,
    reapply() {
      chatStore.dispatch(queue.entries().map(({ key, upTo }) => ({ kind: "read", key, side: "mine", upTo })));
    },
  };
}

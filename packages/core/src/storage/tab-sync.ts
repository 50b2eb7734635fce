import type { ChatInput } from "../model/chats/chat-input.ts";
import { parseMentions } from "../model/chats/mentions.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey, DraftEdit, DraftQuote } from "../model/state.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { isRecord } from "./key-value-storage.ts";
import type { Ports } from "../ports.ts";
import { isEvictionMark } from "../chats/eviction.ts";

/**
 * What the tabs of one device tell each other: drafts, unread marks and chats taken from the list, which no server knows, trims of their disk,
 * and that it was cleared.
 */
export interface TabSync {
  /** Here, on disk and in the other tabs. */
  dispatch(input: TabSyncInput): void;
  /** In the other tabs alone. */
  broadcast(input: TabSyncInput): void;
  /** What lay on the disk made no sense and was cleared. */
  broadcastCleared(): void;
  close(): void;
}

export type TabSyncInput = Extract<ChatInput, { kind: "draft" | "mark" | "remove" | "trim" }>;

export interface TabSyncDeps {
  ports: Ports;
  chatStore: ChatStore;
  me(): number;
  /** Another tab knows this chat's draft better. */
  onDraft(key: ChatKey): void;
  /** Another tab has cleared the disk: what this one believes to lie there is gone. */
  onCleared(): void;
}

const CLEARED_MESSAGE = "diskCleared";

export function createTabSync({ ports, chatStore, me, onDraft, onCleared }: TabSyncDeps): TabSync {
  const stop = ports.tabs.listen((message) => {
    if (!isRecord(message) || message["userId"] !== me()) return;
    if (message["kind"] === CLEARED_MESSAGE) return onCleared();
    const input = parseTabInput(message);
    if (input === null) return;
    if (input.kind === "draft" || input.kind === "remove") onDraft(input.key);
    chatStore.dispatch([input]);
  });

  const broadcast = (input: TabSyncInput) => ports.tabs.broadcast({ ...input, userId: me() });

  return {
    dispatch(input) {
      chatStore.dispatch([input]);
      broadcast(input);
    },
    broadcast,
    broadcastCleared: () => ports.tabs.broadcast({ kind: CLEARED_MESSAGE, userId: me() }),
    close: stop,
  };
}

/** An older version of this program may run in another tab. */
function parseTabInput(message: Record<string, unknown>): TabSyncInput | null {
  const { kind, key: keyText, text, quote, edit, isOn } = message;
  const mentions = parseMentions(message["mentions"]);
  const key = typeof keyText === "string" ? parseChatKey(keyText)?.key : undefined;
  if (key === undefined) return null;
  switch (kind) {
    case "draft":
      return {
        kind,
        key,
        ...(typeof text === "string" && { text, mentions: mentions ?? [] }),
        ...((quote === null || isDraftQuote(quote)) && { quote }),
        ...((edit === null || isDraftEdit(edit)) && { edit }),
      };
    case "mark":
      return { kind, key, isOn: isOn === true };
    case "remove":
      return { kind, key };
    case "trim":
      return isEvictionMark(message) ? { kind, key, below: message.below, at: message.at } : null;
    default:
      return null;
  }
}

function isDraftQuote(value: unknown): value is DraftQuote {
  return isRecord(value) && typeof value["id"] === "number" && typeof value["content"] === "string";
}

/** Whether this is an edit not yet sent, as another page wrote it. */
export function isDraftEdit(value: unknown): value is DraftEdit {
  return isRecord(value) && typeof value["id"] === "number" && typeof value["text"] === "string";
}

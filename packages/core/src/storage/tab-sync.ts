import { parseDraftFiles } from "../model/uploads/draft-files.ts";
import { parseMentions } from "../model/chats/mentions.ts";
import { parseChatKey } from "../model/chats/chat-rows.ts";
import type { ChatKey, DraftEdit, DraftQuote } from "../model/state.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import { isRecord } from "./key-value-storage.ts";
import type { Ports } from "../ports.ts";
import { isEvictionMark } from "../chats/eviction.ts";
import { broadcastToTabs, isTabMessage, type TabSyncInput } from "./tab-messages.ts";

/**
 * What the tabs of one device send each other: drafts, unread marks and chats removed from the list, which the server does not store;
 * evictions from the shared database, and that it was cleared.
 */
export interface TabSync {
  /** Applies an input here, in the database and in the other tabs. */
  dispatch(input: TabSyncInput): void;
  /** Applies an input in the other tabs only. */
  broadcast(input: TabSyncInput): void;
  /** Tells the other tabs that the database was malformed and has been cleared. */
  broadcastCleared(): void;
}

/** What tab sync needs, and where it reports to. */
export interface TabSyncDeps {
  ports: Ports;
  chatStore: ChatStore;
  /** The id of the person signed in. */
  me: number;
  /** Another tab has a newer draft of this chat. */
  onDraft(key: ChatKey): void;
  /** Another tab has cleared the database, which this tab must no longer rely on. */
  onCleared(): void;
}

/** Creates the sync with the other tabs and listens to them. */
export function createTabSync({ ports, chatStore, me, onDraft, onCleared }: TabSyncDeps): TabSync {
  ports.tabs.listen((message) => {
    if (!isRecord(message) || message["userId"] !== me) return;
    if (isTabMessage(message, "databaseCleared")) return onCleared();
    const input = parseTabInput(message);
    if (input === null) return;
    const isText = input.kind === "draft" && (input.text !== undefined || input.edit !== undefined);
    if (isText || input.kind === "remove") onDraft(input.key);
    chatStore.dispatch([input]);
  });

  const broadcast = (input: TabSyncInput) => broadcastToTabs(ports.tabs, { ...input, userId: me });

  return {
    dispatch(input) {
      chatStore.dispatch([input]);
      broadcast(input);
    },
    broadcast,
    broadcastCleared: () => broadcastToTabs(ports.tabs, { kind: "databaseCleared", userId: me }),
  };
}

/** Reads a message of another tab, which may run an older version of the client. */
function parseTabInput(message: Record<string, unknown>): TabSyncInput | null {
  const { kind, key: keyText, text, quote, edit, isOn } = message;
  const mentions = parseMentions(message["mentions"]);
  const files = parseDraftFiles(message["files"]);
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
        ...(files !== null && { files }),
      };
    case "mark":
      return { kind, key, isOn: isOn === true };
    case "remove":
      return { kind, key };
    case "evict":
      return isEvictionMark(message) ? { kind, key, below: message.below, at: message.at } : null;
    default:
      return null;
  }
}

function isDraftQuote(value: unknown): value is DraftQuote {
  return isRecord(value) && typeof value["id"] === "number" && typeof value["content"] === "string";
}

/** Whether a value that another page wrote is an unsent edit. */
export function isDraftEdit(value: unknown): value is DraftEdit {
  return isRecord(value) && typeof value["id"] === "number" && typeof value["text"] === "string";
}

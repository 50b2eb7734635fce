import type { ChatKey } from "../model/state.ts";
import type { ChatStore } from "../chats/chat-store.ts";
import type { Ports } from "../ports.ts";
import { broadcastToTabs, listenToOwnTabs, type TabSyncInput } from "./tab-messages.ts";

/**
 * What the tabs of one device send each other: drafts and chats removed from the list, which the server does not store; evictions from the
 * shared database, and that it was cleared.
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
  listenToOwnTabs(ports.tabs, me, "databaseCleared", onCleared);
  for (const kind of ["draft", "remove", "evict"] as const) {
    listenToOwnTabs(ports.tabs, me, kind, ({ userId: _userId, ...input }) => {
      const isText = input.kind === "draft" && (input.text !== undefined || input.edit !== undefined);
      if (isText || input.kind === "remove") onDraft(input.key);
      chatStore.dispatch([input]);
    });
  }

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

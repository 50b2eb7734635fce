import type { BroadcastInput } from "../model/broadcast/broadcast-run.ts";
import type { LocalFile } from "../client-api.ts";
import type { ChatInput } from "../model/chats/chat-input.ts";
import type { ChatKey } from "../model/state.ts";
import type { Tabs } from "../ports.ts";
import { isRecord } from "./key-value-storage.ts";
import type { Tokens } from "./stored-values.ts";

/** The inputs that tabs send each other: what the server does not store, and evictions from the shared database. */
export type TabSyncInput = Extract<ChatInput, { kind: "draft" | "mark" | "remove" | "evict" }>;

/** Everything that the tabs of one browser send each other. Only tabs in which `userId` is signed in act on it. */
export type TabMessage =
  | (TabSyncInput & { readonly userId: number })
  /** The local database was malformed and has been cleared. */
  | { readonly kind: "databaseCleared"; readonly userId: number }
  /** The notice of a group was read. */
  | {
      readonly kind: "noticeRead";
      readonly userId: number;
      readonly groupId: number;
      readonly notice: string;
    }
  /** A voice message was played. */
  | { readonly kind: "voicePlayed"; readonly userId: number; readonly key: ChatKey; readonly id: number }
  /** Something happened to the broadcast. */
  | { readonly kind: "broadcast"; readonly userId: number; readonly input: BroadcastInput }
  /** A tab that was opened asks which messages other tabs upload the files of, and send behind them. */
  | { readonly kind: "uploadsAsked"; readonly userId: number }
  | { readonly kind: "uploading"; readonly userId: number; readonly tmpIds: readonly string[] }
  /** These messages were discarded, which other tabs may show as failed. */
  | { readonly kind: "discarded"; readonly userId: number; readonly tmpIds: readonly string[] }
  /** A tab is closed that had these messages to send. */
  | { readonly kind: "outboxLeft"; readonly userId: number; readonly tmpIds: readonly string[] }
  /** Asks for a file of a draft that did not fit into the local database: only the tab in which it was chosen has it. */
  | { readonly kind: "draftFileAsked"; readonly userId: number; readonly id: string }
  | (LocalFile & { readonly kind: "draftFileGiven"; readonly userId: number; readonly id: string })
  /** A tab can be watched from now on; `isNew`: the others tell it the same of themselves. */
  | { readonly kind: "tabAlive"; readonly userId: number; readonly tab: string; readonly isNew: boolean }
  /** A tab has refreshed these tokens; tabs that were duplicated from the same one use them too. */
  | { readonly kind: "tokens"; readonly tokens: Tokens }
  /** Logs out; null: whoever is signed in. */
  | { readonly kind: "loggedOut"; readonly userId: number | null };

/** Sends a message to all other tabs of this browser. */
export function broadcastToTabs(tabs: Pick<Tabs, "broadcast">, message: TabMessage): void {
  tabs.broadcast(message);
}

/**
 * The name of the lock that a signed-in tab holds for as long as it lives. By it other tabs notice that its unsent messages and its calls are
 * theirs now. Tabs of other versions use the same name.
 */
export const tabLockName = (tab: string): string => `outbox.${tab}`;

/** Whether another tab sent a message of this kind. Its fields have to be checked, because the tab may run another version. */
export function isTabMessage(value: unknown, kind: TabMessage["kind"]): value is Record<string, unknown> {
  return isRecord(value) && value["kind"] === kind;
}

import type { ChatType } from "@parley/protocol/codes";
import type { ClearedPositions } from "./deleted-for-me.ts";
import type { MessagePage, PagePurpose } from "./add-page.ts";
import type {
  Chat,
  ChatKey,
  ChatMessage,
  Chats,
  Contacts,
  DraftEdit,
  DraftMention,
  DraftQuote,
  Failure,
  Groups,
  ModeratorRemoval,
  Receipt,
  RowEvent,
  Sending,
} from "../state.ts";

/** One thing that happens to the chats. A batch of them is one new state. */
export type ChatInput =
  /** A row of the server, from wherever it came. */
  | { readonly kind: "row"; readonly key: ChatKey; readonly message: ChatMessage }
  | { readonly kind: "event"; readonly key: ChatKey; readonly event: RowEvent }
  /** `upTo` null: to the newest known. */
  | {
      readonly kind: "read";
      readonly key: ChatKey;
      readonly side: "mine" | "theirs";
      readonly upTo: number | null;
    }
  /** A message of one's own that only this client has. */
  | { readonly kind: "localEcho"; readonly key: ChatKey; readonly message: ChatMessage }
  | {
      readonly kind: "sending";
      readonly key: ChatKey;
      readonly tmpId: string;
      readonly sending: Sending;
      readonly failure: Failure | null;
    }
  | { readonly kind: "discard"; readonly key: ChatKey; readonly tmpId: string }
  /** A part that is left out stays as it is. */
  | {
      readonly kind: "draft";
      readonly key: ChatKey;
      readonly text?: string;
      readonly mentions?: readonly DraftMention[];
      readonly quote?: DraftQuote | null;
      readonly edit?: DraftEdit | null;
    }
  /** The person's own unread mark. */
  | { readonly kind: "mark"; readonly key: ChatKey; readonly isOn: boolean }
  /** Out of the list, until its next message. */
  | { readonly kind: "remove"; readonly key: ChatKey }
  /** Deleted for oneself. */
  | { readonly kind: "deleteForMe"; readonly key: ChatKey; readonly ids: readonly number[] }
  /** The server would not delete them; as they stood. */
  | {
      readonly kind: "restoreDeleted";
      readonly key: ChatKey;
      readonly ids: readonly number[];
      readonly messages: readonly ChatMessage[];
    }
  /** Groups: what this person wrote up to an id is gone for everybody. */
  | { readonly kind: "removeByModerator"; readonly key: ChatKey; readonly removal: ModeratorRemoval }
  /** Groups: so many have read a message. */
  | { readonly kind: "receipt"; readonly key: ChatKey; readonly receipt: Receipt }
  /** Everything of this kind up to here is gone. */
  | { readonly kind: "cleared"; readonly type: ChatType; readonly upTo: number }
  /** Groups: nobody has told what was done to these messages; all of them are to come from the server again. */
  | { readonly kind: "invalidate"; readonly key: ChatKey }
  | { readonly kind: "open"; readonly key: ChatKey; readonly now: number }
  | { readonly kind: "close" }
  | { readonly kind: "older"; readonly key: ChatKey; readonly older: Chat["window"]["older"] }
  | { readonly kind: "newer"; readonly key: ChatKey; readonly newer: Chat["window"]["newer"] }
  | { readonly kind: "page"; readonly key: ChatKey; readonly page: MessagePage; readonly use: PagePurpose }
  /** Some tab has let the disk go of what is below this id. */
  | { readonly kind: "trim"; readonly key: ChatKey; readonly below: number; readonly at: number }
  /** How the person has set this chat up. */
  | { readonly kind: "settings"; readonly key: ChatKey; readonly isTop: boolean; readonly msgRemind: number }
  | { readonly kind: "loading"; readonly type: ChatType; readonly isOn: boolean }
  /** Rows of this kind below `fromId` were left out of a pull; those up to `upTo` had come before. */
  | { readonly kind: "gap"; readonly type: ChatType; readonly fromId: number; readonly upTo: number }
  /** Chats as they lay on disk. Of those that are there already rows alone stay: echoes are to follow. */
  | { readonly kind: "restore"; readonly chats: readonly Chat[] };

export interface ChatContext {
  /** Rows below this id were never pulled, by kind: where the known history of a new chat begins. */
  readonly historyStart: Readonly<Record<ChatType, number>>;
  /** Who is logged in: whose mentions are noted. */
  readonly me: number;
  /** What was cleared: rows at or below do not come in any more. */
  readonly clearedPositions: ClearedPositions;
  /** Closed windows may be cut, since the disk has the rest. */
  readonly hasLocalDatabase: boolean;
  /** Messages that a chat which is not open keeps in memory, if not the usual number. */
  readonly closedWindow?: number | undefined;
  /** A new chat is pinned and silent as its friend or group is. */
  readonly friends: Contacts["friends"];
  readonly groups: Groups["byId"];
}

export interface ChangedRow {
  readonly key: ChatKey;
  readonly message: ChatMessage;
  /** Not compared with what memory knows: the disk may have a copy to merge with. */
  readonly isOutsideWindow: boolean;
}

export interface ChatsChange {
  readonly chats: Chats;
  /** Rows the server has, as they now stand, for the disk. */
  readonly rows: readonly ChangedRow[];
  /** Events whose target is not in memory: the disk's copy is still to be changed. */
  readonly missedEvents: readonly { readonly key: ChatKey; readonly event: RowEvent }[];
  /** Receipts whose message is not in memory. */
  readonly missedReceipts: readonly { readonly key: ChatKey; readonly receipt: Receipt }[];
  /** Rows that were not let in: deleted or cleared before they came. */
  readonly rejectedRows: readonly ChangedRow[];
  /** What the disk is to forget: single messages, or all of a chat up to an id. */
  readonly removals: readonly Removal[];
}

export type Removal =
  | { readonly key: ChatKey; readonly ids: readonly number[] }
  | { readonly key: ChatKey; readonly upTo: number }
  | { readonly key: ChatKey; readonly removal: ModeratorRemoval };

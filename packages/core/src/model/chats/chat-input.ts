import type { ChatType } from "@parley/protocol/codes";
import type { ClearedPositions } from "./deleted-for-me.ts";
import type { PagePurpose } from "./add-page.ts";
import type { MessageExtraChange } from "./extras.ts";
import type { MessagePage } from "./message-page.ts";
import type {
  Chat,
  ChatKey,
  ChatMessage,
  Chats,
  Contacts,
  DraftEdit,
  DraftFile,
  DraftMention,
  DraftQuote,
  Failure,
  Groups,
  ModeratorRemoval,
  PendingUpload,
  Receipt,
  RowEvent,
  Sending,
} from "../state.ts";

/** One change of the chats. A batch of inputs makes one new state. */
export type ChatInput =
  /** A row of the server: from a push, a pull or an answer. */
  | { readonly kind: "row"; readonly key: ChatKey; readonly message: ChatMessage }
  | { readonly kind: "event"; readonly key: ChatKey; readonly event: RowEvent }
  /** A read position moved. `upTo` null: up to the newest known message. */
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
  /** The files of a local echo are uploaded, so that it has its content, or have to be uploaded again. */
  | {
      readonly kind: "upload";
      readonly key: ChatKey;
      readonly tmpId: string;
      readonly content: string;
      readonly upload: PendingUpload | null;
    }
  | { readonly kind: "discard"; readonly key: ChatKey; readonly tmpId: string }
  /** The draft changed. Parts that are left out stay as they are. */
  | {
      readonly kind: "draft";
      readonly key: ChatKey;
      readonly text?: string;
      readonly mentions?: readonly DraftMention[];
      readonly quote?: DraftQuote | null;
      readonly edit?: DraftEdit | null;
      readonly files?: readonly DraftFile[];
    }
  /** Remove the chat from the list until its next message. */
  | { readonly kind: "remove"; readonly key: ChatKey }
  /** The person deleted messages for themselves. */
  | { readonly kind: "deleteForMe"; readonly key: ChatKey; readonly ids: readonly number[] }
  /** The server refused to delete them; `messages` as they were before. */
  | {
      readonly kind: "restoreDeleted";
      readonly key: ChatKey;
      readonly ids: readonly number[];
      readonly messages: readonly ChatMessage[];
    }
  /** Groups: a moderator removed what a person wrote up to an id, for everybody. */
  | { readonly kind: "removeByModerator"; readonly key: ChatKey; readonly removal: ModeratorRemoval }
  /** Groups: how many members have read a message. */
  | { readonly kind: "receipt"; readonly key: ChatKey; readonly receipt: Receipt }
  /** What people did to a message. */
  | { readonly kind: "extra"; readonly key: ChatKey; readonly change: MessageExtraChange }
  /** The person cleared all chats of this kind up to a position. */
  | { readonly kind: "cleared"; readonly type: ChatType; readonly upTo: number }
  /** Groups: changes of its messages were missed, so all of them have to be loaded from the server again. */
  | { readonly kind: "invalidate"; readonly key: ChatKey }
  /** `isUnknown`: no pull has brought this kind of chat yet, so that a new chat has its messages on the server alone. */
  | { readonly kind: "open"; readonly key: ChatKey; readonly now: number; readonly isUnknown?: boolean }
  /** A pull has brought every message of the chat from this id on. */
  | { readonly kind: "known"; readonly key: ChatKey; readonly from: number }
  | { readonly kind: "close" }
  | { readonly kind: "older"; readonly key: ChatKey; readonly older: Chat["window"]["older"] }
  | { readonly kind: "newer"; readonly key: ChatKey; readonly newer: Chat["window"]["newer"] }
  | {
      readonly kind: "page";
      readonly key: ChatKey;
      readonly page: MessagePage;
      readonly purpose: PagePurpose;
    }
  /** A tab has evicted the messages below this id from the local database. */
  | { readonly kind: "evict"; readonly key: ChatKey; readonly below: number; readonly at: number }
  /** The settings of the chat changed. */
  | { readonly kind: "settings"; readonly key: ChatKey; readonly isTop: boolean; readonly msgRemind: number }
  | { readonly kind: "loading"; readonly type: ChatType; readonly isOn: boolean }
  /** A pull left out the rows of this kind below `fromId`; those up to `upTo` had arrived before. */
  | { readonly kind: "gap"; readonly type: ChatType; readonly fromId: number; readonly upTo: number }
  /** Chats from the local database. Chats that exist already keep only their rows; their local echoes follow from the outbox. */
  | { readonly kind: "restore"; readonly chats: readonly Chat[] };

/** What the reducer needs to know beside the chats. */
export interface ChatContext {
  /** Where the known history of a new chat begins, by kind: rows below this id were never pulled. */
  readonly historyStart: Readonly<Record<ChatType, number>>;
  /** The person logged in. */
  readonly me: number;
  /** The "cleared up to" marks: rows at or below them are rejected. */
  readonly clearedPositions: ClearedPositions;
  /** There is a local database, so that windows of the system chat may be cut. */
  readonly hasLocalDatabase: boolean;
  /** How many messages a chat keeps in memory while it is not open, if not the default. */
  readonly closedWindow?: number | undefined;
  /** A new chat takes its settings from its friend or group. */
  readonly friends: Contacts["friends"];
  readonly groups: Groups["byId"];
}

/** A message to save in the local database. */
export interface ChangedRow {
  readonly key: ChatKey;
  readonly message: ChatMessage;
  /** The message was not in memory: the local database may have a copy to merge with. */
  readonly isOutsideWindow: boolean;
}

/** The new chats, and what the local database has to do. */
export interface ChatsChange {
  readonly chats: Chats;
  /** Confirmed messages that changed, to be saved. */
  readonly rows: readonly ChangedRow[];
  /** Events whose target is not in memory: they have to be applied to the local database. */
  readonly missedEvents: readonly { readonly key: ChatKey; readonly event: RowEvent }[];
  /** Receipts whose message is not in memory: they have to be applied to the local database. */
  readonly missedReceipts: readonly { readonly key: ChatKey; readonly receipt: Receipt }[];
  /** Extras whose message is not in memory: they have to be applied to the local database. */
  readonly missedExtras: readonly { readonly key: ChatKey; readonly change: MessageExtraChange }[];
  /** Rows that were deleted or cleared before they arrived. */
  readonly rejectedRows: readonly ChangedRow[];
  /** What to delete from the local database. */
  readonly removals: readonly Removal[];
}

/** Messages to delete from the local database: single ones, all of a chat up to an id, or those that a moderator removed. */
export type Removal =
  | { readonly key: ChatKey; readonly ids: readonly number[] }
  | { readonly key: ChatKey; readonly upTo: number }
  | { readonly key: ChatKey; readonly byModerator: ModeratorRemoval };

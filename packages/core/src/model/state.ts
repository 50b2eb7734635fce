import type { ChatType, MessageStatus, MessageType } from "@parley/protocol/codes";
import type {
  DisplaySettings,
  FriendRequestVO,
  FriendVO,
  GroupMemberVO,
  GroupRequestVO,
  GroupVO,
  OnlineStatus,
  SystemConfig,
  UserInfo,
} from "@parley/protocol/entities";
import type { DomainErrorKey, ErrorParams, LogoutReason } from "@parley/protocol/envelope";
import type { CallResult, PreviewKey, QuoteMessage, Tip } from "@parley/protocol/message";
import type { NewPoll } from "@parley/protocol/poll";
import type { Broadcast } from "./broadcast/broadcast.ts";
import type { Call } from "./calls/call.ts";
import type { UnsentPrefs } from "./chats/chat-prefs.ts";
import type { Extra, MessageExtraChange, UnsentActs } from "./chats/extras.ts";
import type { Pins } from "./chats/pins.ts";
import type { SavedCopies, UnsentSaves } from "./chats/saved-messages.ts";
import type { ReactionNotices } from "./chats/reaction-notices.ts";
import type { Typists } from "./chats/typing.ts";
import type { SharedState } from "./shared-values.ts";

/** Everything the screens show. Plain data that is replaced, never changed in place. Parts that did not change keep their identity. */
export interface State extends SharedState {
  readonly session: Session;
  readonly connection: Connection;
  /** What the registration screen requires; null until loaded. */
  readonly display: DisplaySettings | null;
  readonly config: SystemConfig | null;
  /** How many ms the clock of this device is ahead of the server's, to half a second and half of the time of an answer; 0 until known. */
  readonly clockAheadMs: number;
  /** The person logged in. */
  readonly me: UserInfo | null;
  readonly chats: Chats;
  /** The top of the chat list until the first pulls have ended; null for none. It is a view beside `chats`. */
  readonly firstChats: FirstChats | null;
  /**
   * Whether all three pulls have ended: `never` on this device, `before` this session, or `now`. Until then an empty list may be incomplete.
   */
  readonly pulled: "never" | "before" | "now";
  readonly contacts: Contacts;
  readonly groups: Groups;
  /** What I did to messages and the server has not confirmed. */
  readonly unsentActs: UnsentActs;
  readonly pins: Pins;
  /** Who types where. */
  readonly typists: Typists;
  /** Who reacted last to a message of mine. */
  readonly reactionNotices: ReactionNotices;
  /** What this person has set for chats and the server has not confirmed. */
  readonly unsentPrefs: UnsentPrefs;
  /** What this person saves or removes and the server has not confirmed. */
  readonly unsentSaves: UnsentSaves;
  /** The copies of saved messages that are in memory. */
  readonly savedCopies: SavedCopies;
  /** Running uploads by the tmpId of their message; changed at most 10 times a second each. */
  readonly uploads: Uploads;
  readonly broadcast: Broadcast;
  /** The call of this page; null for none. */
  readonly call: Call | null;
  /** `memory`: the browser refused storage or it is full. Nothing survives a reload then, and the screen says so. */
  readonly storage: "disk" | "memory";
  readonly webPush: WebPush;
}

/** Whether this device is notified of messages while no page is open. */
export type WebPush =
  | { readonly kind: "off" }
  /** `hasPreview`: what is shown names the sender and contains the text. */
  | { readonly kind: "working" | "on"; readonly hasPreview: boolean }
  | { readonly kind: "failed"; readonly hasPreview: boolean; readonly reason: WebPushFailure };

/** `denied`: the person or the browser refuses notifications; `browser`: it reaches no push service; `off`: the server sends none. */
export type WebPushFailure = "denied" | "browser" | "server" | "off";

/** Uploads by the tmpId of their message. */
export type Uploads = Readonly<Record<string, UploadProgress>>;

/** How much of the files of a message the server has, in bytes. */
export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
}

export type Session =
  /** Nobody is signed in. `ended`: why the server ended the last session, until the person has seen it. */
  | { readonly kind: "anonymous"; readonly ended: SessionEnd | null }
  /** A token was found; the local database is being read. */
  | { readonly kind: "restoring"; readonly userId: number }
  | { readonly kind: "active"; readonly userId: number };

export interface SessionEnd {
  readonly reason: LogoutReason | "expired";
  /** The server's message, for example why an account was banned. */
  readonly text: string | null;
}

export type Connection =
  | { readonly kind: "off" }
  | { readonly kind: "connecting" }
  | { readonly kind: "online" }
  /** Waiting for the next attempt. `retryAt` is epoch ms, exactly 15,000 ms after the close (spec §4). */
  | { readonly kind: "waiting"; readonly retryAt: number }
  /** The device has no network; a socket may still be open for a while. `retryAt` null: no attempt is planned. */
  | { readonly kind: "offline"; readonly retryAt: number | null };

/** `PRIVATE:12`, `GROUP:5`, `SYSTEM:0`. */
export type ChatKey = `${ChatType}:${number}`;

export interface Chats {
  readonly byKey: Readonly<Record<ChatKey, Chat>>;
  /** The order of the chat list: pinned first, then newest first. Unchanged while a pull runs (spec §4). */
  readonly order: readonly ChatKey[];
  readonly openKey: ChatKey | null;
  /** For which kinds of chat a pull is running. */
  readonly loading: Readonly<Record<ChatType, boolean>>;
}

/** The top of the chat list as the server answers it to a new device. */
export interface FirstChats {
  readonly byKey: Readonly<Record<ChatKey, ShownFirstChat>>;
  readonly order: readonly ChatKey[];
}

/** A chat that is only shown, and what is known of the person or group. */
export interface ShownFirstChat {
  readonly chat: Chat;
  /** null: the screen has the words. */
  readonly name: string | null;
  readonly headImage: string | null;
  /** Where the chat opens; null: at its end. */
  readonly firstUnreadId: number | null;
}

export interface Chat {
  readonly key: ChatKey;
  readonly type: ChatType;
  /** 0 for the system chat. */
  readonly targetId: number;
  readonly preview: Preview | null;
  /** Time of the newest row, epoch ms. */
  readonly lastSendTime: number;
  readonly unread: number;
  readonly isTop: boolean;
  readonly msgRemind: number;
  /** Read positions: ids (system chat: seqNos), -1 for none. */
  readonly readId: number;
  readonly theirReadId: number;
  /** Groups: an unread message mentions me, or everyone (spec §4). Shown in muted chats too. */
  readonly atMe: boolean;
  readonly atAll: boolean;
  /** Typed text that is not sent; empty for none. */
  readonly draft: string;
  /** Mentions in the draft, ascending, without overlaps. */
  readonly draftMentions: readonly DraftMention[];
  /** The message that the draft quotes. */
  readonly draftQuote: DraftQuote | null;
  /** An unsent edit of one's own message. The draft is kept beside it. */
  readonly draftEdit: DraftEdit | null;
  /** Files that were chosen and not sent, in their order. They survive a reload: the local database has their bytes. */
  readonly draftFiles: readonly DraftFile[];
  /** Removed from the list: in `byKey`, not in `order`. The next message, or opening the chat, brings it back. */
  readonly isRemoved: boolean;
  readonly window: ChatWindow;
  readonly sync: ChatSync;
}

/** A message that the draft quotes. */
export interface DraftQuote {
  readonly id: number;
  readonly sendId: number;
  readonly sendNickName: string;
  readonly type: number;
  readonly content: string;
}

/** A message waiting to be sent. */
export interface OutboxEntry {
  readonly tmpId: string;
  /** The tab that sends it. */
  readonly tab: string;
  readonly chatKey: ChatKey;
  readonly type: number;
  readonly content: string;
  /** The quoted message. */
  readonly quote: DraftQuote | null;
  /** The file that has to be uploaded first; null if there is none, or it is uploaded. */
  readonly upload: PendingUpload | null;
  /** The mentioned members of a group; -1 is everyone. */
  readonly atUserIds: readonly number[];
  /** The sender asks for read receipts. */
  readonly receipt: boolean;
  /** A text that is a poll; its content is the question. */
  readonly poll?: NewPoll | undefined;
  /** Epoch ms, made unique: no two entries have the same value. */
  readonly createdAt: number;
  readonly failed: boolean;
  /** Why it failed. */
  readonly failure: Failure | null;
}

/** What a message sends, until it is uploaded. The content of the message is empty until then. */
export interface PendingUpload {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly mimeType: string;
  /** Pixels of a picture or video; null for others. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds of a voice message or video; null for others. */
  readonly duration: number | null;
  /** The bars of a voice message (`audioContent.wave`); null for others. */
  readonly wave: string | null;
}

/** A file of the draft. */
export interface DraftFile extends Omit<PendingUpload, "wave"> {
  readonly id: string;
  readonly type: typeof MessageType.IMAGE | typeof MessageType.FILE | typeof MessageType.VIDEO;
}

/** A mention in a text: `@name` from `from` up to, not including, `to` (UTF-16 units). */
export interface DraftMention {
  /** -1 is everyone. */
  readonly userId: number;
  readonly from: number;
  readonly to: number;
}

/** An unsent edit of one's own message. */
export interface DraftEdit {
  readonly id: number;
  readonly text: string;
}

/** An unread group message that mentions me. */
export interface Mention {
  readonly id: number;
  /** It mentions everyone and does not name me. */
  readonly isAll: boolean;
}

/** What the client knows of a chat beyond what screens show, mostly about the server's state. */
export interface ChatSync {
  /** Positions that count as unread, ascending: ids, in the system chat seqNos. */
  readonly unread: readonly number[];
  /** The sender of each unread message, in the same order; 0 for unknown. */
  readonly unreadSenders: readonly number[];
  /** The unread messages that mention me, ascending. The mention button jumps to them. */
  readonly mentions: readonly Mention[];
  /** The newest row of the server. Preview and time fall back to it when an unsent message is removed. */
  readonly newest: NewestRow | null;
  /** The client has every message from this id on. Below it, it has `olderRanges`; the server has the rest. */
  readonly knownFrom: number;
  /** Parts below `knownFrom` that the local database has without gaps: ascending, and no two touch. */
  readonly olderRanges: readonly IdRange[];
  /** Time of the last time tip above the window; null for none or unknown. */
  readonly timeTipBeforeWindow: number | null;
  /** Recent edits and recalls, the last one of each message. They bring late copies of messages up to date. */
  readonly events: readonly RowEvent[];
  /** Receipts of messages that were not in memory, ascending. They bring late copies of messages up to date. */
  readonly receipts: readonly Receipt[];
  /** Extras of messages that were not in memory. They bring late copies of messages up to date. */
  readonly extras: readonly MessageExtraChange[];
  /** Messages that the person has deleted for themselves, ascending. Late copies of them are rejected. */
  readonly deletedForMe: readonly number[];
  /** Groups: people whose messages up to an id were removed for everybody. Late copies of them are rejected. */
  readonly removedByModerator: readonly ModeratorRemoval[];
  /** The newest row was deleted, and the row before it is not in memory: preview and time have to be loaded. */
  readonly needsPreview: boolean;
  /** The last time tip of the whole chat, kept while the window ends below the newest message. */
  readonly newestTimeTip: number | null;
  /** Unsent messages, kept out of a window that ends below the newest message. */
  readonly pending: readonly ChatMessage[];
  /** When it was last opened here, epoch ms. Eviction starts with the chat that was opened longest ago. */
  readonly openedAt: number;
  /** Time of the last eviction that `knownFrom` and `olderRanges` take into account, epoch ms; 0 for none. */
  readonly evictedAt: number;
}

/** A moderator removed everything that this person wrote up to an id. */
export interface ModeratorRemoval {
  readonly userId: number;
  readonly upTo: number;
}

/** How many members have read a group message. */
export interface Receipt {
  readonly id: number;
  readonly readedCount: number;
  readonly receiptOk: boolean;
}

/** A stored row that is never shown because it changes another one: an edit (7) or a recall (10). */
export interface RowEvent {
  readonly id: number;
  readonly type: typeof MessageType.EDIT | typeof MessageType.RECALL;
  readonly targetId: number;
  /** New text of an edit, else empty. */
  readonly content: string;
  readonly sendTime: number;
  /** In a group: who recalled it. null: its sender. */
  readonly by: { readonly id: number; readonly name: string } | null;
}

/** Ids from `from` up to, not including, `to`. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

/** What the chat list needs of the newest row. */
export interface NewestRow {
  readonly id: number;
  /** Compared with the "cleared up to" marks: the id, in the system chat the seqNo. */
  readonly position: number;
  readonly sendNickName: string;
  readonly sendTime: number;
  readonly preview: Preview;
}

/** The part of a chat that is in memory: a run of messages without gaps, ascending. */
export interface ChatWindow {
  readonly messages: readonly ChatMessage[];
  /** Older ones exist in the local database or on the server. */
  readonly hasOlder: boolean;
  /** The window ends below the newest message (after a jump). */
  readonly hasNewer: boolean;
  readonly older: "idle" | "loading" | "failed";
  readonly newer: "idle" | "loading" | "failed";
}

/** The last line of a chat. The screen writes it in the reader's language (spec §4). */
export interface Preview {
  readonly key: PreviewKey;
  /** Text, title or amount, depending on the kind. */
  readonly text: string;
  readonly tip: Tip | null;
  readonly sendId: number;
  /** Of one's own last message. */
  readonly sending: Sending;
}

/** State of one's own unsent message; null: the server has it. */
export type Sending = "waiting" | "sending" | "failed" | null;

/** A message as screens show it: a row of the server, or a local echo. */
export interface ChatMessage {
  /** The key in lists. It stays the same when the server's row replaces the local echo. */
  readonly key: string;
  /** null while only this client has it. System messages: the row id. */
  readonly id: number | null;
  readonly tmpId: string | null;
  readonly type: number;
  readonly sendId: number;
  readonly sendNickName: string;
  readonly content: string;
  /** The file that has to be uploaded first; null if there is none, or it is uploaded. */
  readonly upload: PendingUpload | null;
  readonly sendTime: number;
  /** When the server received it, if that was before `sendTime`. */
  readonly receivedAt?: number;
  readonly status: MessageStatus;
  readonly selfSend: boolean;
  readonly sending: Sending;
  /** Why sending failed. */
  readonly failure: Failure | null;
  readonly quoteMessage: QuoteMessage | null;
  readonly isEdited: boolean;
  readonly editedAt: number | null;
  readonly tip: Tip | null;
  readonly act: CallResult | null;
  /** What people did to it since it was sent; absent if nobody ever did anything. */
  readonly extra?: Extra | undefined;
  /** A time tip is shown above this message: the last tip was more than 10 minutes older (spec §4). */
  readonly hasTimeTip: boolean;
  /** System messages only. */
  readonly system: SystemPart | null;
  /** Group messages only. */
  readonly group: GroupPart | null;
}

/** The fields that only group messages have. */
export interface GroupPart {
  /** `GroupRole` of the sender at the time of sending. */
  readonly sendRole: number;
  /** -1 is everyone. */
  readonly atUserIds: readonly number[];
  /** The sender has asked for read receipts. */
  readonly receipt: boolean;
  /** Everybody who can see the message has read it. */
  readonly receiptOk: boolean;
  readonly readedCount: number;
}

/** The fields that only messages of the system chat have. */
export interface SystemPart {
  readonly seqNo: number;
  readonly title: string | null;
  readonly intro: string | null;
  readonly coverUrl: string | null;
  /** It contains a request to answer. */
  readonly isVerifyMessage: boolean;
  readonly isPermanent: boolean;
  /** Pins the system chat. */
  readonly isTop: boolean;
  /** The request of a message of type 60, parsed from its content; null when unreadable. */
  readonly request: FriendRequestVO | null;
  /** The request of a message of type 61, parsed from its content; null when unreadable. */
  readonly groupRequest: GroupRequestVO | null;
}

/** Friends, friend requests, blocked people and other known users. */
export interface Contacts {
  /** Includes deleted friends, so that old chats keep their names. */
  readonly friends: Readonly<Record<number, FriendVO>>;
  /** Friends that are not deleted: online first, then by display name. */
  readonly order: readonly number[];
  /** Pending requests, received first. */
  readonly requests: readonly FriendRequestVO[];
  /** People I have blocked. */
  readonly blacklist: readonly number[];
  /** Profiles of people found by search or opened in a card, as last loaded. */
  readonly users: Readonly<Record<number, UserInfo>>;
  readonly online: Readonly<Record<number, OnlineStatus["terminals"]>>;
  readonly isLoaded: boolean;
}

/** Groups, their members and requests to join them. */
export interface Groups {
  /** Includes groups that I left and dissolved ones, so that old chats keep their names. */
  readonly byId: Readonly<Record<number, GroupVO>>;
  /** Groups I am in, by display name. */
  readonly order: readonly number[];
  /** Member lists, loaded when first needed; absent: not loaded. People who left are included, with `quit`. */
  readonly members: Readonly<Record<number, GroupMembers>>;
  /** Pending requests: those to groups where I am owner or admin, then my own. */
  readonly requests: readonly GroupRequestVO[];
  readonly isLoaded: boolean;
}

/** The member list of one group. */
export interface GroupMembers {
  readonly byId: Readonly<Record<number, GroupMemberVO>>;
  /** Current members: owner, admins, members; within a role online first, then by display name. */
  readonly order: readonly number[];
  readonly state: "loading" | "loaded" | "failed";
}

/** Why a call failed. Screens turn it into a text in the reader's language. */
export type Failure =
  /** The server refused. `key` null: only `message`, the server's own text, says why. */
  | {
      readonly kind: "refused";
      readonly code: number;
      readonly key: DomainErrorKey | null;
      readonly params: ErrorParams;
      readonly message: string;
    }
  /** An HTTP error status (spec §8: 403, 404, 500 have texts of their own; 400 shows `message`). */
  | { readonly kind: "http"; readonly status: number; readonly message: string }
  /** No answer, or an unreadable one (a proxy's page, truncated JSON). */
  | { readonly kind: "network"; readonly reason: "offline" | "timeout" | "unreadable" }
  /** An answer that does not come from our server, with its HTTP status (spec §8). `message`: the body of a 400. */
  | {
      readonly kind: "network";
      readonly reason: "foreign";
      readonly status: number;
      readonly message: string;
    }
  /** The page was loaded again before the file was uploaded, and the browser has given it up: it has to be chosen again (spec §8). */
  | { readonly kind: "fileLost" }
  /** The session is over; the person is on the way to the login screen. */
  | { readonly kind: "loggedOut" };

/** The value of a call, or why it failed. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

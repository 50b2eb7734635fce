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

/** Everything the screens show. Plain data, replaced and never changed in place; parts that did not change keep their identity. */
export interface State {
  readonly session: Session;
  readonly connection: Connection;
  /** What the register screen asks for; null until loaded. */
  readonly display: DisplaySettings | null;
  readonly config: SystemConfig | null;
  /** The person logged in. */
  readonly me: UserInfo | null;
  readonly chats: Chats;
  readonly contacts: Contacts;
  readonly groups: Groups;
  /** `memory`: the browser refused or filled its storage; nothing survives a reload, and the screen says so. */
  readonly storage: "disk" | "memory";
}

export type Session =
  /** Nobody. `ended` tells why the last session ended by the server's will, until the person has seen it. */
  | { readonly kind: "anonymous"; readonly ended: SessionEnd | null }
  /** A token was found; what is on disk is being read. */
  | { readonly kind: "restoring"; readonly userId: number }
  | { readonly kind: "active"; readonly userId: number };

export interface SessionEnd {
  readonly reason: LogoutReason | "expired";
  /** The server's sentence, e.g. why an account was banned. */
  readonly text: string | null;
}

export type Connection =
  | { readonly kind: "off" }
  | { readonly kind: "connecting" }
  | { readonly kind: "online" }
  /** Waits for the next try. `retryAt` is epoch ms, exactly 15,000 ms after the close (spec §4). */
  | { readonly kind: "waiting"; readonly retryAt: number }
  /** The device has no network, though a socket may outlive that for a while; null: no try is planned. */
  | { readonly kind: "offline"; readonly retryAt: number | null };

/** `PRIVATE:12`, `GROUP:5`, `SYSTEM:0`. */
export type ChatKey = `${ChatType}:${number}`;

export interface Chats {
  readonly byKey: Readonly<Record<ChatKey, Chat>>;
  /** As the list shows them: pinned first, then newest first. Unchanged while a pull runs (spec §4). */
  readonly order: readonly ChatKey[];
  readonly openKey: ChatKey | null;
  /** Offline pulls under way. */
  readonly loading: Readonly<Record<ChatType, boolean>>;
}

export interface Chat {
  readonly key: ChatKey;
  readonly type: ChatType;
  /** 0 for the system chat. */
  readonly targetId: number;
  readonly preview: Preview | null;
  /** Of the newest row, epoch ms. */
  readonly lastSendTime: number;
  readonly unread: number;
  readonly isTop: boolean;
  readonly msgRemind: number;
  /** Read positions: ids (system chat: seqNos), -1 for none. */
  readonly readId: number;
  readonly theirReadId: number;
  /** Groups: an unread message names me, or everyone (spec §4). Shown through silence. */
  readonly atMe: boolean;
  readonly atAll: boolean;
  /** Text not yet sent; empty for none. */
  readonly draft: string;
  /** Whom the draft names, ascending and apart from each other. */
  readonly draftMentions: readonly DraftMention[];
  /** What the text not yet sent answers. */
  readonly draftQuote: DraftQuote | null;
  /** An edit not yet sent, of one's own message; beside the draft, which waits. */
  readonly draftEdit: DraftEdit | null;
  /** The person has put an unread mark here: on this device only, outside every count, gone when the chat is opened. */
  readonly isMarkedUnread: boolean;
  /** Deleted from the list: in `byKey`, not in `order`; the next message or opening brings it back. */
  readonly isRemoved: boolean;
  readonly window: ChatWindow;
  readonly sync: ChatSync;
}

/** A message that is quoted by one not yet sent. */
export interface DraftQuote {
  readonly id: number;
  readonly sendId: number;
  readonly sendNickName: string;
  readonly type: number;
  readonly content: string;
}

/** Somebody named in a text: `@name` from `from` up to, not including, `to` (UTF-16 units). */
export interface DraftMention {
  /** -1 is everyone. */
  readonly userId: number;
  readonly from: number;
  readonly to: number;
}

export interface DraftEdit {
  readonly id: number;
  readonly text: string;
}

/** An unread message of a group that names me. */
export interface Mention {
  readonly id: number;
  /** It names everyone, and not me alone. */
  readonly isAll: boolean;
}

/** What the core notes about a chat beside what screens show. */
export interface ChatSync {
  /** Positions that count as unread, ascending: ids, in the system chat seqNos. */
  readonly unread: readonly number[];
  /** Who sent each of them, in the same order; 0 for not known. */
  readonly unreadSenders: readonly number[];
  /** Of those, the ones that name me, ascending: what the mention button walks to. */
  readonly mentions: readonly Mention[];
  /** The newest row the server has: what preview and time fall back to when an unsent message goes. */
  readonly newest: NewestRow | null;
  /** Disk and memory hold every message from this id on; below it the disk has islands, and the server the rest. */
  readonly knownFrom: number;
  /** Parts below `knownFrom` that the disk holds without holes: ascending, and no two touch. */
  readonly olderRanges: readonly IdRange[];
  /** Time of the last time tip above the window; null for none or not known. */
  readonly timeTipBeforeWindow: number | null;
  /** Edits and recalls of late, the last one of each message: a copy that was long under way is brought up to date by them. */
  readonly events: readonly RowEvent[];
  /** Receipts of messages that were not in memory, ascending: a copy that comes late is brought up to date by them. */
  readonly receipts: readonly Receipt[];
  /** Messages the person has deleted for themselves, ascending: a copy that comes late stays away. */
  readonly deletedForMe: readonly number[];
  /** Groups: people whose messages up to an id are gone for everybody; a copy that comes late stays away. */
  readonly removedByModerator: readonly ModeratorRemoval[];
  /** The newest row was deleted, and what stands before it is not in memory: preview and time are to be found. */
  readonly needsPreview: boolean;
  /** The last time tip of all, noted while the window ends below the newest message. */
  readonly newestTimeTip: number | null;
  /** Messages on their way, kept out of a window that ends below the newest message. */
  readonly pending: readonly ChatMessage[];
  /** When it was last opened here, epoch ms: the disk drops first what was not for longest. */
  readonly openedAt: number;
  /** The last trim of the disk that `knownFrom` and `islands` know of, epoch ms; 0 for none. */
  readonly evictedAt: number;
}

/** What this person wrote up to an id is gone. */
export interface ModeratorRemoval {
  readonly userId: number;
  readonly upTo: number;
}

/** How many have read a message of a group. */
export interface Receipt {
  readonly id: number;
  readonly readedCount: number;
  readonly receiptOk: boolean;
}

/** A stored row that is not shown but changes another one: an edit (7) or a recall (10). */
export interface RowEvent {
  readonly id: number;
  readonly type: typeof MessageType.EDIT | typeof MessageType.RECALL;
  readonly targetId: number;
  /** New text of an edit, else empty. */
  readonly content: string;
  readonly sendTime: number;
  /** Who took it back, in a group; null: its sender. */
  readonly by: { readonly id: number; readonly name: string } | null;
}

/** Ids from `from` up to, not including, `to`. */
export interface IdRange {
  readonly from: number;
  readonly to: number;
}

export interface NewestRow {
  readonly id: number;
  /** What cleared marks count: the id, in the system chat the seqNo. */
  readonly position: number;
  readonly sendNickName: string;
  readonly sendTime: number;
  readonly preview: Preview;
}

/** The part of a chat that is in memory: a run of messages without gaps, ascending. */
export interface ChatWindow {
  readonly messages: readonly ChatMessage[];
  /** Older ones exist on disk or on the server. */
  readonly hasOlder: boolean;
  /** The window ends below the newest message (after a jump). */
  readonly hasNewer: boolean;
  readonly older: "idle" | "loading" | "failed";
  readonly newer: "idle" | "loading" | "failed";
}

/** The last line of a chat, written in the reader's language by the screen (spec §4). */
export interface Preview {
  readonly key: PreviewKey;
  /** Text, title or amount, as the kind needs it. */
  readonly text: string;
  readonly tip: Tip | null;
  readonly sendId: number;
  /** Of one's own last message. */
  readonly sending: Sending;
}

/** State of one's own message on its way; null: the server has it. */
export type Sending = "waiting" | "sending" | "failed" | null;

export interface ChatMessage {
  /** Stays the same from the local echo to the server's row: what lists are keyed by. */
  readonly key: string;
  /** null while only this client has it. System messages: the row id. */
  readonly id: number | null;
  readonly tmpId: string | null;
  readonly type: number;
  readonly sendId: number;
  readonly sendNickName: string;
  readonly content: string;
  readonly sendTime: number;
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
  /** A time tip stands above this message: the last tip was more than 10 minutes older (spec §4). */
  readonly hasTimeTip: boolean;
  /** System messages only. */
  readonly system: SystemPart | null;
  /** Group messages only. */
  readonly group: GroupPart | null;
}

export interface GroupPart {
  /** `GroupRole` of the sender when it was sent. */
  readonly sendRole: number;
  /** -1 is everyone. */
  readonly atUserIds: readonly number[];
  /** The sender has asked who reads it. */
  readonly receipt: boolean;
  /** Everybody who can see it has read it. */
  readonly receiptOk: boolean;
  readonly readedCount: number;
}

export interface SystemPart {
  readonly seqNo: number;
  readonly title: string | null;
  readonly intro: string | null;
  readonly coverUrl: string | null;
  /** Asks for an answer. */
  readonly isVerifyMessage: boolean;
  readonly isPermanent: boolean;
  /** Pins the system chat. */
  readonly isTop: boolean;
  /** The request of type 60, read from the content; null when unreadable. */
  readonly request: FriendRequestVO | null;
  /** Likewise of type 61. */
  readonly groupRequest: GroupRequestVO | null;
}

export interface Contacts {
  /** Deleted ones included, so that old chats keep their names. */
  readonly friends: Readonly<Record<number, FriendVO>>;
  /** Friends that are not deleted: online first, then by shown name. */
  readonly order: readonly number[];
  /** Pending requests, received first. */
  readonly requests: readonly FriendRequestVO[];
  /** People I have blocked. */
  readonly blacklist: readonly number[];
  /** Others seen by search or card, newest knowledge. */
  readonly users: Readonly<Record<number, UserInfo>>;
  readonly online: Readonly<Record<number, OnlineStatus["terminals"]>>;
  readonly isLoaded: boolean;
}

export interface Groups {
  /** Those I have left and dissolved ones included, so that old chats keep their names. */
  readonly byId: Readonly<Record<number, GroupVO>>;
  /** Groups I am in, by shown name. */
  readonly order: readonly number[];
  /** Loaded when first needed; absent: not asked for yet. Those who have left stand there with `quit`. */
  readonly members: Readonly<Record<number, GroupMembers>>;
  /** Pending requests: of groups that I lead, then my own. */
  readonly requests: readonly GroupRequestVO[];
  /** Notices that were read here, by group: the text. */
  readonly readNotices: Readonly<Record<number, string>>;
  readonly isLoaded: boolean;
}

export interface GroupMembers {
  readonly byId: Readonly<Record<number, GroupMemberVO>>;
  /** Who is in: owner, admins, members, of each those online first, then by shown name. */
  readonly order: readonly number[];
  readonly state: "loading" | "loaded" | "failed";
}

/** Why a call failed; words are made at the edge, in the reader's language. */
export type Failure =
  /** The server refused: `key` when it told one, else its own sentence. */
  | {
      readonly kind: "refused";
      readonly code: number;
      readonly key: DomainErrorKey | null;
      readonly params: ErrorParams;
      readonly message: string;
    }
  /** An HTTP status that is not business (spec §8: 403, 404, 500 have texts of their own; 400 shows `message`). */
  | { readonly kind: "http"; readonly status: number; readonly message: string }
  /** No answer, or an answer that is not ours (a proxy's page, cut JSON). */
  | { readonly kind: "network"; readonly reason: "offline" | "timeout" | "unreadable" }
  /** The same with an HTTP status that says more (spec §8); `message`: the body of a 400. */
  | {
      readonly kind: "network";
      readonly reason: "foreign";
      readonly status: number;
      readonly message: string;
    }
  /** The session is over; the person is on the way to the login screen. */
  | { readonly kind: "loggedOut" };

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure };

/** What differs between private chats and groups. Each operation on messages is written once, for both of these strategies. */
import type { AlertingMessage } from "../../delivery/delivery.ts";
import type { Cmd, MessageType } from "@parley/protocol/codes";
import type { BodyOf } from "@parley/protocol/endpoint";
import type { sendGroupMessage } from "@parley/protocol/endpoints/group-messages";
import type { sendPrivateMessage } from "@parley/protocol/endpoints/messages";
import type { GroupAction } from "@parley/protocol/group-rights";
import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import type { ExtraAct, MessageExtra } from "@parley/protocol/message-extra";
import type { TypingKind } from "@parley/protocol/signal";
import type { TipKey } from "@parley/protocol/tips";
import type { NewOf, RowOf } from "../../ports/message-store.ts";
import type { Language } from "../../api/language.ts";
import type { Appended, ChatKind, PullWindow } from "../../ports/stored-message.ts";
import type { Sender } from "./friendship-cache.ts";
import type { CachedGroup } from "./group-cache.ts";
import type { MessagesTx } from "./messages-store.ts";

/** What a client sends to a chat of each kind. */
interface Bodies {
  PRIVATE: BodyOf<typeof sendPrivateMessage>;
  GROUP: BodyOf<typeof sendGroupMessage>;
}
export type SentBody<Kind extends ChatKind> = Bodies[Kind];

/** What is known of the sender of a message. */
interface Senders {
  PRIVATE: Sender | undefined;
  GROUP: CachedGroup | undefined;
}
export type SenderOf<Kind extends ChatKind> = Senders[Kind];

/** What a reader gets. */
interface Messages {
  PRIVATE: PrivateMessage;
  GROUP: GroupMessage;
}
export type MessageOf<Kind extends ChatKind> = Messages[Kind];

/** What one needs a right for in groups, and in private chats only that one may write there. The author of a poll may always close it. */
export type ExtraRight = Extract<GroupAction, "react" | "pin" | "vote" | "closePoll">;

/** Both strategies. */
export interface ChatStrategies {
  privateChats: ChatStrategy<"PRIVATE">;
  groupChats: ChatStrategy<"GROUP">;
}

/** Private chats or groups. A `targetId` is the other person or the group. */
export interface ChatStrategy<Kind extends ChatKind> {
  readonly type: Kind;
  readonly cmd: typeof Cmd.PRIVATE | typeof Cmd.GROUP;

  // Sending

  targetOfBody(body: SentBody<Kind>): number;
  /** What `newMessage` needs to know of the sender. Synchronous if it is cached, because each promise here makes every message slower. */
  findSender(userId: number, targetId: number): SenderOf<Kind> | Promise<SenderOf<Kind>>;
  /** The message to store. Throws unless this person may send it. */
  newMessage(
    sender: SenderOf<Kind>,
    userId: number,
    body: SentBody<Kind>,
    content: string,
    now: number,
  ): NewOf<Kind>;
  /** The hot path: stores the message in a shared commit, unless its sender was removed from the group meanwhile. */
  append(message: NewOf<Kind>): Promise<Appended<RowOf<Kind>> | "senderLeft">;
  /** Throws if the sender was removed from the group since `newMessage`. `append` checks it by itself. */
  requireSender(tx: MessagesTx, message: NewOf<Kind>): Promise<void>;
  appendWithin(tx: MessagesTx, message: NewOf<Kind>): Promise<Appended<RowOf<Kind>>>;
  /** The row that a message may quote: its sender sees it in this chat, and it is shown to everybody there. */
  findQuotable(tx: MessagesTx, message: NewOf<Kind>, id: number): Promise<RowOf<Kind> | undefined>;

  // Editing and recalling

  /** The row that an event may change, if its sender sees it in this chat. */
  findEditTarget(tx: MessagesTx, event: NewOf<Kind>, id: number): Promise<RowOf<Kind> | undefined>;
  /** Stores the event of an edit for those who may know the new text of the message `id`. */
  appendEdit(tx: MessagesTx, event: NewOf<Kind>, id: number): Promise<Appended<RowOf<Kind>>>;
  /** Throws unless this person may recall messages of the sender of `target`. */
  authorizeRecall(tx: MessagesTx, target: RowOf<Kind>, event: RecallEvent): Promise<RecallRight<NewOf<Kind>>>;

  // Extras

  /** Throws unless this person may do this to messages of the chat of `row`. */
  authorizeExtra(userId: number, row: RowOf<Kind>, right: ExtraRight): Promise<void>;
  /** The people in the chat who see the row, or saw it before hiding or clearing it. */
  audienceOf(row: RowOf<Kind>): Promise<readonly number[]>;
  /** The frame that tells what people did to the row. */
  extraFrame(row: RowOf<Kind>, extra: MessageExtra, acts: readonly ExtraAct[]): string;

  // Typing

  /** Those who are told that this person types in the chat. Throws unless the person may write there. */
  typingAudience(userId: number, targetId: number): Promise<TypingAudience>;
  typingFrame(userId: number, targetId: number, name: string, typing: Typing): string;

  // Publishing

  /** Who gets a new row. */
  receiversOf(stored: Appended<RowOf<Kind>>): Receivers<RowOf<Kind>> | Promise<Receivers<RowOf<Kind>>>;
  /** A new row, which nobody else has read yet. */
  viewNew(row: RowOf<Kind>, language: Language): MessageOf<Kind>;
  /** The chat in which those who did not send a row see it. */
  targetOfReceiver(row: RowOf<Kind>): number;
  /** A new row, for the devices that no frame reaches. */
  alertingMessage(row: RowOf<Kind>): AlertingMessage;
  /** A row in its current state, as its sender sees it. */
  viewOwn(row: RowOf<Kind>, language: Language): Promise<MessageOf<Kind>>;

  // Reading

  /** Throws unless this person may read in this chat what they see there. */
  requireReader(userId: number, targetId: number): void | Promise<void>;
  view(userId: number, rows: readonly RowOf<Kind>[], language: Language): Promise<MessageOf<Kind>[]>;
  /** Whether this person sees the row, or saw it before hiding or clearing it. */
  wasVisible(userId: number, targetId: number, id: number): Promise<boolean>;
  /**
   * Moves the read position up, never down. Returns the messages whose senders get a receipt, or undefined if the position did not move. In
   * a private chat the newest message stands for all.
   */
  raiseRead(
    tx: MessagesTx,
    userId: number,
    targetId: number,
    maxId: number,
  ): Promise<readonly NewlyReadMessage[] | undefined>;
  /** The frame that tells the reader's other devices the read position. */
  readFrame(userId: number, targetId: number, maxId: number): string;
  receiptFrames(userId: number, targetId: number, read: readonly NewlyReadMessage[]): Promise<ReceiptFrame[]>;

  // Pulling

  /** The most rows of a first pull; in groups of each group. */
  readonly firstPullMax: number;
  pull(userId: number, window: PullWindow, language: Language): Promise<Pulled<MessageOf<Kind>>>;
  /** The chat of a message, from the view of this person. */
  targetOfMessage(userId: number, message: MessageOf<Kind>): number;
}

/** What the recall events of both strategies have in common. */
export interface RecallEvent {
  tmpId: null;
  type: typeof MessageType.RECALL;
  sendId: number;
  content: string;
  sendTime: number;
}

/** The right to recall a message. */
export interface RecallRight<New> {
  event: New;
  /** What replaces the message. */
  tip: { key: TipKey; params: Record<string, string | number> };
  isTimeLimited: boolean;
}

/** What somebody is about to send; `on` false: no longer. */
export interface Typing {
  what: TypingKind;
  on: boolean;
}

/** Who is told that somebody types, and the name of that person in the chat. */
export interface TypingAudience {
  userIds: readonly number[];
  name: string;
}

/** Who gets a new row. */
export interface Receivers<Row> {
  /** Each version of the row with its receivers. */
  versions: readonly { row: Row; userIds: readonly number[] }[];
  /** The version that its sender gets. */
  own: Row;
}

/** A message of somebody else that is read now. */
export interface NewlyReadMessage {
  id: number;
  sendId: number;
}

/** A receipt for one person. */
export interface ReceiptFrame {
  userId: number;
  frame: string;
}

/** Batches of messages. `fromId` is set if older rows were left out. */
export interface Pulled<Message> {
  batches: AsyncIterable<Message[]>;
  fromId?: number;
}

/** What differs between private chats and groups. Each operation on messages is written once, for both of these strategies. */
import type { AlertingMessage } from "../../delivery.ts";
import type { NamingMessage } from "../../ports/file-store.ts";
import type { Cmd, MessageType } from "@parley/protocol/codes";
import type { BodyOf } from "@parley/protocol/endpoint";
import type { sendGroupMessage } from "@parley/protocol/endpoints/group-messages";
import type { sendPrivateMessage } from "@parley/protocol/endpoints/messages";
import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import type { TipKey } from "@parley/protocol/tips";
import type { MessageTimeKind } from "../../ports/message-time-store.ts";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-message-store.ts";
import type { Language } from "../../api/language.ts";
import type {
  Found,
  HistoryPage,
  MessageSearch,
  PullWindow,
  Appended,
  MessageEdit,
  MessageRecall,
} from "../../ports/stored-message.ts";
import type { NewPrivateMessage, PrivateRow } from "../../ports/private-message-store.ts";
import type { Sender } from "./friendship-cache.ts";
import type { CachedGroup } from "./group-cache.ts";
import type { MessagesTx } from "./messages-store.ts";

/** The types of one strategy: what a client sends, what is known of its sender, what is stored, and what a reader gets. */
export interface ChatTypes {
  body: BodyOf<typeof sendPrivateMessage> | BodyOf<typeof sendGroupMessage>;
  sender: Sender | CachedGroup | undefined;
  new: NewPrivateMessage | NewGroupMessage;
  row: PrivateRow | GroupMessageRow;
  message: PrivateMessage | GroupMessage;
}

/** The types of private chats. */
export interface PrivateTypes extends ChatTypes {
  body: BodyOf<typeof sendPrivateMessage>;
  sender: Sender | undefined;
  new: NewPrivateMessage;
  row: PrivateRow;
  message: PrivateMessage;
}

/** The types of groups. */
export interface GroupTypes extends ChatTypes {
  body: BodyOf<typeof sendGroupMessage>;
  sender: CachedGroup | undefined;
  new: NewGroupMessage;
  row: GroupMessageRow;
  message: GroupMessage;
}

/** Both strategies. */
export interface ChatStrategies {
  privateChats: ChatStrategy<PrivateTypes>;
  groupChats: ChatStrategy<GroupTypes>;
}

/** Private chats or groups. A `targetId` is the other person or the group. */
export interface ChatStrategy<T extends ChatTypes> {
  readonly type: NamingMessage["chatType"];
  readonly cmd: typeof Cmd.PRIVATE | typeof Cmd.GROUP;

  // Sending

  targetOfBody(body: T["body"]): number;
  /** What `newMessage` needs to know of the sender. Synchronous if it is cached, because each promise here makes every message slower. */
  findSender(userId: number, targetId: number): T["sender"] | Promise<T["sender"]>;
  /** The message to store. Throws unless this person may send it. */
  newMessage(sender: T["sender"], userId: number, body: T["body"], content: string, now: number): T["new"];
  /** The hot path: stores the message in a shared commit, unless its sender was removed from the group meanwhile. */
  append(message: T["new"]): Promise<Appended<T["row"]> | "senderLeft">;
  /** Throws if the sender was removed from the group since `newMessage`. `append` checks it by itself. */
  requireSender(tx: MessagesTx, message: T["new"]): Promise<void>;
  appendWithin(tx: MessagesTx, message: T["new"]): Promise<Appended<T["row"]>>;
  findByTmpId(tx: MessagesTx, sendId: number, tmpId: string): Promise<T["row"] | undefined>;
  /** The row that a message may quote: its sender sees it in this chat, and it is shown to everybody there. */
  findQuotable(tx: MessagesTx, message: T["new"], id: number): Promise<T["row"] | undefined>;

  // Times

  /** Which messages these are, for what the store says about their times. */
  readonly timeKind: MessageTimeKind;

  // Editing and recalling

  /** The row that an event may change, if its sender sees it in this chat. */
  findEditTarget(tx: MessagesTx, event: T["new"], id: number): Promise<T["row"] | undefined>;
  /** Stores the event of an edit for those who may know the new text of the message `id`. */
  appendEdit(tx: MessagesTx, event: T["new"], id: number): Promise<Appended<T["row"]>>;
  edit(tx: MessagesTx, edit: MessageEdit): Promise<void>;
  find(tx: MessagesTx, id: number): Promise<T["row"] | undefined>;
  findVisible(tx: MessagesTx, userId: number, id: number): Promise<T["row"] | undefined>;
  /** Throws unless this person may recall messages of the sender of `target`. */
  authorizeRecall(tx: MessagesTx, target: T["row"], event: RecallEvent): Promise<RecallRight<T["new"]>>;
  recall(tx: MessagesTx, recall: MessageRecall): Promise<void>;

  // Publishing

  /** Who gets a new row. */
  receiversOf(stored: Appended<T["row"]>): Receivers<T["row"]> | Promise<Receivers<T["row"]>>;
  /** A new row, which nobody else has read yet. */
  viewNew(row: T["row"], language: Language): T["message"];
  /** The chat in which those who did not send a row see it. */
  targetOfReceiver(row: T["row"]): number;
  /** A new row, for the devices that no frame reaches. */
  alertingMessage(row: T["row"]): AlertingMessage;
  /** A row in its current state, as its sender sees it. */
  viewOwn(row: T["row"], language: Language): Promise<T["message"]>;

  // Reading

  /** Throws unless this person may read in this chat what they see there. */
  requireReader(userId: number, targetId: number): void | Promise<void>;
  view(userId: number, rows: readonly T["row"][], language: Language): Promise<T["message"][]>;
  history(userId: number, targetId: number, page: HistoryPage): Promise<T["row"][]>;
  days(userId: number, targetId: number, starts: readonly number[]): Promise<number[]>;
  /** The newest row that this person sees; 0 if there is none. */
  newestId(userId: number, targetId: number): Promise<number>;
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
  ): Promise<readonly ReadMessage[] | undefined>;
  /** The frame that tells the reader's other devices the read position. */
  readFrame(userId: number, targetId: number, maxId: number): string;
  receiptFrames(userId: number, targetId: number, read: readonly ReadMessage[]): Promise<ReceiptFrame[]>;
  /** Hides messages from this person. Returns whether any was hidden. */
  hide(tx: MessagesTx, userId: number, targetId: number, ids: readonly number[]): Promise<boolean>;

  // Pulling and searching

  /** The most rows of a first pull; in groups of each group. */
  readonly firstPullMax: number;
  pull(userId: number, window: PullWindow, language: Language): Promise<Pulled<T["message"]>>;
  /** Searches one chat or all. */
  search(userId: number, search: MessageSearch, targetId: number | undefined): Promise<Found<T["row"]>>;
  /** The chat of a message, from the view of this person. */
  targetOfMessage(userId: number, message: T["message"]): number;
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

/** Who gets a new row. */
export interface Receivers<Row> {
  /** Each version of the row with its receivers. */
  versions: readonly { row: Row; userIds: readonly number[] }[];
  /** The version that its sender gets. */
  own: Row;
}

/** A message of somebody else that is read now. */
export interface ReadMessage {
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

/** What differs between private chats and groups. Each operation on messages is written once, for both of these strategies. */
import type { Cmd, MessageType } from "@parley/protocol/codes";
import type { BodyOf } from "@parley/protocol/endpoint";
import type { sendGroupMessage } from "@parley/protocol/endpoints/group-messages";
import type { sendPrivateMessage } from "@parley/protocol/endpoints/messages";
import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import type { TipKey } from "@parley/protocol/tips";
import type { GroupMessageRow, NewGroupMessage } from "../../ports/group-store.ts";
import type { Language } from "../../ports/language.ts";
import type { NewPrivateMessage, PrivateRow, Store, Tx } from "../../ports/store.ts";
import type { Appended, MessageEdit, MessageRecall } from "../../ports/stored-message.ts";
import type { Sender } from "./friendship-cache.ts";
import type { CachedGroup } from "./group-cache.ts";

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
  readonly cmd: typeof Cmd.PRIVATE | typeof Cmd.GROUP;

  // Sending

  targetOf(body: T["body"]): number;
  /** What `newMessage` needs to know of the sender. Synchronous if it is cached, because each promise here makes every message slower. */
  findSender(userId: number, targetId: number): T["sender"] | Promise<T["sender"]>;
  /** The message to store. Throws unless this person may send it. */
  newMessage(sender: T["sender"], userId: number, body: T["body"], content: string, now: number): T["new"];
  append(db: Store | Tx, message: T["new"]): Promise<Appended<T["row"]>>;
  findByTmpId(tx: Tx, sendId: number, tmpId: string): Promise<T["row"] | undefined>;
  /** The row that a message may quote: its sender sees it in this chat, and it is shown to everybody there. */
  findQuotable(tx: Tx, message: T["new"], id: number): Promise<T["row"] | undefined>;

  // Editing and recalling

  /** The row that an event may change, if its sender sees it in this chat. */
  findEditTarget(tx: Tx, event: T["new"], id: number): Promise<T["row"] | undefined>;
  /** Stores the event of an edit for those who may know the new text of the message `id`. */
  appendEdit(tx: Tx, event: T["new"], id: number): Promise<Appended<T["row"]>>;
  edit(tx: Tx, edit: MessageEdit): Promise<void>;
  find(tx: Tx, id: number): Promise<T["row"] | undefined>;
  findVisible(tx: Tx, userId: number, id: number): Promise<T["row"] | undefined>;
  /** Throws unless this person may recall messages of the sender of `target`. */
  authorizeRecall(tx: Tx, target: T["row"], event: RecallEvent): Promise<RecallRight<T["new"]>>;
  recall(tx: Tx, recall: MessageRecall): Promise<void>;

  // Publishing

  /** Who gets a new row. */
  receiversOf(stored: Appended<T["row"]>): Receivers<T["row"]> | Promise<Receivers<T["row"]>>;
  /** A new row, which nobody else has read yet. */
  viewNew(row: T["row"], language: Language): T["message"];
  /** A row in its current state, as its sender sees it. */
  viewOwn(row: T["row"], language: Language): Promise<T["message"]>;
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

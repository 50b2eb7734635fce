import { changeChats } from "../model/chats.ts";
import type { ChatContext, ChatInput, ChatsChange } from "../model/chat-input.ts";
import { NO_CHATS } from "../model/nobody.ts";
import { readSystem, readTalk } from "../model/incoming.ts";
import type { Chat, ChatKey, Chats } from "../model/state.ts";
import type { GroupMessage, PrivateMessage, SystemMessage } from "@parley/protocol/message";
import { chatKey, privateKeyOf } from "../model/rows.ts";
import { FRIEND_CHAT, ME } from "./builders.ts";

/** Chats in a test's hand: each call is one batch. */
export interface ChatsInHand {
  readonly state: Chats;
  /** What the last batch told beside the state. */
  readonly last: ChatsChange;
  apply(...inputs: ChatInput[]): ChatsChange;
  /** Private rows, as they come from the wire. */
  rows(...rows: PrivateMessage[]): ChatsChange;
  chat(key?: ChatKey): Chat;
  contents(key?: ChatKey): string[];
  ids(key?: ChatKey): (number | null)[];
}

const NO_MARKS = { PRIVATE: 0, GROUP: 0, SYSTEM: 0 };
const CONTEXT: ChatContext = {
  floors: NO_MARKS,
  cleared: NO_MARKS,
  hasDisk: true,
  friends: {},
  groups: {},
  me: ME,
};

export function chatsInHand(context: Partial<ChatContext> = {}, start: Chats = NO_CHATS): ChatsInHand {
  let last: ChatsChange = { chats: start, rows: [], missed: [], receipts: [], refused: [], gone: [] };
  const inHand: ChatsInHand = {
    get state() {
      return last.chats;
    },
    get last() {
      return last;
    },
    apply(...inputs) {
      last = changeChats(last.chats, inputs, { ...CONTEXT, ...context });
      return last;
    },
    rows: (...rows) => inHand.apply(...rows.map(privateInput)),
    chat(key = FRIEND_CHAT) {
      const found = last.chats.byKey[key];
      if (found === undefined) throw new Error(`no chat ${key}`);
      return found;
    },
    contents: (key) => inHand.chat(key).window.messages.map((message) => message.content),
    ids: (key) => inHand.chat(key).window.messages.map((message) => message.id),
  };
  return inHand;
}

export function privateInput(row: PrivateMessage): ChatInput {
  const incoming = readTalk("PRIVATE", privateKeyOf(row, ME), row, ME);
  if (incoming.kind !== "chat") throw new Error(`type ${row.type} is no input of chats`);
  return incoming.input;
}

export function groupInput(row: GroupMessage): ChatInput {
  const incoming = readTalk("GROUP", chatKey("GROUP", row.groupId), row, ME);
  if (incoming.kind !== "chat") throw new Error(`type ${row.type} is no input of chats`);
  return incoming.input;
}

export function systemInput(row: SystemMessage): ChatInput {
  const incoming = readSystem(row);
  if (incoming.kind !== "chat") throw new Error("no input of chats");
  return incoming.input;
}

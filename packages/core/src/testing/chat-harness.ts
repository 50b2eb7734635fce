import { reduceChats } from "../model/chats/reduce-chats.ts";
import type { ChatContext, ChatInput, ChatsChange } from "../model/chats/chat-input.ts";
import { EMPTY_CHATS } from "../model/signed-out-state.ts";
import { readSystemRow, readChatRow } from "../model/connection/read-frame.ts";
import type { Chat, ChatKey, Chats } from "../model/state.ts";
import type { GroupMessage, PrivateMessage, SystemMessage } from "@parley/protocol/message";
import { chatKey, privateChatKey } from "../model/chats/chat-rows.ts";
import { FRIEND_CHAT, ME } from "./builders.ts";

/** The reducer of chats for tests: each call is one batch. */
export interface ChatHarness {
  readonly state: Chats;
  /** The whole result of the last batch. */
  readonly last: ChatsChange;
  dispatch(...inputs: ChatInput[]): ChatsChange;
  /** Dispatches private rows, as they arrive on the socket. */
  rows(...rows: PrivateMessage[]): ChatsChange;
  chat(key?: ChatKey): Chat;
  texts(key?: ChatKey): string[];
  ids(key?: ChatKey): (number | null)[];
}

const NO_POSITIONS = { PRIVATE: 0, GROUP: 0, SYSTEM: 0 };
const CONTEXT: ChatContext = {
  historyStart: NO_POSITIONS,
  clearedPositions: NO_POSITIONS,
  hasLocalDatabase: true,
  friends: {},
  groups: {},
  me: ME,
};

/** Creates a harness without chats, or with those of `start`. */
export function createChatHarness(
  context: Partial<ChatContext> = {},
  start: Chats = EMPTY_CHATS,
): ChatHarness {
  let last: ChatsChange = {
    chats: start,
    rows: [],
    missedEvents: [],
    missedReceipts: [],
    missedExtras: [],
    rejectedRows: [],
    removals: [],
  };
  const harness: ChatHarness = {
    get state() {
      return last.chats;
    },
    get last() {
      return last;
    },
    dispatch(...inputs) {
      last = reduceChats(last.chats, inputs, { ...CONTEXT, ...context });
      return last;
    },
    rows: (...rows) => harness.dispatch(...rows.map(privateInput)),
    chat(key = FRIEND_CHAT) {
      const found = last.chats.byKey[key];
      if (found === undefined) throw new Error(`no chat ${key}`);
      return found;
    },
    texts: (key) => harness.chat(key).window.messages.map((message) => message.content),
    ids: (key) => harness.chat(key).window.messages.map((message) => message.id),
  };
  return harness;
}

/** The input that a private row becomes. */
export function privateInput(row: PrivateMessage): ChatInput {
  const incoming = readChatRow("PRIVATE", privateChatKey(row, ME), row, ME);
  if (incoming.kind !== "chat") throw new Error(`a row of type ${row.type} yields no input of chats`);
  return incoming.input;
}

/** The input that a group row becomes. */
export function groupInput(row: GroupMessage): ChatInput {
  const incoming = readChatRow("GROUP", chatKey("GROUP", row.groupId), row, ME);
  if (incoming.kind !== "chat") throw new Error(`a row of type ${row.type} yields no input of chats`);
  return incoming.input;
}

/** The input that a row of the system chat becomes. */
export function systemInput(row: SystemMessage): ChatInput {
  return readSystemRow(row).input;
}

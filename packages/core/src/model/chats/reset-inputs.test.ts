import { expect, test } from "vitest";
import { FRIEND_CHAT } from "../../testing/builders.ts";
import { EMPTY_CHATS } from "../signed-out-state.ts";
import type { Chat, ChatKey } from "../state.ts";
import { newChat } from "./new-chat.ts";
import { inputsAfterReset } from "./reset-inputs.ts";

const OTHER: ChatKey = "PRIVATE:3";
const NOW = 5;
const QUOTE = { id: 7, sendId: 2, sendNickName: "Bob", type: 0, content: "quoted" };
const EDIT = { id: 8, text: "better" };

function chat(key: ChatKey, part: Partial<Chat>): Chat {
  const context = { historyStart: { PRIVATE: 0, GROUP: 0, SYSTEM: 0 }, friends: {}, groups: {} };
  return { ...newChat(key, context), ...part };
}

const chats = (...list: Chat[]) => ({
  ...EMPTY_CHATS,
  byKey: Object.fromEntries(list.map((each) => [each.key, each])),
});

test("I37 after a reset drafts come back with quote and edit, and the open chat is open again", () => {
  const before = {
    ...chats(chat(FRIEND_CHAT, { draft: "half", draftQuote: QUOTE, draftEdit: EDIT }), chat(OTHER, {})),
    openKey: OTHER,
  };
  expect(inputsAfterReset(before, false, NOW)).toEqual([
    { kind: "open", key: FRIEND_CHAT, now: NOW },
    { kind: "draft", key: FRIEND_CHAT, text: "half", mentions: [], files: [], quote: QUOTE, edit: EDIT },
    { kind: "open", key: OTHER, now: NOW },
  ]);
});

test.each([
  ["an unsent edit", { draftEdit: EDIT }, { quote: null, edit: EDIT }],
  ["a quote", { draftQuote: QUOTE }, { quote: QUOTE, edit: null }],
])("I37 %s alone is kept like a draft", (_name, part, kept) => {
  const inputs = inputsAfterReset(chats(chat(OTHER, part)), false, NOW);
  expect(inputs).toEqual([
    { kind: "open", key: OTHER, now: NOW },
    { kind: "draft", key: OTHER, text: "", mentions: [], files: [], ...kept },
    { kind: "close" },
  ]);
});

test("I7 on another database quotes and edits are dropped, and chats that have nothing else", () => {
  const before = chats(
    chat(FRIEND_CHAT, { draft: "half", draftQuote: QUOTE }),
    chat(OTHER, { draftEdit: EDIT }),
    chat("PRIVATE:4", { draftQuote: QUOTE }),
  );
  expect(inputsAfterReset(before, true, NOW)).toEqual([
    { kind: "open", key: FRIEND_CHAT, now: NOW },
    { kind: "draft", key: FRIEND_CHAT, text: "half", mentions: [], files: [] },
    { kind: "close" },
  ]);
});

import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import {
  chat,
  localEcho,
  FRIEND_CHAT,
  groupRow,
  ME,
  ownRow,
  privateRow,
  systemRow,
} from "../../testing/builders.ts";
import { newChatSync } from "../chats/new-chat.ts";
import { shouldNotify } from "./should-notify.ts";
import { SYSTEM_CHAT, toSystemMessage, toChatMessage } from "../chats/chat-rows.ts";

const YES_NO = [true, false];
/** UI17: all 64 combinations of these six conditions. */
const CASES = YES_NO.flatMap((isVisible) =>
  YES_NO.flatMap((isFocused) =>
    YES_NO.flatMap((isOpen) =>
      YES_NO.flatMap((isMuted) =>
        YES_NO.flatMap((isSelf) =>
          YES_NO.map((isLoading) => ({ isVisible, isFocused, isOpen, isMuted, isSelf, isLoading })),
        ),
      ),
    ),
  ),
);

test("A8 6 of the 64 cases notify", () => {
  expect(CASES).toHaveLength(64);
  expect(CASES.filter((conditions) => notifies(conditions))).toHaveLength(6);
});

test.each(CASES)(
  "A8 visible $isVisible, focused $isFocused, open $isOpen, muted $isMuted, own message $isSelf, pull running $isLoading",
  (conditions) => {
    const { isVisible, isFocused, isMuted, isSelf, isLoading } = conditions;
    const isLookedAt = isVisible && isFocused;
    expect(notifies(conditions)).toBe(!isLookedAt && !isMuted && !isSelf && !isLoading);
  },
);

function notifies({ isOpen, isMuted, isSelf, ...attention }: (typeof CASES)[number]): boolean {
  const message = toChatMessage(isSelf ? ownRow({ id: 5 }) : privateRow({ id: 5 }), ME);
  const closed = chat({ key: FRIEND_CHAT, msgRemind: isMuted ? 0 : 1 });
  // An open chat has its messages in memory.
  const opened = { ...closed, window: { ...closed.window, messages: isOpen ? [message] : [] } };
  return shouldNotify(message, opened, attention);
}

const AWAY = { isVisible: false, isFocused: false, isLoading: false };
const message = (part = {}) => toChatMessage(privateRow({ id: 5, ...part }), ME);

test.each([
  ["a local echo", localEcho("a")],
  ["a read one", message({ status: MessageStatus.READED })],
  ["a recalled one", message({ status: MessageStatus.RECALL })],
  ["a tip", message({ type: MessageType.TIP_TEXT })],
])("A9 %s does not notify", (_name, silent) => {
  expect(shouldNotify(silent, chat({ key: FRIEND_CHAT }), AWAY)).toBe(false);
});

test("A9 a message at or below the read position does not notify, and every kind that counts as unread does", () => {
  expect(shouldNotify(message(), chat({ key: FRIEND_CHAT, readId: 5 }), AWAY)).toBe(false);
  expect(shouldNotify(message({ type: MessageType.LOCATION }), chat({ key: FRIEND_CHAT }), AWAY)).toBe(true);
  const notice = toSystemMessage(systemRow({ seqNo: 1 }));
  expect(shouldNotify(notice, chat({ key: SYSTEM_CHAT }), AWAY)).toBe(true);
});

test.each([
  [0, 1, false, true],
  [1, 1, false, false],
  [1, 2, false, true],
  [1, 1, true, true],
  [2, 3, true, false],
])(
  "A8 in a group with msgRemind %i, a message of role %i, mentioning me %s, notifies: %s",
  (msgRemind, sendRole, isMentioned, isExpected) => {
    const sync = { ...newChatSync(0), mentions: isMentioned ? [{ id: 5, isAll: false }] : [] };
    const groupMessage = toChatMessage(groupRow({ id: 5, sendRole }), ME);
    expect(shouldNotify(groupMessage, chat({ key: "GROUP:5", msgRemind, sync }), AWAY)).toBe(isExpected);
  },
);

import { describe, expect, test } from "vitest";
import type { Chat, ChatMessage, ChatSync, ChatWindow } from "@parley/core/model/state";
import { chat, FRIEND, FRIEND_CHAT, localEcho } from "@parley/core/testing/builders";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { currentMessage, currentSelection, deliveryStatusOf } from "./message-state.ts";

const row = (id: number, part: Partial<ChatMessage> = {}) =>
  localEcho(`t${id}`, { id, sending: null, ...part });

/** A chat with these messages in its window, of which the server may have more. */
function chatOf(
  messages: readonly ChatMessage[],
  part: Partial<ChatWindow> = {},
  sync: Partial<ChatSync> = {},
) {
  const empty = chat({ key: FRIEND_CHAT });
  return { window: { ...empty.window, ...part, messages }, sync: { ...empty.sync, ...sync } };
}

describe("the current version of a message that an action holds", () => {
  test("is the edited version after an edit", () => {
    const edited = row(2, { content: "new", isEdited: true });
    expect(currentMessage(row(2), chatOf([row(1), edited]))).toBe(edited);
  });

  test("is null after recall or deletion", () => {
    expect(currentMessage(row(2), chatOf([row(1), row(2, { status: MessageStatus.RECALL })]))).toBe(null);
    expect(currentMessage(row(2), chatOf([row(1), row(3)], { hasOlder: true, hasNewer: true }))).toBe(null);
    expect(currentMessage(row(2), chatOf([row(1)], { hasOlder: true }))).toBe(null);
    expect(currentMessage(row(2), chatOf([]))).toBe(null);
  });

  test("is unchanged while it lies outside the loaded window", () => {
    const message = row(2);
    expect(currentMessage(message, chatOf([row(5)], { hasOlder: true }))).toBe(message);
    expect(currentMessage(message, chatOf([row(1)], { hasNewer: true }))).toBe(message);
  });

  test("is null after a recall or deletion outside the loaded window", () => {
    const message = row(2, { sendId: FRIEND });
    const afterwards = (sync: Partial<ChatSync>) =>
      currentMessage(message, chatOf([row(5)], { hasOlder: true }, sync));
    const event = { id: 9, targetId: 2, content: "", sendTime: 0, by: null };
    expect(afterwards({ events: [{ ...event, type: MessageType.RECALL }] })).toBe(null);
    expect(afterwards({ deletedForMe: [2] })).toBe(null);
    expect(afterwards({ removedByModerator: [{ userId: FRIEND, upTo: 4 }] })).toBe(null);
    expect(afterwards({ events: [{ ...event, type: MessageType.EDIT, content: "new" }] })?.content).toBe(
      "new",
    );
    expect(afterwards({ deletedForMe: [3], removedByModerator: [{ userId: FRIEND, upTo: 1 }] })).toBe(
      message,
    );
  });

  test("is the unsent one that a window in the past leaves out", () => {
    const unsent = localEcho("t9");
    const past = chatOf([row(1)], { hasNewer: true }, { pending: [unsent] });
    expect(currentMessage(unsent, past)).toBe(unsent);
    expect(currentMessage(localEcho("discarded"), past)).toBe(null);
  });
});

describe("selected messages", () => {
  test("lose removed messages, and are the same map if nothing changed", () => {
    const [one, two] = [row(1), row(2)];
    const selected = new Map([
      [one.key, one],
      [two.key, two],
    ]);
    expect(currentSelection(selected, chatOf([one, two, row(3)]))).toBe(selected);
    expect([...currentSelection(selected, chatOf([one])).values()]).toEqual([one]);
  });
});

const mine = (id: number | null, sending: ChatMessage["sending"] = null, type: number = MessageType.TEXT) =>
  ({ key: `${id ?? sending}`, id, sending, type, selfSend: true }) as ChatMessage;
const theirs = (id: number) => ({ key: `${id}`, id, sending: null, selfSend: false }) as ChatMessage;
const chatReadTo = (messages: ChatMessage[], theirReadId: number) =>
  ({ theirReadId, window: { messages } }) as unknown as Chat;

describe("the delivery status under the user's last message", () => {
  test("is shown for the last own message only, read or unread", () => {
    expect(deliveryStatusOf(chatReadTo([mine(1), mine(2), theirs(3)], 2), false)).toEqual({
      key: "2",
      status: "read",
    });
    expect(deliveryStatusOf(chatReadTo([mine(1), mine(2)], 1), false)).toEqual({
      key: "2",
      status: "unread",
    });
  });

  test("counts messages that wait for the network while offline", () => {
    const messages = [
      mine(1),
      { ...mine(null, "waiting"), key: "a" },
      { ...mine(null, "waiting"), key: "b" },
    ];
    expect(deliveryStatusOf(chatReadTo(messages, 1), true)).toEqual({ key: "b", status: { waiting: 2 } });
  });

  test("O101 shows no waiting count while the network is up", () => {
    const messages = [mine(1), mine(null, "sending"), { ...mine(null, "waiting"), key: "a" }];
    expect(deliveryStatusOf(chatReadTo(messages, 1), false)).toEqual({ key: "1", status: "read" });
    expect(deliveryStatusOf({ ...chatReadTo(messages, 1), type: "GROUP" }, false)).toBeNull();
  });

  test("shows no read status in a group", () => {
    const messages = [mine(1), { ...mine(null, "waiting"), key: "a" }];
    expect(deliveryStatusOf({ ...chatReadTo([mine(1)], -1), type: "GROUP" }, true)).toBeNull();
    expect(deliveryStatusOf({ ...chatReadTo(messages, -1), type: "GROUP" }, true)).toEqual({
      key: "a",
      status: { waiting: 1 },
    });
  });

  test("RC6 shows waiting messages where nothing is known of what is read, as in notes to self, but no read status", () => {
    const messages = [mine(1), { ...mine(null, "waiting"), key: "a" }];
    expect(deliveryStatusOf(chatReadTo([mine(1)], 1), true, true)).toBeNull();
    expect(deliveryStatusOf(chatReadTo(messages, 1), true, true)).toEqual({
      key: "a",
      status: { waiting: 1 },
    });
  });

  test("skips failed messages and tips", () => {
    const messages = [mine(1), mine(2, null, MessageType.TIP_TEXT), mine(null, "failed")];
    expect(deliveryStatusOf(chatReadTo(messages, 1), false)).toEqual({ key: "1", status: "read" });
    expect(deliveryStatusOf(chatReadTo([theirs(1)], 1), false)).toBeNull();
  });
});

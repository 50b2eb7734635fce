import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { deliveryStatusOf } from "./delivery-status.ts";

const mine = (id: number | null, sending: ChatMessage["sending"] = null, type: number = MessageType.TEXT) =>
  ({ key: `${id ?? sending}`, id, sending, type, selfSend: true }) as ChatMessage;
const theirs = (id: number) => ({ key: `${id}`, id, sending: null, selfSend: false }) as ChatMessage;
const chat = (messages: ChatMessage[], theirReadId: number) =>
  ({ theirReadId, window: { messages } }) as unknown as Chat;

describe("the delivery status under the user's last message", () => {
  test("is shown for the last own message only, read or unread", () => {
    expect(deliveryStatusOf(chat([mine(1), mine(2), theirs(3)], 2), false)).toEqual({
      key: "2",
      status: "read",
    });
    expect(deliveryStatusOf(chat([mine(1), mine(2)], 1), false)).toEqual({ key: "2", status: "unread" });
  });

  test("counts messages that wait for the network while offline", () => {
    const messages = [
      mine(1),
      { ...mine(null, "waiting"), key: "a" },
      { ...mine(null, "waiting"), key: "b" },
    ];
    expect(deliveryStatusOf(chat(messages, 1), true)).toEqual({ key: "b", status: { waiting: 2 } });
  });

  test("O101 shows no waiting count while the network is up", () => {
    const messages = [mine(1), mine(null, "sending"), { ...mine(null, "waiting"), key: "a" }];
    expect(deliveryStatusOf(chat(messages, 1), false)).toEqual({ key: "1", status: "read" });
    expect(deliveryStatusOf({ ...chat(messages, 1), type: "GROUP" }, false)).toBeNull();
  });

  test("shows no read status in a group", () => {
    const messages = [mine(1), { ...mine(null, "waiting"), key: "a" }];
    expect(deliveryStatusOf({ ...chat([mine(1)], -1), type: "GROUP" }, true)).toBeNull();
    expect(deliveryStatusOf({ ...chat(messages, -1), type: "GROUP" }, true)).toEqual({
      key: "a",
      status: { waiting: 1 },
    });
  });

  test("shows waiting messages in notes to self, but no read status", () => {
    const messages = [mine(1), { ...mine(null, "waiting"), key: "a" }];
    expect(deliveryStatusOf(chat([mine(1)], 1), true, true)).toBeNull();
    expect(deliveryStatusOf(chat(messages, 1), true, true)).toEqual({ key: "a", status: { waiting: 1 } });
  });

  test("skips failed messages and tips", () => {
    const messages = [mine(1), mine(2, null, MessageType.TIP_TEXT), mine(null, "failed")];
    expect(deliveryStatusOf(chat(messages, 1), false)).toEqual({ key: "1", status: "read" });
    expect(deliveryStatusOf(chat([theirs(1)], 1), false)).toBeNull();
  });
});

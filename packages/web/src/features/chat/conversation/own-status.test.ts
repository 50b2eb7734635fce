import { describe, expect, it } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { ownStatus } from "./own-status.ts";

const mine = (id: number | null, sending: ChatMessage["sending"] = null, type: number = MessageType.TEXT) =>
  ({ key: `${id ?? sending}`, id, sending, type, selfSend: true }) as ChatMessage;
const theirs = (id: number) => ({ key: `${id}`, id, sending: null, selfSend: false }) as ChatMessage;
const chat = (messages: ChatMessage[], theirReadId: number) =>
  ({ theirReadId, window: { messages } }) as unknown as Chat;

describe("the words under my last message", () => {
  it("stand under the last one of mine only, read or not", () => {
    expect(ownStatus(chat([mine(1), mine(2), theirs(3)], 2), false)).toEqual({ key: "2", status: "read" });
    expect(ownStatus(chat([mine(1), mine(2)], 1), false)).toEqual({ key: "2", status: "unread" });
  });

  it("count what waits for the network", () => {
    const messages = [
      mine(1),
      { ...mine(null, "waiting"), key: "a" },
      { ...mine(null, "waiting"), key: "b" },
    ];
    expect(ownStatus(chat(messages, 1), true)).toEqual({ key: "b", status: { waiting: 2 } });
  });

  it("O101 do not speak of the network while there is one: what waits is on its way", () => {
    const messages = [mine(1), mine(null, "sending"), { ...mine(null, "waiting"), key: "a" }];
    expect(ownStatus(chat(messages, 1), false)).toEqual({ key: "1", status: "read" });
    expect(ownStatus({ ...chat(messages, 1), type: "GROUP" }, false)).toBeNull();
  });

  it("do not tell of a group whether it was read", () => {
    const messages = [mine(1), { ...mine(null, "waiting"), key: "a" }];
    expect(ownStatus({ ...chat([mine(1)], -1), type: "GROUP" }, true)).toBeNull();
    expect(ownStatus({ ...chat(messages, -1), type: "GROUP" }, true)).toEqual({
      key: "a",
      status: { waiting: 1 },
    });
  });

  it("tell of notes to oneself what waits, and never that they were read", () => {
    const messages = [mine(1), { ...mine(null, "waiting"), key: "a" }];
    expect(ownStatus(chat([mine(1)], 1), true, true)).toBeNull();
    expect(ownStatus(chat(messages, 1), true, true)).toEqual({ key: "a", status: { waiting: 1 } });
  });

  it("skip messages that failed and tips", () => {
    const messages = [mine(1), mine(2, null, MessageType.TIP_TEXT), mine(null, "failed")];
    expect(ownStatus(chat(messages, 1), false)).toEqual({ key: "1", status: "read" });
    expect(ownStatus(chat([theirs(1)], 1), false)).toBeNull();
  });
});

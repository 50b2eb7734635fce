import { describe, expect, test } from "vitest";
import { chat, FRIEND_CHAT, friendVO, groupVO } from "../../testing/builders.ts";
import { newChatSync, newChat } from "./new-chat.ts";
import { SYSTEM_CHAT } from "./chat-rows.ts";
import type { ChatKey } from "../state.ts";

describe("a new chat", () => {
  const context = { historyStart: { PRIVATE: 0, GROUP: 7, SYSTEM: 0 }, friends: {}, groups: {} };

  test("P7 G11 a new chat has all fields and the pin and alert settings of its friend or group", () => {
    expect(newChat(FRIEND_CHAT, context)).toEqual(chat({ key: FRIEND_CHAT }));
    const group = chat({ key: "GROUP:5", msgRemind: 0, sync: newChatSync(7) });
    expect(newChat("GROUP:5", context)).toEqual({ ...group, window: { ...group.window, hasOlder: true } });
    expect(newChat(SYSTEM_CHAT, context)).toEqual(chat({ key: SYSTEM_CHAT }));
    const groups = { 5: groupVO({ isTop: true, msgRemind: 2 }) };
    expect(newChat("GROUP:5", { ...context, groups })).toMatchObject({ isTop: true, msgRemind: 2 });
    expect(newChat("PRIVATE:5", { ...context, groups })).toMatchObject({ isTop: false, msgRemind: 1 });
    const friends = { 2: friendVO({ isTop: true, msgRemind: 0 }) };
    expect(newChat(FRIEND_CHAT, { ...context, friends })).toMatchObject({ isTop: true, msgRemind: 0 });
    expect(newChat("GROUP:2", { ...context, friends })).toMatchObject({ isTop: false });
  });

  test("P7 a chat with an invalid key is a private chat with target 0", () => {
    expect(newChat("X:5" as ChatKey, context)).toMatchObject({ type: "PRIVATE", targetId: 0 });
  });
});

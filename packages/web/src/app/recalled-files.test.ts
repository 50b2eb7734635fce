import { expect, test } from "vitest";
import { toChatMessage } from "@parley/core/model/chats/chat-rows";
import type { Chat, ChatMessage, State } from "@parley/core/model/state";
import { FRIEND_CHAT, ME, chat, privateRow } from "@parley/core/testing/builders";
import { INITIAL_STATE } from "@parley/core/state-store";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { recalledFiles } from "./recalled-files.ts";

const picture = (id: number): ChatMessage =>
  toChatMessage(
    privateRow({
      id,
      type: MessageType.IMAGE,
      content: JSON.stringify({ originUrl: `/files/${id}/image.png`, thumbUrl: `/files/${id}/thumb.webp` }),
    }),
    ME,
  );
const recalled = (id: number): ChatMessage =>
  toChatMessage(
    privateRow({ id, type: MessageType.TIP_TEXT, content: "", status: MessageStatus.RECALL }),
    ME,
  );

function chatsOf(...messages: ChatMessage[]): State["chats"] {
  const empty = chat({ key: FRIEND_CHAT });
  const one: Chat = { ...empty, window: { ...empty.window, messages } };
  // Each is a new list, as after an event.
  return { ...INITIAL_STATE.chats, byKey: { [FRIEND_CHAT]: { ...one, sync: { ...one.sync, events: [] } } } };
}

test("the files of messages are known when they are recalled, not of those that are only gone or were recalled before", () => {
  const before = chatsOf(picture(1), picture(2), recalled(3));
  const now = chatsOf(picture(1), recalled(2), recalled(3));
  expect(recalledFiles(before, now)).toEqual(["/files/2/image.png", "/files/2/thumb.webp"]);
  expect(recalledFiles(before, before)).toEqual([]);
  expect(recalledFiles(before, chatsOf(picture(2)))).toEqual([]);
  expect(recalledFiles(INITIAL_STATE.chats, now)).toEqual([]);
});

test("a chat without new events is not looked at", () => {
  const before = chatsOf(picture(1));
  const old = before.byKey[FRIEND_CHAT];
  const now = {
    ...before,
    byKey: {
      [FRIEND_CHAT]: { ...(old as Chat), window: { ...(old as Chat).window, messages: [recalled(1)] } },
    },
  };
  expect(recalledFiles(before, now)).toEqual([]);
});

import { describe, expect, test } from "vitest";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { localEcho } from "@parley/core/testing/builders";
import type { ChatMessage, ChatWindow } from "@parley/core/model/state";
import { listMessages } from "./media-list.ts";

const message = (id: number, part: Partial<ChatMessage> = {}): ChatMessage =>
  localEcho(`tmp-${id}`, { key: String(id), id, type: MessageType.IMAGE, ...part });

const unsent = (tmpId: string) => localEcho(tmpId, { type: MessageType.VIDEO, content: "" });

const chatWindow = (messages: readonly ChatMessage[], part: Partial<ChatWindow> = {}): ChatWindow => ({
  messages,
  hasOlder: true,
  hasNewer: false,
  older: "idle",
  newer: "idle",
  ...part,
});

const keys = (messages: readonly ChatMessage[]) => messages.map(({ key }) => key);

describe("VP1 pictures and videos", () => {
  test("are those of the window and of the pages, each once, in the order of the messages", () => {
    const window = chatWindow([
      message(20, { type: MessageType.TEXT }),
      message(21),
      message(30, { type: MessageType.VIDEO }),
      unsent("first"),
      unsent("second"),
    ]);
    const pages = [message(30), message(21), message(12), message(7, { type: MessageType.FILE }), message(3)];
    expect(keys(listMessages(window, pages))).toEqual(["3", "12", "21", "30", "first", "second"]);
  });

  test("beyond a window that ends before the newest message are listed too", () => {
    const window = chatWindow([message(20), message(22)], { hasNewer: true });
    expect(keys(listMessages(window, [message(40), message(12)]))).toEqual(["12", "20", "22", "40"]);
  });
});

describe("VP9 a recalled or deleted picture", () => {
  test("is not listed, neither in the window nor in an older page", () => {
    const window = chatWindow([message(20), message(21, { status: MessageStatus.RECALL }), message(23)]);
    expect(keys(listMessages(window, [message(23), message(22), message(21), message(20)]))).toEqual([
      "20",
      "23",
    ]);
  });

  test("is not kept because a page still has it when the whole chat is loaded", () => {
    const window = chatWindow([message(20)], { hasOlder: false });
    expect(keys(listMessages(window, [message(20), message(5)]))).toEqual(["20"]);
  });
});

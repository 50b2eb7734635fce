import { describe, expect, test } from "vitest";
import type { ChatMessage, ChatSync, ChatWindow } from "@parley/core/model/state";
import { chat, FRIEND_CHAT, localEcho } from "@parley/core/testing/builders";
import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { mediaMessages } from "./media-pages.ts";

const message = (id: number, part: Partial<ChatMessage> = {}): ChatMessage =>
  localEcho(`tmp-${id}`, { key: String(id), id, type: MessageType.IMAGE, ...part });

const unsent = (tmpId: string) => localEcho(tmpId, { type: MessageType.VIDEO, content: "" });

function chatOf(
  messages: readonly ChatMessage[],
  part: Partial<ChatWindow> = {},
  sync: Partial<ChatSync> = {},
) {
  const empty = chat({ key: FRIEND_CHAT });
  return { window: { ...empty.window, hasOlder: true, ...part, messages }, sync: { ...empty.sync, ...sync } };
}

const keys = (messages: readonly ChatMessage[]) => messages.map(({ key }) => key);

describe("VP1 pictures and videos", () => {
  test("are those of the window and of the pages, each once, in the order of the messages", () => {
    const shown = chatOf([
      message(20, { type: MessageType.TEXT }),
      message(21),
      message(30, { type: MessageType.VIDEO }),
      unsent("first"),
      unsent("second"),
    ]);
    const pages = [message(30), message(21), message(12), message(7, { type: MessageType.FILE }), message(3)];
    expect(keys(mediaMessages(shown, pages, "pictures"))).toEqual(["3", "12", "21", "30", "first", "second"]);
  });

  test("beyond a window that ends before the newest message are listed too", () => {
    const shown = chatOf([message(20), message(22)], { hasNewer: true });
    expect(keys(mediaMessages(shown, [message(40), message(12)], "pictures"))).toEqual([
      "12",
      "20",
      "22",
      "40",
    ]);
  });
});

describe("VP9 a recalled or deleted picture", () => {
  test("is not listed, neither in the window nor in an older page", () => {
    const shown = chatOf([message(20), message(21, { status: MessageStatus.RECALL }), message(23)]);
    expect(
      keys(mediaMessages(shown, [message(23), message(22), message(21), message(20)], "pictures")),
    ).toEqual(["20", "23"]);
  });

  test("is not kept because a page still has it when the whole chat is loaded", () => {
    const shown = chatOf([message(20)], { hasOlder: false });
    expect(keys(mediaMessages(shown, [message(20), message(5)], "pictures"))).toEqual(["20"]);
  });
});

test("VP9 a picture that was recalled or deleted outside the window is not listed", () => {
  const recall = {
    id: 30,
    type: MessageType.RECALL,
    targetId: 5,
    content: "",
    sendTime: 0,
    by: null,
  } as const;
  const shown = chatOf([message(20)], {}, { events: [recall], deletedForMe: [4] });
  const pages = [message(20), message(5), message(4), message(3)];
  expect(keys(mediaMessages(shown, pages, "pictures"))).toEqual(["3", "20"]);
});

test("B23 files and links are those of their kinds, links also with www.", () => {
  const text = (id: number, content: string) => message(id, { type: MessageType.TEXT, content });
  const shown = chatOf([
    message(20, { type: MessageType.FILE }),
    text(21, "看www.example.org吧"),
    text(22, "httpd"),
  ]);
  const pages = [
    text(12, "https://example.org"),
    text(11, "www. or http"),
    message(10, { type: MessageType.FILE }),
  ];
  expect(keys(mediaMessages(shown, pages, "files"))).toEqual(["10", "20"]);
  expect(keys(mediaMessages(shown, pages, "links"))).toEqual(["12", "21"]);
});

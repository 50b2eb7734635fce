import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import {
  echo,
  FRIEND_CHAT,
  friendVO,
  groupRequestVO,
  groupRow,
  ME,
  NOON,
  ownRow,
  privateRow,
  requestVO,
  systemRow,
} from "../testing/builders.ts";
import { chatsInHand, groupInput, privateInput, systemInput } from "../testing/chats.ts";
import { readFrame } from "./incoming.ts";
import { previewOf } from "./preview.ts";
import { SYSTEM_CHAT, talkMessage } from "./rows.ts";
import { restoreChat, saveChat } from "./stored.ts";
import type { ChatKey } from "./state.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";
const fromThird = (id: number, part = {}) => privateRow({ id, sendId: 3, ...part });

describe("previews", () => {
  test.each([
    [MessageType.TEXT, "hi", "content", "hi"],
    [MessageType.IMAGE, "{}", "image", ""],
    [MessageType.FILE, '{"name":"a"}', "file", ""],
    [MessageType.AUDIO, "{}", "audio", ""],
    [MessageType.VIDEO, "{}", "video", ""],
    [MessageType.REDENVELOPE, "{}", "redEnvelope", ""],
    [MessageType.TRANSFER, '{"amount":12.5}', "transfer", "12.5"],
    [MessageType.TRANSFER, "broken", "transfer", ""],
    [MessageType.TIP_TEXT, "friends now", "content", "friends now"],
    [MessageType.ACT_RT_VOICE, "missed", "voiceCall", "missed"],
    [MessageType.ACT_RT_VIDEO, "00:10", "videoCall", "00:10"],
    [MessageType.LOCATION, "{}", "location", ""],
    [MessageType.SHAKE, "", "shake", ""],
    [MessageType.BUSINESS_CARD, "{}", "businessCard", ""],
  ])("M18 type %i with %s shows as %s %s", (type, content, key, text) => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5, type, content }));
    expect(hand.chat().preview).toMatchObject({ key, text });
  });

  test("M18 a notice shows its title, a request its kind", () => {
    const hand = chatsInHand();
    hand.apply(
      systemInput(systemRow({ seqNo: 1, type: MessageType.SYSTEM_MESSAGE, title: "News", content: "x" })),
    );
    expect(hand.chat(SYSTEM_CHAT).preview).toMatchObject({ key: "notice", text: "News" });
    hand.apply(systemInput(systemRow({ seqNo: 2 })));
    expect(hand.chat(SYSTEM_CHAT).preview?.key).toBe("friendApply");
    hand.apply(systemInput(systemRow({ seqNo: 3, type: MessageType.GROUP_APPLY })));
    expect(hand.chat(SYSTEM_CHAT).preview?.key).toBe("groupApply");
  });

  test("N141 a request is told with the name of who asks, as far as it can be read", () => {
    const hand = chatsInHand();
    const request = (seqNo: number, type: number, content: string) =>
      hand.apply(systemInput(systemRow({ seqNo, type, content })));
    request(1, MessageType.FRIEND_APPLY, JSON.stringify(requestVO({ sendNickName: "Lin" })));
    expect(hand.chat(SYSTEM_CHAT).preview).toMatchObject({ key: "friendApply", text: "Lin" });
    request(2, MessageType.GROUP_APPLY, JSON.stringify(groupRequestVO({ sendNickName: "Bo" })));
    expect(hand.chat(SYSTEM_CHAT).preview).toMatchObject({ key: "groupApply", text: "Bo" });
    request(3, MessageType.FRIEND_APPLY, "[]");
    expect(hand.chat(SYSTEM_CHAT).preview).toMatchObject({ key: "friendApply", text: "" });
    request(4, MessageType.GROUP_APPLY, "[]");
    expect(hand.chat(SYSTEM_CHAT).preview).toMatchObject({ key: "groupApply", text: "" });
  });

  test.each([MessageType.SYSTEM_MESSAGE, MessageType.FRIEND_APPLY, MessageType.GROUP_APPLY])(
    "M18 a message of type %i in a private chat, which only the system chat has, has no words",
    (type) => {
      expect(previewOf(talkMessage(privateRow({ id: 5, type, content: "x" }), ME))?.text).toBe("");
    },
  );

  test("M18 a row that comes late does not become the preview", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 9 }));
    hand.rows(privateRow({ id: 7 }));
    expect(hand.chat()).toMatchObject({ preview: { text: "text 9" }, lastSendTime: NOON + 9_000 });
  });

  test("M19 a message on its way is the preview until the server has it", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a", { sendTime: NOON + 60_000 }) });
    expect(hand.chat().preview).toMatchObject({ text: "echo a", sending: "waiting" });
    const failure = { kind: "network", reason: "offline" } as const;
    hand.apply({ kind: "sending", key: FRIEND_CHAT, tmpId: "a", sending: "failed", failure });
    expect(hand.chat().preview?.sending).toBe("failed");
    hand.rows(ownRow({ id: 6, tmpId: "a", content: "echo a" }));
    expect(hand.chat().preview).toMatchObject({ text: "echo a", sending: null });
  });

  test("M19 a newer row takes the place of a failed one", () => {
    const hand = chatsInHand();
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a", { sendTime: NOON }) });
    hand.rows(privateRow({ id: 6 }));
    expect(hand.chat().preview?.text).toBe("text 6");
  });

  test("M34 discarding gives preview and time back to the newest row", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a", { sendTime: NOON + 60_000 }) });
    hand.apply({ kind: "discard", key: FRIEND_CHAT, tmpId: "a" });
    expect(hand.chat()).toMatchObject({ preview: { text: "text 5" }, lastSendTime: NOON + 5_000 });
    expect(hand.ids()).toEqual([5]);
  });

  test("M30 an echo stands behind the newest row when the clock here is behind", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("a", { sendTime: NOON - 3_600_000 }) });
    expect(hand.chat().preview?.text).toBe("echo a");
    expect(hand.chat().window.messages[1]?.sendTime).toBe(NOON + 5_000);
  });
});

describe("the list", () => {
  test("M20 pinned first, then newest first, equal times by key", () => {
    const hand = chatsInHand();
    const same = { sendTime: NOON };
    hand.rows(
      fromThird(5, same),
      privateRow({ id: 6, ...same }),
      privateRow({ id: 7, sendId: 4, sendTime: NOON + 1 }),
    );
    expect(hand.state.order).toEqual(["PRIVATE:4", "PRIVATE:2", "PRIVATE:3"]);
    hand.apply({ kind: "settings", key: OTHER_CHAT, isTop: true, msgRemind: 1 });
    expect(hand.state.order).toEqual(["PRIVATE:3", "PRIVATE:4", "PRIVATE:2"]);
  });

  test("P7 a chat that begins after the friends are known is pinned and silent as its friend is", () => {
    const hand = chatsInHand({ friends: { 2: friendVO({ id: 2, isTop: true, msgRemind: 0 }) } });
    hand.rows(privateRow({ id: 5 }), fromThird(6, { sendTime: NOON + 1 }));
    expect(hand.chat()).toMatchObject({ isTop: true, msgRemind: 0 });
    expect(hand.state.order).toEqual(["PRIVATE:2", "PRIVATE:3"]);
  });

  test("M21 the order stays while a pull runs and is sorted when all have finished", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), fromThird(6));
    hand.apply(
      { kind: "loading", type: "PRIVATE", isOn: true },
      { kind: "loading", type: "SYSTEM", isOn: true },
    );
    hand.rows(privateRow({ id: 7 }));
    expect(hand.state.order).toEqual(["PRIVATE:3", "PRIVATE:2"]);
    hand.apply({ kind: "loading", type: "PRIVATE", isOn: false });
    expect(hand.state.order).toEqual(["PRIVATE:3", "PRIVATE:2"]);
    hand.apply({ kind: "loading", type: "SYSTEM", isOn: false });
    expect(hand.state.order).toEqual(["PRIVATE:2", "PRIVATE:3"]);
  });

  test("M21 a chat that is opened meanwhile stands in front", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply(
      { kind: "loading", type: "PRIVATE", isOn: true },
      { kind: "open", key: OTHER_CHAT, now: NOON },
    );
    expect(hand.state.order).toEqual(["PRIVATE:3", "PRIVATE:2"]);
  });

  test("M29 a batch gives new identities to the chats it touches and to no other", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), fromThird(6));
    const before = hand.state;
    hand.rows(fromThird(7));
    expect(hand.state.byKey[FRIEND_CHAT]).toBe(before.byKey[FRIEND_CHAT]);
    expect(hand.state.byKey[OTHER_CHAT]).not.toBe(before.byKey[OTHER_CHAT]);
    expect(hand.state.order).toBe(before.order);
    const unchanged = hand.state;
    hand.apply();
    expect(hand.state).toBe(unchanged);
  });

  test("M31 a chat opened before it has a message stands where now is", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.apply({ kind: "open", key: OTHER_CHAT, now: NOON + 60_000 });
    expect(hand.state.order).toEqual(["PRIVATE:3", "PRIVATE:2"]);
    expect(hand.state.openKey).toBe(OTHER_CHAT);
    hand.apply({ kind: "close" });
    expect(hand.state.openKey).toBeNull();
  });
});

describe("edits and recalls", () => {
  const edit = (part = {}) =>
    privateRow({
      id: 20,
      type: MessageType.EDIT,
      content: "better",
      quoteMessage: { id: 5, sendId: 2, content: "text 5", type: 0, status: 1 },
      ...part,
    });
  const recall = (target: number) =>
    privateRow({ id: 21, type: MessageType.RECALL, content: String(target) });

  test("M22 an edit replaces the content where it stands, and twice is once", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    hand.rows(edit());
    const once = hand.chat();
    expect(hand.contents()).toEqual(["better", "text 6"]);
    expect(once.window.messages[0]).toMatchObject({ isEdited: true, editedAt: NOON + 20_000 });
    hand.rows(edit());
    expect(hand.chat().window.messages).toEqual(once.window.messages);
    expect(hand.chat().unread).toBe(2);
  });

  test("M22 an edit of the newest row shows in the preview", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.rows(edit());
    expect(hand.chat().preview?.text).toBe("better");
  });

  test("M22 an edit of a message that is not in memory is left to the disk", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 6 }));
    expect(hand.rows(edit()).missed).toMatchObject([
      { key: FRIEND_CHAT, event: { targetId: 5, content: "better" } },
    ]);
  });

  test("M23 a recall makes a tip in its place, marks quotes and lowers the unread count", () => {
    const hand = chatsInHand();
    const quoteMessage = { id: 5, sendId: 2, content: "text 5", type: 0, status: 1 };
    hand.rows(privateRow({ id: 5 }), privateRow({ id: 6, quoteMessage }));
    hand.rows(recall(5));
    const [target, quoting] = hand.chat().window.messages;
    expect(target).toMatchObject({
      id: 5,
      type: MessageType.TIP_TEXT,
      status: MessageStatus.RECALL,
      content: "",
      tip: { key: "recalled", params: { name: "Friend" } },
    });
    expect(quoting?.quoteMessage).toMatchObject({ status: MessageStatus.RECALL, content: "" });
    expect(hand.chat().unread).toBe(1);
  });

  test("M23 a recalled message is not edited any more, and its preview follows", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    hand.rows(recall(5), edit());
    expect(hand.contents()).toEqual([""]);
    expect(hand.chat().preview?.tip?.key).toBe("recalled");
  });

  test("M23 a recall of the newest row changes the preview also when the row is not in memory", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }));
    const known = hand.chat();
    const cold = chatsInHand();
    cold.apply({
      kind: "restore",
      chats: [{ ...known, window: { ...known.window, messages: [], hasOlder: true } }],
    });
    cold.rows(recall(5));
    expect(cold.chat()).toMatchObject({ unread: 0, preview: { text: "", tip: { key: "recalled" } } });
  });

  test("M24 type 82 is never inserted", () => {
    const data = { ...privateRow({ id: 5 }), type: MessageType.CHANGES };
    expect(readFrame({ cmd: 3, data }, 1)).toEqual({ kind: "changes", ofPeople: false });
  });
});

describe("memory", () => {
  const many = (count: number, from = 1) =>
    Array.from({ length: count }, (_, i) => privateRow({ id: i + from }));

  test("M26 a chat that is not open keeps its 60 newest, the open one all, until it is closed", () => {
    const hand = chatsInHand();
    hand.rows(...many(100));
    expect(hand.ids()).toHaveLength(60);
    expect(hand.chat().window.hasOlder).toBe(true);
    hand.apply({ kind: "open", key: FRIEND_CHAT, now: NOON });
    hand.rows(...many(100, 101));
    expect(hand.ids()).toHaveLength(160);
    hand.apply({ kind: "close" });
    expect(hand.ids()).toHaveLength(60);
    expect(hand.chat().unread).toBe(200);
  });

  test("M26 messages on their way are never cut", () => {
    const hand = chatsInHand();
    for (let i = 0; i < 70; i++) hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo(`e${i}`) });
    expect(hand.ids()).toHaveLength(70);
  });

  test("M26 without a disk messages of the system chat are never cut, since nobody has them", () => {
    const hand = chatsInHand({ hasDisk: false });
    hand.rows(...many(100));
    expect(hand.ids()).toHaveLength(60);
    hand.apply(...Array.from({ length: 70 }, (_, i) => systemInput(systemRow({ seqNo: i + 1 }))));
    expect(hand.ids(SYSTEM_CHAT)).toHaveLength(70);
  });

  test("M27 a page goes above the window and merges what the window has", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 50 }));
    const messages = [40, 41, 50].map((id) => talkMessage(privateRow({ id }), 1));
    const page = { messages, isFresh: false, from: 40, to: 51 };
    hand.apply({ kind: "page", key: FRIEND_CHAT, page, use: "older" });
    expect(hand.ids()).toEqual([40, 41, 50]);
    expect(hand.chat().window).toMatchObject({ hasOlder: false, older: "idle" });
    expect(hand.last.rows).toEqual([]);
  });

  test("M27 a page from the server goes to the disk, has its tips, and tells what is unread", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 50, sendTime: NOON + 1_000 }));
    const messages = [40, 41].map((id) => talkMessage(privateRow({ id, sendTime: NOON }), 1));
    hand.apply({
      kind: "page",
      key: FRIEND_CHAT,
      page: { messages, isFresh: true, from: 0, to: Infinity },
      use: "older",
    });
    expect(hand.last.rows.map((row) => row.message.id)).toEqual([40, 41]);
    expect(hand.chat().window.messages.map((message) => message.hasTimeTip)).toEqual([true, false, false]);
    expect(hand.chat().unread).toBe(3);
    expect(hand.chat().preview?.text).toBe("text 50");
  });

  test("M27 a page that brings a message of mine takes the place of its echo", () => {
    const hand = chatsInHand();
    hand.apply({ kind: "echo", key: FRIEND_CHAT, message: echo("tmp-40") });
    const messages = [talkMessage(ownRow({ id: 40 }), 1)];
    hand.apply({
      kind: "page",
      key: FRIEND_CHAT,
      page: { messages, isFresh: true, from: 0, to: Infinity },
      use: "older",
    });
    expect(hand.ids()).toEqual([40]);
    expect(hand.chat()).toMatchObject({ preview: { text: "text 40" }, book: { newest: { id: 40 } } });
  });

  test("M28 a gap makes every chat of its kind know that older messages are on the server only", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), fromThird(6));
    hand.apply(systemInput(systemRow({ seqNo: 1 })));
    hand.apply({ kind: "gap", type: "PRIVATE", fromId: 100, upTo: 6 }, privateInput(privateRow({ id: 105 })));
    expect(hand.ids()).toEqual([105]);
    expect(hand.chat()).toMatchObject({ window: { hasOlder: true }, book: { knownFrom: 100 } });
    expect(hand.chat(OTHER_CHAT)).toMatchObject({ preview: { text: "text 6" }, book: { knownFrom: 100 } });
    expect(hand.chat(SYSTEM_CHAT).book.knownFrom).toBe(0);
  });

  test("M28 a chat that begins after a gap knows of it", () => {
    const hand = chatsInHand({ floors: { PRIVATE: 100, GROUP: 0, SYSTEM: 0 } });
    hand.rows(privateRow({ id: 105 }));
    hand.apply(groupInput(groupRow({ id: 7 })));
    expect(hand.chat()).toMatchObject({ window: { hasOlder: true }, book: { knownFrom: 100 } });
    expect(hand.chat("GROUP:5").window.hasOlder).toBe(false);
  });

  test("M32 what is stored comes back as it was, its window apart", () => {
    const hand = chatsInHand();
    hand.rows(privateRow({ id: 5 }), ownRow({ id: 6 }), privateRow({ id: 7 }));
    hand.apply({ kind: "draft", key: FRIEND_CHAT, text: "half a" });
    const chat = hand.chat();
    const { window, ...restored } = restoreChat(JSON.parse(JSON.stringify(saveChat(chat)))) ?? chat;
    const { window: _window, ...saved } = chat;
    expect(restored).toEqual({ ...saved, book: { ...chat.book, tipBase: NOON + 5_000 } });
    expect(window).toMatchObject({ messages: [], hasOlder: true });
  });

  test("M32 what is broken on disk is left out", () => {
    expect(restoreChat({ key: FRIEND_CHAT })).toBeNull();
    expect(restoreChat({ key: "PRIVATE:x" as ChatKey })).toBeNull();
  });
});

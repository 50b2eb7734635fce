import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import {
  localEcho,
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
} from "../../testing/builders.ts";
import { createChatHarness, groupInput, privateInput, systemInput } from "../../testing/chat-harness.ts";
import { readFrame } from "../connection/read-frame.ts";
import { previewOf } from "./preview.ts";
import { SYSTEM_CHAT, toChatMessage } from "./chat-rows.ts";
import { restoreChat, saveChat } from "./saved-chat.ts";
import type { ChatKey } from "../state.ts";

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
    [MessageType.ACT_RT_VOICE, "missed", "voiceCall", ""],
    [MessageType.ACT_RT_VIDEO, "00:10", "videoCall", ""],
    [MessageType.LOCATION, "{}", "location", ""],
    [MessageType.SHAKE, "", "shake", ""],
    [MessageType.BUSINESS_CARD, "{}", "businessCard", ""],
  ])("M18 a message of type %i with %s is previewed as %s with the text %s", (type, content, key, text) => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5, type, content }));
    expect(harness.chat().preview).toMatchObject({ key, text });
  });

  test("M18 the preview of a notice is its title, that of a request its kind", () => {
    const harness = createChatHarness();
    harness.dispatch(
      systemInput(systemRow({ seqNo: 1, type: MessageType.SYSTEM_MESSAGE, title: "News", content: "x" })),
    );
    expect(harness.chat(SYSTEM_CHAT).preview).toMatchObject({ key: "notice", text: "News" });
    harness.dispatch(systemInput(systemRow({ seqNo: 2 })));
    expect(harness.chat(SYSTEM_CHAT).preview?.key).toBe("friendApply");
    harness.dispatch(systemInput(systemRow({ seqNo: 3, type: MessageType.GROUP_APPLY })));
    expect(harness.chat(SYSTEM_CHAT).preview?.key).toBe("groupApply");
  });

  test("N141 a request preview names the requester when the content is readable", () => {
    const harness = createChatHarness();
    const request = (seqNo: number, type: number, content: string) =>
      harness.dispatch(systemInput(systemRow({ seqNo, type, content })));
    request(1, MessageType.FRIEND_APPLY, JSON.stringify(requestVO({ sendNickName: "Lin" })));
    expect(harness.chat(SYSTEM_CHAT).preview).toMatchObject({ key: "friendApply", text: "Lin" });
    request(2, MessageType.GROUP_APPLY, JSON.stringify(groupRequestVO({ sendNickName: "Bo" })));
    expect(harness.chat(SYSTEM_CHAT).preview).toMatchObject({ key: "groupApply", text: "Bo" });
    request(3, MessageType.FRIEND_APPLY, "[]");
    expect(harness.chat(SYSTEM_CHAT).preview).toMatchObject({ key: "friendApply", text: "" });
    request(4, MessageType.GROUP_APPLY, "[]");
    expect(harness.chat(SYSTEM_CHAT).preview).toMatchObject({ key: "groupApply", text: "" });
  });

  test.each([MessageType.SYSTEM_MESSAGE, MessageType.FRIEND_APPLY, MessageType.GROUP_APPLY])(
    "M18 a message of type %i, which belongs in the system chat, has no preview text in a private chat",
    (type) => {
      expect(previewOf(toChatMessage(privateRow({ id: 5, type, content: "x" }), ME))?.text).toBe("");
    },
  );

  test("M18 a row that arrives late does not become the preview", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 9 }));
    harness.rows(privateRow({ id: 7 }));
    expect(harness.chat()).toMatchObject({ preview: { text: "text 9" }, lastSendTime: NOON + 9_000 });
  });

  test("M19 a local echo is the preview until the server has the message", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({
      kind: "localEcho",
      key: FRIEND_CHAT,
      message: localEcho("a", { sendTime: NOON + 60_000 }),
    });
    expect(harness.chat().preview).toMatchObject({ text: "echo a", sending: "waiting" });
    const failure = { kind: "network", reason: "offline" } as const;
    harness.dispatch({ kind: "sending", key: FRIEND_CHAT, tmpId: "a", sending: "failed", failure });
    expect(harness.chat().preview?.sending).toBe("failed");
    harness.rows(ownRow({ id: 6, tmpId: "a", content: "echo a" }));
    expect(harness.chat().preview).toMatchObject({ text: "echo a", sending: null });
  });

  test("M19 a newer row replaces a failed message as the preview", () => {
    const harness = createChatHarness();
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("a", { sendTime: NOON }) });
    harness.rows(privateRow({ id: 6 }));
    expect(harness.chat().preview?.text).toBe("text 6");
  });

  test("M34 after a discard, preview and time come from the newest row", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({
      kind: "localEcho",
      key: FRIEND_CHAT,
      message: localEcho("a", { sendTime: NOON + 60_000 }),
    });
    harness.dispatch({ kind: "discard", key: FRIEND_CHAT, tmpId: "a" });
    expect(harness.chat()).toMatchObject({ preview: { text: "text 5" }, lastSendTime: NOON + 5_000 });
    expect(harness.ids()).toEqual([5]);
  });

  test("M30 a local echo is placed after the newest row when the client clock is behind", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({
      kind: "localEcho",
      key: FRIEND_CHAT,
      message: localEcho("a", { sendTime: NOON - 3_600_000 }),
    });
    expect(harness.chat().preview?.text).toBe("echo a");
    expect(harness.chat().window.messages[1]?.sendTime).toBe(NOON + 5_000);
  });
});

describe("the list", () => {
  test("M20 chats are listed pinned first, then newest first, with equal times by key", () => {
    const harness = createChatHarness();
    const same = { sendTime: NOON };
    harness.rows(
      fromThird(5, same),
      privateRow({ id: 6, ...same }),
      privateRow({ id: 7, sendId: 4, sendTime: NOON + 1 }),
    );
    expect(harness.state.order).toEqual(["PRIVATE:4", "PRIVATE:2", "PRIVATE:3"]);
    harness.dispatch({ kind: "settings", key: OTHER_CHAT, isTop: true, msgRemind: 1 });
    expect(harness.state.order).toEqual(["PRIVATE:3", "PRIVATE:4", "PRIVATE:2"]);
  });

  test("P7 a new chat takes the pin and mute settings of its friend", () => {
    const harness = createChatHarness({ friends: { 2: friendVO({ id: 2, isTop: true, msgRemind: 0 }) } });
    harness.rows(privateRow({ id: 5 }), fromThird(6, { sendTime: NOON + 1 }));
    expect(harness.chat()).toMatchObject({ isTop: true, msgRemind: 0 });
    expect(harness.state.order).toEqual(["PRIVATE:2", "PRIVATE:3"]);
  });

  test("M21 the order stays while a pull runs and is updated when all have ended", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), fromThird(6));
    harness.dispatch(
      { kind: "loading", type: "PRIVATE", isOn: true },
      { kind: "loading", type: "SYSTEM", isOn: true },
    );
    harness.rows(privateRow({ id: 7 }));
    expect(harness.state.order).toEqual(["PRIVATE:3", "PRIVATE:2"]);
    harness.dispatch({ kind: "loading", type: "PRIVATE", isOn: false });
    expect(harness.state.order).toEqual(["PRIVATE:3", "PRIVATE:2"]);
    harness.dispatch({ kind: "loading", type: "SYSTEM", isOn: false });
    expect(harness.state.order).toEqual(["PRIVATE:2", "PRIVATE:3"]);
  });

  test("M21 a new chat that is opened while a pull runs comes first", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch(
      { kind: "loading", type: "PRIVATE", isOn: true },
      { kind: "open", key: OTHER_CHAT, now: NOON },
    );
    expect(harness.state.order).toEqual(["PRIVATE:3", "PRIVATE:2"]);
  });

  test("M29 a batch gives new identities only to the chats that it changes", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), fromThird(6));
    const before = harness.state;
    harness.rows(fromThird(7));
    expect(harness.state.byKey[FRIEND_CHAT]).toBe(before.byKey[FRIEND_CHAT]);
    expect(harness.state.byKey[OTHER_CHAT]).not.toBe(before.byKey[OTHER_CHAT]);
    expect(harness.state.order).toBe(before.order);
    const unchanged = harness.state;
    harness.dispatch();
    expect(harness.state).toBe(unchanged);
  });

  test("M31 a chat opened before its first message is sorted at the current time", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({ kind: "open", key: OTHER_CHAT, now: NOON + 60_000 });
    expect(harness.state.order).toEqual(["PRIVATE:3", "PRIVATE:2"]);
    expect(harness.state.openKey).toBe(OTHER_CHAT);
    harness.dispatch({ kind: "close" });
    expect(harness.state.openKey).toBeNull();
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
  const recall = (targetId: number) =>
    privateRow({ id: 21, type: MessageType.RECALL, content: String(targetId) });

  test("M22 an edit replaces the content, and a repeated edit changes nothing", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    harness.rows(edit());
    const once = harness.chat();
    expect(harness.texts()).toEqual(["better", "text 6"]);
    expect(once.window.messages[0]).toMatchObject({ isEdited: true, editedAt: NOON + 20_000 });
    harness.rows(edit());
    expect(harness.chat().window.messages).toEqual(once.window.messages);
    expect(harness.chat().unread).toBe(2);
  });

  test("M22 an edit of the newest row shows in the preview", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.rows(edit());
    expect(harness.chat().preview?.text).toBe("better");
  });

  test("M22 an edit of a message that is not in memory is reported for the local database", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 6 }));
    expect(harness.rows(edit()).missedEvents).toMatchObject([
      { key: FRIEND_CHAT, event: { targetId: 5, content: "better" } },
    ]);
  });

  test("M23 a recall turns its target into a tip, marks quotes and lowers the unread count", () => {
    const harness = createChatHarness();
    const quoteMessage = { id: 5, sendId: 2, content: "text 5", type: 0, status: 1 };
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6, quoteMessage }));
    harness.rows(recall(5));
    const [target, quoting] = harness.chat().window.messages;
    expect(target).toMatchObject({
      id: 5,
      type: MessageType.TIP_TEXT,
      status: MessageStatus.RECALL,
      content: "",
      tip: { key: "recalled", params: { name: "Friend" } },
    });
    expect(quoting?.quoteMessage).toMatchObject({ status: MessageStatus.RECALL, content: "" });
    expect(harness.chat().unread).toBe(1);
  });

  test("M23 an edit of a recalled message is ignored, and the preview shows the recall", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.rows(recall(5), edit());
    expect(harness.texts()).toEqual([""]);
    expect(harness.chat().preview?.tip?.key).toBe("recalled");
  });

  test("M23 a recall of the newest row changes the preview even if the row is not in memory", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    const known = harness.chat();
    const restored = createChatHarness();
    restored.dispatch({
      kind: "restore",
      chats: [{ ...known, window: { ...known.window, messages: [], hasOlder: true } }],
    });
    restored.rows(recall(5));
    expect(restored.chat()).toMatchObject({ unread: 0, preview: { text: "", tip: { key: "recalled" } } });
  });

  test("M24 type 82 is never inserted", () => {
    const data = { ...privateRow({ id: 5 }), type: MessageType.CHANGES };
    expect(readFrame({ cmd: 3, data }, 1)).toEqual({ kind: "changes", isAboutContacts: false });
  });
});

describe("memory", () => {
  const many = (count: number, from = 1) =>
    Array.from({ length: count }, (_, i) => privateRow({ id: i + from }));

  test("M26 a closed chat keeps its 60 newest messages, an open one all until it is closed", () => {
    const harness = createChatHarness();
    harness.rows(...many(100));
    expect(harness.ids()).toHaveLength(60);
    expect(harness.chat().window.hasOlder).toBe(true);
    harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: NOON });
    harness.rows(...many(100, 101));
    expect(harness.ids()).toHaveLength(160);
    harness.dispatch({ kind: "close" });
    expect(harness.ids()).toHaveLength(60);
    expect(harness.chat().unread).toBe(200);
  });

  test("M26 unsent messages are never dropped from memory", () => {
    const harness = createChatHarness();
    for (let i = 0; i < 70; i++)
      harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho(`e${i}`) });
    expect(harness.ids()).toHaveLength(70);
  });

  test("M26 without a local database the system chat keeps all messages, which cannot be loaded again", () => {
    const harness = createChatHarness({ hasLocalDatabase: false });
    harness.rows(...many(100));
    expect(harness.ids()).toHaveLength(60);
    harness.dispatch(...Array.from({ length: 70 }, (_, i) => systemInput(systemRow({ seqNo: i + 1 }))));
    expect(harness.ids(SYSTEM_CHAT)).toHaveLength(70);
  });

  test("M27 a page is joined above the window, and messages in both are merged", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 50 }));
    const messages = [40, 41, 50].map((id) => toChatMessage(privateRow({ id }), 1));
    const page = { messages, isFromServer: false, from: 40, to: 51 };
    harness.dispatch({ kind: "page", key: FRIEND_CHAT, page, purpose: "older" });
    expect(harness.ids()).toEqual([40, 41, 50]);
    expect(harness.chat().window).toMatchObject({ hasOlder: false, older: "idle" });
    expect(harness.last.rows).toEqual([]);
  });

  test("M27 a page from the server is saved, gets time tips and counts its unread messages", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 50, sendTime: NOON + 1_000 }));
    const messages = [40, 41].map((id) => toChatMessage(privateRow({ id, sendTime: NOON }), 1));
    harness.dispatch({
      kind: "page",
      key: FRIEND_CHAT,
      page: { messages, isFromServer: true, from: 0, to: Infinity },
      purpose: "older",
    });
    expect(harness.last.rows.map((row) => row.message.id)).toEqual([40, 41]);
    expect(harness.chat().window.messages.map((message) => message.hasTimeTip)).toEqual([true, false, false]);
    expect(harness.chat().unread).toBe(3);
    expect(harness.chat().preview?.text).toBe("text 50");
  });

  test("M27 a page that contains my own message replaces its local echo", () => {
    const harness = createChatHarness();
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("tmp-40") });
    const messages = [toChatMessage(ownRow({ id: 40 }), 1)];
    harness.dispatch({
      kind: "page",
      key: FRIEND_CHAT,
      page: { messages, isFromServer: true, from: 0, to: Infinity },
      purpose: "older",
    });
    expect(harness.ids()).toEqual([40]);
    expect(harness.chat()).toMatchObject({ preview: { text: "text 40" }, sync: { newest: { id: 40 } } });
  });

  test("M28 after a gap, older messages of every chat of its kind are known to be only on the server", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), fromThird(6));
    harness.dispatch(systemInput(systemRow({ seqNo: 1 })));
    harness.dispatch(
      { kind: "gap", type: "PRIVATE", fromId: 100, upTo: 6 },
      privateInput(privateRow({ id: 105 })),
    );
    expect(harness.ids()).toEqual([105]);
    expect(harness.chat()).toMatchObject({ window: { hasOlder: true }, sync: { knownFrom: 100 } });
    expect(harness.chat(OTHER_CHAT)).toMatchObject({ preview: { text: "text 6" }, sync: { knownFrom: 100 } });
    expect(harness.chat(SYSTEM_CHAT).sync.knownFrom).toBe(0);
  });

  test("M28 older messages of a chat created after a gap are known to be only on the server", () => {
    const harness = createChatHarness({ historyStart: { PRIVATE: 100, GROUP: 0, SYSTEM: 0 } });
    harness.rows(privateRow({ id: 105 }));
    harness.dispatch(groupInput(groupRow({ id: 7 })));
    expect(harness.chat()).toMatchObject({ window: { hasOlder: true }, sync: { knownFrom: 100 } });
    expect(harness.chat("GROUP:5").window.hasOlder).toBe(false);
  });

  test("M32 a saved chat is restored unchanged except for its window", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), ownRow({ id: 6 }), privateRow({ id: 7 }));
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, text: "half a" });
    const chat = harness.chat();
    const { window, ...restored } = restoreChat(JSON.parse(JSON.stringify(saveChat(chat)))) ?? chat;
    const { window: _window, ...saved } = chat;
    expect(restored).toEqual({ ...saved, sync: { ...chat.sync, timeTipBeforeWindow: NOON + 5_000 } });
    expect(window).toMatchObject({ messages: [], hasOlder: true });
  });
});

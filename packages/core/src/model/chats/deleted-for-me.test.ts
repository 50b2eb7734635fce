import { MessageStatus, MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { localEcho, FRIEND_CHAT, groupRow, ownRow, privateRow, systemRow } from "../../testing/builders.ts";
import { createChatHarness, groupInput, privateInput, systemInput } from "../../testing/chat-harness.ts";
import { SYSTEM_CHAT } from "./chat-rows.ts";
import { restoreChat, saveChat } from "./saved-chat.ts";
import type { Chat, ChatKey } from "../state.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";
const fromThird = (id: number) => privateRow({ id, sendId: 3 });
const deleteForMe = (...ids: number[]) => ({ kind: "deleteForMe", key: FRIEND_CHAT, ids }) as const;
const clear = (upTo: number) => ({ kind: "cleared", type: "PRIVATE", upTo }) as const;

/** The chat as it is restored after a restart: with an empty window. */
function restarted(chat: Chat): Chat {
  const restored = restoreChat(saveChat(chat));
  if (restored === null) throw new Error("The saved chat is unreadable");
  return restored;
}

describe("messages deleted for oneself", () => {
  test("M48 deleting messages removes them from the window, the unread count and the preview", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }), privateRow({ id: 7 }));
    const { lastSendTime } = harness.chat();
    const { removals } = harness.dispatch(deleteForMe(5, 7));
    expect(harness.ids()).toEqual([6]);
    expect(harness.chat()).toMatchObject({ unread: 1, preview: { text: "text 6" } });
    expect(harness.chat().lastSendTime).toBe(lastSendTime - 1_000);
    expect(removals).toEqual([{ key: FRIEND_CHAT, ids: [5, 7] }]);
    harness.dispatch(deleteForMe(6));
    expect(harness.chat()).toMatchObject({ unread: 0, preview: null, sync: { newest: null } });
  });

  test("M50 a row deleted by the same batch is not saved", () => {
    const harness = createChatHarness();
    const { rows } = harness.dispatch(
      privateInput(privateRow({ id: 5 })),
      privateInput(privateRow({ id: 6 })),
      deleteForMe(5),
    );
    expect(rows.map(({ message }) => message.id)).toEqual([6]);
  });

  test("M49 the preview is empty until a page brings the row before the deleted one", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    const [five] = harness.chat().window.messages;
    harness.dispatch({ kind: "restore", chats: [] });
    const later = createChatHarness();
    later.dispatch({ kind: "restore", chats: [restarted(harness.chat())] });
    later.dispatch(deleteForMe(6));
    expect(later.chat()).toMatchObject({ preview: null, sync: { needsPreview: true } });
    // A late, older row does not become the newest one.
    later.rows(privateRow({ id: 4 }));
    expect(later.ids()).toEqual([]);
    const messages = five === undefined ? [] : [five];
    const page = { messages, isFromServer: false, from: 0, to: Infinity };
    later.dispatch({ kind: "page", key: FRIEND_CHAT, purpose: "older", page });
    expect(later.chat()).toMatchObject({ preview: { text: "text 5" }, sync: { needsPreview: false } });
  });

  test("M50 a late copy is rejected, as a row and in a page, and its local echo is removed", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("tmp-7") }, deleteForMe(5, 7));
    const { rejectedRows } = harness.rows(privateRow({ id: 5 }), ownRow({ id: 7 }));
    expect(rejectedRows.map(({ message }) => message.id)).toEqual([5, 7]);
    expect(harness.ids()).toEqual([6]);
    expect(harness.chat().unread).toBe(1);
    const late = privateInput(privateRow({ id: 5 }));
    const messages = late.kind === "row" ? [late.message] : [];
    harness.dispatch({
      kind: "page",
      key: FRIEND_CHAT,
      purpose: "older",
      page: { messages, isFromServer: true, from: 0, to: Infinity },
    });
    expect(harness.ids()).toEqual([6]);
    const again = createChatHarness();
    again.dispatch({ kind: "restore", chats: [restarted(harness.chat())] });
    again.rows(privateRow({ id: 5 }));
    expect(again.chat().unread).toBe(1);
  });

  test("M50 deleted messages come back when the server refuses", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    const before = harness.chat().window.messages;
    harness.dispatch(deleteForMe(6));
    harness.dispatch({ kind: "restoreDeleted", key: FRIEND_CHAT, ids: [6], messages: before.slice(1) });
    expect(harness.ids()).toEqual([5, 6]);
    expect(harness.chat()).toMatchObject({ unread: 2, preview: { text: "text 6" } });
  });

  test("M50 a message deleted on another device before it arrived does not list its chat", () => {
    const harness = createChatHarness();
    harness.dispatch(deleteForMe(5));
    expect(harness.state.order).toEqual([]);
    harness.rows(privateRow({ id: 5 }));
    expect(harness.state.order).toEqual([]);
    harness.rows(privateRow({ id: 6 }));
    expect(harness.state.order).toEqual([FRIEND_CHAT]);
    expect(harness.ids()).toEqual([6]);
  });
});

describe("cleared history", () => {
  test("M51 clearing removes messages, unread counts and previews; an empty chat stays listed only with a draft or while open", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), fromThird(6), privateRow({ id: 7, sendId: 4 }), ownRow({ id: 9 }));
    harness.dispatch(
      { kind: "draft", key: OTHER_CHAT, text: "to be said" },
      { kind: "open", key: "PRIVATE:4", now: 1 },
    );
    const { removals } = harness.dispatch(clear(8));
    expect(harness.ids()).toEqual([9]);
    expect(harness.chat()).toMatchObject({ unread: 0, preview: { text: "text 9" } });
    expect(harness.chat(OTHER_CHAT)).toMatchObject({ unread: 0, preview: null, isRemoved: false });
    expect(harness.chat("PRIVATE:4").isRemoved).toBe(false);
    expect(removals).toContainEqual({ key: OTHER_CHAT, upTo: 8 });
    harness.dispatch(clear(9));
    expect(harness.chat().isRemoved).toBe(true);
    expect(harness.state.order).not.toContain(FRIEND_CHAT);
  });

  test("M51 an empty chat whose draft is only files, or only the quote of a newer message, stays listed", () => {
    const upload = { name: "a.txt", size: 1, mimeType: "", width: null, height: null, duration: null };
    const file = { id: "a", type: MessageType.FILE, ...upload };
    const quote = { id: 9, sendId: 2, sendNickName: "Friend", type: 0, content: "newer" };
    for (const draft of [{ files: [file] }, { quote }]) {
      const harness = createChatHarness();
      harness.rows(privateRow({ id: 5 }));
      harness.dispatch({ kind: "draft", key: FRIEND_CHAT, ...draft }, clear(5));
      expect(harness.state.order).toEqual([FRIEND_CHAT]);
    }
  });

  test("M51 newer messages than the cleared ones can still be loaded into an empty window", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 9 }));
    const later = createChatHarness();
    later.dispatch({ kind: "restore", chats: [restarted(harness.chat())] });
    later.dispatch(clear(8));
    expect(later.chat()).toMatchObject({ preview: { text: "text 9" }, window: { hasOlder: true } });
    later.dispatch(clear(9));
    expect(later.chat()).toMatchObject({ preview: null, window: { hasOlder: false } });
  });

  test("M51 clearing the system chat counts seqNos and leaves other types of chat alone", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch(systemInput(systemRow({ seqNo: 1 })), systemInput(systemRow({ seqNo: 2 })));
    harness.dispatch({ kind: "cleared", type: "SYSTEM", upTo: 1 });
    expect(harness.chat(SYSTEM_CHAT).window.messages.map((m) => m.system?.seqNo)).toEqual([2]);
    expect(harness.dispatch({ kind: "cleared", type: "SYSTEM", upTo: 2 }).removals).toEqual([
      { key: SYSTEM_CHAT, upTo: Infinity },
    ]);
    expect(harness.state.order).toEqual([FRIEND_CHAT]);
  });

  test("M51 clearing keeps unsent messages", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("a") }, clear(5));
    expect(harness.texts()).toEqual(["echo a"]);
    expect(harness.state.order).toEqual([FRIEND_CHAT]);
  });

  test("M52 rows at or below the mark are rejected in the batch of the mark and later", () => {
    const harness = createChatHarness({ clearedPositions: { PRIVATE: 8, GROUP: 0, SYSTEM: 0 } });
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("tmp-8") });
    harness.rows(ownRow({ id: 8 }), fromThird(6));
    expect(harness.chat().window.messages).toEqual([]);
    expect(harness.state.byKey[OTHER_CHAT]).toBeUndefined();
    harness.dispatch(clear(10), privateInput(fromThird(9)), privateInput(fromThird(11)));
    expect(harness.ids(OTHER_CHAT)).toEqual([11]);
  });

  test("M52 cleared rows in a page are rejected, and a recall of a cleared message creates no chat", () => {
    const harness = createChatHarness({ clearedPositions: { PRIVATE: 8, GROUP: 0, SYSTEM: 0 } });
    const row = privateInput(privateRow({ id: 8 }));
    const messages = row.kind === "row" ? [row.message] : [];
    harness.dispatch(
      { kind: "open", key: FRIEND_CHAT, now: 1 },
      {
        kind: "page",
        key: FRIEND_CHAT,
        purpose: "older",
        page: { messages, isFromServer: true, from: 0, to: Infinity },
      },
    );
    expect(harness.ids()).toEqual([]);
    harness.rows(privateRow({ id: 12, type: 10, sendId: 3, content: "7" }));
    expect(harness.state.byKey[OTHER_CHAT]).toBeUndefined();
  });
});

describe("quotes of cleared messages", () => {
  const quoteMessage = { id: 5, sendId: 2, content: "text 5", type: 0, status: MessageStatus.SENDED };
  const quoting = privateRow({ id: 9, quoteMessage });
  const edit = privateRow({ id: 10, type: MessageType.EDIT, content: "better", quoteMessage });
  const recall = privateRow({ id: 11, type: MessageType.RECALL, content: "5" });
  const quoteIn = (harness: ReturnType<typeof createChatHarness>) =>
    harness.chat().window.messages[0]?.quoteMessage;

  test("M59 a quote of a cleared message follows edits and a recall in either order", () => {
    for (const [change, expected] of [
      [edit, { content: "better" }],
      [recall, { content: "", status: MessageStatus.RECALL }],
    ] as const) {
      const rows = [quoting, change];
      for (const order of [rows, rows.toReversed()]) {
        const harness = createChatHarness({ clearedPositions: { PRIVATE: 8, GROUP: 0, SYSTEM: 0 } });
        harness.rows(privateRow({ id: 12 }));
        const { missedEvents } = harness.rows(...order);
        expect(harness.ids()).toEqual([9, 12]);
        expect(quoteIn(harness)).toMatchObject(expected);
        expect(missedEvents).toEqual([]);
      }
    }
  });

  test("M59 a quote of a cleared message shows a recall from before the clearing", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), recall);
    harness.dispatch(clear(8));
    harness.rows(quoting);
    expect(quoteIn(harness)).toMatchObject({ content: "", status: MessageStatus.RECALL });
  });
});

describe("chats removed from the list", () => {
  test("M53 removing a chat takes it out of the list, marks it as read and drops its draft", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }), fromThird(7));
    harness.dispatch(
      { kind: "draft", key: FRIEND_CHAT, text: "never mind" },
      { kind: "remove", key: FRIEND_CHAT },
    );
    expect(harness.state.order).toEqual([OTHER_CHAT]);
    expect(harness.chat()).toMatchObject({ isRemoved: true, unread: 0, readId: 6, draft: "" });
  });

  test("M53 the next message brings a removed chat back, and an older row does not", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 7 }));
    harness.dispatch({ kind: "remove", key: FRIEND_CHAT });
    harness.rows(privateRow({ id: 7 }), privateRow({ id: 6, status: MessageStatus.READED }));
    expect(harness.state.order).toEqual([]);
    harness.rows(privateRow({ id: 8 }));
    expect(harness.state.order).toEqual([FRIEND_CHAT]);
    expect(harness.chat().unread).toBe(1);
    expect(harness.ids()).toEqual([5, 6, 7, 8]);
  });

  test("M53 a local echo and opening it bring a removed chat back with its messages", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({ kind: "remove", key: FRIEND_CHAT });
    harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: 1 });
    expect(harness.state.order).toEqual([FRIEND_CHAT]);
    expect(harness.ids()).toEqual([5]);
    harness.dispatch({ kind: "remove", key: FRIEND_CHAT });
    expect(harness.state).toMatchObject({ openKey: null, order: [] });
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("a") });
    expect(harness.state.order).toEqual([FRIEND_CHAT]);
  });

  test("M53 a new message relists a removed chat while a pull runs", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), fromThird(6));
    harness.dispatch({ kind: "loading", type: "PRIVATE", isOn: true });
    harness.dispatch({ kind: "remove", key: FRIEND_CHAT });
    expect(harness.state.order).toEqual([OTHER_CHAT]);
    harness.dispatch({ kind: "open", key: FRIEND_CHAT, now: 1 });
    expect(harness.state.order).toEqual([FRIEND_CHAT, OTHER_CHAT]);
  });

  test("M53 a removed chat stays removed after a restart", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }));
    harness.dispatch({ kind: "remove", key: FRIEND_CHAT });
    const again = createChatHarness();
    again.dispatch({ kind: "restore", chats: [restarted(harness.chat())] });
    expect(again.state.order).toEqual([]);
  });
});

describe("details of deletion", () => {
  const draftQuote = (id: number) => ({ id, sendId: 2, sendNickName: "Friend", type: 0, content: "" });

  test("M48 the quote and the edit of a draft are dropped when their message is deleted, and only then", () => {
    for (const [id, isKept] of [
      [5, false],
      [6, true],
    ] as const) {
      const harness = createChatHarness();
      harness.rows(privateRow({ id: 5 }), ownRow({ id: 6 }));
      const quote = draftQuote(id);
      const edit = { id, text: "x" };
      harness.dispatch({ kind: "draft", key: FRIEND_CHAT, quote, edit }, deleteForMe(5));
      expect(harness.chat()).toMatchObject({
        draftQuote: isKept ? quote : null,
        draftEdit: isKept ? edit : null,
      });
      const other = createChatHarness();
      other.rows(privateRow({ id: 5 }), ownRow({ id: 6 }));
      other.dispatch({ kind: "draft", key: FRIEND_CHAT, quote, edit }, clear(5));
      expect(other.chat()).toMatchObject({
        draftQuote: isKept ? quote : null,
        draftEdit: isKept ? edit : null,
      });
    }
  });

  test("M50 the 500 newest deletions are remembered once each and in order, until they are restored", () => {
    const harness = createChatHarness();
    harness.dispatch(
      deleteForMe(...Array.from({ length: 500 }, (_, i) => 1_000 - i)),
      deleteForMe(700, 2, 1),
    );
    const { deletedForMe } = harness.chat().sync;
    expect(deletedForMe).toEqual(Array.from({ length: 500 }, (_, i) => 501 + i));
    harness.dispatch({ kind: "restoreDeleted", key: FRIEND_CHAT, ids: [501, 1_000], messages: [] });
    expect(harness.chat().sync.deletedForMe).toEqual(deletedForMe.slice(1, -1));
  });

  test("M48 deleting an older message keeps the preview", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }));
    const { newest } = harness.chat().sync;
    harness.dispatch(deleteForMe(5));
    expect(harness.chat().sync.newest).toBe(newest);
    const unseen = createChatHarness();
    unseen.dispatch(deleteForMe(5));
    expect(unseen.chat().sync).toMatchObject({ newest: null, needsPreview: false });
  });

  test("M48 the preview falls back to the last message with a preview", () => {
    const harness = createChatHarness();
    harness.rows(
      privateRow({ id: 5 }),
      privateRow({ id: 6, type: MessageType.TIP_TIME }),
      privateRow({ id: 7 }),
    );
    harness.dispatch(deleteForMe(7));
    expect(harness.chat().sync.newest).toEqual({
      id: 5,
      position: 5,
      sendNickName: "Friend",
      sendTime: harness.chat().window.messages[0]?.sendTime,
      preview: { key: "content", text: "text 5", tip: null, sendId: 2, sending: null },
    });
  });

  test("M51 M52 deletions and removals up to the mark are forgotten, and later ones are kept", () => {
    const harness = createChatHarness();
    const key = "GROUP:5";
    harness.dispatch({ kind: "deleteForMe", key, ids: [7, 8, 9] });
    for (const userId of [7, 8, 9])
      harness.dispatch({ kind: "removeByModerator", key, removal: { userId, upTo: userId } });
    harness.dispatch({ kind: "cleared", type: "GROUP", upTo: 8 });
    expect(harness.chat(key).sync).toMatchObject({
      deletedForMe: [9],
      removedByModerator: [{ userId: 9, upTo: 9 }],
    });
  });

  test("M51 the range up to the mark counts as known, and the chat begins there if the newest range touches it", () => {
    const historyStart = { PRIVATE: 10, GROUP: 0, SYSTEM: 0 };
    const known = (upTo: number, older: "idle" | "loading" = "loading") => {
      const harness = createChatHarness({ historyStart });
      harness.rows(privateRow({ id: 10 }), privateRow({ id: 20 }));
      harness.dispatch({ kind: "older", key: FRIEND_CHAT, older }, clear(upTo));
      const { sync, window } = harness.chat();
      return [sync.knownFrom, sync.olderRanges, window.hasOlder, window.older];
    };
    expect(known(8)).toEqual([10, [{ from: 0, to: 9 }], true, "loading"]);
    expect(known(9)).toEqual([0, [], true, "loading"]);
    expect(known(10)).toEqual([0, [], false, "idle"]);
    expect(known(20)).toEqual([0, [], false, "idle"]);
  });

  test("M51 an unread message exactly at the mark is read, even if only its position is in memory", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), privateRow({ id: 6 }), privateRow({ id: 7 }));
    const later = createChatHarness();
    const known = harness.chat();
    later.dispatch({
      kind: "restore",
      chats: [{ ...restarted(known), window: { ...known.window, messages: [] } }],
    });
    expect(later.chat().sync.unread).toEqual([5, 6, 7]);
    later.dispatch(clear(6));
    expect(later.chat()).toMatchObject({ unread: 1, sync: { unread: [7] } });
  });

  test("M17 M51 the first remaining message gets a time tip, and tips stay if no message was removed", () => {
    const harness = createChatHarness({ closedWindow: 2 });
    const at = (id: number) => privateRow({ id, sendTime: 1_000 + id });
    harness.rows(at(5), at(6), at(7));
    expect(harness.chat().sync.timeTipBeforeWindow).toBe(1_005);
    harness.dispatch(clear(5));
    expect(harness.chat().sync.timeTipBeforeWindow).toBe(1_005);
    expect(harness.chat().window.messages.map(({ hasTimeTip }) => hasTimeTip)).toEqual([false, false]);
    harness.dispatch(clear(6));
    expect(harness.chat().sync.timeTipBeforeWindow).toBeNull();
    expect(harness.chat().window.messages.map(({ hasTimeTip }) => hasTimeTip)).toEqual([true]);
  });

  test("M51 a chat with a quote in its draft stays listed, and a known mark removes nothing again", () => {
    const harness = createChatHarness();
    harness.rows(privateRow({ id: 5 }), fromThird(6));
    const quote = draftQuote(9);
    harness.dispatch({ kind: "draft", key: FRIEND_CHAT, quote }, clear(8));
    expect(harness.chat()).toMatchObject({ isRemoved: false, draftQuote: quote });
    expect(harness.chat(OTHER_CHAT).isRemoved).toBe(true);
    const before = harness.state;
    expect(
      createChatHarness({ clearedPositions: { PRIVATE: 8, GROUP: 0, SYSTEM: 0 } }, before).dispatch(clear(8))
        .removals,
    ).toEqual([]);
    const lower = createChatHarness({ clearedPositions: { PRIVATE: 8, GROUP: 0, SYSTEM: 0 } }, before);
    expect(lower.dispatch(clear(7)).removals).toEqual([]);
    expect(lower.dispatch(clear(9)).removals).toHaveLength(2);
  });

  test("M51 of the rows of the same batch, only those behind the mark are saved", () => {
    const harness = createChatHarness();
    const inputs = [7, 8, 9].map((id) => privateInput(privateRow({ id })));
    const { rows } = harness.dispatch(...inputs, privateInput(fromThird(10)), clear(8));
    expect(rows.map(({ message }) => message.id)).toEqual([9, 10]);
    const other = createChatHarness();
    const change = other.dispatch(
      privateInput(privateRow({ id: 7 })),
      privateInput(fromThird(7)),
      deleteForMe(7),
    );
    expect(change.rows.map(({ key }) => key)).toEqual([OTHER_CHAT]);
  });

  test("G39 rows that a moderator removed in the same batch are not saved", () => {
    const harness = createChatHarness();
    const inputs = [
      [7, 1],
      [7, 3],
      [8, 2],
    ].map(([sendId, id]) => groupInput(groupRow({ id: id ?? 0, sendId: sendId ?? 0 })));
    const { rows } = harness.dispatch(...inputs, {
      kind: "removeByModerator",
      key: "GROUP:5",
      removal: { userId: 7, upTo: 1 },
    });
    expect(rows.map(({ message }) => message.id)).toEqual([3, 2]);
  });

  test("M50 a rejected row of another user or without a tmpId removes no local echo of mine", () => {
    const harness = createChatHarness();
    harness.dispatch({ kind: "localEcho", key: FRIEND_CHAT, message: localEcho("a") }, deleteForMe(5, 6));
    const { rejectedRows } = harness.rows(privateRow({ id: 5, tmpId: "a" }), ownRow({ id: 6, tmpId: null }));
    expect(rejectedRows).toMatchObject([
      { key: FRIEND_CHAT, isOutsideWindow: true, message: { id: 5 } },
      { key: FRIEND_CHAT, isOutsideWindow: true, message: { id: 6 } },
    ]);
    expect(harness.texts()).toEqual(["echo a"]);
  });
});

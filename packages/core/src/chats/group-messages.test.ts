import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { groupRow, ME, NOON } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import {
  createLoggedInClient,
  NO_CHANGES,
  advanceTime,
  reload,
  type SingleClient,
} from "../testing/single-client.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import type { GroupMessage } from "@parley/protocol/message";
import type { ChatKey, Result } from "../model/state.ts";

const GROUP: ChatKey = "GROUP:5";
const SEND = "/group/send";

const chatOf = (single: SingleClient) => single.client.getState().chats.byKey[GROUP];
const messages = (single: SingleClient) => chatOf(single)?.window.messages ?? [];
const contents = (single: SingleClient) => messages(single).map(({ content }) => content);
const pushed = (part: Partial<GroupMessage> & { id: number }) => ({ cmd: 4, data: groupRow(part) });
const own = (id: number, part: Partial<GroupMessage> = {}) =>
  groupRow({ id, sendId: ME, sendNickName: "Me", tmpId: `tmp-${id}`, ...part });
const bodies = (single: SingleClient, part: string) =>
  single.ports.http.waiting
    .filter(({ request }) => request.url.includes(part))
    .map(({ request }) => bodyOf(request) as Record<string, unknown>);

async function resultOf<T>(action: Promise<Result<T>>): Promise<Result<T>> {
  await flushMicrotasks();
  return action;
}

describe("sending to a group", () => {
  test("G30 a text is sent with its mentions and the request for a receipt, also after a reload", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(GROUP, "@Ann look", {
      mentions: [
        { userId: 7, from: 0, to: 4 },
        { userId: 7, from: 5, to: 9 },
      ],
      receipt: true,
    });
    const expectedBody = { groupId: 5, content: "@Ann look", atUserIds: [7], receipt: true };
    expect(bodies(single, SEND)).toMatchObject([expectedBody]);
    expect(messages(single)[0]).toMatchObject({
      sending: "sending",
      group: { atUserIds: [7], receipt: true },
    });
    const again = await reload(single);
    expect(messages(again)[0]).toMatchObject({
      sending: "waiting",
      group: { atUserIds: [7], receipt: true },
    });
    const { tmpId } = messages(single)[0] ?? {};
    await single.respond(SEND, own(9, { tmpId: tmpId ?? null, atUserIds: [7], receipt: true }));
    expect(messages(single).map(({ id, sending }) => [id, sending])).toEqual([[9, null]]);
  });

  test("G30 the answer to a send in a group is stored as a row of that group", async () => {
    const single = await createLoggedInClient();
    await single.push(pushed({ id: 4 }));
    single.client.chats.sendText(GROUP, "hello");
    await single.respond(SEND, own(9, { tmpId: messages(single)[1]?.tmpId ?? null, content: "hello" }));
    expect(Object.keys(single.client.getState().chats.byKey)).toEqual([GROUP]);
    expect(contents(single)).toEqual(["text 4", "hello"]);
  });

  test("G32 a send without explicit mentions names those of the draft that are still in the text", async () => {
    const single = await createLoggedInClient();
    single.client.chats.open(GROUP);
    single.client.chats.setDraft(GROUP, "@Ann @Bob", [
      { userId: 7, from: 0, to: 4 },
      { userId: 8, from: 5, to: 9 },
    ]);
    single.client.chats.sendText(GROUP, "@Ann @Bo");
    expect(bodies(single, SEND)).toMatchObject([{ atUserIds: [7] }]);
  });

  test("G33 a draft keeps its mentions through changes and through a reload", async () => {
    const single = await createLoggedInClient();
    single.client.chats.open(GROUP);
    const mentions = [{ userId: 7, from: 0, to: 4 }];
    single.client.chats.setDraft(GROUP, "@Ann", mentions);
    single.client.chats.setDraft(GROUP, "@Ann hi");
    expect(chatOf(single)).toMatchObject({ draft: "@Ann hi", draftMentions: mentions });
    expect(chatOf(await reload(single))).toMatchObject({ draft: "@Ann hi", draftMentions: mentions });
    single.client.chats.setDraft(GROUP, "");
    expect(chatOf(single)?.draftMentions).toEqual([]);
  });
});

describe("actions on group messages", () => {
  test("G34 older pages come from the group's history and end where the user's history begins", async () => {
    const single = await createLoggedInClient();
    const jumped = single.client.chats.jumpTo(GROUP, { id: 3 });
    await flushMicrotasks();
    const rows = [groupRow({ id: 2 }), groupRow({ id: 3 })];
    await single.respond("/group/history?groupId=5&size=100&aroundId=3", rows);
    expect(await jumped).toBe(3);
    expect(messages(single).map(({ id }) => id)).toEqual([2, 3]);
    expect(chatOf(single)?.window.hasOlder).toBe(false);
  });

  test("G34 a group that the user never was in has nothing to load", async () => {
    const single = await createLoggedInClient();
    await single.push({ cmd: 4, data: { type: MessageType.LOADING, content: "true", fromId: 9 } });
    await single.push({ cmd: 4, data: { type: MessageType.LOADING, content: "false" } });
    single.client.chats.open(GROUP);
    await flushMicrotasks();
    const envelope = { code: 500, message: "not in it", data: null, key: "group.notJoined" };
    const text = JSON.stringify(envelope);
    const answer = { kind: "answer", status: 200, text, retryAfterSeconds: null } as const;
    single.ports.http.replyRaw("/group/history?groupId=5&size=50", answer);
    await flushMicrotasks();
    expect(chatOf(single)?.window).toMatchObject({ older: "idle", hasOlder: false });
  });

  test("G35 the read position is reported to the group", async () => {
    const single = await createLoggedInClient();
    await single.push(pushed({ id: 4 }), pushed({ id: 5 }));
    expect(chatOf(single)?.unread).toBe(2);
    single.client.chats.markReadUpTo(GROUP, 4);
    await advanceTime(single, 500);
    expect(single.waiting()).toContain("/message/group/readed?groupId=5&messageId=4");
    expect(chatOf(single)?.unread).toBe(1);
  });

  test("G36 an own text can be edited, and the new text is shown once the server has accepted it", async () => {
    const single = await createLoggedInClient();
    await single.push({ cmd: 4, data: own(4) });
    const edited = single.client.chats.editText(GROUP, 4, "better");
    expect(bodies(single, SEND)).toMatchObject([
      { groupId: 5, type: MessageType.EDIT, content: "better", quoteMessageId: 4 },
    ]);
    const quoteMessage = { id: 4, sendId: ME, content: "better", type: 0, status: 1 };
    await single.respond(SEND, own(6, { type: MessageType.EDIT, content: "better", quoteMessage }));
    expect(await resultOf(edited)).toEqual({ ok: true, value: null });
    expect(messages(single)).toMatchObject([{ content: "better", isEdited: true }]);
  });

  test("G37 an owner can recall a member's message, and its text is not offered for editing again", async () => {
    const single = await createLoggedInClient();
    await single.push(pushed({ id: 4, sendId: 7, sendNickName: "Ann", sendTime: NOON }));
    const recalled = single.client.chats.recall(GROUP, 4);
    await single.respond("/group/recall/4", own(6, { type: MessageType.RECALL, content: "4", sendRole: 3 }));
    expect(await resultOf(recalled)).toEqual({ ok: true, value: null });
    const tip = { key: "recalledBy", params: { name: "Me", nameId: ME, author: "Ann" } };
    expect(messages(single)).toMatchObject([{ type: MessageType.TIP_TEXT, content: "", tip }]);
    expect(chatOf(single)?.preview).toMatchObject({ tip });
    expect(chatOf(single)?.unread).toBe(0);
    expect(single.client.chats.recalledText(GROUP, 4)).toBeNull();
  });

  test("G37 a message recalled by its sender names nobody else", async () => {
    const single = await createLoggedInClient();
    const ann = { sendId: 7, sendNickName: "Ann" };
    await single.push(
      pushed({ id: 4, ...ann }),
      pushed({ id: 6, ...ann, type: MessageType.RECALL, content: "4" }),
    );
    expect(messages(single)[0]?.tip).toEqual({ key: "recalled", params: { name: "Ann" } });
  });

  test("G36 group messages can be deleted for oneself", async () => {
    const single = await createLoggedInClient();
    await single.push(pushed({ id: 4 }), pushed({ id: 5 }));
    void single.client.chats.deleteForMe(GROUP, [4]);
    expect(bodies(single, "/group/deleteMessage")).toEqual([{ groupId: 5, ids: [4] }]);
    expect(contents(single)).toEqual(["text 5"]);
  });

  test("G36 a message forwarded from a group is sent without its mentions and its receipt", async () => {
    const single = await createLoggedInClient();
    await single.push(pushed({ id: 4, atUserIds: [ME], receipt: true }));
    await resultOf(single.client.chats.forward(GROUP, [4], ["PRIVATE:2", GROUP]));
    expect(bodies(single, SEND)).toMatchObject([{ groupId: 5, content: "text 4" }]);
    expect(bodies(single, SEND)[0]).not.toHaveProperty("atUserIds");
    expect(bodies(single, SEND)[0]).not.toHaveProperty("receipt");
    expect(bodies(single, "/private/send")).toMatchObject([{ recvId: 2, content: "text 4" }]);
  });

  test("G36 an edit whose answer is lost is looked for with a pull of group messages", async () => {
    const single = await createLoggedInClient();
    await single.push({ cmd: 4, data: own(4) });
    void single.client.chats.editText(GROUP, 4, "better");
    single.ports.http.replyRaw(SEND, { kind: "failed", reason: "offline" });
    await flushMicrotasks();
    expect(single.waiting()).toContain("/message/group/pullOfflineMessage?minId=4");
  });
});

describe("events of group messages", () => {
  const ANN = 7;
  const signal = (type: number, content: object | string) => ({
    cmd: 4,
    data: { type, groupId: 5, content: typeof content === "string" ? content : JSON.stringify(content) },
  });
  const removalPush = (upTo: number) => signal(MessageType.GROUP_KICK_USER_MSG, { userId: ANN, upTo });
  const searchOffline = async (single: SingleClient, text: string) => {
    single.ports.environment.set({ hasNetwork: false });
    const result = await single.client.chats.search({ text, key: GROUP });
    single.ports.environment.set({ hasNetwork: true });
    return result.ok ? result.value.hits.map(({ message }) => message.id) : [];
  };

  async function createClientWithThreeMessages(): Promise<SingleClient> {
    const single = await createLoggedInClient();
    await single.push(
      pushed({ id: 3, sendId: ANN, content: "apple" }),
      pushed({ id: 4, content: "apple pie" }),
      pushed({ id: 6, sendId: ANN, content: "apple juice" }),
    );
    await advanceTime(single, 200);
    return single;
  }

  test("G39 removal by a moderator takes messages from the screen, the local database and the local search", async () => {
    const single = await createClientWithThreeMessages();
    expect(await searchOffline(single, "apple")).toEqual([6, 4, 3]);
    await single.push(removalPush(5));
    await advanceTime(single, 200);
    expect(contents(single)).toEqual(["apple pie", "apple juice"]);
    expect(await searchOffline(single, "apple")).toEqual([6, 4]);
    const again = await reload(single);
    again.client.chats.open(GROUP);
    await flushMicrotasks();
    expect(contents(again)).toEqual(["apple pie", "apple juice"]);
  });

  test("G39 removal by a moderator also takes a message saved at the same moment, and one that an edit would bring back", async () => {
    const single = await createClientWithThreeMessages();
    const quoteMessage = { id: 3, sendId: ANN, content: "apple tart", type: 0, status: 1 };
    const edit = pushed({ id: 7, sendId: ANN, type: MessageType.EDIT, content: "apple tart", quoteMessage });
    await single.push(pushed({ id: 8, sendId: ANN, content: "apple cake" }), edit, removalPush(8));
    await advanceTime(single, 200);
    expect(await searchOffline(single, "apple")).toEqual([4]);
  });

  test("G39 a malformed removal changes nothing", async () => {
    const single = await createClientWithThreeMessages();
    await single.push(signal(MessageType.GROUP_KICK_USER_MSG, "nonsense"));
    await single.push(signal(MessageType.GROUP_KICK_USER_MSG, { userId: ANN }));
    expect(contents(single)).toHaveLength(3);
  });

  test("G40 a receipt is shown and saved", async () => {
    const single = await createLoggedInClient();
    await single.push({ cmd: 4, data: own(4, { receipt: true }) });
    await single.push(signal(MessageType.RECEIPT, { id: 4, groupId: 5, readedCount: 2, receiptOk: true }));
    expect(messages(single)[0]?.group).toMatchObject({ readedCount: 2, receiptOk: true });
    const again = await reload(single);
    again.client.chats.open(GROUP);
    await flushMicrotasks();
    expect(messages(again)[0]?.group).toMatchObject({ readedCount: 2, receiptOk: true });
    await single.push(signal(MessageType.RECEIPT, "nonsense"));
    expect(messages(single)[0]?.group).toMatchObject({ readedCount: 2 });
  });

  test("G40 a receipt that arrives before the answer to the send counts as well", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(GROUP, "hello", { receipt: true });
    const { tmpId = null } = messages(single)[0] ?? {};
    await single.push(signal(MessageType.RECEIPT, { id: 4, groupId: 5, readedCount: 1, receiptOk: true }));
    await single.respond(SEND, own(4, { tmpId, receipt: true }));
    expect(messages(single)).toMatchObject([{ id: 4, group: { readedCount: 1, receiptOk: true } }]);
  });

  test("G41 a device that was offline learns removals, receipts, read positions, deletions and clear marks from the change feed", async () => {
    const single = await createClientWithThreeMessages();
    await single.push({ cmd: 4, data: own(9, { receipt: true }) }, pushed({ id: 10 }), pushed({ id: 11 }));
    await single.push({ cmd: 3, data: { type: MessageType.CHANGES, sendId: ME, recvId: ME, content: "" } });
    await single.respond("/user/changes?since=1", {
      ...NO_CHANGES,
      next: "2",
      purged: [{ groupId: 5, userId: ANN, upTo: 6 }],
      receipts: [{ groupId: 5, id: 9, readedCount: 3, receiptOk: false }],
      read: [{ type: "GROUP", targetId: 5, mine: 10, theirs: -1 }],
      hidden: [{ type: "GROUP", targetId: 5, ids: [11] }],
      cleared: [{ type: "GROUP", upTo: 4 }],
    });
    expect(messages(single).map(({ id }) => id)).toEqual([9, 10]);
    expect(messages(single)[0]?.group?.readedCount).toBe(3);
    expect(chatOf(single)).toMatchObject({ unread: 0, readId: 10 });
  });

  test("G41 a removed member requests changes, because their messages may have been removed as well", async () => {
    const single = await createLoggedInClient();
    await single.push(signal(MessageType.GROUP_LEFT, ""));
    expect(single.waiting()).toContain("/user/changes?since=1");
    expect(chatOf(single)).toBeUndefined();
  });

  test("G54 a removed member pulls once more, because the last messages may arrive after the removal", async () => {
    const single = await createClientWithThreeMessages();
    const before = messages(single).length;
    await single.push(signal(MessageType.GROUP_LEFT, ""));
    await single.respond("/message/group/pullOfflineMessage", null);
    const loading = (content: string) => ({ cmd: 4, data: { type: MessageType.LOADING, content } });
    await single.push(loading("true"), pushed({ id: 30, content: "the last message" }), loading("false"));
    expect(messages(single)).toHaveLength(before + 1);
    expect(messages(single).at(-1)).toMatchObject({ id: 30, content: "the last message" });
    expect(single.client.getState().chats.loading.GROUP).toBe(false);
  });

  test("G42 rows that a group pull left out are loaded from the server when the user scrolls there", async () => {
    const single = await createClientWithThreeMessages();
    await single.push({ cmd: 4, data: { type: MessageType.LOADING, content: "true", fromId: 20 } });
    await single.push(pushed({ id: 12 }), pushed({ id: 21 }));
    await single.push({ cmd: 4, data: { type: MessageType.LOADING, content: "false" } });
    single.client.chats.open(GROUP);
    await flushMicrotasks();
    const rows = [12, 10, 9, 6, 4, 3].map((id) => groupRow({ id }));
    await single.respond("aroundId=3", rows.toReversed());
    await flushMicrotasks();
    expect(messages(single).map(({ id }) => id)).toEqual([3, 4, 6, 9, 10, 12, 21]);
    expect(chatOf(single)?.window.hasOlder).toBe(false);
  });
});

import { expect, test } from "vitest";
import { FRIEND, FRIEND_CHAT, GROUP, GROUP_CHAT, groupRow, ME, ownRow } from "../testing/builders.ts";
import { createLoggedInClient, pushedRow, type SingleClient } from "../testing/single-client.ts";

const act = (key: string, on = true, by = FRIEND) => ({ by, kind: "reactions", key, on });
let version = 1;
const reactionPush = (part: object = {}, ...acts: object[]) => ({
  cmd: 3,
  data: {
    type: 83,
    messageId: 5,
    sendId: ME,
    recvId: FRIEND,
    extra: { v: version++ },
    acts,
    content: "",
    ...part,
  },
});
const noticeOf = ({ client }: SingleClient, key = FRIEND_CHAT) => client.getState().reactionNotices[key];
const notices = (single: SingleClient) => single.notices.filter(({ kind }) => kind === "reaction");
const NOTICE = { messageId: 5, by: FRIEND, reaction: "👍" };

/** A client that knows a message of mine with the id 5. */
async function withMyMessage(): Promise<SingleClient> {
  const single = await createLoggedInClient();
  await single.push({ cmd: 3, data: ownRow({ id: 5 }) });
  return single;
}

test("RE13 a reaction to my message is told until something newer happens in the chat", async () => {
  const single = await withMyMessage();
  await single.push(reactionPush({}, act("👍")));
  expect(noticeOf(single)).toEqual(NOTICE);
  expect(notices(single)).toEqual([{ kind: "reaction", key: FRIEND_CHAT, ...NOTICE }]);
  // It counts nothing and moves nothing.
  expect(single.client.getState().chats.byKey[FRIEND_CHAT]?.unread).toBe(0);
  await single.push(pushedRow(6));
  expect(noticeOf(single)).toBeUndefined();
});

test("RE13 it ends when the chat is opened, the reaction is taken back, or the message is recalled", async () => {
  const single = await withMyMessage();
  await single.push(reactionPush({}, act("👍")));
  single.client.chats.open(FRIEND_CHAT);
  expect(noticeOf(single)).toBeUndefined();
  // An open chat shows the reaction itself.
  await single.push(reactionPush({}, act("🎉")));
  expect(noticeOf(single)).toBeUndefined();
  single.client.chats.closeOpen();
  await single.push(reactionPush({}, act("👍")));
  expect(noticeOf(single)).toEqual(NOTICE);
  await single.push(reactionPush({}, act("👍", false)));
  expect(noticeOf(single)).toBeUndefined();
  await single.push(reactionPush({}, act("👍")));
  await single.push({ cmd: 3, data: ownRow({ id: 6, type: 10, content: "5" }) });
  expect(noticeOf(single)).toBeUndefined();
});

test("RE13 reactions to messages of others and my own reactions are not told", async () => {
  const single = await withMyMessage();
  await single.push(pushedRow(6));
  await single.push(reactionPush({ messageId: 6, sendId: FRIEND, recvId: ME }, act("👍")));
  await single.push(reactionPush({}, act("👍", true, ME)));
  expect(noticeOf(single)).toBeUndefined();
  expect(notices(single)).toEqual([]);
});

test("RE14 a muted chat notifies of nothing, but its row tells it", async () => {
  const single = await withMyMessage();
  void single.client.chats.setAlerts(FRIEND_CHAT, 0);
  await single.push(reactionPush({}, act("👍")));
  expect(noticeOf(single)).toEqual(NOTICE);
  expect(notices(single)).toEqual([]);
});

test("RE13 in a group it is told under the chat of the group", async () => {
  const single = await createLoggedInClient();
  await single.push({ cmd: 4, data: groupRow({ id: 5, sendId: ME }) });
  await single.push({ ...reactionPush({ groupId: GROUP }, act("👍")), cmd: 4 });
  expect(noticeOf(single, GROUP_CHAT)).toEqual(NOTICE);
  await single.push({ cmd: 4, data: groupRow({ id: 9 }) });
  expect(noticeOf(single, GROUP_CHAT)).toBeUndefined();
});

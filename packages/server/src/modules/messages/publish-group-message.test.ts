import { GroupRole } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { GroupMessageRow } from "../../ports/group-message-store.ts";
import type { Store } from "../../ports/store.ts";
import type { CachedGroup, CachedMember } from "./group-cache.ts";
import { createGroupChats } from "./group-chats.ts";
import { noWebPush } from "../web-push/web-push.ts";
import { createPublishMessage } from "./publish-message.ts";

interface Fakes {
  /** The group that the cache answers for a number of member changes. */
  cachedGroupAt?: (memberChanges: number) => CachedGroup;
  changes?: () => number;
  latecomers?: readonly number[];
}

const AUTHOR = 1;
const MEMBER = 2;
/** Joins between the commit of row 8 and its push. */
const JOINER = 3;

const member = (stayFrom: number): CachedMember => ({
  role: GroupRole.MEMBER,
  isMuted: false,
  quit: false,
  stayFrom,
  name: "",
});
const cached: CachedGroup = {
  // Not used here.
  group: {} as CachedGroup["group"],
  members: new Map([
    [AUTHOR, member(0)],
    [MEMBER, member(7)],
    [JOINER, member(8)],
  ]),
  memberIds: [AUTHOR, MEMBER, JOINER],
  newestStayFrom: 8,
};

async function readersOf(
  id: number,
  quoteId: number | null,
  { cachedGroupAt = () => cached, changes = () => 0, latecomers = [MEMBER, JOINER] }: Fakes = {},
): Promise<number[]> {
  const userIdsPushed: number[] = [];
  const groupChats = createGroupChats({
    store: {
      listGroupLatecomers: async () => [...latecomers],
      memberChanges: async () => changes(),
      listGroupFormerTexts: async () => [{ userId: JOINER, content: "of before" }],
    } as Partial<Store> as Store,
    groupCache: { find: (_, memberChanges = 0) => cachedGroupAt(memberChanges) },
  });
  const publish = createPublishMessage(groupChats, {
    delivery: {
      toOthersOf: (_, userIds) => void userIdsPushed.push(...userIds),
      webPush: noWebPush,
    },
    defaultLanguage: "zh-CN",
  });
  const quote =
    quoteId === null ? null : { id: quoteId, sendId: AUTHOR, content: "", type: 0, isRecalled: false };
  const row: GroupMessageRow = {
    id,
    tmpId: null,
    type: 0,
    groupId: 5,
    sendId: AUTHOR,
    sendNickName: "",
    sendRole: GroupRole.OWNER,
    content: "text",
    sendTime: 0,
    receivedAt: null,
    atUserIds: [],
    receipt: false,
    tip: null,
    act: null,
    onlyFor: null,
    quote,
    editedAt: null,
    noticeId: null,
  };
  const actor = { userId: AUTHOR, sessionId: "s", terminal: 0, deviceNo: null, clientId: null };
  await publish(actor, { row, isNew: true }, "en");
  return userIdsPushed.sort((a, b) => a - b);
}

test("a message is not pushed to a member who joined while it was stored", async () => {
  expect(await readersOf(8, null)).toEqual([AUTHOR, MEMBER]);
  expect(await readersOf(8, 4)).toEqual([AUTHOR, MEMBER]);
  expect(await readersOf(9, null)).toEqual([AUTHOR, MEMBER, JOINER]);
});

test("a message is not pushed to somebody who was out of the group when it was stored and has come back since", async () => {
  const members = new Map(cached.members).set(JOINER, { ...member(1), quit: true });
  const stale = { ...cached, members, memberIds: [AUTHOR, MEMBER], newestStayFrom: 7 };
  expect(await readersOf(9, 4, { cachedGroupAt: () => stale })).toEqual([AUTHOR, MEMBER]);
});

test("a member who leaves while the readers of the quote are looked up does not receive the message", async () => {
  // MEMBER came after the quoted message, and is not listed as a latecomer any more after leaving.
  const left = { ...cached, memberIds: [AUTHOR, JOINER], members: new Map(cached.members) };
  left.members.set(MEMBER, { ...member(7), quit: true });
  const cachedGroupAt = (memberChanges: number) => (memberChanges < 1 ? cached : left);
  expect(await readersOf(9, 4, { cachedGroupAt, changes: () => 1, latecomers: [] })).toEqual([
    AUTHOR,
    JOINER,
  ]);
});

import { GroupRole } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { GroupMessageRow } from "../../ports/group-store.ts";
import type { Store } from "../../ports/store.ts";
import { createPublishGroupMessage } from "./publish-group-message.ts";
import type { CachedGroup, CachedMember } from "./group-cache.ts";

interface Asked {
  /** How the group is known, by how many changes of its members are asked for. */
  roomOf?: (memberChanges: number) => CachedGroup;
  changes?: () => number;
  latecomers?: readonly number[];
}

const AUTHOR = 1;
const THERE = 2;
/** Comes between the commit of row 8 and its telling. */
const COMES = 3;

const member = (stayFrom: number): CachedMember => ({
  role: GroupRole.MEMBER,
  isMuted: false,
  quit: false,
  stayFrom,
  name: "",
});
const cached: CachedGroup = {
  // Not looked at here.
  group: {} as CachedGroup["group"],
  members: new Map([
    [AUTHOR, member(0)],
    [THERE, member(7)],
    [COMES, member(8)],
  ]),
  memberIds: [AUTHOR, THERE, COMES],
  newestStayFrom: 8,
};

async function readersOf(
  id: number,
  quoteId: number | null,
  { roomOf = () => cached, changes = () => 0, latecomers = [THERE, COMES] }: Asked = {},
): Promise<number[]> {
  const told: number[] = [];
  const { publish } = createPublishGroupMessage({
    store: {
      listGroupLatecomers: async () => [...latecomers],
      memberChanges: async () => changes(),
      listGroupFormerTexts: async () => [{ userId: COMES, content: "of before" }],
    } as Partial<Store> as Store,
    delivery: { toOthersOf: (_, userIds) => void told.push(...userIds) },
    groupCache: { find: (_, memberChanges = 0) => roomOf(memberChanges) },
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
  return told.sort((a, b) => a - b);
}

test("a message is pushed to nobody who came in while it was stored", async () => {
  expect(await readersOf(8, null)).toEqual([AUTHOR, THERE]);
  expect(await readersOf(8, 4)).toEqual([AUTHOR, THERE]);
  expect(await readersOf(9, null)).toEqual([AUTHOR, THERE, COMES]);
});

test("a message is not pushed to somebody who was out of the group when it was stored and has come back since", async () => {
  const members = new Map(cached.members).set(COMES, { ...member(1), quit: true });
  const stale = { ...cached, members, memberIds: [AUTHOR, THERE], newestStayFrom: 7 };
  expect(await readersOf(9, 4, { roomOf: () => stale })).toEqual([AUTHOR, THERE]);
});

test("a member who leaves while the readers of the quote are looked up does not receive the message", async () => {
  // THERE came after the quote, and is no latecomer any more for having left.
  const left = { ...cached, memberIds: [AUTHOR, COMES], members: new Map(cached.members) };
  left.members.set(THERE, { ...member(7), quit: true });
  const roomOf = (memberChanges: number) => (memberChanges < 1 ? cached : left);
  expect(await readersOf(9, 4, { roomOf, changes: () => 1, latecomers: [] })).toEqual([AUTHOR, COMES]);
});

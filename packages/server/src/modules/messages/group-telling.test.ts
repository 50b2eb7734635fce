import { GroupRole } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { GroupMessageRow } from "../../ports/groups.ts";
import type { Store } from "../../ports/store.ts";
import { createGroupTelling } from "./group-telling.ts";
import type { Room, RoomMember } from "./rooms.ts";

interface Asked {
  /** How the group is known, by how many changes of its members are asked for. */
  roomOf?: (memberChanges: number) => Room;
  changes?: () => number;
  latecomers?: readonly number[];
}

const AUTHOR = 1;
const THERE = 2;
/** Comes between the commit of row 8 and its telling. */
const COMES = 3;

const member = (stayFrom: number): RoomMember => ({
  role: GroupRole.MEMBER,
  isMuted: false,
  quit: false,
  stayFrom,
  name: "",
});
const room: Room = {
  // Not looked at here.
  group: {} as Room["group"],
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
  { roomOf = () => room, changes = () => 0, latecomers = [THERE, COMES] }: Asked = {},
): Promise<number[]> {
  const told: number[] = [];
  const { tellNew } = createGroupTelling({
    store: {
      listGroupLatecomers: async () => [...latecomers],
      memberChanges: async () => changes(),
      listGroupFormerTexts: async () => [{ userId: COMES, content: "of before" }],
    } as Partial<Store> as Store,
    delivery: { toOthersOf: (_, userIds) => void told.push(...userIds) },
    rooms: { find: (_, memberChanges = 0) => roomOf(memberChanges) },
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
  await tellNew(actor, { row, isNew: true }, "en");
  return told.sort((a, b) => a - b);
}

test("a message is pushed to nobody who came in while it was stored", async () => {
  expect(await readersOf(8, null)).toEqual([AUTHOR, THERE]);
  expect(await readersOf(8, 4)).toEqual([AUTHOR, THERE]);
  expect(await readersOf(9, null)).toEqual([AUTHOR, THERE, COMES]);
});

test("nor to somebody who was out when it was stored, though in before and after", async () => {
  const members = new Map(room.members).set(COMES, { ...member(1), quit: true });
  const stale = { ...room, members, memberIds: [AUTHOR, THERE], newestStayFrom: 7 };
  expect(await readersOf(9, 4, { roomOf: () => stale })).toEqual([AUTHOR, THERE]);
});

test("who leaves while it is asked who sees the quote is not told what others see", async () => {
  // THERE came after the quote, and is no latecomer any more for having left.
  const left = { ...room, memberIds: [AUTHOR, COMES], members: new Map(room.members) };
  left.members.set(THERE, { ...member(7), quit: true });
  const roomOf = (memberChanges: number) => (memberChanges < 1 ? room : left);
  expect(await readersOf(9, 4, { roomOf, changes: () => 1, latecomers: [] })).toEqual([AUTHOR, COMES]);
});

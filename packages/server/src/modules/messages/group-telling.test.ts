import { GroupRole } from "@parley/protocol/codes";
import { expect, test } from "vitest";
import type { GroupMessageRow } from "../../ports/groups.ts";
import type { Store } from "../../ports/store.ts";
import { createGroupTelling } from "./group-telling.ts";
import type { Room, RoomMember } from "./rooms.ts";

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

async function readersOf(id: number, quoteId: number | null): Promise<number[]> {
  const told: number[] = [];
  const { tellNew } = createGroupTelling({
    store: {
      listGroupLatecomers: async () => [THERE, COMES],
      listGroupFormerTexts: async () => [{ userId: COMES, content: "of before" }],
    } as Partial<Store> as Store,
    delivery: { toOthersOf: (_, userIds) => void told.push(...userIds) },
    rooms: { find: () => room },
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
  await tellNew(actor, { row, isNew: true });
  return told.sort((a, b) => a - b);
}

test("a message is pushed to nobody who came in while it was stored", async () => {
  expect(await readersOf(8, null)).toEqual([AUTHOR, THERE]);
  expect(await readersOf(8, 4)).toEqual([AUTHOR, THERE]);
  expect(await readersOf(9, null)).toEqual([AUTHOR, THERE, COMES]);
});

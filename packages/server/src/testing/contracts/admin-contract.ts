import { expect, test } from "vitest";
import type { PeopleState } from "@parley/protocol/admin-entities";
import { GroupRole } from "@parley/protocol/codes";
import type { AuditRow } from "../../ports/admin-store.ts";
import { newUser, NOON, required, type StoreContext, newGroup } from "./store-fixtures.ts";

const actBy = (actorId: number | null, patch: Partial<AuditRow> = {}): Omit<AuditRow, "id"> => ({
  at: NOON,
  actorId,
  action: "banPerson",
  isLook: false,
  targetKind: "person",
  targetId: 1,
  targetName: null,
  address: actorId === null ? null : "192.0.2.1",
  outcome: "done",
  ...patch,
});

/** The rules for the lists, the audit log and the link of administrators. */
export function adminContract(context: StoreContext): void {
  const idsOf = async (query: string, state: PeopleState = "all", offset = 0, limit = 9) => {
    const { total, rows } = await context.store.listPeoplePage(query, state, { offset, limit });
    return { total, ids: rows.map(({ id }) => id) };
  };

  test("people are listed in pages, newest first", async () => {
    await context.people(5);
    expect(await idsOf("", "all", 0, 2)).toEqual({ total: 5, ids: [5, 4] });
    expect(await idsOf("", "all", 4, 2)).toEqual({ total: 5, ids: [1] });
    expect(await idsOf("", "all", 9, 2)).toEqual({ total: 5, ids: [] });
    expect(await idsOf("person", "all", 3, 2)).toEqual({ total: 5, ids: [2, 1] });
  });

  test("people are found by the beginning of either name in any case, or by their id", async () => {
    const names = [
      ["Ann", "安娜"],
      ["annika", "Bo"],
      ["Bob", "ANNE"],
      ["100x", "%"],
    ] as const;
    await context.store.write(async (tx) => {
      for (const [userName, nickName] of names) await tx.insertUser(newUser(userName, { nickName }));
    });
    expect((await idsOf("aNN")).ids).toEqual([3, 2, 1]);
    expect((await idsOf("安")).ids).toEqual([1]);
    expect((await idsOf("nn")).ids).toEqual([]);
    expect((await idsOf("%")).ids).toEqual([4]);
    expect((await idsOf("1")).ids).toEqual([4, 1]);
    expect((await idsOf("100")).ids).toEqual([4]);
  });

  test("people are listed by state, and only administrators who can act are counted", async () => {
    await context.people(5);
    const { store } = context;
    expect(await store.hasAdmin()).toBe(false);
    await store.write(async (tx) => {
      for (const id of [1, 2, 3]) await tx.setAdmin(id, true);
      await tx.setBanReason(2, "spam");
      await tx.setUnregistered(3, NOON);
      await tx.setUnregistered(5, NOON);
    });
    expect(await idsOf("", "admin")).toEqual({ total: 3, ids: [3, 2, 1] });
    expect(await idsOf("", "banned")).toEqual({ total: 1, ids: [2] });
    expect(await idsOf("", "unregistered", 0, 1)).toEqual({ total: 2, ids: [5] });
    expect(await idsOf("person3", "unregistered")).toEqual({ total: 1, ids: [3] });
    expect(await store.countActiveAdmins()).toBe(1);
    await store.write((tx) => tx.setAdmin(1, false));
    expect([await store.countActiveAdmins(), await store.hasAdmin()]).toEqual([0, true]);
    await store.write((tx) => tx.setAdmin(2, false));
    expect(await store.hasAdmin()).toBe(false);
  });

  test("groups and their current members are listed in pages", async () => {
    await context.people(3);
    const { store } = context;
    const make = (name: string) =>
      store.write(async (tx) => {
        const group = await tx.insertGroup(newGroup(2, { name }));
        await tx.upsertGroupMember(group.id, 3, GroupRole.MEMBER, NOON);
        await tx.upsertGroupMember(group.id, 2, GroupRole.OWNER, NOON);
        await tx.upsertGroupMember(group.id, 1, GroupRole.MEMBER, NOON);
        return group.id;
      });
    const [one, two] = [await make("Traders"), await make("tra")];
    const listed = async (query: string, limit = 9) => {
      const { total, rows } = await store.listGroupsPage(query, { offset: 0, limit });
      return { total, ids: rows.map(({ id }) => id) };
    };
    expect(await listed("", 1)).toEqual({ total: 2, ids: [two] });
    expect(await listed("TRAD")).toEqual({ total: 1, ids: [one] });
    expect(await listed(String(two))).toEqual({ total: 1, ids: [two] });
    await store.write((tx) => tx.endGroupStay(one, 3));
    expect(await store.listMembersPage(one, { offset: 0, limit: 9 })).toEqual({
      total: 2,
      rows: [
        { userId: 2, role: GroupRole.OWNER, isMuted: false },
        { userId: 1, role: GroupRole.MEMBER, isMuted: false },
      ],
    });
  });

  test("an invite code is listed until it is deleted", async () => {
    const { store } = context;
    await store.write(async (tx) => {
      await tx.insertInviteCode("bbb", 2, null);
      await tx.insertInviteCode("aaa", 1, NOON);
    });
    const page = { offset: 0, limit: 9 };
    expect(await store.listInviteCodes(page)).toEqual({
      total: 2,
      rows: [
        { code: "aaa", usesLeft: 1, expiresAt: NOON },
        { code: "bbb", usesLeft: 2, expiresAt: null },
      ],
    });
    expect(await store.write((tx) => tx.deleteInviteCode("aaa"))).toBe(true);
    expect(await store.write((tx) => tx.deleteInviteCode("aaa"))).toBe(false);
    expect((await store.listInviteCodes(page)).total).toBe(1);
  });

  test("acts are listed newest first, by actor, action and kind", async () => {
    const { store } = context;
    await store.write(async (tx) => {
      await tx.insertAudit(actBy(1));
      await tx.insertAudit(actBy(null, { action: "unbanPerson" }));
      await tx.insertAudit(actBy(1, { action: "listPeople", isLook: true, outcome: "done" }));
    });
    const page = { offset: 0, limit: 9 };
    const listed = async (filter: Parameters<typeof store.listAudit>[0]) =>
      (await store.listAudit(filter, page)).rows.map(({ id }) => id);
    expect(await listed({})).toEqual([3, 2, 1]);
    expect(await listed({ isLook: false })).toEqual([2, 1]);
    expect(await listed({ actorId: null })).toEqual([2]);
    expect(await listed({ actorId: 1, action: "banPerson" })).toEqual([1]);
    expect((await store.listAudit({ isLook: true }, page)).rows).toEqual([
      { id: 3, ...actBy(1, { action: "listPeople", isLook: true }) },
    ]);
    expect((await store.listAudit({}, { offset: 1, limit: 1 })).total).toBe(3);
  });

  test("an act is undone with the transaction in which it was recorded", async () => {
    const { store } = context;
    const work = store.write(async (tx) => {
      await tx.insertAudit(actBy(1));
      throw new Error("refused");
    });
    await expect(work).rejects.toThrow("refused");
    expect((await store.listAudit({}, { offset: 0, limit: 9 })).total).toBe(0);
  });

  test("the hash of the link is replaced and removed", async () => {
    const { store } = context;
    expect(await store.findSetupHash()).toBeUndefined();
    for (const hash of ["one", "two"]) await store.write((tx) => tx.setSetupHash(hash));
    expect(await store.findSetupHash()).toBe("two");
    await store.write((tx) => tx.setSetupHash(null));
    expect(await store.findSetupHash()).toBeUndefined();
  });

  test("a notice tells in how many system chats it is and was read", async () => {
    await context.people(3);
    const { store } = context;
    const notice = await store.write(async (tx) => {
      const row = await tx.insertNotice({
        title: "Hello",
        intro: "all",
        richText: "all",
        externLink: null,
        createdAt: NOON,
        lastUserId: 0,
        reachedUserId: 0,
      });
      for (const userId of [1, 2]) {
        await tx.appendSystem({
          userId,
          type: 53,
          title: "Hello",
          intro: "all",
          content: "",
          sendTime: NOON,
          noticeId: row.id,
        });
      }
      await tx.addNoticeReceivers(row.id, 2);
      return row;
    });
    for (const seqNo of [1, 1, 2]) await store.write((tx) => tx.raiseSystemRead(1, seqNo));
    const { rows, total } = await store.listNotices({ offset: 0, limit: 9 });
    expect([total, required(rows[0])]).toEqual([1, { ...notice, receivedCount: 2, readCount: 1 }]);
  });

  test("the last stored sign of life of a person is that of the newest session", async () => {
    await context.people(2);
    const { store } = context;
    const session = (id: string, lastSeenAt: number) => ({
      id,
      userId: 1,
      terminal: 2,
      deviceNo: null,
      device: null,
      os: null,
      browser: null,
      refreshSerial: 1,
      refreshedAt: NOON,
      createdAt: NOON,
      lastSeenAt,
      address: null,
      expiresAt: NOON,
      endedAt: null,
      endReason: null,
    });
    await store.write(async (tx) => {
      await tx.insertSession(session("a", NOON + 5));
      await tx.insertSession(session("b", NOON + 2));
    });
    expect(await store.listLastSeen([1, 2])).toEqual(new Map([[1, NOON + 5]]));
    expect(await store.listLastSeen([])).toEqual(new Map());
  });

  test("a report is open until it is closed, and found by what it is about", async () => {
    await context.people(3);
    const { store } = context;
    const message = {
      chatType: "GROUP",
      messageId: 7,
      groupId: 5,
      messageType: 0,
      content: "buy now",
      sendTime: NOON,
    } as const;
    const report = {
      reporterId: 1,
      personId: 2,
      message,
      reason: "spam",
      text: "again",
      createdAt: NOON,
    } as const;
    await store.write(async (tx) => {
      await tx.insertReport(report);
      await tx.insertReport({ ...report, message: null });
    });
    expect(await store.findReport(1)).toEqual({ id: 1, ...report, closure: null });
    const isOpen = (patch: object) => store.hasOpenReport({ ...report, ...patch });
    expect(await isOpen({})).toBe(true);
    expect(await isOpen({ message: { ...message, messageId: 8 } })).toBe(false);
    expect(await isOpen({ message: { ...message, chatType: "PRIVATE" } })).toBe(false);
    expect(await isOpen({ reporterId: 3 })).toBe(false);
    const closure = { closedAt: NOON + 1, closedById: null, outcome: "acted", note: "warned" } as const;
    await store.write((tx) => tx.closeReport(1, closure));
    expect(await isOpen({})).toBe(false);
    expect(await isOpen({ message: null })).toBe(true);
    const listed = async (state: boolean | undefined) =>
      (await store.listReports(state, { offset: 0, limit: 9 })).rows.map(({ id }) => id);
    expect([await listed(undefined), await listed(true), await listed(false)]).toEqual([[2, 1], [2], [1]]);
    expect((await store.findReport(1))?.closure).toEqual(closure);
    expect((await store.listReports(undefined, { offset: 1, limit: 1 })).total).toBe(2);
  });

  test("a setting is replaced and removed", async () => {
    const { store } = context;
    for (const json of ["1", "2"]) await store.write((tx) => tx.setSetting("recallSeconds", json));
    await store.write((tx) => tx.setSetting("isRegistrationOpen", "false"));
    await store.write((tx) => tx.setSetting("isRegistrationOpen", null));
    expect(await store.listSettings()).toEqual(new Map([["recallSeconds", "2"]]));
  });

  test("a node is known by what it said last, until it leaves or was not heard for long", async () => {
    const { store } = context;
    const node = (id: string, startedAt: number, seenAt: number) => ({
      id,
      roles: ["api", "jobs"],
      version: 22,
      startedAt,
      seenAt,
      sockets: 3,
      people: 2,
    });
    await store.write(async (tx) => {
      await tx.saveNode(node("a", NOON + 1, NOON), 0);
      await tx.saveNode(node("b", NOON, NOON), 0);
      await tx.saveNode({ ...node("a", NOON + 1, NOON + 9), sockets: 4 }, 0);
    });
    expect(await store.listNodes()).toEqual([
      node("b", NOON, NOON),
      { ...node("a", NOON + 1, NOON + 9), sockets: 4 },
    ]);
    await store.write((tx) => tx.saveNode(node("c", NOON + 2, NOON + 9), NOON + 1));
    expect((await store.listNodes()).map(({ id }) => id)).toEqual(["a", "c"]);
    await store.write((tx) => tx.removeNode("a"));
    expect((await store.listNodes()).map(({ id }) => id)).toEqual(["c"]);
  });
}

import { expect, test } from "vitest";
import { FindableBy } from "@parley/protocol/codes";
import type { SessionRow, SessionUse, UserRow } from "../../ports/account-store.ts";
import { addFile, required, newUser, NOON, type StoreContext } from "./store-fixtures.ts";

const session = (id: string, userId: number, patch: Partial<SessionRow> = {}): SessionRow => ({
  id,
  userId,
  terminal: 2,
  deviceNo: "device",
  device: "Linux",
  os: null,
  browser: "Firefox",
  refreshSerial: 1,
  refreshedAt: NOON,
  createdAt: NOON,
  lastSeenAt: NOON,
  address: "192.0.2.1",
  expiresAt: NOON + 1_000,
  endedAt: null,
  endReason: null,
  ...patch,
});

/** The rules for accounts, sessions, invite codes and uploaded files. */
export function accountContract(context: StoreContext): void {
  test("a new user requires approval of friend requests, is not banned or closed, and has the given fields", async () => {
    const given = newUser("Ann", { nickName: "安 😀", headImage: "/files/a/b", registerDevice: "Linux" });
    const user = required(await context.store.write((tx) => tx.insertUser(given)));
    expect(user).toEqual({
      ...given,
      id: user.id,
      sex: null,
      signature: null,
      birthday: null,
      mobile: null,
      email: null,
      isManualApprove: true,
      findableBy: FindableBy.ANY_NAME,
      readReceipts: true,
      lastSeenShown: true,
      banReason: null,
      unregisteredAt: null,
      isAdmin: false,
    });
    expect(await context.store.findUser(user.id)).toEqual(user);
  });

  test("user names are unique and found in any case", async () => {
    const ann = required(await context.store.write((tx) => tx.insertUser(newUser("Ann"))));
    expect(await context.store.write((tx) => tx.insertUser(newUser("aNN")))).toBeUndefined();
    expect(await context.store.findUserByName("ANN")).toEqual(ann);
    expect(await context.store.findUserByName("Anne")).toBeUndefined();
  });

  test("two concurrent inserts of the same user name give one user", async () => {
    const tries = await Promise.all(
      ["Same", "same"].map((name) => context.store.write((tx) => tx.insertUser(newUser(name)))),
    );
    expect(tries.filter((user) => user !== undefined)).toHaveLength(1);
  });

  test("findUsers takes any number of ids, skips unknown ones and returns repeated ones once", async () => {
    const people = await context.people(3);
    expect(await context.store.findUsers([])).toEqual(new Map());
    const ids = [...Array.from({ length: 40_000 }, (_, n) => 40_000 - n), 2, 3];
    const found = await context.store.findUsers(ids);
    expect(found).toEqual(new Map(people.map((person) => [person.id, person])));
  });

  test("an update changes only the given fields of a profile; password and settings have their own calls", async () => {
    const [ann] = await context.people(1);
    await context.store.write(async (tx) => {
      await tx.updateUser(required(ann).id, { nickName: "Änne", sex: 1, signature: "hi", mobile: null });
      await tx.updateUser(required(ann).id, {});
      await tx.setPasswordHash(required(ann).id, "other");
      await tx.setManualApprove(required(ann).id, false);
      await tx.setReadReceipts(required(ann).id, false);
      await tx.setLastSeenShown(required(ann).id, false);
    });
    expect(await context.store.findUser(required(ann).id)).toEqual({
      ...ann,
      nickName: "Änne",
      sex: 1,
      signature: "hi",
      passwordHash: "other",
      isManualApprove: false,
      readReceipts: false,
      lastSeenShown: false,
    });
  });

  test("a search finds a part of the user name or nickname in any case and alphabet, ordered by id, up to the limit", async () => {
    await context.store.write(async (tx) => {
      await tx.insertUser(newUser("Carl", { nickName: "ÉMILE 王小明" }));
      await tx.insertUser(newUser("Dora", { nickName: "Carlos" }));
      await tx.insertUser(newUser("Eve", { nickName: "x" }));
    });
    const find = async (part: string, limit = 20) =>
      (await context.store.searchUsers(part, limit)).map((u) => u.userName);
    expect(await find("CARL")).toEqual(["Carl", "Dora"]);
    expect(await find("carl", 1)).toEqual(["Carl"]);
    expect(await find("émile")).toEqual(["Carl"]);
    expect(await find("小明")).toEqual(["Carl"]);
    await context.store.write((tx) => tx.updateUser(3, { nickName: "ÉMILIE" }));
    expect(await find("émil")).toEqual(["Carl", "Eve"]);
  });

  test("a search treats wildcard characters as plain text", async () => {
    await context.store.write(async (tx) => {
      await tx.insertUser(newUser("a", { nickName: "100%" }));
      await tx.insertUser(newUser("b", { nickName: "1000" }));
      await tx.insertUser(newUser("c", { nickName: "under_score" }));
      await tx.insertUser(newUser("d", { nickName: "back\\slash" }));
    });
    const find = async (part: string) => (await context.store.searchUsers(part, 20)).map((u) => u.userName);
    expect(await find("%")).toEqual(["a"]);
    expect(await find("_")).toEqual(["c"]);
    expect(await find("\\")).toEqual(["d"]);
    expect(await find("'")).toEqual([]);
  });

  test("a search finds a person by the complete user name only, or not at all, if they say so", async () => {
    const [ann, bob] = (await context.people(2)).map(required);
    const set = (person: UserRow | undefined, by: FindableBy) =>
      context.store.write((tx) => tx.setFindableBy(required(person).id, by));
    const find = async (part: string) => (await context.store.searchUsers(part, 20)).map((user) => user.id);
    const [all, name] = ["person", required(ann).userName];
    expect(await find(all)).toEqual([ann?.id, bob?.id]);
    await set(ann, FindableBy.USER_NAME);
    expect(await find(all)).toEqual([bob?.id]);
    expect(await find(required(ann).nickName.slice(0, -1))).not.toContain(ann?.id);
    expect(await find(name.toUpperCase())).toEqual([ann?.id]);
    expect(await find("%")).toEqual([]);
    await set(ann, FindableBy.NOTHING);
    expect(await find(name)).toEqual([]);
    expect((await context.store.findUser(required(ann).id))?.findableBy).toBe(FindableBy.NOTHING);
    await set(ann, FindableBy.ANY_NAME);
    expect(await find(all)).toEqual([ann?.id, bob?.id]);
  });

  test("listUsers returns everybody by id; a search leaves out banned and closed accounts", async () => {
    const [ann, bob, cid] = (await context.people(3)).map((user) => user.id);
    await context.store.write(async (tx) => {
      await tx.setBanReason(required(ann), "spam");
      await tx.setUnregistered(required(bob), NOON);
    });
    const listed = async (after: number, limit: number) =>
      (await context.store.listUsers(after, limit)).map((user) => user.id);
    expect(await listed(0, 10)).toEqual([ann, bob, cid]);
    expect(await listed(required(ann), 1)).toEqual([bob]);
    expect(await listed(required(cid), 10)).toEqual([]);
    expect((await context.store.findUser(required(ann)))?.banReason).toBe("spam");
    expect((await context.store.findUser(required(bob)))?.unregisteredAt).toBe(NOON);
    expect((await context.store.searchUsers("person", 10)).map((user) => user.id)).toEqual([cid]);
    await context.store.write((tx) => tx.setBanReason(required(ann), null));
    expect(await context.store.searchUsers("person", 10)).toHaveLength(2);
  });

  test("a session that is stored again stays as it is", async () => {
    await context.people(1);
    await context.store.write((tx) => tx.insertSession(session("a", 1, { endedAt: NOON })));
    await context.store.write((tx) => tx.insertSession(session("a", 1)));
    expect((await context.store.findSession("a"))?.endedAt).toBe(NOON);
  });

  test("lastSeenAt of a session never goes back", async () => {
    await context.people(1);
    await context.store.write(async (tx) => {
      await tx.insertSession(session("a", 1));
      await tx.insertSession(session("b", 1));
      await tx.touchSessions([
        ["a", NOON + 5, null],
        ["b", NOON - 5, null],
        ["unknown", NOON, null],
      ]);
    });
    expect((await context.store.findSession("a"))?.lastSeenAt).toBe(NOON + 5);
    expect((await context.store.findSession("b"))?.lastSeenAt).toBe(NOON);
  });

  test("a use stores the address that comes with it and keeps the one before without, but an older use changes nothing", async () => {
    await context.people(1);
    const addresses = await context.store.write(async (tx) => {
      await tx.insertSession(session("a", 1, { address: null }));
      const after = async (at: number, address: string | null) => {
        await tx.touchSessions([["a", at, address]]);
        return (await tx.findSession("a"))?.address;
      };
      return [
        await after(NOON, "192.0.2.2"),
        await after(NOON + 5, "2001:db8::3"),
        await after(NOON + 6, null),
        await after(NOON + 4, "192.0.2.4"),
      ];
    });
    expect(addresses).toEqual(["192.0.2.2", "2001:db8::3", "2001:db8::3", "2001:db8::3"]);
  });

  test("lastSeenAt of more sessions than fit into one statement is stored for each with its own time", async () => {
    await context.people(1);
    const many = Array.from({ length: 1_100 }, (_, n): SessionUse => [`session ${n}`, NOON + n, null]);
    const existing = [0, 511, 512, 1_099];
    await context.store.write(async (tx) => {
      for (const n of existing) await tx.insertSession(session(`session ${n}`, 1));
      await tx.touchSessions(many);
    });
    for (const n of existing)
      expect((await context.store.findSession(`session ${n}`))?.lastSeenAt).toBe(NOON + n);
  });

  test("listSessions returns the sessions that have neither ended nor expired", async () => {
    await context.people(2);
    const live = session("live", 1);
    await context.store.write(async (tx) => {
      await tx.insertSession(live);
      await tx.insertSession(session("ended", 1, { endedAt: NOON }));
      await tx.insertSession(session("expired", 1, { expiresAt: NOON }));
      await tx.insertSession(session("foreign", 2));
    });
    expect(await context.store.listSessions(1, NOON)).toEqual([live]);
    expect(await context.store.findSession("live")).toEqual(live);
    expect((await context.store.findSession("ended"))?.endedAt).toBe(NOON);
    expect(await context.store.findSession("unknown")).toBeUndefined();
  });

  test("a session is read, ended or not, with whether its account is banned or closed, alone or with others", async () => {
    await context.people(3);
    const sessions = [session("a", 1), session("b", 2, { endedAt: NOON }), session("c", 3)];
    await context.store.write(async (tx) => {
      for (const row of sessions) await tx.insertSession(row);
      await tx.setBanReason(2, "spam");
      await tx.setUnregistered(3, NOON);
    });
    const ids = ["a", "b", "c", "unknown"];
    const found = await Promise.all(ids.map((id) => context.store.findSessionWithAccount(id)));
    const together = await context.store.findSessionsWithAccounts(ids);
    expect(together.size).toBe(3);
    expect(ids.map((id) => together.get(id))).toEqual(found);
    expect(await context.store.findSessionsWithAccounts([])).toEqual(new Map());
    expect(found).toEqual([
      { session: sessions[0], account: { banReason: null, unregisteredAt: null } },
      { session: sessions[1], account: { banReason: "spam", unregisteredAt: null } },
      { session: sessions[2], account: { banReason: null, unregisteredAt: NOON } },
      undefined,
    ]);
  });

  test("sessions that ended or expired and were not seen since are deleted, up to the limit per call", async () => {
    await context.people(1);
    const before = NOON + 10;
    const deletedCounts = await context.store.write(async (tx) => {
      await tx.insertSession(session("live", 1, { expiresAt: before }));
      await tx.insertSession(session("ended", 1, { endedAt: before - 1 }));
      await tx.insertSession(session("just ended", 1, { endedAt: before }));
      await tx.insertSession(session("expired", 1, { expiresAt: before - 1 }));
      await tx.insertSession(session("heard", 1, { expiresAt: before - 1, lastSeenAt: before }));
      return [
        await tx.forgetSessions(before, 1),
        await tx.forgetSessions(before, 9),
        await tx.forgetSessions(before, 9),
      ];
    });
    expect(deletedCounts).toEqual([1, 1, 0]);
    const ids = ["live", "ended", "just ended", "expired", "heard"];
    const left = await Promise.all(ids.map((id) => context.store.findSession(id)));
    expect(left.map((row) => row?.id)).toEqual(["live", undefined, "just ended", undefined, "heard"]);
  });

  test("an update changes only the given fields of a session", async () => {
    await context.people(1);
    await context.store.write(async (tx) => {
      await tx.insertSession(session("s", 1));
      await tx.updateSession("s", { refreshSerial: 2, refreshedAt: NOON + 5, expiresAt: NOON + 9 });
      await tx.updateSession("s", {});
    });
    expect(await context.store.findSession("s")).toEqual(
      session("s", 1, { refreshSerial: 2, refreshedAt: NOON + 5, expiresAt: NOON + 9 }),
    );
  });

  test("endSessions returns the sessions that it ended, expired ones too, and leaves the excepted one and other people's", async () => {
    await context.people(2);
    const ended = await context.store.write(async (tx) => {
      for (const id of ["a", "b", "c"]) await tx.insertSession(session(id, 1));
      await tx.insertSession(session("old", 1, { expiresAt: NOON - 1 }));
      await tx.insertSession(session("foreign", 2));
      return tx.endSessions(1, "b", "sessionEnded", NOON + 1);
    });
    expect(ended.sort()).toEqual(["a", "c", "old"]);
    expect((await context.store.listSessions(1, NOON + 1)).map((s) => s.id)).toEqual(["b"]);
    expect(await context.store.listSessions(2, NOON)).toHaveLength(1);
    expect(await context.store.findSession("a")).toMatchObject({
      endedAt: NOON + 1,
      endReason: "sessionEnded",
    });
    const last = await context.store.write((tx) => tx.endSessions(1, null, "banned", NOON + 2));
    expect(last).toEqual(["b"]);
    expect(await context.store.findSession("b")).toMatchObject({ endReason: "banned" });
  });

  test("an invite code works for the given number of uses until it expires", async () => {
    const use = (code: string, now = NOON) => context.store.write((tx) => tx.useInviteCode(code, now));
    await context.store.write(async (tx) => {
      await tx.insertInviteCode("twice", 2, null);
      await tx.insertInviteCode("short", 5, NOON);
    });
    expect(await Promise.all([use("twice"), use("twice"), use("twice")])).toEqual([true, true, false]);
    expect(await use("short", NOON - 1)).toBe(true);
    expect(await use("short", NOON)).toBe(false);
    expect(await use("unknown")).toBe(false);
  });

  test("a use of an invite code in a rolled-back write does not count", async () => {
    await context.store.write((tx) => tx.insertInviteCode("once", 1, null));
    await context.store
      .write(async (tx) => {
        await tx.useInviteCode("once", NOON);
        throw new Error("no");
      })
      .catch(() => undefined);
    expect(await context.store.write((tx) => tx.useInviteCode("once", NOON))).toBe(true);
  });

  test("uploaded files are known by their url and counted for their uploader", async () => {
    await context.people(1);
    await context.store.write(async (tx) => {
      await addFile(tx, { url: "/files/a/old", userId: 1, bytes: 1, createdAt: NOON - 1 });
      await addFile(tx, { url: "/files/a/new", userId: 1, bytes: 20, createdAt: NOON });
      await addFile(tx, { url: "/files/a/more", userId: 1, bytes: 300, createdAt: NOON + 1 });
      await addFile(tx, { url: "/files/a/open", userId: null, bytes: 4_000, createdAt: NOON });
    });
    expect(await context.store.uploadedBytes(1, NOON)).toBe(320);
    expect(await context.store.uploadedBytes(1, NOON + 2)).toBe(0);
    expect(await context.store.findFile("/files/a/open")).toEqual({ bytes: 4_000, isKeptForEver: false });
    expect(await context.store.findFile("/files/a/other")).toBeUndefined();
  });

  test("an old file that no write claimed is marked for deletion and can no longer be claimed", async () => {
    await context.people(1);
    await context.store.write(async (tx) => {
      for (const [name, createdAt] of [
        ["old", NOON - 2],
        ["older", NOON - 3],
        ["taken", NOON - 3],
        ["young", NOON],
      ] as const) {
        await addFile(tx, { url: `/files/a/${name}`, userId: 1, bytes: 1, createdAt });
      }
      expect(await tx.claimFile("/files/a/taken")).toBe(true);
      expect(await tx.claimFile("/files/a/taken")).toBe(true);
      expect(await tx.claimFile("/files/a/unknown")).toBe(false);
    });
    const markForDeletion = (limit: number, after?: string) =>
      context.store.write((tx) => tx.markFilesForDeletion(NOON - 1, limit, after));
    const claim = (name: string) => context.store.write((tx) => tx.claimFile(`/files/a/${name}`));
    expect((await markForDeletion(10)).sort()).toEqual(["/files/a/old", "/files/a/older"]);
    expect(await claim("old")).toBe(false);
    expect(await context.store.findFile("/files/a/old")).toBeUndefined();
    // Files whose deletion did not finish are returned again.
    expect(await markForDeletion(1)).toEqual(["/files/a/old"]);
    expect(await markForDeletion(1, "/files/a/old")).toEqual(["/files/a/older"]);
    expect(await markForDeletion(1, "/files/a/older")).toEqual([]);
    expect(await context.store.listMarkedFiles(1)).toEqual(["/files/a/old"]);
    expect(await context.store.listMarkedFiles(2, "/files/a/old")).toEqual(["/files/a/older"]);
    expect(await context.store.countFiles()).toEqual({ count: 4, bytes: 4 });
    await context.store.write((tx) => tx.deleteFileRows(["/files/a/old", "/files/a/older"]));
    expect(await markForDeletion(10)).toEqual([]);
    expect(await context.store.countFiles()).toEqual({ count: 2, bytes: 2 });
    expect(await claim("young")).toBe(true);
  });

  test("a file that is being uploaded counts with what is set aside, cannot be claimed, and is complete at once", async () => {
    await context.people(1);
    const url = "/files/a/video.mp4";
    const file = { url, userId: 1, createdAt: NOON };
    await context.store.write((tx) => tx.reserveFile(file, { least: 0, most: 500 }, null));
    expect(await context.store.uploadedBytes(1, NOON)).toBe(500);
    expect(await context.store.findFile(url)).toBeUndefined();
    expect(await context.store.write((tx) => tx.claimFile(url))).toBe(false);
    const complete = [{ url, bytes: 300, sha256: "ab" }];
    expect(await context.store.write((tx) => tx.completeFiles(complete))).toBe(true);
    expect(await context.store.uploadedBytes(1, NOON)).toBe(300);
    expect(await context.store.findFile(url)).toEqual({ bytes: 300, isKeptForEver: false });
    expect(await context.store.write((tx) => tx.completeFiles(complete))).toBe(false);
    expect(await context.store.write((tx) => tx.claimFile(url))).toBe(true);
  });

  test("uploads at the same time never get more than the quota leaves", async () => {
    await context.people(2);
    const quota = { since: NOON, maxBytes: 100 };
    const reserve = (name: string, least: number, most: number, userId: number | null = 1) =>
      context.store.write((tx) =>
        tx.reserveFile({ url: `/files/q/${name}`, userId, createdAt: NOON }, { least, most }, quota),
      );
    expect(
      await Promise.all([
        reserve("a", 60, 60),
        reserve("b", 60, 60),
        reserve("c", 10, 60),
        reserve("d", 1, 1),
      ]),
    ).toEqual([60, null, 40, null]);
    expect(await context.store.uploadedBytes(1, NOON)).toBe(100);
    expect(await reserve("empty", 0, 50)).toBe(0);
    expect(await reserve("e", 60, 60, 2)).toBe(60);
    expect(await reserve("f", 600, 600, null)).toBe(600);
    // Earlier uploads do not count.
    const tomorrow = { since: NOON + 1, maxBytes: 100 };
    const file = { url: "/files/q/g", userId: 1, createdAt: NOON + 1 };
    expect(await context.store.write((tx) => tx.reserveFile(file, { least: 100, most: 100 }, tomorrow))).toBe(
      100,
    );
    expect(
      await context.store.write((tx) => tx.completeFiles([{ url: "/files/q/b", bytes: 1, sha256: "" }])),
    ).toBe(false);
  });

  test("a deleted file counts as uploaded until it is forgotten, one whose upload never ended does not", async () => {
    await context.people(1);
    const quota = { since: NOON, maxBytes: 100 };
    const reserve = (name: string, bytes: number) =>
      context.store.write((tx) =>
        tx.reserveFile(
          { url: `/files/d/${name}`, userId: 1, createdAt: NOON },
          { least: bytes, most: bytes },
          quota,
        ),
      );
    await reserve("sent", 60);
    await context.store.write((tx) => tx.completeFiles([{ url: "/files/d/sent", bytes: 55, sha256: "ab" }]));
    await reserve("broken", 45);
    await context.store.write((tx) => tx.deleteFileRows(["/files/d/sent", "/files/d/broken"]));
    expect(await context.store.uploadedBytes(1, NOON)).toBe(55);
    expect(await context.store.uploadedBytes(1, NOON + 1)).toBe(0);
    expect(await reserve("more", 46)).toBeNull();
    expect(await reserve("rest", 45)).toBe(45);
    await context.store.write((tx) => tx.forgetDeletedUploads(NOON));
    expect(await context.store.uploadedBytes(1, NOON)).toBe(100);
    await context.store.write((tx) => tx.forgetDeletedUploads(NOON + 1));
    expect(await context.store.uploadedBytes(1, NOON)).toBe(45);
  });

  test("an upload that never ended is deleted, and never completed after that", async () => {
    await context.people(1);
    for (const [name, createdAt] of [
      ["old", NOON - 1],
      ["young", NOON],
    ] as const) {
      const file = { url: `/files/u/${name}`, userId: 1, createdAt };
      await context.store.write((tx) => tx.reserveFile(file, { least: 5, most: 5 }, null));
    }
    // The sweep of unclaimed files leaves alone what is being uploaded.
    expect(await context.store.write((tx) => tx.markFilesForDeletion(NOON + 9, 10))).toEqual([]);
    await context.store.write((tx) => tx.abandonUploads(NOON));
    expect(await context.store.write((tx) => tx.markFilesForDeletion(0, 10))).toEqual(["/files/u/old"]);
    const complete = (name: string) =>
      context.store.write((tx) => tx.completeFiles([{ url: `/files/u/${name}`, bytes: 5, sha256: "ab" }]));
    expect([await complete("old"), await complete("young")]).toEqual([false, true]);
  });

  test("users are counted by state", async () => {
    expect(await context.store.newestUserId()).toBe(0);
    const [ann, bob] = await context.people(3);
    await context.store.write(async (tx) => {
      await tx.setBanReason(required(ann).id, "spam");
      await tx.setBanReason(required(bob).id, "spam");
      await tx.setUnregistered(required(bob).id, NOON);
    });
    expect(await context.store.countUsers()).toEqual({ all: 3, banned: 1, unregistered: 1 });
    expect(await context.store.newestUserId()).toBe(3);
  });
}

import { describe, expect, test } from "vitest";
import { ENDPOINTS } from "./all.ts";

type Schema = { safeParse(value: unknown): { success: boolean } } | undefined;
/** Whether a call takes what is wrong or right with one of its fields, the others being good. */
const taker = (schema: Schema, good: object) => (more: object) =>
  schema?.safeParse({ ...good, ...more }).success;
const long = (length: number) => "😀".repeat(length);
const ids = (count: number) => Array.from({ length: count }, (_, i) => i);

describe("what a call takes", () => {
  test("to log in and register", () => {
    const login = taker(ENDPOINTS.login.body, { terminal: 2, userName: "", password: "" });
    expect([0, 1, 2].every((terminal) => login({ terminal }))).toBe(true);
    expect([-1, 3, "2", null].some((terminal) => login({ terminal }))).toBe(false);
    const good = { userName: "ann", nickName: "Ann", password: "12345678" };
    const register = taker(ENDPOINTS.register.body, good);
    expect([{}, { userName: "a" }, { userName: "a".repeat(20) }].every(register)).toBe(true);
    expect(["", "a".repeat(21), "a b", "a_b", null].some((userName) => register({ userName }))).toBe(false);
    expect(["A", long(20)].every((nickName) => register({ nickName }))).toBe(true);
    expect(["", " ", long(21), "a\0"].some((nickName) => register({ nickName }))).toBe(false);
    expect(register({ password: long(72), registerDevice: long(200), terminal: null })).toBe(true);
    expect(
      [{ password: long(7) }, { password: long(73) }, { registerDevice: long(201) }].some(register),
    ).toBe(false);
    expect(register({ headImage: "a\0" })).toBe(false);
  });

  test("to change the password and end a session", () => {
    const change = taker(ENDPOINTS.modifyPwd.body, { oldPassword: "", newPassword: "12345678" });
    expect([{}, { newPassword: long(72) }].every(change)).toBe(true);
    expect([{ newPassword: long(7) }, { newPassword: long(73) }].some(change)).toBe(false);
    const end = taker(ENDPOINTS.endSession.query, {});
    expect([{}, { id: "s" }, { id: long(64) }].every(end)).toBe(true);
    expect([{ id: "" }, { id: long(65) }].some(end)).toBe(false);
  });

  test("to change the profile", () => {
    const update = taker(ENDPOINTS.updateUser.body, { id: 7 });
    const right = [
      { nickName: "A" },
      { nickName: long(20), sex: 0, signature: long(128) },
      { sex: 1, birthday: "2000-01-02", mobile: "13800000000", email: `${"a".repeat(95)}@b.cn` },
      { sex: null, signature: null, birthday: null, mobile: null, email: null },
      { mobile: "", email: "", signature: "", birthday: "" },
    ];
    for (const fields of right) expect(update(fields), JSON.stringify(fields)).toBe(true);
    const wrong = [
      { nickName: "" },
      { nickName: " " },
      { nickName: long(21) },
      { sex: 2 },
      { sex: -1 },
      { signature: long(129) },
      { birthday: "2000-01-02x" },
      { mobile: "12800000000" },
      { mobile: "138000000000" },
      { email: "a@b" },
      { email: `${"a".repeat(96)}@b.cn` },
      { headImage: "a\0" },
    ];
    for (const fields of wrong) expect(update(fields), JSON.stringify(fields)).toBe(false);
  });

  test("to find people", () => {
    const find = taker(ENDPOINTS.findUsersByName.query, {});
    expect([{ name: "a" }, { name: long(99) }].every(find)).toBe(true);
    expect([{ name: "" }, { name: " " }, { name: "a\0" }, {}].some(find)).toBe(false);
    const online = taker(ENDPOINTS.findOnlineTerminals.query, {});
    expect(online({ userIds: ids(1_000).join(",") })).toBe(true);
    expect(online({ userIds: ids(1_001).join(",") })).toBe(false);
  });

  test("to manage friends", () => {
    const apply = taker(ENDPOINTS.applyFriend.body, { friendId: 7 });
    expect([{}, { remark: null, source: null }, { remark: long(20) }].every(apply)).toBe(true);
    expect([{ remark: long(21) }, { friendId: -1 }].some(apply)).toBe(false);
    const remark = taker(ENDPOINTS.updateFriendRemark.body, { friendId: 7 });
    expect([{ remarkNickName: null }, { remarkNickName: long(20) }].every(remark)).toBe(true);
    expect([{ remarkNickName: long(21) }, {}].some(remark)).toBe(false);
    const remind = taker(ENDPOINTS.setFriendMsgRemind.body, { friendId: 7 });
    expect([-1, 0, 1, 2].map((msgRemind) => remind({ msgRemind }))).toEqual([false, true, true, false]);
  });

  test("to make, find and change groups", () => {
    for (const body of [ENDPOINTS.createGroup.body, ENDPOINTS.modifyGroup.body]) {
      const named = taker(body, { id: 5, name: "G" });
      expect([{}, { name: long(20) }].every(named)).toBe(true);
      expect([{ name: "" }, { name: " " }, { name: long(21) }, { headImage: "a\0" }].some(named)).toBe(false);
    }
    const create = taker(ENDPOINTS.createGroup.body, { name: "G" });
    expect([{ memberIds: null }, { memberIds: ids(50), tmpId: long(64) }].every(create)).toBe(true);
    expect([{ memberIds: ids(51) }, { tmpId: long(65) }].some(create)).toBe(false);
    const modify = taker(ENDPOINTS.modifyGroup.body, { id: 5 });
    const keys = (count: number) => Object.fromEntries(ids(count).map((key) => [`k${key}`, ""]));
    const right = [
      { notice: long(1_024), remarkGroupName: long(20), remarkNickName: null },
      { remarkNickName: long(20) },
      { attributes: keys(20) },
      { attributes: { [long(20)]: long(128) } },
    ];
    for (const fields of right) expect(modify(fields)).toBe(true);
    const wrong = [
      { notice: long(1_025) },
      { remarkGroupName: long(21) },
      { remarkNickName: long(21) },
      { attributes: keys(21) },
      { attributes: { "": "" } },
      { attributes: { [long(21)]: "" } },
      { attributes: { k: long(129) } },
    ];
    for (const fields of wrong) expect(modify(fields)).toBe(false);
    const find = taker(ENDPOINTS.findGroupsByName.query, {});
    expect([{ name: "a" }, { name: " " }, { name: "" }].map(find)).toEqual([true, false, false]);
  });

  test("to set the rights of a group, and to be alerted by it", () => {
    const settings = taker(ENDPOINTS.setGroupSettings.body, { groupId: 5 });
    for (const name of ["inviteRole", "editRole", "attrRole"])
      expect([0, 1, 2, 3].map((right) => settings({ [name]: right }))).toEqual([false, true, true, false]);
    const remind = taker(ENDPOINTS.setGroupMsgRemind.body, { groupId: 5 });
    expect([-1, 0, 1, 2, 3].map((msgRemind) => remind({ msgRemind }))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test("to bring people in and out, 1 to 50 at once", () => {
    const invite = taker(ENDPOINTS.inviteToGroup.body, { groupId: 5 });
    expect([0, 1, 50, 51].map((count) => invite({ friendIds: ids(count) }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    for (const call of ["removeGroupMembers", "addGroupManagers", "removeGroupManagers"] as const) {
      const people = taker(ENDPOINTS[call].body, { groupId: 5 });
      expect([0, 1, 50, 51].map((count) => people({ userIds: ids(count) }))).toEqual([
        false,
        true,
        true,
        false,
      ]);
    }
    const apply = taker(ENDPOINTS.applyGroup.body, { groupId: 5 });
    expect([{ remark: long(20) }, { remark: long(21) }].map(apply)).toEqual([true, false]);
  });

  test("to send messages", () => {
    const sends = [
      taker(ENDPOINTS.sendPrivateMessage.body, { recvId: 7, content: "", type: 0 }),
      taker(ENDPOINTS.sendGroupMessage.body, { groupId: 5, content: "", type: 0 }),
    ];
    for (const send of sends) {
      expect([{}, { tmpId: null, quoteMessageId: null }, { tmpId: long(64) }].every(send)).toBe(true);
      expect([{ tmpId: long(65) }, { content: "a\0" }, { quoteMessageId: -1 }].some(send)).toBe(false);
    }
    const mention = (...atUserIds: number[]) => sends[1]?.({ atUserIds });
    expect([mention(), mention(-1, 7), mention(...ids(20))]).toEqual([true, true, true]);
    expect([mention(-2), mention(...ids(21))]).toEqual([false, false]);
  });

  test("to hide messages, 1 to 100 at once", () => {
    for (const body of [ENDPOINTS.deletePrivateMessages.body, ENDPOINTS.deleteGroupMessages.body]) {
      const hide = taker(body, { friendId: 7, groupId: 5 });
      expect([0, 1, 100, 101].map((n) => hide({ ids: ids(n) }))).toEqual([false, true, true, false]);
    }
  });

  test("to read a page and the days of a chat", () => {
    const page = taker(ENDPOINTS.privateHistory.query, { friendId: "7" });
    expect(["0", "1", "100", "101"].map((size) => page({ size }))).toEqual([false, true, true, false]);
    expect([{}, { maxId: "1", minId: "1", aroundId: "1", at: "1", page: "1" }].every(page)).toBe(true);
    const days = (...starts: number[]) =>
      ENDPOINTS.groupDays.query?.safeParse({ groupId: "5", starts: starts.join(",") }).success;
    expect([days(0, 1), days(1, 2, 3), days(...ids(32))]).toEqual([true, true, true]);
    expect([days(), days(1), days(2, 1), days(1, 1), days(1, 3, 2), days(...ids(33))]).not.toContain(true);
    const readers = taker(ENDPOINTS.findReadedUsers.query, { groupId: "5", messageId: "1" });
    expect([{}, { who: "read" }, { who: "unread" }].every(readers)).toBe(true);
    expect(readers({ who: "all" })).toBe(false);
  });

  test("to search", () => {
    const search = taker(ENDPOINTS.searchMessages.query, { q: "a" });
    const right = [{ q: long(64) }, { types: ids(20).join(",") }, { next: "1" }, { next: "1-2" }];
    for (const fields of right) expect(search(fields), JSON.stringify(fields)).toBe(true);
    const wrong = [{ q: "" }, { q: " " }, { q: long(65) }, { types: ids(21).join(",") }, { next: "1-" }];
    for (const fields of wrong) expect(search(fields), JSON.stringify(fields)).toBe(false);
    expect(search({ chatType: "CHANNEL" })).toBe(false);
    const since = taker(ENDPOINTS.loadChanges.query, {});
    expect([{}, { since: "" }, { since: "12" }, { since: "a" }].map(since)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

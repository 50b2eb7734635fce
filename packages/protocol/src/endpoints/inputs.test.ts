import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import type { Endpoint } from "../endpoint.ts";
import { ENDPOINTS } from "./all.ts";

type Schema = { safeParse(value: unknown): { success: boolean } } | undefined;
/** Returns a function that checks whether a schema accepts `valid` with some of its fields replaced. */
const accepts = (schema: Schema, valid: object) => (fields: object) =>
  schema?.safeParse({ ...valid, ...fields }).success;
const textOfLength = (length: number) => "😀".repeat(length);
const ids = (count: number) => Array.from({ length: count }, (_, i) => i);

// Proxies log queries. The ids of sessions may be there, because nobody can use one without the signature of the server.
test("no call takes an invite code, a password or a token in its query", () => {
  const secrets = Object.entries<Endpoint>(ENDPOINTS).flatMap(([name, { query }]) =>
    Object.keys((query as z.ZodMiniObject | undefined)?.shape ?? {})
      .filter((field) => /code|password|token|secret/i.test(field))
      .map((field) => `${name}.${field}`),
  );
  expect(secrets).toEqual([]);
});

describe("accepted and rejected inputs", () => {
  test("of login and registration", () => {
    const login = accepts(ENDPOINTS.login.body, { terminal: 2, userName: "", password: "" });
    expect([0, 1, 2].every((terminal) => login({ terminal }))).toBe(true);
    expect([-1, 3, "2", null].some((terminal) => login({ terminal }))).toBe(false);
    const good = { userName: "ann", nickName: "Ann", password: "12345678" };
    const register = accepts(ENDPOINTS.register.body, good);
    expect([{}, { userName: "a" }, { userName: "a".repeat(20) }].every(register)).toBe(true);
    expect(["", "a".repeat(21), "a b", "a_b", null].some((userName) => register({ userName }))).toBe(false);
    expect(["A", textOfLength(40)].every((nickName) => register({ nickName }))).toBe(true);
    expect(["", " ", textOfLength(41), "a\0"].some((nickName) => register({ nickName }))).toBe(false);
    expect(register({ password: textOfLength(72), registerDevice: textOfLength(200), terminal: null })).toBe(
      true,
    );
    expect(
      [
        { password: textOfLength(7) },
        { password: textOfLength(73) },
        { registerDevice: textOfLength(201) },
      ].some(register),
    ).toBe(false);
    expect(register({ headImage: "a\0" })).toBe(false);
  });

  test("of changing the password and ending a session", () => {
    const change = accepts(ENDPOINTS.modifyPwd.body, { oldPassword: "", newPassword: "12345678" });
    expect([{}, { newPassword: textOfLength(72) }].every(change)).toBe(true);
    expect([{ newPassword: textOfLength(7) }, { newPassword: textOfLength(73) }].some(change)).toBe(false);
    const end = accepts(ENDPOINTS.endSession.query, {});
    expect([{}, { id: "s" }, { id: textOfLength(64) }].every(end)).toBe(true);
    expect([{ id: "" }, { id: textOfLength(65) }].some(end)).toBe(false);
  });

  test("of changing the profile", () => {
    const update = accepts(ENDPOINTS.updateUser.body, { id: 7 });
    const right = [
      { nickName: "A" },
      { nickName: textOfLength(40), sex: 0, signature: textOfLength(128) },
      { sex: 1, birthday: "2000-01-02", mobile: "13800000000", email: `${"a".repeat(95)}@b.cn` },
      { sex: null, signature: null, birthday: null, mobile: null, email: null },
      { mobile: "", email: "", signature: "", birthday: "" },
    ];
    for (const fields of right) expect(update(fields), JSON.stringify(fields)).toBe(true);
    const wrong = [
      { nickName: "" },
      { nickName: " " },
      { nickName: "\u200b" },
      { nickName: textOfLength(41) },
      { sex: 2 },
      { sex: -1 },
      { signature: textOfLength(129) },
      { birthday: "2000-01-02x" },
      { mobile: "12800000000" },
      { mobile: "138000000000" },
      { email: "a@b" },
      { email: `${"a".repeat(96)}@b.cn` },
      { headImage: "a\0" },
    ];
    for (const fields of wrong) expect(update(fields), JSON.stringify(fields)).toBe(false);
  });

  test("of finding people", () => {
    const find = accepts(ENDPOINTS.findUsersByName.query, {});
    expect([{ name: "a" }, { name: textOfLength(99) }].every(find)).toBe(true);
    expect([{ name: "" }, { name: " " }, { name: "a\0" }, {}].some(find)).toBe(false);
    const online = accepts(ENDPOINTS.findOnlineTerminals.query, {});
    expect(online({ userIds: ids(1_000).join(",") })).toBe(true);
    expect(online({ userIds: ids(1_001).join(",") })).toBe(false);
  });

  test("of managing friends", () => {
    const apply = accepts(ENDPOINTS.applyFriend.body, { friendId: 7 });
    expect([{}, { remark: null, source: null }, { remark: textOfLength(20) }].every(apply)).toBe(true);
    expect([{ remark: textOfLength(21) }, { friendId: -1 }].some(apply)).toBe(false);
    const remark = accepts(ENDPOINTS.updateFriendRemark.body, { friendId: 7 });
    expect([{ remarkNickName: null }, { remarkNickName: textOfLength(20) }].every(remark)).toBe(true);
    expect([{ remarkNickName: textOfLength(21) }, {}].some(remark)).toBe(false);
    const remind = accepts(ENDPOINTS.setFriendMsgRemind.body, { friendId: 7 });
    expect([-1, 0, 1, 2].map((msgRemind) => remind({ msgRemind }))).toEqual([false, true, true, false]);
  });

  test("of creating, finding and changing groups", () => {
    for (const body of [ENDPOINTS.createGroup.body, ENDPOINTS.modifyGroup.body]) {
      const named = accepts(body, { id: 5, name: "G" });
      expect([{}, { name: textOfLength(60) }].every(named)).toBe(true);
      expect(
        [{ name: "" }, { name: "\u2800" }, { name: textOfLength(61) }, { headImage: "a\0" }].some(named),
      ).toBe(false);
    }
    const create = accepts(ENDPOINTS.createGroup.body, { name: "G" });
    expect([{ memberIds: null }, { memberIds: ids(50), tmpId: textOfLength(64) }].every(create)).toBe(true);
    expect([{ memberIds: ids(51) }, { tmpId: textOfLength(65) }].some(create)).toBe(false);
    const modify = accepts(ENDPOINTS.modifyGroup.body, { id: 5 });
    const keys = (count: number) => Object.fromEntries(ids(count).map((key) => [`k${key}`, ""]));
    const right = [
      { notice: textOfLength(1_024), remarkGroupName: textOfLength(20), remarkNickName: null },
      { remarkNickName: textOfLength(20) },
      { attributes: keys(20) },
      { attributes: { [textOfLength(20)]: textOfLength(128) } },
    ];
    for (const fields of right) expect(modify(fields)).toBe(true);
    const wrong = [
      { notice: textOfLength(1_025) },
      { remarkGroupName: textOfLength(21) },
      { remarkNickName: textOfLength(21) },
      { attributes: keys(21) },
      { attributes: { "": "" } },
      { attributes: { [textOfLength(21)]: "" } },
      { attributes: { k: textOfLength(129) } },
    ];
    for (const fields of wrong) expect(modify(fields)).toBe(false);
    const find = accepts(ENDPOINTS.findGroupsByName.query, {});
    expect([{ name: "a" }, { name: " " }, { name: "" }].map(find)).toEqual([true, false, false]);
  });

  test("of the settings and the alert level of a group", () => {
    const settings = accepts(ENDPOINTS.setGroupSettings.body, { groupId: 5 });
    for (const name of ["inviteRole", "editRole", "attrRole"])
      expect([0, 1, 2, 3].map((right) => settings({ [name]: right }))).toEqual([false, true, true, false]);
    const remind = accepts(ENDPOINTS.setGroupMsgRemind.body, { groupId: 5 });
    expect([-1, 0, 1, 2, 3].map((msgRemind) => remind({ msgRemind }))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });

  test("of inviting and removing 1 to 50 people at once", () => {
    const invite = accepts(ENDPOINTS.inviteToGroup.body, { groupId: 5 });
    expect([0, 1, 50, 51].map((count) => invite({ friendIds: ids(count) }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    for (const call of ["removeGroupMembers", "addGroupManagers", "removeGroupManagers"] as const) {
      const people = accepts(ENDPOINTS[call].body, { groupId: 5 });
      expect([0, 1, 50, 51].map((count) => people({ userIds: ids(count) }))).toEqual([
        false,
        true,
        true,
        false,
      ]);
    }
    const apply = accepts(ENDPOINTS.applyGroup.body, { groupId: 5 });
    expect([{ remark: textOfLength(20) }, { remark: textOfLength(21) }].map(apply)).toEqual([true, false]);
  });

  test("of sending messages", () => {
    const sends = [
      accepts(ENDPOINTS.sendPrivateMessage.body, { recvId: 7, content: "", type: 0 }),
      accepts(ENDPOINTS.sendGroupMessage.body, { groupId: 5, content: "", type: 0 }),
    ];
    for (const send of sends) {
      expect([{}, { tmpId: null, quoteMessageId: null }, { tmpId: textOfLength(64) }].every(send)).toBe(true);
      expect([{ tmpId: textOfLength(65) }, { content: "a\0" }, { quoteMessageId: -1 }].some(send)).toBe(
        false,
      );
    }
    const mention = (...atUserIds: number[]) => sends[1]?.({ atUserIds });
    expect([mention(), mention(-1, 7), mention(...ids(20))]).toEqual([true, true, true]);
    expect([mention(-2), mention(...ids(21))]).toEqual([false, false]);
  });

  test("of deleting 1 to 100 messages for me at once", () => {
    for (const body of [ENDPOINTS.deletePrivateMessages.body, ENDPOINTS.deleteGroupMessages.body]) {
      const hide = accepts(body, { friendId: 7, groupId: 5 });
      expect([0, 1, 100, 101].map((n) => hide({ ids: ids(n) }))).toEqual([false, true, true, false]);
    }
  });

  test("of reading a page and the days of a chat", () => {
    const page = accepts(ENDPOINTS.privateHistory.query, { friendId: "7" });
    expect(["0", "1", "100", "101"].map((size) => page({ size }))).toEqual([false, true, true, false]);
    expect([{}, { maxId: "1", minId: "1", aroundId: "1", at: "1", page: "1" }].every(page)).toBe(true);
    const days = (...starts: number[]) =>
      ENDPOINTS.groupDays.query?.safeParse({ groupId: "5", starts: starts.join(",") }).success;
    expect([days(0, 1), days(1, 2, 3), days(...ids(32))]).toEqual([true, true, true]);
    expect([days(), days(1), days(2, 1), days(1, 1), days(1, 3, 2), days(...ids(33))]).not.toContain(true);
    const readers = accepts(ENDPOINTS.findReadedUsers.query, { groupId: "5", messageId: "1" });
    expect([{}, { who: "read" }, { who: "unread" }].every(readers)).toBe(true);
    expect(readers({ who: "all" })).toBe(false);
  });

  test("of searching and of the change feed", () => {
    const search = accepts(ENDPOINTS.searchMessages.query, { q: "a" });
    const right = [
      { q: "" },
      { q: textOfLength(64) },
      { types: ids(20).join(",") },
      { next: "1" },
      { next: "1-2" },
    ];
    for (const fields of right) expect(search(fields), JSON.stringify(fields)).toBe(true);
    const wrong = [{ q: textOfLength(65) }, { types: ids(21).join(",") }, { next: "1-" }];
    for (const fields of wrong) expect(search(fields), JSON.stringify(fields)).toBe(false);
    expect(search({ chatType: "CHANNEL" })).toBe(false);
    const since = accepts(ENDPOINTS.loadChanges.query, {});
    expect([{}, { since: "" }, { since: "12" }, { since: "a" }].map(since)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

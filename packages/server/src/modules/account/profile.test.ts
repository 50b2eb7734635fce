import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FindableBy } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import {
  type TestPerson,
  befriend,
  registerPerson,
  request,
  registerFriends,
} from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

async function upload(person: TestPerson): Promise<string> {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set("file", new Blob([new Uint8Array(picture)]), "a.png");
  const headers = { accessToken: person.tokens.accessToken };
  const { envelope } = await request(server.url, "/image/upload", { method: "POST", body, headers });
  return (envelope.data as { originUrl: string }).originUrl;
}

describe("GET /user/find/{id}", () => {
  test("others do not see birthday, mobile number and email", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    await b.ok("updateUser", {
      body: {
        id: b.id,
        mobile: "13800000000",
        email: "b@example.org",
        birthday: "1990-02-28",
        sex: 1,
        signature: "hi",
      },
    });
    expect(await a.ok("findUser", { params: { id: b.id } })).toEqual({
      id: b.id,
      userName: b.userName,
      nickName: `N ${b.userName}`,
      sex: 1,
      signature: "hi",
      birthday: null,
      mobile: null,
      email: null,
      headImage: null,
      headImageThumb: null,
      online: false,
      isManualApprove: null,
      findableBy: null,
      readReceipts: null,
      lastSeenShown: null,
      isBanned: false,
      reason: null,
      isAdmin: null,
    });
    const own = await b.ok("findUser", { params: { id: b.id } });
    expect(own).toMatchObject({ mobile: "13800000000", email: "b@example.org", birthday: "1990-02-28" });
  });

  test("an unknown id is not found", async () => {
    const a = await registerPerson(server.url);
    const { status, envelope } = await a.call("findUser", { params: { id: 999_999 } });
    expect([status, envelope.code, envelope.message]).toEqual([200, 500, "用户不存在"]);
  });

  test("an id that is not a number is malformed", async () => {
    const a = await registerPerson(server.url);
    const { status, envelope } = await a.send(ENDPOINTS.findUser, "/user/find/abc");
    expect([status, envelope.message]).toEqual([400, "id: not a whole number"]);
  });
});

describe("PUT /user/update", () => {
  test("takes the fields a person may change and ignores the rest of the posted object", async () => {
    const a = await registerPerson(server.url);
    const url = await upload(a);
    const me = await a.ok("self");
    const posted = {
      ...me,
      userName: "other",
      isBanned: true,
      online: false,
      isManualApprove: false,
      nickName: "New",
      sex: 0,
      signature: "  kept <i>exactly</i> ",
      birthday: "2000-02-29",
      mobile: "19912345678",
      email: "a@b.example",
      headImage: url,
      headImageThumb: url,
    };
    const answer = await a.send(ENDPOINTS.updateUser, "/user/update", posted);
    expect(answer.envelope).toEqual({ code: 200, message: "成功", data: null });
    expect(await a.ok("self")).toEqual({
      ...posted,
      userName: a.userName,
      isBanned: false,
      online: true,
      isManualApprove: true,
    });
  });

  test("the profile of somebody else is refused", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const { envelope } = await a.call("updateUser", { body: { id: b.id, nickName: "Stolen" } });
    expect(envelope).toMatchObject({ code: 500, message: "不允许修改其他用户的信息!", key: "user.notYours" });
  });

  test("without an id it is the own profile", async () => {
    const a = await registerPerson(server.url);
    await a.ok("updateUser", { body: { nickName: "Own" } });
    expect(await a.ok("self")).toMatchObject({ id: a.id, nickName: "Own" });
  });

  test("mobile, email, birthday and picture may be emptied", async () => {
    const a = await registerPerson(server.url);
    await a.ok("updateUser", {
      body: { id: a.id, mobile: "13800000000", email: "x@y.zz", birthday: "1999-01-01" },
    });
    await a.ok("updateUser", { body: { id: a.id, mobile: "", email: "", birthday: "", headImage: "" } });
    expect(await a.ok("self")).toMatchObject({ mobile: null, email: null, birthday: null, headImage: null });
  });

  test("omitted fields stay as they are", async () => {
    const a = await registerPerson(server.url);
    await a.ok("updateUser", { body: { id: a.id, signature: "stays" } });
    await a.ok("updateUser", { body: { id: a.id, sex: 1 } });
    expect(await a.ok("self")).toMatchObject({ signature: "stays", sex: 1 });
  });

  test.each([
    ["nickName", ""],
    ["nickName", " "],
    ["nickName", "x".repeat(41)],
    ["nickName", null],
    ["sex", 2],
    ["sex", "1"],
    ["signature", "s".repeat(129)],
    ["signature", "\udc00"],
    ["mobile", "12345678901"],
    ["mobile", "1380000000"],
    ["mobile", "138000000000"],
    ["mobile", "1380000000x"],
    ["email", "nobody"],
    ["email", "a@b"],
    ["email", `${"a".repeat(100)}@b.example`],
    ["birthday", "1949-12-31"],
    ["birthday", "1990-02-30"],
    ["birthday", "2001-02-29"],
    ["birthday", "1990-13-01"],
    ["birthday", "1990-1-1"],
    ["birthday", "2999-01-01"],
    ["id", "1"],
    ["id", -1],
  ])("%s %j is malformed", async (field, value) => {
    const a = await registerPerson(server.url);
    const { status, envelope } = await a.send(ENDPOINTS.updateUser, "/user/update", {
      id: a.id,
      [field]: value,
    });
    expect([status, envelope.code]).toEqual([400, 500]);
    expect(envelope.message.startsWith(`${field}: `)).toBe(true);
  });

  test("a person may change the profile 30 times a minute", async () => {
    await using limited = await createTestApp();
    const [a, b] = [await registerPerson(limited.url), await registerPerson(limited.url)];
    const change = (person: TestPerson) => person.call("updateUser", { body: { nickName: "Again" } });
    const answers = await Promise.all(Array.from({ length: 31 }, () => change(a)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await change(b)).status).toBe(200);
  });

  test("a picture this server did not issue is refused", async () => {
    const a = await registerPerson(server.url);
    for (const field of ["headImage", "headImageThumb"]) {
      const answer = await a.send(ENDPOINTS.updateUser, "/user/update", {
        id: a.id,
        [field]: "https://tracker.example/pixel.png",
      });
      expect(answer.envelope.key).toBe("file.notIssued");
    }
  });

  test("friends who are online get push 80 with the changed person under their own remark", async () => {
    const [a, b] = await registerFriends(server.url);
    const stranger = await registerPerson(server.url);
    await b.ok("updateFriendRemark", { body: { friendId: a.id, remarkNickName: "my pal" } });
    const [socket, other] = [await b.connect(), await stranger.connect()];
    await a.ok("updateUser", { body: { id: a.id, nickName: "Fresh" } });
    const push = await socket.nextOf(80);
    expect(push.data).toMatchObject({ sendId: a.id, recvId: b.id });
    expect(JSON.parse(push.data?.content ?? "")).toEqual(await b.ok("findFriend", { params: { id: a.id } }));
    expect(JSON.parse(push.data?.content ?? "")).toMatchObject({ nickName: "Fresh", showNickName: "my pal" });
    await a.ok("updateUser", { body: { id: a.id, mobile: "13800000000", birthday: "1990-02-28" } });
    await socket.flush();
    expect(socket.of(80)).toHaveLength(1);
    // Neither is part of the push, but a card that shows them is loaded again.
    await a.ok("updateUser", { body: { id: a.id, signature: "read me" } });
    await a.ok("updateUser", { body: { id: a.id, sex: 1 } });
    await socket.flush();
    expect(socket.of(80)).toHaveLength(3);
    await other.flush();
    expect(other.of(80)).toEqual([]);
    socket.close();
    other.close();
  });
});

describe("the person's own other devices and tabs", () => {
  test("get push 82 after a change of the profile or of the approval, and the acting one does not", async () => {
    const a = await registerPerson(server.url);
    const [acting, tab] = [a.tab("first"), a.tab("second")];
    const phone = await a.elsewhere({ terminal: 1 });
    const sockets = await Promise.all([acting, tab, phone].map((one) => one.connect({ caps: ["changes"] })));
    const [own, ...others] = sockets;
    await acting.ok("updateUser", { body: { id: a.id, mobile: "13800000000" } });
    await acting.ok("setManualApprove", { query: { enabled: false } });
    for (const socket of others) {
      const pushes = [await socket.nextOf(82), await socket.nextOf(82)];
      for (const { data } of pushes)
        expect(data).toMatchObject({ sendId: a.id, recvId: a.id, content: "people" });
    }
    await own?.flush();
    expect(own?.of(82)).toEqual([]);
    for (const socket of sockets) socket.close();
  });

  test("members of the groups get push 90 with the new name and picture, and nothing for the rest", async () => {
    const [a, b] = await registerFriends(server.url);
    const url = await upload(a);
    const group = await a.ok("createGroup", { body: { name: "Team", memberIds: [b.id] } });
    const socket = await b.connect();
    await a.ok("updateUser", { body: { id: a.id, nickName: "Fresh", headImage: url, headImageThumb: url } });
    await socket.nextOf(90);
    expect(await b.ok("listGroupMembers", { params: { id: group.id } })).toContainEqual(
      expect.objectContaining({ userId: a.id, showNickName: "Fresh", headImage: url }),
    );
    await a.ok("updateUser", { body: { id: a.id, signature: "for cards" } });
    await socket.flush();
    expect(socket.of(90)).toHaveLength(1);
    socket.close();
  });
});

describe("GET /user/findByName", () => {
  test("finds at most 20 people by a part of the user name or nickname, ignoring case, without wildcards", async () => {
    const a = await registerPerson(server.url, { userName: "Finder1", nickName: "100%_x" });
    await Promise.all(
      Array.from({ length: 22 }, (_, i) =>
        registerPerson(server.url, { userName: `crowd${i}`, nickName: "Crowd" }),
      ),
    );
    const find = async (name: string) =>
      (await a.ok("findUsersByName", { query: { name } })).map((user) => user.userName);
    expect(await find("INDER")).toEqual(["Finder1"]);
    expect(await find(" inder ")).toEqual(["Finder1"]);
    expect(await find("0%_")).toEqual(["Finder1"]);
    expect(await find("%%")).toEqual([]);
    expect(await find("crowd")).toHaveLength(20);
  });

  test.each(["", "%20"])("the empty name %j is malformed", async (name) => {
    const a = await registerPerson(server.url);
    const { status } = await a.send(ENDPOINTS.findUsersByName, `/user/findByName?name=${name}`);
    expect(status).toBe(400);
  });

  test("only friends are shown as online", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    const socket = await b.connect();
    const seen = async (by: TestPerson) =>
      (await by.ok("findUsersByName", { query: { name: b.userName } }))[0]?.online;
    expect([await seen(a), await seen(c)]).toEqual([true, false]);
    socket.close();
  });
});

describe("GET /user/terminal/online", () => {
  test("answers me and those friends who are online, each with terminals", async () => {
    const [a, b] = await registerFriends(server.url);
    const c = await registerPerson(server.url);
    const off = await registerPerson(server.url);
    await befriend(a, off);
    const phone = await b.elsewhere({ terminal: 1 });
    const sockets = [await a.connect(), await b.connect(), await phone.connect(), await c.connect()];
    const userIds = [a.id, b.id, c.id, off.id, 999_999];
    const online = await a.ok("findOnlineTerminals", { query: { userIds } });
    expect(online.toSorted((x, y) => x.userId - y.userId)).toEqual([
      { userId: a.id, terminals: [2] },
      { userId: b.id, terminals: [1, 2] },
    ]);
    for (const socket of sockets) socket.close();
  });

  test("a block hides presence in both directions", async () => {
    const [a, b] = await registerFriends(server.url);
    const sockets = [await a.connect(), await b.connect()];
    await a.ok("addToBlacklist", { query: { userId: b.id } });
    expect(await a.ok("findOnlineTerminals", { query: { userIds: [b.id] } })).toEqual([]);
    expect(await b.ok("findOnlineTerminals", { query: { userIds: [a.id] } })).toEqual([]);
    expect(await b.ok("findFriend", { params: { id: a.id } })).toMatchObject({
      online: false,
      onlineWeb: false,
    });
    for (const socket of sockets) socket.close();
  });

  test("more than 1,000 ids are malformed; no ids give an empty list", async () => {
    const a = await registerPerson(server.url);
    const ids = Array.from({ length: 1_001 }, (_, i) => i).join(",");
    expect((await a.send(ENDPOINTS.findOnlineTerminals, `/user/terminal/online?userIds=${ids}`)).status).toBe(
      400,
    );
    const none = await a.send(ENDPOINTS.findOnlineTerminals, "/user/terminal/online?userIds=");
    expect(none.envelope.data).toEqual([]);
  });
});

test("PUT /user/manualApprove is saved", async () => {
  const a = await registerPerson(server.url);
  await a.ok("setManualApprove", { query: { enabled: false } });
  expect((await a.ok("self")).isManualApprove).toBe(false);
  await a.ok("setManualApprove", { query: { enabled: true } });
  expect((await a.ok("self")).isManualApprove).toBe(true);
  const { status } = await a.send(ENDPOINTS.setManualApprove, "/user/manualApprove?enabled=yes");
  expect(status).toBe(400);
});

describe("ST1 PUT /user/findableBy", () => {
  test("a person is found by any name, by the complete user name, or not at all", async () => {
    const [a, b] = [await registerPerson(server.url), await registerPerson(server.url)];
    const find = async (name: string) =>
      (await a.ok("findUsersByName", { query: { name } })).some((user) => user.id === b.id);
    expect((await b.ok("self")).findableBy).toBe(FindableBy.ANY_NAME);
    expect(await find(`N ${b.userName}`)).toBe(true);
    await b.ok("setFindableBy", { query: { by: FindableBy.USER_NAME } });
    expect((await b.ok("self")).findableBy).toBe(FindableBy.USER_NAME);
    expect([await find(`N ${b.userName}`), await find(b.userName.slice(0, -1))]).toEqual([false, false]);
    expect(await find(` ${b.userName.toUpperCase()} `)).toBe(true);
    await b.ok("setFindableBy", { query: { by: FindableBy.NOTHING } });
    expect(await find(b.userName)).toBe(false);
    // People who have something in common with the person still see them.
    expect(await a.errorKeyOf("findUser", { params: { id: b.id } })).toBe("user.notFound");
    await b.ok("applyFriend", { body: { friendId: a.id } });
    expect((await a.ok("findUser", { params: { id: b.id } })).findableBy).toBeNull();
  });

  test("another value is malformed and changes nothing; without a token nothing is set", async () => {
    const a = await registerPerson(server.url);
    for (const by of ["0", "4", "", "nobody"]) {
      const { status } = await a.send(ENDPOINTS.setFindableBy, `/user/findableBy?by=${by}`);
      expect(status, by).toBe(400);
    }
    expect((await a.ok("self")).findableBy).toBe(FindableBy.ANY_NAME);
    const { envelope } = await request(server.url, "/user/findableBy?by=3", { method: "PUT" });
    expect([envelope.code, envelope.data]).toEqual([400, null]);
  });
});

test("GET /system/config answers the windows and limits of the configuration", async () => {
  await using own = await createTestApp({
    env: {
      RECALL_SECONDS: "7",
      EDIT_SECONDS: "8",
      TEXT_MAX: "9",
      UPLOAD_MAX_MB: "3",
      MAX_CALL_CHANNELS: "4",
    },
  });
  const a = await registerPerson(own.url);
  expect(await a.ok("loadSystemConfig")).toEqual({
    socketSecure: false,
    webrtc: { maxChannel: 4, heldOffer: true, iceServers: [] },
    group: { joinMode: 2 },
    message: { recallSeconds: 7, editSeconds: 8, textMax: 9 },
    upload: { imageMax: 3_145_728, fileMax: 3_145_728 },
    webPush: { publicKey: expect.stringMatching(/^[\w-]{87}$/) as string },
  });
});

describe("C101 what the settings say about the secure socket address", () => {
  const socketSecureOf = async (server: TestApp, headers: Record<string, string> = {}) => {
    const person = await registerPerson(server.url);
    Object.assign(person.headers, headers);
    const open = await request(server.url, "/globalSetting/load", { headers });
    const { socketSecure } = await person.ok("loadSystemConfig");
    expect(open.envelope.data).toMatchObject({ socketSecure });
    return socketSecure;
  };

  test("a server without TLS has none for an http page, and does not know for an https page", async () => {
    expect(await socketSecureOf(server)).toBe(false);
    expect(await socketSecureOf(server, { origin: "https://elsewhere.example" })).toBe(null);
    await using proxied = await createTestApp({ env: { TRUST_PROXY: "on" } });
    expect(await socketSecureOf(proxied, { "x-forwarded-proto": "https" })).toBe(null);
    expect(await socketSecureOf(proxied, { "x-forwarded-proto": "http" })).toBe(false);
  });

  test("a server whose PUBLIC_URL is https has one", async () => {
    await using own = await createTestApp({ env: { PUBLIC_URL: "https://chat.example.org" } });
    expect(await socketSecureOf(own)).toBe(true);
    await using plain = await createTestApp({ env: { PUBLIC_URL: "http://chat.example.org" } });
    expect(await socketSecureOf(plain)).toBe(false);
  });
});

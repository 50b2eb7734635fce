import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApp, createTestApp } from "../../testing/test-app.ts";
import { logIn, request } from "../../testing/test-person.ts";

let server: TestApp;
beforeAll(async () => void (server = await createTestApp({ env: { RATE_LIMITS: "off" } })));
afterAll(() => server[Symbol.asyncDispose]());

let nameCount = 0;
const form = (more: object = {}) => ({
  terminal: 2,
  userName: `reg${++nameCount}`,
  nickName: "Nick",
  password: "password-1",
  confirmPassword: "password-1",
  registerDevice: "Linux Chrome",
  ...more,
});
const register = (more: object = {}, url = server.url) =>
  request(url, "/register", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(form(more)),
  });

async function uploadAvatar(url: string): Promise<{ originUrl: string; thumbUrl: string }> {
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const body = new FormData();
  body.set("file", new Blob([new Uint8Array(picture)]), "a.png");
  const { envelope } = await request(url, "/image/upload", { method: "POST", body });
  return envelope.data as { originUrl: string; thumbUrl: string };
}

describe("POST /register", () => {
  test("answers null, and the person can log in", async () => {
    const userName = "Newcomer1";
    expect((await register({ userName })).envelope).toEqual({ code: 200, message: "成功", data: null });
    const me = await (await logIn(server.url, userName)).ok("self");
    expect(me).toEqual({
      id: expect.any(Number),
      userName,
      nickName: "Nick",
      sex: null,
      signature: null,
      birthday: null,
      mobile: null,
      email: null,
      headImage: null,
      headImageThumb: null,
      online: true,
      isManualApprove: true,
      findableBy: 1,
      readReceipts: true,
      lastSeenShown: true,
      isBanned: false,
      reason: null,
      isAdmin: false,
    });
  });

  test("a taken name is 10003, whatever its case", async () => {
    await register({ userName: "Taken1" });
    const { status, envelope } = await register({ userName: "tAKEN1" });
    expect(status).toBe(200);
    expect(envelope).toMatchObject({ code: 10_003, message: "该用户名已注册" });
  });

  test("of many parallel registrations with one name exactly one succeeds", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => register({ userName: "Race1" })));
    const codes = answers.map((answer) => answer.envelope.code).sort((a, b) => a - b);
    expect(codes).toEqual([200, ...Array.from({ length: 7 }, () => 10_003)]);
  });

  test("confirmPassword must match if it is sent", async () => {
    expect((await register({ confirmPassword: "password-2" })).envelope.key).toBe("register.confirmMismatch");
    expect((await register({ confirmPassword: undefined })).envelope.code).toBe(200);
    expect((await register({ confirmPassword: null })).envelope.code).toBe(200);
  });

  test.each([
    ["userName", ""],
    ["userName", "has space"],
    ["userName", "有汉字"],
    ["userName", "under_score"],
    ["userName", "x".repeat(21)],
    ["userName", 5],
    ["userName", undefined],
    ["nickName", ""],
    ["nickName", "   "],
    ["nickName", "n".repeat(41)],
    ["nickName", "a\0"],
    ["nickName", "\ud800"],
    ["nickName", null],
    ["password", "short12"],
    ["password", "p".repeat(73)],
    ["password", undefined],
    ["registerDevice", "d".repeat(201)],
    ["terminal", 9],
  ])("%s %j is malformed", async (field, value) => {
    const { status, envelope } = await register({ [field]: value });
    expect([status, envelope.code]).toEqual([400, 500]);
    expect(envelope.message.startsWith(`${field}: `)).toBe(true);
  });

  test("40 emoji are a valid nickname: lengths count code points", async () => {
    expect((await register({ nickName: "😀".repeat(40) })).envelope.code).toBe(200);
  });

  test("a nickname with HTML is stored unchanged", async () => {
    const nickName = "<b>&amp;'\"</b>";
    await register({ userName: "Html1", nickName });
    expect((await (await logIn(server.url, "Html1")).ok("self")).nickName).toBe(nickName);
  });

  test("unknown fields are ignored", async () => {
    const answer = await register({ id: 1, isBanned: false, __proto__: { x: 1 }, more: { deep: [] } });
    expect(answer.envelope.code).toBe(200);
  });

  test("the avatar must be a file of this server", async () => {
    for (const url of [
      "https://evil.example/x.png",
      "/files/00000000000000000000000000000000/image.png",
      "javascript:1",
    ]) {
      expect((await register({ headImage: url })).envelope.key).toBe("file.notIssued");
      expect((await register({ headImageThumb: url })).envelope.key).toBe("file.notIssued");
    }
    const { originUrl, thumbUrl } = await uploadAvatar(server.url);
    const answer = await register({ userName: "Avatar1", headImage: originUrl, headImageThumb: thumbUrl });
    expect(answer.envelope.code).toBe(200);
    const me = await (await logIn(server.url, "Avatar1")).ok("self");
    expect([me.headImage, me.headImageThumb]).toEqual([originUrl, thumbUrl]);
  });

  test("allows 200 registrations an hour from one address", async () => {
    await using own = await createTestApp();
    // A taken name counts as well, and saves the time of hashing a password.
    await register({ userName: "Limited1" }, own.url);
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => register({ userName: "Limited1" }, own.url)),
    );
    expect(answers.filter(({ envelope }) => envelope.code === 10_003)).toHaveLength(199);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1);
  });
});

describe("the register screen's switches", () => {
  test("by default no invite code and no avatar are required", async () => {
    const { envelope } = await request(server.url, "/globalSetting/load");
    expect(envelope.data).toEqual({
      userRegisterInviteCode: false,
      updateAvatarAfterRegister: false,
      socketSecure: false,
    });
  });

  test("with OPEN_REGISTRATION off, a registration is refused", async () => {
    await using own = await createTestApp({ env: { OPEN_REGISTRATION: "off" } });
    expect((await register({}, own.url)).envelope.key).toBe("register.closed");
  });

  test("with INVITE_CODE_REQUIRED, an invite code works as often as it says, and a failed registration gives it back", async () => {
    await using own = await createTestApp({ env: { INVITE_CODE_REQUIRED: "on" } });
    const { store } = own.app;
    await store.write((tx) => tx.insertInviteCode("twice-only", 2, null));
    await store.write((tx) => tx.insertInviteCode("too-late", 9, own.clock.now() - 1));
    const { envelope } = await request(own.url, "/globalSetting/load");
    expect(envelope.data).toMatchObject({ userRegisterInviteCode: true });
    for (const spreadCode of [undefined, null, "", "wrong", "too-late"]) {
      expect((await register({ spreadCode }, own.url)).envelope.key).toBe("register.inviteCodeWrong");
    }
    expect((await register({ userName: "Invited1", spreadCode: "twice-only" }, own.url)).envelope.code).toBe(
      200,
    );
    expect((await register({ userName: "Invited1", spreadCode: "twice-only" }, own.url)).envelope.code).toBe(
      10_003,
    );
    expect((await register({ spreadCode: " twice-only " }, own.url)).envelope.code).toBe(200);
    expect((await register({ spreadCode: "twice-only" }, own.url)).envelope.key).toBe(
      "register.inviteCodeWrong",
    );
  });

  test("with AVATAR_REQUIRED, a registration without an avatar is refused", async () => {
    await using own = await createTestApp({ env: { AVATAR_REQUIRED: "on" } });
    const { envelope } = await request(own.url, "/globalSetting/load");
    expect(envelope.data).toMatchObject({ updateAvatarAfterRegister: true });
    expect((await register({}, own.url)).envelope.key).toBe("register.avatarRequired");
    expect((await register({ headImage: "" }, own.url)).envelope.key).toBe("register.avatarRequired");
    const { originUrl } = await uploadAvatar(own.url);
    expect((await register({ headImage: originUrl }, own.url)).envelope.code).toBe(200);
  });
});

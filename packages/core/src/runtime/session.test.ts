import { describe, expect, test } from "vitest";
import { friendVO, FRIEND_CHAT, userInfo } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeDevice } from "../testing/fake-tabs.ts";
import { answerStart, createSolo, loggedIn, pushed, type Solo, TOKENS } from "../testing/logged-in.ts";
import { createMemoryStorage, type MemoryStorage } from "../testing/memory-storage.ts";
import { settle } from "../testing/settle.ts";

const FORM = { userName: "me", password: "secret", rememberName: true, rememberPassword: true };

async function signIn(solo: Solo, form = FORM, accessToken = TOKENS.accessToken): Promise<void> {
  const done = solo.client.session.login(form);
  await settle();
  await solo.reply("/login", { ...TOKENS, accessToken });
  await solo.reply("/user/self", userInfo());
  await done;
  await settle();
}

/** What a reload leaves: the same storage, another page. */
async function reloaded(storage: MemoryStorage, isSameTab: boolean): Promise<Solo> {
  const solo = createSolo({ storage: storage.tab(isSameTab) });
  const done = solo.client.session.resume();
  await settle();
  await done;
  return solo;
}

/** Lets what is written behind reach the disk. */
async function written(solo: Solo): Promise<void> {
  clockOf(solo.ports).advance(200);
  await settle();
}

describe("logging in", () => {
  test("S13 saved accounts hold what was ticked, the password only sealed", async () => {
    const solo = createSolo();
    await signIn(solo);
    const account = { userName: "me", nickName: "Me", headImageThumb: null, hasPassword: true };
    expect(solo.client.session.savedAccounts()).toEqual([account]);
    expect(await solo.client.session.savedPassword("me")).toBe("secret");
    expect(solo.ports.storage.local.get("parley.accounts")).toContain("sealed:secret");
    await solo.client.session.logout();
    await signIn(solo, { ...FORM, rememberPassword: false });
    expect(solo.client.session.savedAccounts()).toEqual([{ ...account, hasPassword: false }]);
    solo.client.session.forgetAccount("me");
    expect(solo.client.session.savedAccounts()).toEqual([]);
  });

  test("S13 the form begins with what was ticked at the last login", async () => {
    const solo = createSolo();
    const { session } = solo.client;
    expect(session.savedTicks()).toEqual({ rememberName: true, rememberPassword: false });
    for (const ticks of [
      { rememberName: true, rememberPassword: true },
      { rememberName: false, rememberPassword: false },
      { rememberName: true, rememberPassword: false },
    ]) {
      await signIn(solo, { ...FORM, ...ticks });
      await session.logout();
      expect(session.savedTicks()).toEqual(ticks);
    }
  });

  test("S13 without a vault no password is kept", async () => {
    const solo = createSolo({ storage: createMemoryStorage({ hasVault: false }) });
    expect(solo.client.session.canRememberPassword).toBe(false);
    await signIn(solo);
    expect(solo.client.session.savedAccounts()).toMatchObject([{ hasPassword: false }]);
    expect(await solo.client.session.savedPassword("me")).toBeNull();
  });

  test("S2 a wrong password is told to the caller alone", async () => {
    const solo = createSolo();
    const done = solo.client.session.login(FORM);
    await solo.reply("/login", null, 10_001);
    expect(await done).toMatchObject({ ok: false, failure: { kind: "refused", code: 10_001 } });
    expect(solo.client.getState().session).toEqual({ kind: "anonymous", ended: null });
    expect(solo.notices).toEqual([]);
  });

  test("S21 until a login has told who it is nothing is done in the name of nobody", async () => {
    const solo = createSolo();
    const done = solo.client.session.login(FORM);
    await settle();
    await solo.reply("/login", TOKENS);
    // The token is there; whose it is is asked just now.
    solo.client.chats.sendText(FRIEND_CHAT, "too early");
    const asked = [solo.client.groups.find(1), solo.client.contacts.reload(), solo.client.session.sessions()];
    expect(solo.waiting()).toEqual(["/user/self"]);
    const refused = { ok: false, failure: { kind: "loggedOut" } };
    expect(await Promise.all(asked)).toEqual([refused, refused, refused]);
    expect(solo.client.getState().chats.byKey).toEqual({});
    await solo.reply("/user/self", userInfo());
    await done;
    solo.client.chats.sendText(FRIEND_CHAT, "hello");
    expect(solo.client.getState().chats.byKey[FRIEND_CHAT]?.window.messages).toMatchObject([
      { content: "hello", sendId: 1, selfSend: true },
    ]);
  });

  test.each([["answered", 200] as const, ["refused", 401] as const])(
    "S104 a login that comes after a logout is ended on the server, and nothing comes of it when that is %s",
    async (_how, code) => {
      const solo = createSolo();
      const done = solo.client.session.login(FORM);
      await settle();
      await solo.client.session.logout();
      await solo.reply("/login", TOKENS);
      expect((await done).ok).toBe(false);
      expect(solo.waiting()).toEqual(["/logout"]);
      expect(solo.ports.http.waiting[0]?.request.headers["accessToken"]).toBe("access%201");
      await solo.reply("/logout", null, code);
      expect(solo.waiting()).toEqual([]);
      expect(solo.client.getState().session).toEqual({ kind: "anonymous", ended: null });
    },
  );

  const REGISTER = {
    userName: "me",
    nickName: " Me ",
    password: "password",
    confirmPassword: "password",
    inviteCode: " ",
    headImage: null,
    headImageThumb: null,
  };

  test("S12 registering is followed by a login", async () => {
    const solo = createSolo();
    const done = solo.client.session.register(REGISTER);
    const request = solo.ports.http.waiting[0]?.request;
    expect(bodyOf(request)).toMatchObject({
      terminal: 2,
      nickName: "Me",
      registerDevice: "Linux Test 1",
      spreadCode: null,
    });
    await solo.reply("/register", null);
    await solo.reply("/login", TOKENS);
    await solo.reply("/user/self", userInfo());
    expect(await done).toEqual({ ok: true, value: { loggedIn: true } });
  });

  test("S12 when that fails the caller hears that the account exists", async () => {
    const solo = createSolo();
    const done = solo.client.session.register(REGISTER);
    await solo.reply("/register", null);
    await solo.reply("/login", null, 500);
    expect(await done).toEqual({ ok: true, value: { loggedIn: false } });
  });

  test("S12 a refused registration is no account", async () => {
    const solo = createSolo();
    const done = solo.client.session.register(REGISTER);
    await solo.reply("/register", null, 10_003);
    expect(await done).toMatchObject({ ok: false, failure: { code: 10_003 } });
    expect(solo.notices).toHaveLength(1);
  });

  test("S15 a device number is made once and kept", async () => {
    const storage = createMemoryStorage();
    createSolo({ storage, name: "first" });
    const made = storage.local.get("parley.device");
    createSolo({ storage, name: "second" });
    expect(made).toBe("first-1");
    expect(storage.local.get("parley.device")).toBe(made);
  });
});

describe("coming back", () => {
  test("S9 a reload shows list, last chat and friends before the network answers", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5), pushed(6));
    solo.client.chats.open(FRIEND_CHAT);
    await written(solo);
    const again = await reloaded(solo.ports.storage, true);
    const state = again.client.getState();
    expect(again.ports.http.waiting).toEqual([]);
    expect(state.session).toEqual({ kind: "active", userId: 1 });
    expect(state.chats.openKey).toBe(FRIEND_CHAT);
    expect(state.chats.byKey[FRIEND_CHAT]).toMatchObject({ unread: 2, preview: { text: "text 6" } });
    expect(state.chats.byKey[FRIEND_CHAT]?.window.messages.map((message) => message.id)).toEqual([5, 6]);
    expect(state.contacts.friends[2]).toEqual(friendVO());
    expect(state.me).toEqual(userInfo());
  });

  test("S10 a new tab shows what is on disk and logs in with the remembered password", async () => {
    const solo = createSolo();
    await signIn(solo);
    await solo.goOnline();
    await answerStart(solo);
    await solo.endPulls();
    await solo.push(pushed(5));
    await written(solo);
    const tab = await reloaded(solo.ports.storage, false);
    expect(tab.client.getState().chats.order).toEqual([FRIEND_CHAT]);
    expect(tab.waiting()).toEqual(["/login"]);
    await tab.reply("/login", TOKENS);
    await tab.reply("/user/self", userInfo());
    await tab.goOnline();
    expect(tab.client.getState().connection.kind).toBe("online");
  });

  test("S10 it goes on trying when there is no answer, and gives up when it is refused", async () => {
    const solo = createSolo();
    await signIn(solo);
    const tab = await reloaded(solo.ports.storage, false);
    tab.ports.http.replyRaw("/login", { kind: "failed", reason: "offline" });
    await settle();
    expect(tab.client.getState()).toMatchObject({
      session: { kind: "active" },
      connection: { kind: "waiting" },
    });
    clockOf(tab.ports).advance(15_000);
    await settle();
    await tab.reply("/login", null, 10_001);
    expect(tab.client.getState().session).toEqual({ kind: "anonymous", ended: null });
  });

  test("S20 who logs out in one tab is out in all tabs; somebody else is not", async () => {
    const [device, storage] = [createFakeDevice(), createMemoryStorage()];
    const solo = await loggedIn({ device, storage });
    const other = await loggedIn({ device, storage: storage.tab(false) });
    const stranger = createSolo({ device, storage: storage.tab(false) });
    const done = stranger.client.session.login({ ...FORM, userName: "her" });
    await settle();
    await stranger.reply("/login", TOKENS);
    await stranger.reply("/user/self", userInfo({ id: 7, userName: "her" }));
    await done;
    await solo.client.session.logout();
    await settle();
    expect(other.client.getState().session).toEqual({ kind: "anonymous", ended: null });
    expect(other.waiting()).toContain("/logout");
    expect(stranger.client.getState().session).toMatchObject({ userId: 7 });
  });

  test("S20 whoever clears what the browser keeps is out in all tabs, also in that one", async () => {
    const [device, storage] = [createFakeDevice(), createMemoryStorage()];
    const solo = await loggedIn({ device, storage });
    const other = await loggedIn({ device, storage: storage.tab(false) });
    storage.clearLocal();
    await settle();
    for (const { client } of [solo, other])
      expect(client.getState().session).toEqual({ kind: "anonymous", ended: null });
  });

  test("S10 not after an explicit logout", async () => {
    const solo = createSolo();
    await signIn(solo);
    await solo.client.session.logout();
    expect(solo.waiting()).toContain("/logout");
    const tab = await reloaded(solo.ports.storage, false);
    expect(tab.client.getState().session.kind).toBe("anonymous");
    expect(tab.waiting()).toEqual([]);
  });
});

describe("the end of a session", () => {
  test("S11 a forced logout tells why, and counts as an explicit one", async () => {
    const solo = createSolo();
    await signIn(solo);
    await solo.goOnline();
    await solo.push({ cmd: 2, data: "elsewhere", reason: "kicked" });
    expect(solo.client.getState().session).toEqual({
      kind: "anonymous",
      ended: { reason: "kicked", text: "elsewhere" },
    });
    expect(solo.client.getState().chats.order).toEqual([]);
    expect(solo.ports.sockets.last().closedByClient).toBe(3_000);
    solo.client.session.acknowledgeEnd();
    expect(solo.client.getState().session).toEqual({ kind: "anonymous", ended: null });
    expect((await reloaded(solo.ports.storage, false)).waiting()).toEqual([]);
  });

  test.each([
    [50, "banned"],
    [54, "unregistered"],
  ])("S11 type %i ends it as %s", async (type, reason) => {
    const solo = await loggedIn();
    await solo.push({ cmd: 5, data: { type, content: "because" } });
    expect(solo.client.getState().session).toEqual({ kind: "anonymous", ended: { reason, text: "because" } });
  });

  test("S3 S11 an expired session leaves the remembered password in use", async () => {
    const solo = createSolo();
    await signIn(solo);
    void solo.client.contacts.reload();
    await solo.reply("/friend/list", null, 400);
    expect(solo.client.getState().session).toEqual({
      kind: "anonymous",
      ended: { reason: "expired", text: null },
    });
    expect((await reloaded(solo.ports.storage, false)).waiting()).toEqual(["/login"]);
  });

  test("S16 a late answer for one person never touches the state of the next", async () => {
    const solo = await loggedIn();
    void solo.client.contacts.reload();
    solo.client.chats.open("PRIVATE:9");
    await solo.client.session.logout();
    const [friends] = solo.ports.http.waiting.filter(({ request }) => request.url.includes("/friend/list"));
    await signIn(solo, { ...FORM, userName: "other" }, "access 2");
    expect(friends).toBeDefined();
    solo.ports.http.finish(friends!, {
      kind: "answer",
      status: 200,
      text: '{"code":400,"message":"","data":null}',
      retryAfterSeconds: null,
    });
    await settle();
    expect(solo.client.getState().session.kind).toBe("active");
  });
});

describe("two people at one computer", () => {
  test("S16 leaving writes what waits to the database it was meant for, and leaves the next one open", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    await solo.client.session.logout();
    solo.ports.http.waiting.splice(0);
    const done = solo.client.session.login({ ...FORM, userName: "other" });
    await solo.reply("/login", { ...TOKENS, accessToken: "access 2" });
    await solo.reply("/user/self", userInfo({ id: 9 }));
    await done;
    const other = solo.client.getState();
    expect(other).toMatchObject({ storage: "disk", session: { userId: 9 }, chats: { order: [] } });
    await solo.client.session.logout();
    await signIn(solo, FORM, "access 3");
    expect(solo.client.getState().chats.order).toEqual([FRIEND_CHAT]);
  });
});

describe("tokens", () => {
  test("C15 a token that ends within 60 s is refreshed before the socket logs in", async () => {
    const solo = await loggedIn();
    clockOf(solo.ports).advance(1_800_000 - 60_000);
    await settle();
    solo.ports.sockets.last().close(1006);
    solo.ports.http.waiting.splice(0);
    solo.client.session.retryConnection();
    await settle();
    expect(solo.waiting()).toEqual(["/refreshToken"]);
    await solo.reply("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    await solo.goOnline();
    expect(solo.ports.sockets.last().up[0]).toContain("access 2");
  });

  test("S4 many calls that meet 401 share one refresh", async () => {
    const solo = await loggedIn();
    void solo.client.contacts.reload();
    for (const part of ["/friend/list", "/request/list", "/blacklist/list"]) {
      solo.ports.http.reply(part, null, 401);
    }
    await settle();
    expect(solo.waiting()).toEqual(["/refreshToken"]);
    await solo.reply("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    expect(solo.waiting()).toEqual(["/friend/list", "/friend/request/list", "/blacklist/list"]);
  });

  test("S8 tabs that share a session share its newest pair", async () => {
    const device = createFakeDevice();
    const storage = createMemoryStorage();
    const first = await loggedIn({ device, storage });
    await written(first);
    const second = createSolo({ device, storage: storage.tab(true) });
    await second.client.session.resume();
    void first.client.contacts.reload();
    void second.client.contacts.reload();
    first.ports.http.reply("/friend/list", null, 401);
    second.ports.http.reply("/friend/list", null, 401);
    await settle();
    expect([...first.waiting(), ...second.waiting()].filter((url) => url === "/refreshToken")).toHaveLength(
      1,
    );
    await first.reply("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    await settle();
    expect(second.waiting()).not.toContain("/refreshToken");
    const again = second.ports.http.waiting.find(({ request }) => request.url.includes("/friend/list"));
    expect(again?.request.headers["accessToken"]).toBe("access%202");
  });

  test("S8 a tab that slept finds the newer pair on disk", async () => {
    const storage = createMemoryStorage();
    const first = await loggedIn({ storage });
    await written(first);
    // Another device object: what the first tab tells does not reach the second.
    const second = createSolo({ storage: storage.tab(true) });
    await second.client.session.resume();
    void first.client.contacts.reload();
    first.ports.http.reply("/friend/list", null, 401);
    await settle();
    await first.reply("/refreshToken", { ...TOKENS, accessToken: "access 2", refreshToken: "refresh 2" });
    void second.client.contacts.reload();
    second.ports.http.reply("/friend/list", null, 401);
    await settle();
    expect(second.waiting()).not.toContain("/refreshToken");
  });
});

describe("a custom server", () => {
  const settings = { userRegisterInviteCode: false, updateAvatarAfterRegister: false };
  const probe = (solo: Solo, text: string) => solo.client.session.setCustomServer(text);

  test("S14 is probed under /api, then without, and kept when it answers", async () => {
    const solo = createSolo();
    const done = probe(solo, "https://other.example/");
    solo.ports.http.replyRaw("other.example/api/", {
      kind: "answer",
      status: 404,
      text: "nothing",
      retryAfterSeconds: null,
    });
    await settle();
    await solo.reply("other.example/globalSetting/load", settings);
    expect(await done).toEqual({ ok: true, value: null });
    expect(solo.client.session.customServer()).toBe("https://other.example");
    expect(solo.client.fileUrl("/files/a/b.png")).toBe("https://other.example/files/a/b.png");
    expect(await probe(solo, " ")).toEqual({ ok: true, value: null });
    expect(solo.client.fileUrl("/files/a/b.png")).toBe("https://im.example/files/a/b.png");
  });

  test.each([
    ["not an address", "notAnAddress"],
    ["https://user@host", "notAnAddress"],
    ["http://lan", "plainFromSecure"],
  ])("S14 %s is refused as %s", async (text, problem) => {
    expect(await probe(createSolo(), text)).toEqual({ ok: false, problem });
  });

  test("S14 what does not answer, or is another program, is told apart and not kept", async () => {
    const solo = createSolo();
    const silent = probe(solo, "https://a.example");
    solo.ports.http.replyRaw("a.example", { kind: "failed", reason: "offline" });
    await settle();
    solo.ports.http.replyRaw("a.example", { kind: "failed", reason: "offline" });
    expect(await silent).toEqual({ ok: false, problem: "noAnswer" });
    const other = probe(solo, "https://b.example");
    await solo.reply("b.example", {});
    await solo.reply("b.example", {});
    expect(await other).toEqual({ ok: false, problem: "notParley" });
    expect(solo.client.session.customServer()).toBe("");
  });
});

import { describe, expect, test } from "vitest";
import { friendVO, FRIEND_CHAT, userInfo } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import {
  answerLoginRequests,
  createSingleClient,
  createLoggedInClient,
  pushedRow,
  type SingleClient,
  TOKENS,
} from "../testing/single-client.ts";
import { createMemoryStorage, type MemoryStorage } from "../testing/memory-storage.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";

const FORM = { userName: "me", password: "secret", rememberName: true, rememberPassword: true };

async function signIn(single: SingleClient, form = FORM, accessToken = TOKENS.accessToken): Promise<void> {
  const done = single.client.session.login(form);
  await flushMicrotasks();
  await single.respond("/login", { ...TOKENS, accessToken });
  await single.respond("/user/self", userInfo());
  await done;
  await flushMicrotasks();
}

/** Reloads the page: a new client over the same storage. */
async function reloadPage(storage: MemoryStorage, isSameTab: boolean): Promise<SingleClient> {
  const single = createSingleClient({ storage: storage.tab(isSameTab) });
  const done = single.client.session.resume();
  await flushMicrotasks();
  await done;
  return single;
}

/** Lets deferred writes reach the database. */
async function flushWrites(single: SingleClient): Promise<void> {
  clockOf(single.ports).advance(200);
  await flushMicrotasks();
}

describe("logging in", () => {
  test("S13 saved accounts hold what was ticked, and the password only encrypted", async () => {
    const single = createSingleClient();
    await signIn(single);
    const account = {
      userId: userInfo().id,
      userName: "me",
      nickName: "Me",
      headImageThumb: null,
      hasPassword: true,
    };
    expect(single.client.session.savedAccounts()).toEqual([account]);
    expect(await single.client.session.savedPassword("me")).toBe("secret");
    expect(single.ports.storage.local.get("parley.accounts")).toContain("sealed:secret");
    await single.client.session.logout();
    await signIn(single, { ...FORM, rememberPassword: false });
    expect(single.client.session.savedAccounts()).toEqual([{ ...account, hasPassword: false }]);
    single.client.session.forgetAccount("me");
    expect(single.client.session.savedAccounts()).toEqual([]);
  });

  test("S13 the form begins with what was ticked at the last login", async () => {
    const single = createSingleClient();
    const { session } = single.client;
    expect(session.savedLoginOptions()).toEqual({ rememberName: true, rememberPassword: false });
    for (const ticks of [
      { rememberName: true, rememberPassword: true },
      { rememberName: false, rememberPassword: false },
      { rememberName: true, rememberPassword: false },
    ]) {
      await signIn(single, { ...FORM, ...ticks });
      await session.logout();
      expect(session.savedLoginOptions()).toEqual(ticks);
    }
  });

  test("S13 without a vault no password is saved", async () => {
    const single = createSingleClient({ storage: createMemoryStorage({ hasVault: false }) });
    expect(single.client.session.canRememberPassword).toBe(false);
    await signIn(single);
    expect(single.client.session.savedAccounts()).toMatchObject([{ hasPassword: false }]);
    expect(await single.client.session.savedPassword("me")).toBeNull();
  });

  test("S13 a password that this device cannot encrypt is not saved, and the person is told", async () => {
    const vault = {
      seal: () => Promise.reject(new Error("no key store")),
      open: () => Promise.resolve(null),
    };
    const single = createSingleClient({ storage: { ...createMemoryStorage(), vault } });
    await signIn(single, { ...FORM, rememberPassword: false });
    expect(single.notices).toEqual([]);
    await single.client.session.logout();
    await signIn(single);
    expect(single.client.getState().session.kind).toBe("active");
    expect(single.notices).toEqual([{ kind: "passwordNotKept" }]);
    expect(single.client.session.savedAccounts()).toMatchObject([{ hasPassword: false }]);
  });

  test("S13 a password is not given to a server that was chosen while it was being decrypted", async () => {
    let openVault: ((password: string) => void) | undefined;
    const vault = {
      seal: async (secret: string) => secret,
      open: () => new Promise<string>((resolve) => (openVault = resolve)),
    };
    const single = createSingleClient({ storage: { ...createMemoryStorage(), vault } });
    await signIn(single);
    await single.client.session.logout();
    const password = single.client.session.savedPassword("me");
    const chosen = single.client.session.setCustomServer("https://other.example");
    await single.respond("other.example/api/globalSetting/load", {
      userRegisterInviteCode: false,
      updateAvatarAfterRegister: false,
    });
    expect(await chosen).toEqual({ ok: true, value: null });
    openVault?.("secret");
    expect(await password).toBeNull();
  });

  test("S2 a wrong password is reported to the caller, and once by a toast", async () => {
    const single = createSingleClient();
    const done = single.client.session.login(FORM);
    await single.respond("/login", null, 10_001);
    expect(await done).toMatchObject({ ok: false, failure: { kind: "refused", code: 10_001 } });
    expect(single.client.getState().session).toEqual({ kind: "anonymous", ended: null });
    expect(single.notices).toMatchObject([{ kind: "failure", failure: { kind: "refused" } }]);
  });

  test("S21 until a login knows its user, actions fail as logged out", async () => {
    const single = createSingleClient();
    const done = single.client.session.login(FORM);
    await flushMicrotasks();
    await single.respond("/login", TOKENS);
    // The token has arrived; the request for its user is still on its way.
    single.client.chats.sendText(FRIEND_CHAT, "too early");
    const results = [
      single.client.groups.find(1),
      single.client.contacts.reload(),
      single.client.account.sessions(),
    ];
    expect(single.waiting()).toEqual(["/user/self"]);
    const refused = { ok: false, failure: { kind: "loggedOut" } };
    expect(await Promise.all(results)).toEqual([refused, refused, refused]);
    expect(single.client.getState().chats.byKey).toEqual({});
    await single.respond("/user/self", userInfo());
    await done;
    single.client.chats.sendText(FRIEND_CHAT, "hello");
    expect(single.client.getState().chats.byKey[FRIEND_CHAT]?.window.messages).toMatchObject([
      { content: "hello", sendId: 1, selfSend: true },
    ]);
  });

  test.each([["answered", 200] as const, ["refused", 401] as const])(
    "S104 a login answered after a logout is ended on the server, and changes nothing when that call is %s",
    async (_how, code) => {
      const single = createSingleClient();
      const done = single.client.session.login(FORM);
      await flushMicrotasks();
      await single.client.session.logout();
      await single.respond("/login", TOKENS);
      expect((await done).ok).toBe(false);
      expect(single.waiting()).toEqual(["/logout"]);
      expect(single.ports.http.waiting[0]?.request.headers["accessToken"]).toBe("access%201");
      await single.respond("/logout", null, code);
      expect(single.waiting()).toEqual([]);
      expect(single.client.getState().session).toEqual({ kind: "anonymous", ended: null });
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
    const single = createSingleClient();
    const done = single.client.session.register(REGISTER);
    const request = single.ports.http.waiting[0]?.request;
    expect(bodyOf(request)).toMatchObject({
      terminal: 2,
      nickName: "Me",
      registerDevice: "Linux Test 1",
      spreadCode: null,
    });
    await single.respond("/register", null);
    await single.respond("/login", TOKENS);
    await single.respond("/user/self", userInfo());
    expect(await done).toEqual({ ok: true, value: { loggedIn: true } });
  });

  test("S12 when the login after registering fails, the caller learns that the account exists", async () => {
    const single = createSingleClient();
    const done = single.client.session.register(REGISTER);
    await single.respond("/register", null);
    await single.respond("/login", null, 500);
    expect(await done).toEqual({ ok: true, value: { loggedIn: false } });
  });

  test("S12 a refused registration is reported as a failure", async () => {
    const single = createSingleClient();
    const done = single.client.session.register(REGISTER);
    await single.respond("/register", null, 10_003);
    expect(await done).toMatchObject({ ok: false, failure: { code: 10_003 } });
    expect(single.notices).toHaveLength(1);
  });

  test("S15 a device number is created once and kept", async () => {
    const storage = createMemoryStorage();
    createSingleClient({ storage, name: "first" });
    const firstNumber = storage.local.get("parley.device");
    createSingleClient({ storage, name: "second" });
    expect(firstNumber).toBe("first-1");
    expect(storage.local.get("parley.device")).toBe(firstNumber);
  });
});

describe("reloading and opening tabs", () => {
  test("S9 a reload shows list, last chat and friends before the network answers", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5), pushedRow(6));
    single.client.chats.open(FRIEND_CHAT);
    await flushWrites(single);
    const again = await reloadPage(single.ports.storage, true);
    const state = again.client.getState();
    expect(again.ports.http.waiting).toEqual([]);
    expect(state.session).toEqual({ kind: "active", userId: 1 });
    expect(state.chats.openKey).toBe(FRIEND_CHAT);
    expect(state.chats.byKey[FRIEND_CHAT]).toMatchObject({ unread: 2, preview: { text: "text 6" } });
    expect(state.chats.byKey[FRIEND_CHAT]?.window.messages.map((message) => message.id)).toEqual([5, 6]);
    expect(state.contacts.friends[2]).toEqual(friendVO());
    expect(state.me).toEqual(userInfo());
  });

  test("S10 a new tab shows what the local database holds and logs in with the remembered password", async () => {
    const single = createSingleClient();
    await signIn(single);
    await single.goOnline();
    await answerLoginRequests(single);
    await single.endPulls();
    await single.push(pushedRow(5));
    await flushWrites(single);
    const tab = await reloadPage(single.ports.storage, false);
    expect(tab.client.getState().chats.order).toEqual([FRIEND_CHAT]);
    expect(tab.waiting()).toEqual(["/login"]);
    await tab.respond("/login", TOKENS);
    await tab.respond("/user/self", userInfo());
    await tab.goOnline();
    expect(tab.client.getState().connection.kind).toBe("online");
  });

  test("S10 the automatic login is retried without an answer, and gives up when it is refused", async () => {
    const single = createSingleClient();
    await signIn(single);
    const tab = await reloadPage(single.ports.storage, false);
    tab.ports.http.replyRaw("/login", { kind: "failed", reason: "offline" });
    await flushMicrotasks();
    expect(tab.client.getState()).toMatchObject({
      session: { kind: "active" },
      connection: { kind: "waiting" },
    });
    clockOf(tab.ports).advance(15_000);
    await flushMicrotasks();
    await tab.respond("/login", null, 10_001);
    expect(tab.client.getState().session).toEqual({ kind: "anonymous", ended: null });
  });

  test("S20 logging out in one tab signs the user out in all tabs, and no other user", async () => {
    const [device, storage] = [createFakeTabs(), createMemoryStorage()];
    const single = await createLoggedInClient({ device, storage });
    const other = await createLoggedInClient({ device, storage: storage.tab(false) });
    const stranger = createSingleClient({ device, storage: storage.tab(false) });
    const done = stranger.client.session.login({ ...FORM, userName: "her" });
    await flushMicrotasks();
    await stranger.respond("/login", TOKENS);
    await stranger.respond("/user/self", userInfo({ id: 7, userName: "her" }));
    await done;
    await single.client.session.logout();
    await flushMicrotasks();
    expect(other.client.getState().session).toEqual({ kind: "anonymous", ended: null });
    expect(other.waiting()).toContain("/logout");
    expect(stranger.client.getState().session).toMatchObject({ userId: 7 });
  });

  test("S20 clearing the site data logs the user out in all tabs, also in the one that cleared it", async () => {
    const [device, storage] = [createFakeTabs(), createMemoryStorage()];
    const single = await createLoggedInClient({ device, storage });
    const other = await createLoggedInClient({ device, storage: storage.tab(false) });
    storage.clearLocal();
    await flushMicrotasks();
    for (const { client } of [single, other])
      expect(client.getState().session).toEqual({ kind: "anonymous", ended: null });
  });

  test("S10 a new tab does not log in by itself after an explicit logout", async () => {
    const single = createSingleClient();
    await signIn(single);
    await single.client.session.logout();
    expect(single.waiting()).toContain("/logout");
    const tab = await reloadPage(single.ports.storage, false);
    expect(tab.client.getState().session.kind).toBe("anonymous");
    expect(tab.waiting()).toEqual([]);
  });
});

describe("the end of a session", () => {
  test("S11 a forced logout gives its reason and counts as an explicit logout", async () => {
    const single = createSingleClient();
    await signIn(single);
    await single.goOnline();
    await single.push({ cmd: 2, data: "elsewhere", reason: "kicked" });
    expect(single.client.getState().session).toEqual({
      kind: "anonymous",
      ended: { reason: "kicked", text: "elsewhere" },
    });
    expect(single.client.getState().chats.order).toEqual([]);
    expect(single.ports.sockets.last().closedByClient).toBe(3_000);
    single.client.session.acknowledgeEnd();
    expect(single.client.getState().session).toEqual({ kind: "anonymous", ended: null });
    expect((await reloadPage(single.ports.storage, false)).waiting()).toEqual([]);
  });

  test.each([
    [50, "banned"],
    [54, "unregistered"],
  ])("S11 a system message of type %i ends the session as %s", async (type, reason) => {
    const single = await createLoggedInClient();
    await single.push({ cmd: 5, data: { type, content: "because" } });
    expect(single.client.getState().session).toEqual({
      kind: "anonymous",
      ended: { reason, text: "because" },
    });
  });

  test("S3 S11 after an expired session a new tab logs in with the remembered password", async () => {
    const single = createSingleClient();
    await signIn(single);
    void single.client.contacts.reload();
    await single.respond("/friend/list", null, 400);
    expect(single.client.getState().session).toEqual({
      kind: "anonymous",
      ended: { reason: "expired", text: null },
    });
    expect((await reloadPage(single.ports.storage, false)).waiting()).toEqual(["/login"]);
  });

  test("S16 an answer that arrives after logout does not change the next user's state", async () => {
    const single = await createLoggedInClient();
    void single.client.contacts.reload();
    single.client.chats.open("PRIVATE:9");
    await single.client.session.logout();
    const [friends] = single.ports.http.waiting.filter(({ request }) => request.url.includes("/friend/list"));
    await signIn(single, { ...FORM, userName: "other" }, "access 2");
    expect(friends).toBeDefined();
    single.ports.http.finish(friends!, {
      kind: "answer",
      status: 200,
      text: '{"code":400,"message":"","data":null}',
      retryAfterSeconds: null,
    });
    await flushMicrotasks();
    expect(single.client.getState().session.kind).toBe("active");
  });
});

describe("two people at one computer", () => {
  test("S16 a logout writes pending changes to that user's database and leaves the next user's open", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    await single.client.session.logout();
    single.ports.http.waiting.splice(0);
    const done = single.client.session.login({ ...FORM, userName: "other" });
    await single.respond("/login", { ...TOKENS, accessToken: "access 2" });
    await single.respond("/user/self", userInfo({ id: 9 }));
    await done;
    const other = single.client.getState();
    expect(other).toMatchObject({ storage: "disk", session: { userId: 9 }, chats: { order: [] } });
    await single.client.session.logout();
    await signIn(single, FORM, "access 3");
    expect(single.client.getState().chats.order).toEqual([FRIEND_CHAT]);
  });
});

describe("tokens", () => {
  test("C15 a token that ends within 60 s is refreshed before the socket logs in", async () => {
    const single = await createLoggedInClient();
    clockOf(single.ports).advance(1_800_000 - 60_000);
    await flushMicrotasks();
    single.ports.sockets.last().close(1006);
    single.ports.http.waiting.splice(0);
    single.client.session.reconnectNow();
    await flushMicrotasks();
    expect(single.waiting()).toEqual(["/refreshToken"]);
    await single.respond("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    await single.goOnline();
    expect(single.ports.sockets.last().up[0]).toContain("access 2");
  });

  test("S4 several calls that get 401 share one refresh", async () => {
    const single = await createLoggedInClient();
    void single.client.contacts.reload();
    for (const part of ["/friend/list", "/request/list", "/blacklist/list"]) {
      single.ports.http.reply(part, null, 401);
    }
    await flushMicrotasks();
    expect(single.waiting()).toEqual(["/refreshToken"]);
    await single.respond("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    expect(single.waiting()).toEqual(["/friend/list", "/friend/request/list", "/blacklist/list"]);
  });

  test("S8 tabs that share a session share its newest tokens", async () => {
    const device = createFakeTabs();
    const storage = createMemoryStorage();
    const first = await createLoggedInClient({ device, storage });
    await flushWrites(first);
    const second = createSingleClient({ device, storage: storage.tab(true) });
    await second.client.session.resume();
    void first.client.contacts.reload();
    void second.client.contacts.reload();
    first.ports.http.reply("/friend/list", null, 401);
    second.ports.http.reply("/friend/list", null, 401);
    await flushMicrotasks();
    expect([...first.waiting(), ...second.waiting()].filter((url) => url === "/refreshToken")).toHaveLength(
      1,
    );
    await first.respond("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    await flushMicrotasks();
    expect(second.waiting()).not.toContain("/refreshToken");
    const again = second.ports.http.waiting.find(({ request }) => request.url.includes("/friend/list"));
    expect(again?.request.headers["accessToken"]).toBe("access%202");
  });

  test("S8 a suspended tab finds the newer tokens in the database", async () => {
    const storage = createMemoryStorage();
    const first = await createLoggedInClient({ storage });
    await flushWrites(first);
    // Another device object: broadcasts of the first tab do not reach the second.
    const second = createSingleClient({ storage: storage.tab(true) });
    await second.client.session.resume();
    void first.client.contacts.reload();
    first.ports.http.reply("/friend/list", null, 401);
    await flushMicrotasks();
    await first.respond("/refreshToken", { ...TOKENS, accessToken: "access 2", refreshToken: "refresh 2" });
    void second.client.contacts.reload();
    second.ports.http.reply("/friend/list", null, 401);
    await flushMicrotasks();
    expect(second.waiting()).not.toContain("/refreshToken");
  });
});

test("a login with tokens that the server has answered already asks for none, and is a session like any other", async () => {
  const single = createSingleClient();
  const done = single.client.session.login(FORM, TOKENS);
  await flushMicrotasks();
  expect(single.waiting()).not.toContain("/login");
  await single.respond("/user/self", userInfo());
  expect(await done).toEqual({ ok: true, value: null });
  expect(single.client.getState().session.kind).toBe("active");
});

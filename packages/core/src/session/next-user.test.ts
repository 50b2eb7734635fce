import { describe, expect, test } from "vitest";
import { FRIEND_CHAT, friendVO, GROUP, memberVO, ownRow, privateRow, userInfo } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import {
  createSingleClient,
  createLoggedInClient,
  advanceTime,
  pushedRow,
  type SingleClient,
  TOKENS,
} from "../testing/single-client.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import {
  NEXT_USER,
  holdResponse,
  delayOpen,
  delayReads,
  logInNextUser,
  connectNextUser,
  tokensOf,
} from "../testing/next-user.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { groupPush, createClientWithMembers } from "../testing/single-client-groups.ts";
import { assembleClient } from "../assemble-client.ts";
import { createSignedInClient } from "../signed-in-client.ts";

const ME_FORM = { userName: "me", password: "secret", rememberName: true, rememberPassword: true };
const MINE = "parley-chats:https://im.example:1";
const HERS = `parley-chats:https://im.example:${NEXT_USER}`;
const ANONYMOUS = { kind: "anonymous", ended: null };

const session = (single: SingleClient) => single.client.getState().session;
/** The tmpIds of the messages that are being sent. */
const tmpIdsOf = (single: SingleClient) =>
  single.ports.http.waiting
    .filter(({ request }) => request.url.endsWith("/private/send"))
    .map(({ request }) => (bodyOf(request) as { tmpId: string }).tmpId);
const shownIn = (single: SingleClient) =>
  single.client
    .getState()
    .chats.byKey[FRIEND_CHAT]?.window.messages.map(({ content, sending }) => [content, sending]);
/** The session that a reload of this tab would resume. */
const savedSession = (single: SingleClient) => single.ports.storage.session.get("parley.session");

/** A new tab that logs in by itself: it shows what the local database holds, and POST /login waits for its answer. */
async function createTabLoggingIn(device = createFakeTabs()): Promise<SingleClient> {
  const single = createSingleClient();
  const done = single.client.session.login(ME_FORM);
  await flushMicrotasks();
  await single.respond("/login", TOKENS);
  await single.respond("/user/self", userInfo());
  await done;
  const tab = createSingleClient({ device, storage: single.ports.storage.tab(false), name: "tab" });
  await tab.client.session.resume();
  await flushMicrotasks();
  expect(tab.waiting()).toEqual(["/login"]);
  return tab;
}

/** A reloaded page before `resume`: its database holds a friend, a group, a received message and an unsent one. */
async function createReloadedClient(): Promise<SingleClient> {
  const single = await createLoggedInClient();
  await single.push(pushedRow(5), groupPush());
  single.client.chats.sendText(FRIEND_CHAT, "only mine");
  await flushMicrotasks();
  clockOf(single.ports).advance(200);
  await flushMicrotasks();
  return createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
}

describe("a late login answer", () => {
  test.each(["here", "in another tab"])(
    "S22 a user who logs out %s before the login answer stays signed out",
    async (where) => {
      const device = createFakeTabs();
      const other = await createLoggedInClient({ device });
      const single = await createTabLoggingIn(device);
      await (where === "here" ? single : other).client.session.logout();
      await single.respond("/login", TOKENS);
      expect(single.waiting()).toEqual(["/logout"]);
      expect(session(single)).toEqual(ANONYMOUS);
      expect(savedSession(single)).toBeNull();
    },
  );

  test("S22 a user who logs out while the password is being unsealed is not logged in", async () => {
    const storage = (await createTabLoggingIn()).ports.storage.tab(false);
    const open = async (sealed: string) => {
      await single.client.session.logout();
      return sealed;
    };
    const single = createSingleClient({
      storage: Object.assign(storage, { vault: { ...storage.vault, open } }),
    });
    await single.client.session.resume();
    await flushMicrotasks();
    expect(single.waiting()).toEqual([]);
    expect(session(single)).toEqual(ANONYMOUS);
  });

  test("S22 a user who logs out while the password is being sealed stays signed out", async () => {
    const storage = createMemoryStorage();
    const seal = async (secret: string) => {
      await single.client.session.logout();
      return secret;
    };
    const single = createSingleClient({
      storage: Object.assign(storage, { vault: { ...storage.vault, seal } }),
    });
    const done = single.client.session.login(ME_FORM);
    await flushMicrotasks();
    await single.respond("/login", TOKENS);
    await single.respond("/user/self", userInfo());
    expect(await done).toEqual({ ok: false, failure: { kind: "loggedOut" } });
    expect(session(single)).toEqual(ANONYMOUS);
  });

  test("S16 S22 after a late login answer the next user sends her own token and stays signed in", async () => {
    const single = await createTabLoggingIn();
    const answer = holdResponse(single, "/login");
    await single.client.session.logout();
    await logInNextUser(single);
    await answer(TOKENS);
    // The session that came too late is ended on the server, with its own token.
    await single.respond("/logout", null);
    void single.client.contacts.reload();
    expect(tokensOf(single)).toEqual(new Set(["hers"]));
    expect(single.waiting()).not.toContain("/user/self");
    expect(savedSession(single)).toContain('"hers"');
  });

  test("S16 a login that is refused late does not end the next user's session", async () => {
    const single = await createTabLoggingIn();
    const answer = holdResponse(single, "/login");
    await single.client.session.logout();
    await logInNextUser(single);
    await answer(null, 10_001);
    expect(session(single)).toEqual({ kind: "active", userId: NEXT_USER });
  });

  test.each([
    ["is answered", 200],
    ["fails", 500],
  ])(
    "S16 a late request for the own user does not change the next user's tokens when it %s",
    async (_, code) => {
      const single = await createTabLoggingIn();
      await single.respond("/login", TOKENS);
      const answer = holdResponse(single, "/user/self");
      await single.client.session.logout();
      await logInNextUser(single);
      await answer(userInfo(), code);
      expect(session(single)).toEqual({ kind: "active", userId: NEXT_USER });
      expect(JSON.parse(savedSession(single) ?? "")).toMatchObject({
        userId: NEXT_USER,
        tokens: { accessToken: "hers" },
      });
    },
  );

  test("S16 a registration that is answered late does not replace the user who has logged in since", async () => {
    const single = createSingleClient();
    const done = single.client.session.register({
      userName: "me",
      nickName: "Me",
      password: "password",
      confirmPassword: "password",
      inviteCode: "",
      headImage: null,
      headImageThumb: null,
    });
    const answer = holdResponse(single, "/register");
    await logInNextUser(single);
    await answer(null);
    expect(await done).toEqual({ ok: true, value: { loggedIn: false } });
    expect(session(single)).toEqual({ kind: "active", userId: NEXT_USER });
  });
});

describe("a late token refresh", () => {
  async function createClientWithLateRefresh() {
    const single = await createLoggedInClient();
    void single.client.contacts.reload();
    await single.respond("/friend/list", null, 401);
    const answer = holdResponse(single, "/refreshToken");
    await single.client.session.logout();
    await logInNextUser(single);
    return { single, answer };
  }

  test("S16 a late refreshed token is not used for the next user", async () => {
    const { single, answer } = await createClientWithLateRefresh();
    await answer({ ...TOKENS, accessToken: "mine refreshed" });
    expect(savedSession(single)).not.toContain("mine refreshed");
    void single.client.contacts.reload();
    expect(tokensOf(single)).toEqual(new Set(["hers"]));
  });

  test("S16 the next user does not wait for the previous user's refresh", async () => {
    const { single, answer } = await createClientWithLateRefresh();
    single.ports.http.waiting.splice(0);
    void single.client.contacts.reload();
    await single.respond("/friend/list", null, 401);
    expect(single.waiting()).toContain("/refreshToken");
    await answer(null, 500);
    await single.respond("/refreshToken", { ...TOKENS, accessToken: "hers refreshed" });
    expect(single.waiting()).toContain("/friend/list");
    expect(tokensOf(single)).toContain("hers%20refreshed");
    expect(session(single)).toEqual({ kind: "active", userId: NEXT_USER });
  });
});

describe("a late database read", () => {
  test("S16 data read late for one user is not shown to the next", async () => {
    const single = await createReloadedClient();
    const late = new Set(["outbox", "changesToken", "me", "readNotices", "cleared"]);
    const release = delayReads(single.ports.storage, MINE, (read) => late.has(read));
    void single.client.session.resume();
    await flushMicrotasks();
    await single.client.session.logout();
    await logInNextUser(single);
    await release();
    await single.goOnline();
    expect(single.waiting()).toContain("/message/private/pullOfflineMessage?minId=0");
    expect(single.waiting()).not.toContain("/message/private/send");
    const { chats, contacts, groups } = single.client.getState();
    expect([chats.order, contacts.friends, groups.byId]).toEqual([[], {}, {}]);
  });

  test("S16 a database that opens late receives nothing of the next user", async () => {
    const single = await createReloadedClient();
    const before = await (await single.ports.storage.open(MINE)).outbox();
    const release = delayOpen(single.ports.storage, MINE);
    void single.client.session.resume();
    await flushMicrotasks();
    await single.client.session.logout();
    await logInNextUser(single);
    await release();
    single.client.chats.sendText(FRIEND_CHAT, "only hers");
    await flushMicrotasks();
    const outbox = async (name: string) =>
      (await (await single.ports.storage.open(name)).outbox()).map(({ content }) => content);
    expect(await outbox(HERS)).toEqual(["only hers"]);
    expect(await outbox(MINE)).toEqual(before.map(({ content }) => content));
    expect(single.client.getState().storage).toBe("disk");
  });

  test("S16 a late database failure does not affect the next user", async () => {
    const single = await createReloadedClient();
    const { storage } = single.ports;
    const open = storage.open.bind(storage);
    let failOpen = (_: Error): void => undefined;
    storage.open = (name) => (name === MINE ? new Promise((_, reject) => (failOpen = reject)) : open(name));
    void single.client.session.resume();
    await flushMicrotasks();
    await single.client.session.logout();
    await logInNextUser(single);
    failOpen(new Error("too late"));
    await flushMicrotasks();
    expect(single.client.getState().storage).toBe("disk");
    expect(single.notices).toEqual([]);
  });
});

describe("a late answer to an action", () => {
  test("S16 a late answer does not change the next session of the same user", async () => {
    const single = await createLoggedInClient();
    void single.client.contacts.reload();
    void single.client.contacts.search("x");
    const [friends, found] = [holdResponse(single, "/friend/list"), holdResponse(single, "/user/findByName")];
    await single.client.session.logout();
    single.ports.http.waiting.splice(0);
    void single.client.session.login(ME_FORM);
    await flushMicrotasks();
    await single.respond("/login", { ...TOKENS, accessToken: "access 2" });
    await single.respond("/user/self", userInfo());
    await flushMicrotasks();
    await connectNextUser(single);
    await found([userInfo({ id: 77 })]);
    await friends([friendVO({ id: 44 })]);
    expect(session(single)).toEqual({ kind: "active", userId: 1 });
    expect(single.client.getState().contacts.users).toEqual({});
    expect(single.client.getState().contacts.order).toEqual([2]);
  });

  test("S16 actions that a screen holds from before a logout do nothing in the next session", async () => {
    const single = await createLoggedInClient();
    const { chats } = single.client;
    await single.client.session.logout();
    chats.sendText(FRIEND_CHAT, "between");
    await logInNextUser(single);
    await connectNextUser(single);
    chats.sendText(FRIEND_CHAT, "too late");
    chats.setDraft(FRIEND_CHAT, "too late");
    await advanceTime(single, 10_000);
    expect(await chats.recall(FRIEND_CHAT, 5)).toEqual({ ok: false, failure: { kind: "loggedOut" } });
    expect(single.client.getState().chats.order).toEqual([]);
    expect(single.waiting().filter((url) => /send|recall/.test(url))).toEqual([]);
    expect(single.ports.storage.session.get("parley.draft")).toBeNull();
  });

  test("O11 S16 a pending forward of one user is not sent by the next", async () => {
    const single = await createLoggedInClient();
    void single.client.chats.forward(FRIEND_CHAT, [4], ["PRIVATE:3"]);
    void single.client.chats.forward(FRIEND_CHAT, [5, 6], ["PRIVATE:3"]);
    await flushMicrotasks();
    const answers = [holdResponse(single, "/private/history"), holdResponse(single, "/private/history")];
    await single.client.session.logout();
    await answers[0]?.([privateRow({ id: 4 })]);
    await answers[1]?.([privateRow({ id: 5 })]);
    expect(single.waiting()).toEqual(["/logout"]);
    await logInNextUser(single);
    await connectNextUser(single);
    expect(single.client.getState().chats.byKey["PRIVATE:3"]).toBeUndefined();
    expect(single.waiting().filter((url) => /send|history/.test(url))).toEqual([]);
  });

  test.each([
    ["stored", 200],
    ["refused", 500],
  ])("S16 a send of one user that is %s late does not appear for the next", async (_, code) => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "mine");
    await flushMicrotasks();
    const tmpId = tmpIdsOf(single)[0] ?? null;
    const answer = holdResponse(single, "/private/send");
    await single.client.session.logout();
    await logInNextUser(single);
    await connectNextUser(single);
    single.client.chats.sendText(FRIEND_CHAT, "hers");
    await flushMicrotasks();
    const hers = tmpIdsOf(single);
    await answer(code === 200 ? ownRow({ id: 9, tmpId, content: "mine" }) : null, code);
    clockOf(single.ports).advance(5_000);
    await flushMicrotasks();
    expect(shownIn(single)).toEqual([["hers", "sending"]]);
    expect(tmpIdsOf(single)).toEqual(hers);
    await single.respond(
      "/private/send",
      ownRow({ id: 10, tmpId: hers[0] ?? null, sendId: NEXT_USER, content: "hers" }),
    );
    expect(shownIn(single)).toEqual([["hers", null]]);
    expect(tmpIdsOf(single)).toEqual([]);
    expect(single.notices).toEqual([]);
  });

  test("S16 the next user's retry timer is independent of the previous user's", async () => {
    const single = await createLoggedInClient();
    const sendWithTimeout = async (text: string) => {
      single.client.chats.sendText(FRIEND_CHAT, text);
      await flushMicrotasks();
      single.ports.http.replyRaw("/private/send", { kind: "failed", reason: "timeout" });
      await flushMicrotasks();
    };
    await sendWithTimeout("mine");
    await single.client.session.logout();
    await logInNextUser(single);
    await connectNextUser(single);
    await advanceTime(single, 3_000);
    await sendWithTimeout("hers");
    await advanceTime(single, 4_999);
    expect(tmpIdsOf(single)).toEqual([]);
    await advanceTime(single, 1);
    expect(tmpIdsOf(single)).toHaveLength(1);
  });

  test("P12 S16 a friend that one user pins is not pinned for the next", async () => {
    const single = await createLoggedInClient();
    void single.client.chats.setTop(FRIEND_CHAT, true);
    const answer = holdResponse(single, "/friend/top");
    await single.client.session.logout();
    await logInNextUser(single);
    await connectNextUser(single);
    await answer(null);
    expect(single.client.getState().contacts.friends[2]).toEqual(friendVO());
  });

  test("P9 S16 users that one user searched for are not known to the next", async () => {
    const single = await createLoggedInClient();
    void single.client.contacts.search("x");
    const answer = holdResponse(single, "/user/findByName");
    await single.client.session.logout();
    await logInNextUser(single);
    await answer([userInfo({ id: 77 })]);
    expect(single.client.getState().contacts.users).toEqual({});
  });

  test("G9 S16 a change to members stops at logout and does not appear in the next user's list", async () => {
    const single = await createClientWithMembers({ role: 3 });
    const memberIds = Array.from({ length: 60 }, (_, i) => i + 11);
    void single.client.groups.setMuted(GROUP, memberIds, true);
    const answer = holdResponse(single, "/group/members/muted");
    await single.client.session.logout();
    await logInNextUser(single);
    await connectNextUser(single);
    await single.push(groupPush({ role: 3 }));
    void single.client.groups.loadMembers(GROUP);
    await single.respond(`/group/members/${GROUP}`, [
      memberVO({ userId: NEXT_USER }),
      memberVO({ userId: 11 }),
    ]);
    await answer(null);
    expect(single.client.getState().groups.members[GROUP]?.byId[11]?.isMuted).toBe(false);
    expect(single.waiting().filter((url) => url.includes("muted"))).toEqual([]);
  });

  test("S16 a signed-in client that is created after the logout is not used for the next user", async () => {
    let create = (): void => undefined;
    const isLoaded = new Promise<void>((resolve) => (create = resolve));
    const single = createSingleClient({}, (ports) =>
      assembleClient(ports, async (deps) => {
        if (deps.me !== NEXT_USER) await isLoaded;
        return createSignedInClient(deps);
      }),
    );
    const loggedIn = single.client.session.login(ME_FORM);
    await flushMicrotasks();
    await single.respond("/login", TOKENS);
    await single.respond("/user/self", userInfo());
    await single.client.session.logout();
    await logInNextUser(single);
    await connectNextUser(single);
    create();
    await loggedIn;
    await advanceTime(single, 60_000);
    expect(session(single)).toEqual({ kind: "active", userId: NEXT_USER });
    expect(single.ports.sockets.all).toHaveLength(1);
    expect(tokensOf(single)).toEqual(new Set(["hers"]));
    void single.client.contacts.block(2);
    expect(single.waiting().filter((url) => url.includes("blacklist"))).toHaveLength(1);
  });

  test("S4 S16 a call that gets 401 is not repeated for the next user", async () => {
    const single = await createLoggedInClient();
    void single.client.contacts.block(2);
    const answer = holdResponse(single, "/blacklist/add");
    await single.client.session.logout();
    await logInNextUser(single);
    await answer(null, 401);
    expect(single.waiting().filter((url) => url.includes("blacklist"))).toEqual([]);
    expect(session(single)).toEqual({ kind: "active", userId: NEXT_USER });
  });
});

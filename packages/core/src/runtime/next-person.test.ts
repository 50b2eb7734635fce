import { describe, expect, test } from "vitest";
import { FRIEND_CHAT, friendVO, GROUP, memberVO, ownRow, privateRow, userInfo } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { createFakeDevice } from "../testing/fake-tabs.ts";
import { createSolo, loggedIn, pass, pushed, type Solo, TOKENS } from "../testing/logged-in.ts";
import { createMemoryStorage } from "../testing/memory-storage.ts";
import {
  HER,
  holdBack,
  openLate,
  readLate,
  sheComes,
  sheIsOnline,
  tokensOf,
} from "../testing/next-person.ts";
import { settle } from "../testing/settle.ts";
import { shown, withMembers } from "../testing/solo-groups.ts";
import { createClientWith } from "./client-with.ts";
import { LATE_PARTS } from "./late-parts.ts";
import type { LateParts } from "./late.ts";
import { createRoom } from "./room.ts";

const ME_FORM = { userName: "me", password: "secret", rememberName: true, rememberPassword: true };
const MINE = "parley:https://im.example:1";
const HERS = `parley:https://im.example:${HER}`;
const ANONYMOUS = { kind: "anonymous", ended: null };

const session = (solo: Solo) => solo.client.getState().session;
/** Messages on their way. */
const tmpIdsOf = (solo: Solo) =>
  solo.ports.http.waiting
    .filter(({ request }) => request.url.endsWith("/private/send"))
    .map(({ request }) => (bodyOf(request) as { tmpId: string }).tmpId);
const shownIn = (solo: Solo) =>
  solo.client
    .getState()
    .chats.byKey[FRIEND_CHAT]?.window.messages.map(({ content, sending }) => [content, sending]);
/** What a reload of this tab would go on with. */
const keptSession = (solo: Solo) => solo.ports.storage.session.get("parley.session");

/** A new tab that logs in by itself: what is on disk is shown, POST /login waits. */
async function loggingIn(device = createFakeDevice()): Promise<Solo> {
  const solo = createSolo();
  const done = solo.client.session.login(ME_FORM);
  await settle();
  await solo.reply("/login", TOKENS);
  await solo.reply("/user/self", userInfo());
  await done;
  const tab = createSolo({ device, storage: solo.ports.storage.tab(false), name: "tab" });
  await tab.client.session.resume();
  await settle();
  expect(tab.waiting()).toEqual(["/login"]);
  return tab;
}

/** The disk of somebody with a friend, a group, a message that came and one that waits; then a reload that has yet to begin. */
async function leftBehind(): Promise<Solo> {
  const solo = await loggedIn();
  await solo.push(pushed(5), shown());
  solo.client.chats.sendText(FRIEND_CHAT, "mine alone");
  await settle();
  clockOf(solo.ports).advance(200);
  await settle();
  return createSolo({ storage: solo.ports.storage.tab(true), name: "again" });
}

describe("a login that is answered late", () => {
  test.each(["here", "in another tab"])("S22 whoever logs out meanwhile, %s, stays out", async (where) => {
    const device = createFakeDevice();
    const other = await loggedIn({ device });
    const solo = await loggingIn(device);
    await (where === "here" ? solo : other).client.session.logout();
    await solo.reply("/login", TOKENS);
    expect(solo.waiting()).toEqual(["/logout"]);
    expect(session(solo)).toEqual(ANONYMOUS);
    expect(keptSession(solo)).toBeNull();
  });

  test("S22 whoever logs out while the password is unsealed does not log in at all", async () => {
    const storage = (await loggingIn()).ports.storage.tab(false);
    const open = async (sealed: string) => {
      await solo.client.session.logout();
      return sealed;
    };
    const solo = createSolo({ storage: Object.assign(storage, { vault: { ...storage.vault, open } }) });
    await solo.client.session.resume();
    await settle();
    expect(solo.waiting()).toEqual([]);
    expect(session(solo)).toEqual(ANONYMOUS);
  });

  test("S22 whoever logs out while the password is sealed is not let in", async () => {
    const storage = createMemoryStorage();
    const seal = async (secret: string) => {
      await solo.client.session.logout();
      return secret;
    };
    const solo = createSolo({ storage: Object.assign(storage, { vault: { ...storage.vault, seal } }) });
    const done = solo.client.session.login(ME_FORM);
    await settle();
    await solo.reply("/login", TOKENS);
    await solo.reply("/user/self", userInfo());
    expect(await done).toEqual({ ok: false, failure: { kind: "loggedOut" } });
    expect(session(solo)).toEqual(ANONYMOUS);
  });

  test("S16 S22 the next one speaks with her own token, and stays", async () => {
    const solo = await loggingIn();
    const answer = holdBack(solo, "/login");
    await solo.client.session.logout();
    await sheComes(solo);
    await answer(TOKENS);
    // What came too late is ended on the server, by its own token.
    await solo.reply("/logout", null);
    void solo.client.contacts.reload();
    expect(tokensOf(solo)).toEqual(new Set(["hers"]));
    expect(solo.waiting()).not.toContain("/user/self");
    expect(keptSession(solo)).toContain('"hers"');
  });

  test("S16 a refusal of it ends nobody else", async () => {
    const solo = await loggingIn();
    const answer = holdBack(solo, "/login");
    await solo.client.session.logout();
    await sheComes(solo);
    await answer(null, 10_001);
    expect(session(solo)).toEqual({ kind: "active", userId: HER });
  });

  test.each([
    ["tells who it was", 200],
    ["fails", 500],
  ])("S16 what follows it leaves her tokens alone when it %s", async (_, code) => {
    const solo = await loggingIn();
    await solo.reply("/login", TOKENS);
    const answer = holdBack(solo, "/user/self");
    await solo.client.session.logout();
    await sheComes(solo);
    await answer(userInfo(), code);
    expect(session(solo)).toEqual({ kind: "active", userId: HER });
    expect(JSON.parse(keptSession(solo) ?? "")).toMatchObject({
      userId: HER,
      tokens: { accessToken: "hers" },
    });
  });

  test("S16 an account that is made late does not take over from who came meanwhile", async () => {
    const solo = createSolo();
    const done = solo.client.session.register({
      userName: "me",
      nickName: "Me",
      password: "password",
      confirmPassword: "password",
      inviteCode: "",
      headImage: null,
      headImageThumb: null,
    });
    const answer = holdBack(solo, "/register");
    await sheComes(solo);
    await answer(null);
    expect(await done).toEqual({ ok: true, value: { loggedIn: false } });
    expect(session(solo)).toEqual({ kind: "active", userId: HER });
  });
});

describe("a token that is renewed late", () => {
  async function renewing() {
    const solo = await loggedIn();
    void solo.client.contacts.reload();
    await solo.reply("/friend/list", null, 401);
    const answer = holdBack(solo, "/refreshToken");
    await solo.client.session.logout();
    await sheComes(solo);
    return { solo, answer };
  }

  test("S16 is not hers", async () => {
    const { solo, answer } = await renewing();
    await answer({ ...TOKENS, accessToken: "mine anew" });
    expect(keptSession(solo)).not.toContain("mine anew");
    void solo.client.contacts.reload();
    expect(tokensOf(solo)).toEqual(new Set(["hers"]));
  });

  test("S16 and she does not wait for it", async () => {
    const { solo, answer } = await renewing();
    solo.ports.http.waiting.splice(0);
    void solo.client.contacts.reload();
    await solo.reply("/friend/list", null, 401);
    expect(solo.waiting()).toContain("/refreshToken");
    await answer(null, 500);
    await solo.reply("/refreshToken", { ...TOKENS, accessToken: "hers anew" });
    expect(solo.waiting()).toContain("/friend/list");
    expect(tokensOf(solo)).toContain("hers%20anew");
    expect(session(solo)).toEqual({ kind: "active", userId: HER });
  });
});

describe("a disk that is read late", () => {
  test("S16 what was on it of one person is not the next one's", async () => {
    const solo = await leftBehind();
    const late = new Set(["outbox", "changesToken", "me", "readNotices", "cleared"]);
    const release = readLate(solo.ports.storage, MINE, (read) => late.has(read));
    void solo.client.session.resume();
    await settle();
    await solo.client.session.logout();
    await sheComes(solo);
    await release();
    await solo.goOnline();
    expect(solo.waiting()).toContain("/message/private/pullOfflineMessage?minId=0");
    expect(solo.waiting()).not.toContain("/message/private/send");
    const { chats, contacts, groups } = solo.client.getState();
    expect([chats.order, contacts.friends, groups.byId]).toEqual([[], {}, {}]);
  });

  test("S16 what opens late takes nothing of the next one", async () => {
    const solo = await leftBehind();
    const before = await (await solo.ports.storage.open(MINE)).outbox();
    const release = openLate(solo.ports.storage, MINE);
    void solo.client.session.resume();
    await settle();
    await solo.client.session.logout();
    await sheComes(solo);
    await release();
    solo.client.chats.sendText(FRIEND_CHAT, "hers alone");
    await settle();
    const outbox = async (name: string) =>
      (await (await solo.ports.storage.open(name)).outbox()).map(({ content }) => content);
    expect(await outbox(HERS)).toEqual(["hers alone"]);
    expect(await outbox(MINE)).toEqual(before.map(({ content }) => content));
    expect(solo.client.getState().storage).toBe("disk");
  });

  test("S16 a disk that fails late is not hers", async () => {
    const solo = await leftBehind();
    const { storage } = solo.ports;
    const open = storage.open.bind(storage);
    let refuse = (_: Error): void => undefined;
    storage.open = (name) => (name === MINE ? new Promise((_, reject) => (refuse = reject)) : open(name));
    void solo.client.session.resume();
    await settle();
    await solo.client.session.logout();
    await sheComes(solo);
    refuse(new Error("too late"));
    await settle();
    expect(solo.client.getState().storage).toBe("disk");
    expect(solo.notices).toEqual([]);
  });
});

describe("an action that is answered late", () => {
  test("O11 S16 what was to be forwarded is not sent by the next one", async () => {
    const solo = await loggedIn();
    void solo.client.chats.forward(FRIEND_CHAT, [4], ["PRIVATE:3"]);
    void solo.client.chats.forward(FRIEND_CHAT, [5, 6], ["PRIVATE:3"]);
    await settle();
    const answers = [holdBack(solo, "/private/history"), holdBack(solo, "/private/history")];
    await solo.client.session.logout();
    await answers[0]?.([privateRow({ id: 4 })]);
    await answers[1]?.([privateRow({ id: 5 })]);
    expect(solo.waiting()).toEqual(["/logout"]);
    await sheComes(solo);
    await sheIsOnline(solo);
    expect(solo.client.getState().chats.byKey["PRIVATE:3"]).toBeUndefined();
    expect(solo.waiting().filter((url) => /send|history/.test(url))).toEqual([]);
  });

  test.each([
    ["stored", 200],
    ["refused", 500],
  ])("S16 what one person sent and is %s late is nothing of the next one's", async (_, code) => {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, "mine");
    await settle();
    const tmpId = tmpIdsOf(solo)[0] ?? null;
    const answer = holdBack(solo, "/private/send");
    await solo.client.session.logout();
    await sheComes(solo);
    await sheIsOnline(solo);
    solo.client.chats.sendText(FRIEND_CHAT, "hers");
    await settle();
    const hers = tmpIdsOf(solo);
    await answer(code === 200 ? ownRow({ id: 9, tmpId, content: "mine" }) : null, code);
    clockOf(solo.ports).advance(5_000);
    await settle();
    expect(shownIn(solo)).toEqual([["hers", "sending"]]);
    expect(tmpIdsOf(solo)).toEqual(hers);
    await solo.reply(
      "/private/send",
      ownRow({ id: 10, tmpId: hers[0] ?? null, sendId: HER, content: "hers" }),
    );
    expect(shownIn(solo)).toEqual([["hers", null]]);
    expect(tmpIdsOf(solo)).toEqual([]);
    expect(solo.notices).toEqual([]);
  });

  test("S16 what could not be sent waits its own time, not that of the one before", async () => {
    const solo = await loggedIn();
    const lose = async (text: string) => {
      solo.client.chats.sendText(FRIEND_CHAT, text);
      await settle();
      solo.ports.http.replyRaw("/private/send", { kind: "failed", reason: "timeout" });
      await settle();
    };
    await lose("mine");
    await solo.client.session.logout();
    await sheComes(solo);
    await sheIsOnline(solo);
    await pass(solo, 3_000);
    await lose("hers");
    await pass(solo, 4_999);
    expect(tmpIdsOf(solo)).toEqual([]);
    await pass(solo, 1);
    expect(tmpIdsOf(solo)).toHaveLength(1);
  });

  test("P12 S16 a friend that one person pins is not pinned for the next", async () => {
    const solo = await loggedIn();
    void solo.client.chats.setTop(FRIEND_CHAT, true);
    const answer = holdBack(solo, "/friend/top");
    await solo.client.session.logout();
    await sheComes(solo);
    await sheIsOnline(solo);
    await answer(null);
    expect(solo.client.getState().contacts.friends[2]).toEqual(friendVO());
  });

  test("P9 S16 whom one person looked for the next one does not know", async () => {
    const solo = await loggedIn();
    void solo.client.contacts.search("x");
    const answer = holdBack(solo, "/user/findByName");
    await solo.client.session.logout();
    await sheComes(solo);
    await answer([userInfo({ id: 77 })]);
    expect(solo.client.getState().contacts.users).toEqual({});
  });

  test("G9 S16 what one person does to members shows in no list of the next, and does not go on", async () => {
    const solo = await withMembers({ role: 3 });
    const many = Array.from({ length: 60 }, (_, i) => i + 11);
    void solo.client.groups.setMuted(GROUP, many, true);
    const answer = holdBack(solo, "/group/members/muted");
    await solo.client.session.logout();
    await sheComes(solo);
    await sheIsOnline(solo);
    await solo.push(shown({ role: 3 }));
    void solo.client.groups.loadMembers(GROUP);
    await solo.reply(`/group/members/${GROUP}`, [memberVO({ userId: HER }), memberVO({ userId: 11 })]);
    await answer(null);
    expect(solo.client.getState().groups.members[GROUP]?.byId[11]?.isMuted).toBe(false);
    expect(solo.waiting().filter((url) => url.includes("muted"))).toEqual([]);
  });

  test("S16 what waits for its code is not done by the next one", async () => {
    let arrive = (_: LateParts): void => undefined;
    const late = { load: () => new Promise<LateParts>((resolve) => (arrive = resolve)) };
    const solo = await loggedIn({}, (ports) =>
      createClientWith(ports, { create: (deps) => createRoom({ ...deps, late }) }),
    );
    const blocked = solo.client.contacts.block(2);
    await solo.client.session.logout();
    await sheComes(solo);
    arrive(LATE_PARTS);
    await settle();
    expect(solo.waiting()).toEqual([]);
    expect(await blocked).toEqual({ ok: false, failure: { kind: "loggedOut" } });
  });

  test("S4 S16 a call that meets 401 is not made again in the name of the next", async () => {
    const solo = await loggedIn();
    void solo.client.contacts.block(2);
    const answer = holdBack(solo, "/blacklist/add");
    await solo.client.session.logout();
    await sheComes(solo);
    await answer(null, 401);
    expect(solo.waiting().filter((url) => url.includes("blacklist"))).toEqual([]);
    expect(session(solo)).toEqual({ kind: "active", userId: HER });
  });
});

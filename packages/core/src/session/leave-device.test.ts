import { describe, expect, test } from "vitest";
import { CloseCode } from "@parley/protocol/codes";
import { FRIEND_CHAT, GROUP, friendVO, groupVO, userInfo } from "../testing/builders.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import {
  TOKENS,
  answerLoginRequests,
  createSingleClient,
  pushedRow,
  reload,
  type SingleClient,
} from "../testing/single-client.ts";

const SECRETS = ["me@example.org", "13800138000", "1990-02-28", "my signature"];
const ME = userInfo({
  email: SECRETS[0]!,
  mobile: SECRETS[1]!,
  birthday: SECRETS[2]!,
  signature: SECRETS[3]!,
});
const FRIENDS = [friendVO({ userName: "unseenfriend", nickName: "Unseen friend" })];
const GROUPS = [groupVO({ id: GROUP, name: "Unseen group", notice: "unseen notice" })];
const PEOPLE = ["unseenfriend", "Unseen friend", "Unseen group", "unseen notice"];

/** Somebody with a profile, a friend, a group and one message, whose account and password are remembered. */
async function createFullClient(device = createFakeTabs()): Promise<SingleClient> {
  const single = createSingleClient({ device });
  const form = { userName: "me", password: "password", rememberName: true, rememberPassword: true };
  const done = single.client.session.login(form);
  await flushMicrotasks();
  await single.respond("/login", TOKENS);
  await single.respond("/user/self", ME);
  await done;
  await flushMicrotasks();
  await single.goOnline();
  await answerLoginRequests(single, FRIENDS, GROUPS, ME);
  await single.endPulls();
  await single.push(pushedRow(5, { content: "a kept message" }));
  single.client.groups.readNotice(GROUP);
  return single;
}

/** What the device stores, after all deferred writes. */
async function stored(single: SingleClient): Promise<string> {
  await flushMicrotasks();
  const { storage } = single.ports;
  const small = ["parley.session", "parley.draft", "parley.recalled"].map((key) => storage.session.get(key));
  return storage.dump() + JSON.stringify(small);
}

describe("S105 a logout", () => {
  test("S105 leaves nothing of the profile, friends and groups on the device, but the chats", async () => {
    const single = await createFullClient();
    const again = await reload(single);
    expect(again.client.getState()).toMatchObject({ me: ME, groups: { order: [GROUP] } });
    const before = await stored(again);
    for (const text of [...SECRETS, ...PEOPLE]) expect(before).toContain(text);
    await again.client.session.logout();
    const after = await stored(again);
    for (const text of [...SECRETS, ...PEOPLE, TOKENS.refreshToken]) expect(after).not.toContain(text);
    expect(after).toContain("a kept message");
  });

  test("S105 leaves nothing in any tab, also if the server ended the session", async () => {
    const single = await createFullClient();
    await single.push({ cmd: 2, data: "", reason: "kicked" });
    expect(single.client.getState().session).toMatchObject({ kind: "anonymous" });
    const after = await stored(single);
    for (const text of [...SECRETS, ...PEOPLE]) expect(after).not.toContain(text);
  });
});

describe("S106 a logout that removes the data of this device", () => {
  test("S106 deletes chats, the saved account and its password, and logs out on the server", async () => {
    const single = await createFullClient();
    expect(single.client.session.savedAccounts()).toMatchObject([{ userName: "me", hasPassword: true }]);
    const removed = single.client.session.logoutAndRemoveData();
    expect(single.waiting()).toContain("/logout");
    expect(await removed).toBe(true);
    expect(await stored(single)).toBe("[][null,null,null]");
    expect(single.client.session.savedAccounts()).toEqual([]);
    expect(await single.client.session.savedPassword("me")).toBeNull();
  });

  test("S106 tells if the browser refuses to delete it, and is logged out all the same", async () => {
    const single = await createFullClient();
    single.ports.storage.shouldRefuse = true;
    expect(await single.client.session.logoutAndRemoveData()).toBe(false);
    expect(single.client.getState().session.kind).toBe("anonymous");
    expect(single.client.session.savedAccounts()).toEqual([]);
  });

  test("S18 S106 closing the account removes the data too; a wrong password changes nothing", async () => {
    const single = await createFullClient();
    const wrong = single.client.account.unregister("wrong");
    await single.respond("/unregister", null, 500);
    expect((await wrong).ok).toBe(false);
    expect(single.client.getState().session.kind).toBe("active");
    expect(single.notices.filter(({ kind }) => kind === "failure")).toEqual([]);
    const closed = single.client.account.unregister("password");
    await single.respond("/unregister", null);
    expect((await closed).ok).toBe(true);
    expect(await stored(single)).toBe("[][null,null,null]");
  });
});

describe("S107 closing the app", () => {
  test("S107 closes the socket with 3000 and forgets the tokens of the tab, without a logout", async () => {
    const single = await createFullClient();
    const socket = single.ports.sockets.last();
    single.client.session.closeApp();
    expect(socket.closedByClient).toBe(CloseCode.DELIBERATE);
    expect(single.client.getState().session).toEqual({ kind: "anonymous", ended: null });
    expect(single.waiting()).not.toContain("/logout");
    expect(single.ports.storage.session.get("parley.session")).toBeNull();
    const next = createSingleClient({ storage: single.ports.storage.tab(true), name: "next" });
    await next.client.session.resume();
    await flushMicrotasks();
    expect(next.client.getState().session).toEqual({ kind: "active", userId: 1 });
    expect(next.client.getState().chats.order).toContain(FRIEND_CHAT);
    expect(next.waiting()).toEqual(["/login"]);
  });

  test("S107 leaves the other tabs signed in", async () => {
    const device = createFakeTabs();
    const single = await createFullClient(device);
    const tab = createSingleClient({ device, storage: single.ports.storage.tab(false), name: "tab" });
    await tab.client.session.resume();
    single.client.session.closeApp();
    await flushMicrotasks();
    expect(tab.client.getState().session.kind).toBe("active");
  });
});

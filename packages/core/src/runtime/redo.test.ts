import { describe, expect, test } from "vitest";
import type { HttpAnswer } from "./ports.ts";
import { ME, requestVO, userInfo } from "../testing/builders.ts";
import { loggedIn, createSolo, type Solo, TOKENS } from "../testing/logged-in.ts";
import { settle } from "../testing/settle.ts";

/** What is done again because its answer was lost. */

const LOST: HttpAnswer = { kind: "failed", reason: "offline" };

const refusal = (key: string): HttpAnswer => ({
  kind: "answer",
  status: 200,
  text: JSON.stringify({ code: 500, message: "", data: null, key }),
  retryAfterSeconds: null,
});

async function replyWith(solo: Solo, part: string, answer: HttpAnswer): Promise<void> {
  await settle();
  solo.ports.http.replyRaw(part, answer);
  await settle();
}

const toldFailures = (solo: Solo) => solo.notices.filter(({ kind }) => kind === "failure").length;

/** A friend's and a group's number, and a request's. */
const DEEDS = {
  P15: [
    [
      "approving",
      "/request/approve",
      "friend.requestHandled",
      (solo: Solo) => solo.client.contacts.approve(1),
    ],
    ["rejecting", "/request/reject", "friend.requestHandled", (solo: Solo) => solo.client.contacts.reject(1)],
    [
      "taking back",
      "/request/recall",
      "friend.requestHandled",
      (solo: Solo) => solo.client.contacts.recall(1),
    ],
    [
      "ending a friendship",
      "/friend/delete/2",
      "friend.notFriend",
      (solo: Solo) => solo.client.contacts.remove(2),
    ],
    ["asking", "/request/apply", "friend.requestPending", (solo: Solo) => solo.client.contacts.apply(11, "")],
    ["befriending", "/request/apply", "friend.already", (solo: Solo) => solo.client.contacts.apply(11, "")],
  ],
  G53: [
    ["approving", "/request/approve", "group.requestHandled", (solo: Solo) => solo.client.groups.approve(1)],
    ["rejecting", "/request/reject", "group.requestHandled", (solo: Solo) => solo.client.groups.reject(1)],
    ["handing over", "/group/transfer", "group.noRight", (solo: Solo) => solo.client.groups.transfer(5, 2)],
    ["leaving", "/group/quit/5", "group.notMember", (solo: Solo) => solo.client.groups.quit(5)],
    ["dissolving", "/group/delete/5", "group.dissolved", (solo: Solo) => solo.client.groups.dissolve(5)],
  ],
} as const;

describe("done again because no answer came", () => {
  test.each(DEEDS.P15)("P15 %s is done when the server says that it is so", (_name, path, key, act) =>
    doneTwice(path, key, act),
  );
  test.each(DEEDS.G53)("G53 %s is done when the server says that it is so", (_name, path, key, act) =>
    doneTwice(path, key, act),
  );

  async function doneTwice(path: string, key: string, act: (solo: Solo) => Promise<{ ok: boolean }>) {
    const solo = await loggedIn();
    const first = act(solo);
    await replyWith(solo, path, LOST);
    expect((await first).ok).toBe(false);
    expect(toldFailures(solo)).toBe(1);
    const second = act(solo);
    await replyWith(solo, path, refusal(key));
    expect((await second).ok).toBe(true);
    expect(toldFailures(solo)).toBe(1);
  }

  test("P15 without a lost answer the same refusal is told, and so is any other", async () => {
    const solo = await loggedIn();
    const first = solo.client.contacts.remove(2);
    await replyWith(solo, "/friend/delete/2", refusal("friend.notFriend"));
    expect(await first).toMatchObject({ ok: false, failure: { key: "friend.notFriend" } });
    const second = solo.client.contacts.apply(11, "");
    await replyWith(solo, "/request/apply", LOST);
    expect((await second).ok).toBe(false);
    const third = solo.client.contacts.apply(11, "");
    await replyWith(solo, "/request/apply", refusal("friend.blockedYou"));
    expect(await third).toMatchObject({ ok: false, failure: { key: "friend.blockedYou" } });
    const other = solo.client.contacts.apply(12, "");
    await replyWith(solo, "/request/apply", refusal("friend.requestPending"));
    expect(await other).toMatchObject({ ok: false, failure: { key: "friend.requestPending" } });
    expect(toldFailures(solo)).toBe(4);
  });

  test("P15 a request whose answer was lost stands among the requests after the second try", async () => {
    const solo = await loggedIn();
    const first = solo.client.contacts.apply(11, "");
    await replyWith(solo, "/request/apply", LOST);
    await first;
    for (const path of ["/friend/list", "/request/list", "/blacklist/list"])
      await replyWith(solo, path, LOST);
    const second = solo.client.contacts.apply(11, "");
    await replyWith(solo, "/request/apply", refusal("friend.requestPending"));
    expect(await second).toEqual({ ok: true, value: { status: 1 } });
    await solo.reply("/friend/list", []);
    await solo.reply("/request/list", [requestVO({ id: 7, sendId: ME, recvId: 11 })]);
    await solo.reply("/blacklist/list", []);
    expect(solo.client.getState().contacts.requests.map(({ id }) => id)).toEqual([7]);
  });

  const FORM = {
    userName: "me",
    nickName: "Me",
    password: "password-1",
    confirmPassword: "password-1",
    inviteCode: "",
    headImage: null,
    headImageThumb: null,
  };

  test("S19 who registers again is in when the first try has registered", async () => {
    const solo = createSolo();
    const first = solo.client.session.register(FORM);
    await replyWith(solo, "/register", LOST);
    expect((await first).ok).toBe(false);
    const second = solo.client.session.register(FORM);
    await settle();
    await solo.reply("/login", TOKENS);
    await solo.reply("/user/self", userInfo());
    expect(await second).toEqual({ ok: true, value: { loggedIn: true } });
    expect(toldFailures(solo)).toBe(1);
  });

  test("S19 who registers again is registered when the first try has not", async () => {
    const solo = createSolo();
    const first = solo.client.session.register(FORM);
    await replyWith(solo, "/register", LOST);
    await first;
    const second = solo.client.session.register(FORM);
    await replyWith(solo, "/login", refusal("login.wrongPassword"));
    await solo.reply("/register", null);
    await solo.reply("/login", TOKENS);
    await solo.reply("/user/self", userInfo());
    expect(await second).toEqual({ ok: true, value: { loggedIn: true } });
  });

  test("S19 a password that was changed by the first try is changed", async () => {
    const solo = await loggedIn();
    const first = solo.client.session.changePassword("old", "new");
    await replyWith(solo, "/modifyPwd", LOST);
    expect((await first).ok).toBe(false);
    const second = solo.client.session.changePassword("old", "new");
    await settle();
    await solo.reply("/modifyPwd", null);
    expect((await second).ok).toBe(true);
    expect(toldFailures(solo)).toBe(1);
    const third = solo.client.session.changePassword("old", "newer");
    await replyWith(solo, "/modifyPwd", refusal("password.oldWrong"));
    expect(await third).toMatchObject({ ok: false, failure: { key: "password.oldWrong" } });
  });

  test("S19 a password that the first try did not change is changed by the second", async () => {
    const solo = await loggedIn();
    const first = solo.client.session.changePassword("old", "new");
    await replyWith(solo, "/modifyPwd", LOST);
    await first;
    const second = solo.client.session.changePassword("old", "new");
    await replyWith(solo, "/modifyPwd", refusal("password.oldWrong"));
    await solo.reply("/modifyPwd", null);
    expect((await second).ok).toBe(true);
    expect(toldFailures(solo)).toBe(1);
  });
});

import { describe, expect, test } from "vitest";
import type { HttpResponse } from "../ports.ts";
import { ME, requestVO, userInfo } from "../testing/builders.ts";
import {
  createLoggedInClient,
  createSingleClient,
  type SingleClient,
  TOKENS,
} from "../testing/single-client.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";

/** Actions that are repeated because the answer to the first try was lost. */

const LOST: HttpResponse = { kind: "failed", reason: "offline" };

const refusedWith = (key: string): HttpResponse => ({
  kind: "answer",
  status: 200,
  text: JSON.stringify({ code: 500, message: "", data: null, key }),
  retryAfterSeconds: null,
});

async function replyWith(single: SingleClient, part: string, answer: HttpResponse): Promise<void> {
  await flushMicrotasks();
  single.ports.http.replyRaw(part, answer);
  await flushMicrotasks();
}

const failureNotices = (single: SingleClient) =>
  single.notices.filter(({ kind }) => kind === "failure").length;

/** Per rule: name, path, the refusal that means "already done", and the action. */
const ACTIONS = {
  P15: [
    [
      "approving",
      "/request/approve",
      "friend.requestHandled",
      (single: SingleClient) => single.client.contacts.approve(1),
    ],
    [
      "rejecting",
      "/request/reject",
      "friend.requestHandled",
      (single: SingleClient) => single.client.contacts.reject(1),
    ],
    [
      "taking back a request",
      "/request/recall",
      "friend.requestHandled",
      (single: SingleClient) => single.client.contacts.recall(1),
    ],
    [
      "ending a friendship",
      "/friend/delete/2",
      "friend.notFriend",
      (single: SingleClient) => single.client.contacts.remove(2),
    ],
    [
      "asking to be friends",
      "/request/apply",
      "friend.requestPending",
      (single: SingleClient) => single.client.contacts.apply(11, ""),
    ],
    [
      "asking somebody who is a friend already",
      "/request/apply",
      "friend.already",
      (single: SingleClient) => single.client.contacts.apply(11, ""),
    ],
  ],
  G53: [
    [
      "approving",
      "/request/approve",
      "group.requestHandled",
      (single: SingleClient) => single.client.groups.approve(1),
    ],
    [
      "rejecting",
      "/request/reject",
      "group.requestHandled",
      (single: SingleClient) => single.client.groups.reject(1),
    ],
    [
      "handing over a group",
      "/group/transfer",
      "group.noRight",
      (single: SingleClient) => single.client.groups.transfer(5, 2),
    ],
    [
      "leaving a group",
      "/group/quit/5",
      "group.notMember",
      (single: SingleClient) => single.client.groups.quit(5),
    ],
    [
      "dissolving a group",
      "/group/delete/5",
      "group.dissolved",
      (single: SingleClient) => single.client.groups.dissolve(5),
    ],
  ],
} as const;

describe("repeating an action after a lost answer", () => {
  test.each(ACTIONS.P15)(
    "P15 %s succeeds when the server refuses the repeat as already done",
    (_name, path, key, action) => expectRepeatSucceeds(path, key, action),
  );
  test.each(ACTIONS.G53)(
    "G53 %s succeeds when the server refuses the repeat as already done",
    (_name, path, key, action) => expectRepeatSucceeds(path, key, action),
  );

  async function expectRepeatSucceeds(
    path: string,
    key: string,
    action: (single: SingleClient) => Promise<{ ok: boolean }>,
  ) {
    const single = await createLoggedInClient();
    const first = action(single);
    await replyWith(single, path, LOST);
    expect((await first).ok).toBe(false);
    expect(failureNotices(single)).toBe(1);
    const second = action(single);
    await replyWith(single, path, refusedWith(key));
    expect((await second).ok).toBe(true);
    expect(failureNotices(single)).toBe(1);
  }

  test("P15 the same refusal without a lost answer is reported, and so is any other refusal", async () => {
    const single = await createLoggedInClient();
    const first = single.client.contacts.remove(2);
    await replyWith(single, "/friend/delete/2", refusedWith("friend.notFriend"));
    expect(await first).toMatchObject({ ok: false, failure: { key: "friend.notFriend" } });
    const second = single.client.contacts.apply(11, "");
    await replyWith(single, "/request/apply", LOST);
    expect((await second).ok).toBe(false);
    const third = single.client.contacts.apply(11, "");
    await replyWith(single, "/request/apply", refusedWith("friend.blockedYou"));
    expect(await third).toMatchObject({ ok: false, failure: { key: "friend.blockedYou" } });
    const other = single.client.contacts.apply(12, "");
    await replyWith(single, "/request/apply", refusedWith("friend.requestPending"));
    expect(await other).toMatchObject({ ok: false, failure: { key: "friend.requestPending" } });
    expect(failureNotices(single)).toBe(4);
  });

  test("P15 a request whose answer was lost is in the list of requests after the second try", async () => {
    const single = await createLoggedInClient();
    const first = single.client.contacts.apply(11, "");
    await replyWith(single, "/request/apply", LOST);
    await first;
    for (const path of ["/friend/list", "/request/list", "/blacklist/list"])
      await replyWith(single, path, LOST);
    const second = single.client.contacts.apply(11, "");
    await replyWith(single, "/request/apply", refusedWith("friend.requestPending"));
    expect(await second).toEqual({ ok: true, value: { status: 1 } });
    await single.respond("/friend/list", []);
    await single.respond("/request/list", [requestVO({ id: 7, sendId: ME, recvId: 11 })]);
    await single.respond("/blacklist/list", []);
    expect(single.client.getState().contacts.requests.map(({ id }) => id)).toEqual([7]);
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

  test("S19 registering again logs in when the first try has created the account", async () => {
    const single = createSingleClient();
    const first = single.client.session.register(FORM);
    await replyWith(single, "/register", LOST);
    expect((await first).ok).toBe(false);
    const second = single.client.session.register(FORM);
    await flushMicrotasks();
    await single.respond("/login", TOKENS);
    await single.respond("/user/self", userInfo());
    expect(await second).toEqual({ ok: true, value: { loggedIn: true } });
    expect(failureNotices(single)).toBe(1);
  });

  test("S19 registering again creates the account when the first try did not", async () => {
    const single = createSingleClient();
    const first = single.client.session.register(FORM);
    await replyWith(single, "/register", LOST);
    await first;
    const second = single.client.session.register(FORM);
    await replyWith(single, "/login", refusedWith("login.wrongPassword"));
    await single.respond("/register", null);
    await single.respond("/login", TOKENS);
    await single.respond("/user/self", userInfo());
    expect(await second).toEqual({ ok: true, value: { loggedIn: true } });
  });

  test("S19 changing a password again succeeds when the first try has changed it", async () => {
    const single = await createLoggedInClient();
    const first = single.client.session.changePassword("old", "new");
    await replyWith(single, "/modifyPwd", LOST);
    expect((await first).ok).toBe(false);
    const second = single.client.session.changePassword("old", "new");
    await flushMicrotasks();
    await single.respond("/modifyPwd", null);
    expect((await second).ok).toBe(true);
    expect(failureNotices(single)).toBe(1);
    const third = single.client.session.changePassword("old", "newer");
    await replyWith(single, "/modifyPwd", refusedWith("password.oldWrong"));
    expect(await third).toMatchObject({ ok: false, failure: { key: "password.oldWrong" } });
  });

  test("S19 changing a password again changes it when the first try did not", async () => {
    const single = await createLoggedInClient();
    const first = single.client.session.changePassword("old", "new");
    await replyWith(single, "/modifyPwd", LOST);
    await first;
    const second = single.client.session.changePassword("old", "new");
    await replyWith(single, "/modifyPwd", refusedWith("password.oldWrong"));
    await single.respond("/modifyPwd", null);
    expect((await second).ok).toBe(true);
    expect(failureNotices(single)).toBe(1);
  });
});

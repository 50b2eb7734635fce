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

/** What is done again because its answer was lost. */

const LOST: HttpResponse = { kind: "failed", reason: "offline" };

const refusal = (key: string): HttpResponse => ({
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

const toldFailures = (single: SingleClient) => single.notices.filter(({ kind }) => kind === "failure").length;

/** A friend's and a group's number, and a request's. */
const DEEDS = {
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
      "taking back",
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
      "asking",
      "/request/apply",
      "friend.requestPending",
      (single: SingleClient) => single.client.contacts.apply(11, ""),
    ],
    [
      "befriending",
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
      "handing over",
      "/group/transfer",
      "group.noRight",
      (single: SingleClient) => single.client.groups.transfer(5, 2),
    ],
    ["leaving", "/group/quit/5", "group.notMember", (single: SingleClient) => single.client.groups.quit(5)],
    [
      "dissolving",
      "/group/delete/5",
      "group.dissolved",
      (single: SingleClient) => single.client.groups.dissolve(5),
    ],
  ],
} as const;

describe("repeated after a lost answer", () => {
  test.each(DEEDS.P15)("P15 %s is done when the server says that it is so", (_name, path, key, act) =>
    doneTwice(path, key, act),
  );
  test.each(DEEDS.G53)("G53 %s is done when the server says that it is so", (_name, path, key, act) =>
    doneTwice(path, key, act),
  );

  async function doneTwice(
    path: string,
    key: string,
    act: (single: SingleClient) => Promise<{ ok: boolean }>,
  ) {
    const single = await createLoggedInClient();
    const first = act(single);
    await replyWith(single, path, LOST);
    expect((await first).ok).toBe(false);
    expect(toldFailures(single)).toBe(1);
    const second = act(single);
    await replyWith(single, path, refusal(key));
    expect((await second).ok).toBe(true);
    expect(toldFailures(single)).toBe(1);
  }

  test("P15 without a lost answer the same refusal is told, and so is any other", async () => {
    const single = await createLoggedInClient();
    const first = single.client.contacts.remove(2);
    await replyWith(single, "/friend/delete/2", refusal("friend.notFriend"));
    expect(await first).toMatchObject({ ok: false, failure: { key: "friend.notFriend" } });
    const second = single.client.contacts.apply(11, "");
    await replyWith(single, "/request/apply", LOST);
    expect((await second).ok).toBe(false);
    const third = single.client.contacts.apply(11, "");
    await replyWith(single, "/request/apply", refusal("friend.blockedYou"));
    expect(await third).toMatchObject({ ok: false, failure: { key: "friend.blockedYou" } });
    const other = single.client.contacts.apply(12, "");
    await replyWith(single, "/request/apply", refusal("friend.requestPending"));
    expect(await other).toMatchObject({ ok: false, failure: { key: "friend.requestPending" } });
    expect(toldFailures(single)).toBe(4);
  });

  test("P15 a request whose answer was lost stands among the requests after the second try", async () => {
    const single = await createLoggedInClient();
    const first = single.client.contacts.apply(11, "");
    await replyWith(single, "/request/apply", LOST);
    await first;
    for (const path of ["/friend/list", "/request/list", "/blacklist/list"])
      await replyWith(single, path, LOST);
    const second = single.client.contacts.apply(11, "");
    await replyWith(single, "/request/apply", refusal("friend.requestPending"));
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

  test("S19 who registers again is in when the first try has registered", async () => {
    const single = createSingleClient();
    const first = single.client.session.register(FORM);
    await replyWith(single, "/register", LOST);
    expect((await first).ok).toBe(false);
    const second = single.client.session.register(FORM);
    await flushMicrotasks();
    await single.respond("/login", TOKENS);
    await single.respond("/user/self", userInfo());
    expect(await second).toEqual({ ok: true, value: { loggedIn: true } });
    expect(toldFailures(single)).toBe(1);
  });

  test("S19 who registers again is registered when the first try has not", async () => {
    const single = createSingleClient();
    const first = single.client.session.register(FORM);
    await replyWith(single, "/register", LOST);
    await first;
    const second = single.client.session.register(FORM);
    await replyWith(single, "/login", refusal("login.wrongPassword"));
    await single.respond("/register", null);
    await single.respond("/login", TOKENS);
    await single.respond("/user/self", userInfo());
    expect(await second).toEqual({ ok: true, value: { loggedIn: true } });
  });

  test("S19 a password that was changed by the first try is changed", async () => {
    const single = await createLoggedInClient();
    const first = single.client.session.changePassword("old", "new");
    await replyWith(single, "/modifyPwd", LOST);
    expect((await first).ok).toBe(false);
    const second = single.client.session.changePassword("old", "new");
    await flushMicrotasks();
    await single.respond("/modifyPwd", null);
    expect((await second).ok).toBe(true);
    expect(toldFailures(single)).toBe(1);
    const third = single.client.session.changePassword("old", "newer");
    await replyWith(single, "/modifyPwd", refusal("password.oldWrong"));
    expect(await third).toMatchObject({ ok: false, failure: { key: "password.oldWrong" } });
  });

  test("S19 a password that the first try did not change is changed by the second", async () => {
    const single = await createLoggedInClient();
    const first = single.client.session.changePassword("old", "new");
    await replyWith(single, "/modifyPwd", LOST);
    await first;
    const second = single.client.session.changePassword("old", "new");
    await replyWith(single, "/modifyPwd", refusal("password.oldWrong"));
    await single.respond("/modifyPwd", null);
    expect((await second).ok).toBe(true);
    expect(toldFailures(single)).toBe(1);
  });
});

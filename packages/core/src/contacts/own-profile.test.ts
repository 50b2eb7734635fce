import { expect, test } from "vitest";
import { Cmd, MessageType } from "@parley/protocol/codes";
import { FRIEND, friendVO, userInfo } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { createLoggedInClient, reload } from "../testing/single-client.ts";

const OFFLINE = { kind: "network", reason: "offline" };

test("P164 a change of the own profile is shown when the server has accepted it, also after a reload", async () => {
  const single = await createLoggedInClient();
  const done = single.client.contacts.updateProfile({ nickName: "New", mobile: null });
  const [request] = single.ports.http.waiting;
  expect(bodyOf(request!.request)).toEqual({ id: 1, nickName: "New", mobile: null });
  expect(single.client.getState().me).toEqual(userInfo());
  await single.respond("/user/update", null);
  expect(await done).toEqual({ ok: true, value: null });
  expect(single.client.getState().me).toEqual(userInfo({ nickName: "New", mobile: null }));
  expect((await reload(single)).client.getState().me?.nickName).toBe("New");
});

test("P164 a refused change changes nothing, and a toast tells the failure beside the caller", async () => {
  const single = await createLoggedInClient();
  const done = single.client.contacts.updateProfile({ nickName: "New" });
  await single.respond("/user/update", null, 500);
  expect(await done).toMatchObject({ ok: false, failure: { kind: "refused" } });
  expect(single.client.getState().me).toEqual(userInfo());
  expect(single.notices).toMatchObject([{ kind: "failure", failure: { kind: "refused" } }]);
  expect(single.waiting()).toEqual([]);
});

test("P164 a change that got no answer may have been made: the profile is loaded again", async () => {
  const single = await createLoggedInClient();
  const done = single.client.contacts.updateProfile({ nickName: "New" });
  single.ports.http.replyRaw("/user/update", { kind: "failed", reason: "offline" });
  expect(await done).toMatchObject({ ok: false, failure: OFFLINE });
  await single.respond("/user/self", userInfo({ nickName: "New" }));
  expect(single.client.getState().me?.nickName).toBe("New");
});

test("P164 an answer that was asked for before the change does not undo it", async () => {
  const single = await createLoggedInClient();
  await single.push({ cmd: Cmd.PRIVATE, data: peopleChanged() });
  void single.client.contacts.updateProfile({ nickName: "New" });
  await single.respond("/user/update", null);
  await single.respond("/user/self", userInfo({ nickName: "Old" }));
  expect(single.client.getState().me?.nickName).toBe("New");
  await single.respond("/user/self", userInfo({ nickName: "Newest" }));
  expect(single.client.getState().me?.nickName).toBe("Newest");
});

test("P14 another device has changed the own profile: it is loaded again, beside the lists", async () => {
  const single = await createLoggedInClient();
  await single.push({ cmd: Cmd.PRIVATE, data: peopleChanged() });
  expect(single.waiting()).toEqual(expect.arrayContaining(["/user/self", "/friend/list", "/blacklist/list"]));
  await single.respond("/user/self", userInfo({ nickName: "Elsewhere" }));
  expect(single.client.getState().me?.nickName).toBe("Elsewhere");
});

test("P165 the user info of a friend who has changed is loaded again if it was loaded before", async () => {
  const single = await createLoggedInClient();
  const push = {
    type: MessageType.FRIEND_NEW,
    sendId: FRIEND,
    recvId: 1,
    content: JSON.stringify(friendVO()),
  };
  await single.push({ cmd: Cmd.PRIVATE, data: push });
  expect(single.waiting()).not.toContain(`/user/find/${FRIEND}`);
  void single.client.contacts.loadUser(FRIEND);
  await single.respond("/user/find", userInfo({ id: FRIEND, signature: "before" }));
  await single.push({ cmd: Cmd.PRIVATE, data: push });
  await single.respond("/user/find", userInfo({ id: FRIEND, signature: "after" }));
  expect(single.client.getState().contacts.users[FRIEND]?.signature).toBe("after");
});

test("S108 a remembered account takes over a new nickname and picture, and no other is remembered", async () => {
  const single = await createLoggedInClient();
  const saved = () => single.client.session.savedAccounts();
  void single.client.contacts.updateProfile({ nickName: "New", headImageThumb: "/files/new.png" });
  await single.respond("/user/update", null);
  expect(saved()).toMatchObject([{ nickName: "New", headImageThumb: "/files/new.png" }]);
  single.client.session.forgetAccount("me");
  void single.client.contacts.updateProfile({ nickName: "Newer" });
  await single.respond("/user/update", null);
  expect(saved()).toEqual([]);
});

function peopleChanged() {
  return { type: MessageType.CHANGES, sendId: 1, recvId: 1, content: "people" };
}

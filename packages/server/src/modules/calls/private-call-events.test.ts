import { describe, expect, test } from "vitest";
import { MessageType } from "@parley/protocol/codes";
import { sendAdminCommand } from "../../runtime/admin-socket.ts";
import { registerPerson } from "../../testing/test-person.ts";
import { registerFriends } from "../../testing/test-person.ts";
import { createTestApp } from "../../testing/test-app.ts";
import {
  CANCELLED,
  RING,
  accept,
  call,
  callee,
  calleeTab,
  client,
  expectEnd,
  expectFree,
  host,
  hostTab,
  notConnected,
  pass,
  records,
  server,
  waitForBackground,
  signals,
  type Client,
  uidOf,
  usePrivateCallClients,
} from "../../testing/private-call-clients.ts";

const { RTC_SETUP_VIDEO, RTC_ACCEPT, RTC_CANCEL, RTC_FAILED, RTC_HANDUP, RTC_CANDIDATE, RTC_DEVICE } =
  MessageType;

usePrivateCallClients();

/** The network of somebody in a call is lost, and the server has noticed it. */
async function loseSocket({ person, socket }: Client): Promise<void> {
  socket.ws.terminate();
  await socket.closed;
  await expect
    .poll(async () => (await server.app.store.findCallMember(person.id))?.detachedAt)
    .toEqual(expect.any(Number));
}

describe("PS10 private.device", () => {
  const device = (by: Client, other: Client) =>
    by.person.ok("setPrivateCallDevice", {
      body: { uid: other.person.id, isCamera: false, isMicroPhone: true },
    });

  test("no session, RINGING: answers and pushes nothing", async () => {
    await device(host, callee);
    await call();
    await device(host, callee);
    expect(await signals(callee)).toEqual([RING]);
  });

  test("TALKING: goes to the client of the other person, if it knows this signal", async () => {
    await call();
    await accept();
    await device(callee, host);
    const state = JSON.stringify({ isCamera: false, isMicroPhone: true, isShareScreen: false });
    expect(await signals(host)).toEqual([
      [RTC_ACCEPT, "other"],
      [RTC_DEVICE, "other", state],
    ]);
    expect(await signals(hostTab)).toEqual([]);
    await host.person.ok("hangUpPrivateCall", uidOf(callee));
    await call();
    await accept(calleeTab);
    await device(host, callee);
    expect((await signals(calleeTab)).at(-1)).toEqual([RTC_SETUP_VIDEO, "other"]);
  });
});

describe("PS11 private.info", () => {
  test("says who talks, or for whom it rings", async () => {
    const info = (by: Client, other: Client) => by.person.ok("findPrivateCall", uidOf(other));
    const nobody = { isChating: false, mode: null, host: null, acceptor: null };
    expect(await info(host, callee)).toEqual(nobody);
    await call("voice");
    const person = ({ person: { id, userName } }: Client) => ({
      id,
      nickName: `N ${userName}`,
      headImage: null,
    });
    expect(await info(callee, host)).toEqual({ ...nobody, mode: "voice", host: person(host) });
    await accept();
    expect(await info(host, callee)).toEqual({
      isChating: true,
      mode: "voice",
      host: person(host),
      acceptor: person(callee),
    });
    const stranger = await registerPerson(server.url);
    expect(await stranger.ok("findPrivateCall", uidOf(host))).toEqual(nobody);
  });
});

describe("PS12 private.heartbeat", () => {
  const beat = (by: Client, other: Client) => by.person.ok("beatPrivateCall", uidOf(other));
  const waits = (by: Client, other: Client) =>
    by.person.ok("beatPrivateCall", { query: { uid: other.person.id, waiting: "1" } });

  test("no session: the client learns that the call has ended", async () => {
    await beat(host, callee);
    expect(await signals(host)).toEqual([[RTC_HANDUP, "other"]]);
    expect(await signals(hostTab)).toEqual([]);
  });

  test("RINGING: a client that waits is in the call", async () => {
    await call();
    await waits(host, callee);
    for (const each of [callee, calleeTab]) await waits(each, host);
    expect(await signals(host)).toEqual([]);
    for (const each of [callee, calleeTab]) expect(await signals(each)).toEqual([RING]);
  });

  test("TALKING: a client that has missed the accept gets it, as the host or as another client of the callee", async () => {
    await call();
    await accept();
    await waits(host, callee);
    await waits(calleeTab, host);
    expect(await signals(host)).toEqual([
      [RTC_ACCEPT, "other"],
      [RTC_ACCEPT, "other"],
    ]);
    expect(await signals(calleeTab)).toEqual([RING, [RTC_ACCEPT, "own"], [RTC_ACCEPT, "own"]]);
    // A client that is in the call and waits for nothing gets nothing.
    await beat(host, callee);
    await waits(callee, host);
    expect(await signals(host)).toHaveLength(2);
    expect(await signals(callee)).toEqual([RING]);
  });

  test("no session: a client that has missed the end learns of it while it waits", async () => {
    await call();
    await callee.person.ok("rejectPrivateCall", uidOf(host));
    await waits(host, callee);
    await waits(callee, host);
    expect((await signals(host)).at(-1)).toEqual([RTC_HANDUP, "other"]);
    expect((await signals(callee)).at(-1)).toEqual([RTC_HANDUP, "other"]);
  });

  test("TALKING: a client whose socket the store does not know, because a write has failed, gets what has waited", async () => {
    await call();
    await accept();
    const detachedAt = server.clock.now();
    await server.app.store.write((tx) => tx.updateCallMember(callee.person.id, { detachedAt }));
    await host.person.ok("sendPrivateCandidate", { ...uidOf(callee), body: { candidate: "a" } });
    expect(await signals(callee)).toEqual([RING]);
    await beat(callee, host);
    await waitForBackground();
    expect(await signals(callee)).toEqual([
      RING,
      [RTC_CANDIDATE, "other", JSON.stringify({ candidate: "a" })],
    ]);
  });

  test("TALKING: keeps the client in the call, without it the client counts as gone after 45 s", async () => {
    await call();
    await accept();
    await pass(30_000);
    await beat(host, callee);
    await pass(14_000);
    expect(await server.app.store.findCallMember(host.person.id)).toBeDefined();
    // Only the host was heard.
    await pass(1_000);
    await expectEnd(
      {
        host: [
          [RTC_ACCEPT, "other"],
          [RTC_HANDUP, "other"],
        ],
        callee: [RING],
        calleeTab: [RING, [RTC_ACCEPT, "own"]],
      },
      [41, "ended", 45, "通话时长 00:45"],
    );
  });
});

describe("PS13 private.ring deadline", () => {
  test("RINGING: nobody answers in 30 s", async () => {
    await call();
    await pass(29_000);
    expect(await signals(host)).toEqual([]);
    await pass(1_000);
    const own = [RING, [RTC_FAILED, "own", "对方无应答"]];
    await expectEnd(
      { host: [[RTC_FAILED, "other", "对方无应答"]], callee: own, calleeTab: own },
      notConnected("unanswered"),
    );
  });
});

describe("PS14 PS15 private.host gone, private.callee gone", () => {
  test("RINGING: a host that closes its socket for good has cancelled", async () => {
    await call();
    host.socket.close();
    await host.socket.closed;
    await expect.poll(() => signals(callee)).toEqual([RING, [RTC_CANCEL, "other"]]);
    expect(records(callee)).toEqual([CANCELLED]);
  });

  test("RINGING: a callee that closes a socket goes on ringing elsewhere", async () => {
    await call();
    callee.socket.close();
    await callee.socket.closed;
    await waitForBackground();
    expect(await signals(host)).toEqual([]);
    await accept(calleeTab);
  });

  test("TALKING: a person who closes the socket for good, or logs out, has hung up", async () => {
    await call();
    await accept();
    await callee.person.ok("logout");
    await expect.poll(() => signals(host)).toContainEqual([RTC_HANDUP, "other"]);
    await expectFree();
  });

  test("TALKING: a person who is logged out while the socket is lost has hung up at once", async () => {
    await call();
    await accept();
    await loseSocket(callee);
    await callee.person.ok("logout");
    await expect.poll(() => signals(host)).toContainEqual([RTC_HANDUP, "other"]);
    await expectFree();
  });

  test("TALKING: a lost socket ends nothing for 25 s, and signals of that time arrive with the next one", async () => {
    await call();
    await accept();
    await loseSocket(callee);
    await pass(24_000);
    for (let n = 0; n < 66; n++)
      await host.person.ok("sendPrivateCandidate", { ...uidOf(callee), body: { candidate: n } });
    const back = await client(callee.person, "callee", ["rtc110"]);
    await expect
      .poll(async () => (await signals(back)).map((signal) => JSON.parse(String((signal as unknown[])[2]))))
      .toEqual(Array.from({ length: 64 }, (_, n) => ({ candidate: n })));
    await host.person.ok("sendPrivateCandidate", { ...uidOf(callee), body: { candidate: "live" } });
    expect((await signals(back)).at(-1)).toEqual([RTC_CANDIDATE, "other", '{"candidate":"live"}']);
    await pass(5_000);
    expect(await server.app.store.findCallMember(callee.person.id)).toBeDefined();
  });

  test("TALKING: a client without socket and heartbeat for 25 s is gone; with a heartbeat it stays", async () => {
    await call();
    await accept();
    for (const each of [host, callee]) {
      each.socket.ws.terminate();
      await each.socket.closed;
    }
    const detachedAt = async (each: Client) =>
      (await server.app.store.findCallMember(each.person.id))?.detachedAt;
    await expect.poll(async () => [await detachedAt(host), await detachedAt(callee)]).not.toContain(null);
    await pass(10_000);
    await callee.person.ok("beatPrivateCall", uidOf(host));
    await pass(14_000);
    expect(await server.app.store.findCallMember(host.person.id)).toBeDefined();
    await pass(1_000);
    await expectFree();
    const { data } = await calleeTab.socket.nextOf(41);
    expect(data).toMatchObject({ act: { result: "ended", seconds: 25 } });
  });
});

describe("PS16 private.socket login", () => {
  test("RINGING: a client of the callee that connects later rings; not one that cannot take the call", async () => {
    await call();
    const late = await client(callee.person, "late");
    await expect.poll(() => signals(late)).toEqual([RING]);
    await late.person.ok("failPrivateCall", { query: { uid: host.person.id, reason: "no" } });
    late.socket.ws.terminate();
    await late.socket.closed;
    const again = await client(callee.person, "late");
    await waitForBackground();
    expect(await signals(again)).toEqual([]);
  });

  test("RINGING: somebody who is offline is rung all the same", async () => {
    for (const each of [callee, calleeTab]) {
      each.socket.close();
      await each.socket.closed;
    }
    await call();
    const late = await client(callee.person, "late");
    await expect.poll(() => signals(late)).toEqual([RING]);
  });

  test("TALKING: a client whose old socket is not known to have ended gets the devices of the other person", async () => {
    await call("video");
    await accept();
    const cameBack = async () => signals(await client(callee.person, "callee", ["rtc110"]));
    const device = (isCamera: boolean, isMicroPhone: boolean) => [
      RTC_DEVICE,
      "other",
      JSON.stringify({ isCamera, isMicroPhone, isShareScreen: false }),
    ];
    await expect.poll(cameBack).toEqual([device(true, true)]);
    const off = { uid: callee.person.id, isCamera: false, isMicroPhone: false };
    await host.person.ok("setPrivateCallDevice", { body: off });
    await expect.poll(cameBack).toEqual([device(false, false)]);
  });

  test("TALKING: other clients get nothing", async () => {
    await call();
    await accept();
    const late = await client(callee.person, "late");
    await waitForBackground();
    expect(await signals(late)).toEqual([]);
  });
});

describe("PS17 private.friendship deleted, private.blacklisted", () => {
  const parts = [
    [
      "the host ends the friendship",
      () => host.person.ok("deleteFriend", { params: { id: callee.person.id } }),
    ],
    [
      "the callee ends the friendship",
      () => callee.person.ok("deleteFriend", { params: { id: host.person.id } }),
    ],
    [
      "the callee blocks the host",
      () => callee.person.ok("addToBlacklist", { query: { userId: host.person.id } }),
    ],
  ] as const;

  test.each(parts)("RINGING: %s, and it ends", async (_, part) => {
    await call();
    await part();
    const cancelled = [RING, [RTC_CANCEL, "other"]];
    const type = RTC_FAILED;
    expect((await signals(host)).filter((signal) => (signal as unknown[])[0] === type)).toEqual([
      [type, "other", "您已不是对方好友，无法呼叫"],
    ]);
    expect(await signals(callee)).toEqual(cancelled);
    expect(records(callee)).toEqual([CANCELLED]);
    await expectFree();
  });

  test.each(parts)("TALKING: %s, and the call goes on", async (_, part) => {
    await call();
    await accept();
    await part();
    expect(await server.app.store.findCallMember(host.person.id)).toBeDefined();
  });
});

test.each([
  ["deregistered", () => callee.person.ok("unregister", { body: { password: "password-1" } })],
  [
    "banned",
    () => sendAdminCommand(server.dataDir, { name: "ban", userName: callee.person.userName, reason: "spam" }),
  ],
] as const)("PS18 private.user %s: it hangs up for the person", async (_, goes) => {
  await call();
  await accept();
  await goes();
  await expect.poll(() => signals(host)).toContainEqual([RTC_HANDUP, "other"]);
  await expectFree();
});

describe("PS20 private.gone client", () => {
  const report = (by: Client, clientId: string) => by.person.ok("reportEndedClient", { query: { clientId } });

  test("RINGING: another client says that the one which has called is gone, and the call is cancelled", async () => {
    await call();
    await report(hostTab, "host");
    const cancelled = [RING, [RTC_CANCEL, "other"]];
    await expectEnd({ host: [], callee: cancelled, calleeTab: cancelled }, CANCELLED);
    // Both are free at once.
    await call();
    await accept();
  });

  test("TALKING: another client says that the one in the call is gone, and it hangs up; late requests of that client change nothing", async () => {
    await call();
    await accept();
    await report(calleeTab, "callee");
    await report(calleeTab, "callee");
    await callee.person.ok("hangUpPrivateCall", uidOf(host));
    await callee.person.ok("beatPrivateCall", uidOf(host));
    expect(await callee.person.errorKeyOf("acceptPrivateCall", uidOf(host))).toBe("call.ended");
    await expectEnd(
      {
        host: [
          [RTC_ACCEPT, "other"],
          [RTC_HANDUP, "other"],
        ],
        callee: [RING, [RTC_HANDUP, "other"]],
        calleeTab: [RING, [RTC_ACCEPT, "own"]],
      },
      [41, "ended", 0, "通话时长 00:00"],
    );
  });

  test("a late report that names the call before does not end the one in which the client is now", async () => {
    await call();
    await accept();
    const late = (query: { uid: number } | { groupId: number }) =>
      host.person.ok("reportEndedClient", { query: { clientId: "host", ...query } });
    await late({ uid: host.person.id });
    await late({ groupId: callee.person.id });
    expect(await callee.person.ok("findPrivateCall", uidOf(host))).toMatchObject({ isChating: true });
    await late({ uid: callee.person.id });
    await expectFree();
  });

  test("a call goes on if the gone client only rang, is not in it, or is that of somebody else", async () => {
    await call();
    for (const gone of ["callee", "callee-tab", "host"]) await report(calleeTab, gone);
    await report(host, "host-tab");
    await accept();
    for (const gone of ["callee-tab", "host", "nobody"]) await report(calleeTab, gone);
    const stranger = await registerPerson(server.url);
    for (const clientId of ["host", "callee"])
      await stranger.ok("reportEndedClient", { query: { clientId } });
    expect(await signals(host)).toEqual([[RTC_ACCEPT, "other"]]);
    expect(await host.person.ok("findPrivateCall", uidOf(callee))).toMatchObject({ isChating: true });
    expect(await host.person.errorKeyOf("reportEndedClient", { query: { clientId: "" } })).toBe(
      "request.malformed",
    );
  });
});

test("a restart of the server ends no call, and frees people who do not come back", async () => {
  const [a, b] = await registerFriends(server.url);
  const [caller, called] = [await client(a, "caller"), await client(b, "called")];
  await caller.person.ok("setupPrivateCall", { query: { uid: b.id, mode: "voice" } });
  await called.person.ok("acceptPrivateCall", { query: { uid: a.id } });
  await server.app.stop();
  server.clock.advance(600_000);
  await server.app.start();
  server.url = server.app.url;
  const move = (each: Client) => Object.assign(each.person, { url: server.app.url });
  for (const each of [caller, called, host, hostTab, callee, calleeTab]) move(each);
  expect(await server.app.store.findCall(`p${a.id}`)).toMatchObject({ hostId: a.id });
  await called.person.ok("sendPrivateCandidate", { query: { uid: a.id }, body: { candidate: 1 } });
  const back = await client(caller.person, "caller");
  await expect.poll(() => signals(back)).toEqual([[RTC_CANDIDATE, "other", '{"candidate":1}']]);
  await pass(25_000);
  // Only one of the two has come back.
  await expect.poll(() => signals(back)).toContainEqual([RTC_HANDUP, "other"]);
  expect(await server.app.store.findCallMember(a.id)).toBeUndefined();
});

test("ten calls a minute are enough for one person, and a repeated request is no further call", async () => {
  const limited = await createTestApp();
  const [a, b] = await registerFriends(limited.url);
  const socket = await a.connect();
  const setup = () => a.call("setupPrivateCall", { query: { uid: b.id, mode: "voice" } });
  for (let n = 0; n < 10; n++) {
    for (let again = 0; again < 2; again++) expect((await setup()).envelope.code).toBe(200);
    await a.ok("cancelPrivateCall", { query: { uid: b.id } });
  }
  expect(await setup()).toMatchObject({ status: 429, envelope: { code: 429 } });
  socket.close();
  await limited[Symbol.asyncDispose]();
});

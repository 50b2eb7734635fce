import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import { bodyOf } from "../testing/fake-http.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import {
  type Client,
  connectionOf,
  NOT_IN,
  OFFER,
  setUp,
  acceptAnn,
  callBob,
} from "../testing/group-call-client.ts";
import { ANN, BOB, GROUP, listed, ME } from "../testing/group-call-inputs.ts";

/** Bob has answered my offer, and we are connected. */
async function connectWithBob(): Promise<Client> {
  const client = await callBob();
  client.receive(BOB, MessageType.RTC_GROUP_ANSWER, { type: "answer", sdp: "theirs" });
  await flushMicrotasks();
  connectionOf(client).change("connected");
  return client;
}

describe("connections in the call of a group", () => {
  test("an offer without an answer is repeated every 10 s, then the connection counts as failed", async () => {
    const client = await callBob();
    for (let count = 0; count < 3; count++) {
      await client.pass(10_000);
      expect(await client.sent()).toContainEqual([
        "offer",
        { userId: BOB, offer: { type: "offer", sdp: "peer1 offer 1" } },
      ]);
    }
    await client.pass(10_000);
    expect(client.shown()?.people[1]).toMatchObject({ userId: BOB, connection: "failed" });
    expect(connectionOf(client).isClosed).toBe(true);
    expect(client.shown()?.stage).toBe("talking");
  });

  test("a connection that was lost is restarted while the others go on", async () => {
    const client = await connectWithBob();
    connectionOf(client).change("disconnected");
    expect(client.shown()?.people[1]?.connection).toBe("connected");
    await client.pass(2_000);
    expect(client.shown()?.people[1]?.connection).toBe("reconnecting");
    expect(client.reconnects()).toBe(1);
    expect(connectionOf(client).log).toEqual(["offer", "takes theirs", "restart"]);
    connectionOf(client).change("connected");
    expect(client.shown()?.people[1]?.connection).toBe("connected");
    await client.sent();
    await client.pass(10_000);
    expect(connectionOf(client).log).toEqual(["offer", "takes theirs", "restart"]);
  });

  test("when the network comes back, connections are restarted at once", async () => {
    const client = await connectWithBob();
    client.calls.networkChanged();
    await flushMicrotasks();
    expect(connectionOf(client).log).toEqual(["offer", "takes theirs", "restart"]);
  });

  test("if both offer at once, the larger id drops its offer", async () => {
    const withBob = await callBob();
    withBob.receive(BOB, MessageType.RTC_GROUP_OFFER, OFFER);
    expect(await withBob.sent()).toEqual([]);
    const withAnn = setUp();
    withAnn.calls.start(GROUP, [ANN]);
    await withAnn.sent();
    withAnn.receive(ANN, MessageType.RTC_GROUP_ACCEPT);
    await withAnn.sent();
    withAnn.receive(ANN, MessageType.RTC_GROUP_OFFER, OFFER);
    expect(await withAnn.sent()).toEqual([
      ["answer", { userId: ANN, answer: { type: "answer", sdp: "peer1 answers theirs" } }],
    ]);
  });

  test("GC67 descriptions for one person are sent one after the other, so that none overtakes another", async () => {
    const client = setUp();
    client.calls.start(GROUP, [BOB]);
    await client.sent();
    client.receive(BOB, MessageType.RTC_GROUP_ACCEPT);
    await client.pass(10_000);
    const offers = () => client.ports.http.waiting.filter(({ request }) => request.url.includes("offer"));
    expect(offers()).toHaveLength(1);
    client.ports.http.reply("offer", null);
    await flushMicrotasks();
    expect(offers()).toHaveLength(1);
    expect(bodyOf(offers()[0]?.request)).toMatchObject({ offer: { sdp: "peer1 offer 1" } });
  });

  test("GC67 an offer that has been answered is not sent again, though the server did not answer", async () => {
    const client = setUp();
    client.calls.start(GROUP, [BOB]);
    await client.sent();
    client.receive(BOB, MessageType.RTC_GROUP_ACCEPT);
    await client.pass(10_000);
    client.receive(BOB, MessageType.RTC_GROUP_ANSWER, { type: "answer", sdp: "theirs" });
    await flushMicrotasks();
    client.ports.http.replyRaw("offer", { kind: "failed", reason: "timeout" });
    await flushMicrotasks();
    await client.pass(1_000);
    expect(client.ports.http.waiting.filter(({ request }) => request.url.includes("offer"))).toEqual([]);
  });

  test("more members are called with their ids, and a refusal is shown", async () => {
    const client = await acceptAnn();
    client.calls.invite([BOB, 9]);
    await flushMicrotasks();
    expect(client.ports.http.waiting.map(({ request }) => bodyOf(request))).toEqual([
      { groupId: GROUP, userInfos: [{ id: 9 }] },
    ]);
    client.ports.http.reply("invite", null, NOT_IN);
    await flushMicrotasks();
    expect(client.notices).toMatchObject([{ kind: "failure", failure: { kind: "refused" } }]);
  });

  test("group.ANY.busy: a call of another group learns that I am busy, and nothing changes here", async () => {
    const client = await acceptAnn();
    const before = client.shown();
    client.receive(BOB, MessageType.RTC_GROUP_SETUP, [listed(BOB, true), listed(ME, false)], 8);
    expect(client.ports.http.waiting.map(({ request }) => bodyOf(request))).toEqual([
      { groupId: 8, reason: "对方正忙" },
    ]);
    expect(client.shown()).toEqual(before);
    expect(client.calls.isBusy()).toBe(true);
  });
});

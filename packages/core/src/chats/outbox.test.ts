import { describe, expect, test } from "vitest";
import { FRIEND_CHAT, ME } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { clockOf } from "../testing/fake-ports.ts";
import {
  createSingleClient,
  createLoggedInClient,
  pushedRow,
  sentRow,
  type SingleClient,
} from "../testing/single-client.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import type { ChatKey } from "../model/state.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";
const SEND = "/message/private/send";

const messages = (single: SingleClient, key = FRIEND_CHAT) =>
  single.client.getState().chats.byKey[key]?.window.messages ?? [];
const shown = (single: SingleClient) =>
  messages(single).map((message) => `${message.content} ${message.sending}`);
const sends = (single: SingleClient) =>
  single.ports.http.waiting
    .filter(({ request }) => request.url.endsWith(SEND))
    .map(({ request }) => bodyOf(request) as { recvId: number; content: string; tmpId: string });

/** Answers the first pending send as stored by the server. */
async function answerSend(single: SingleClient, id: number): Promise<void> {
  const [send] = sends(single);
  await single.respond(SEND, { ...sentRow(id, send!.tmpId, send!.content), recvId: send!.recvId });
}

async function loseAnswer(single: SingleClient): Promise<void> {
  single.ports.http.replyRaw(SEND, { kind: "failed", reason: "offline" });
  await flushMicrotasks();
}

async function reloadPage(single: SingleClient): Promise<SingleClient> {
  const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
  await again.client.session.resume();
  return again;
}

describe("sending", () => {
  test("O1 a message appears at once and is saved before anything else is awaited", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "one");
    expect(shown(single)).toEqual(["one sending"]);
    await flushMicrotasks();
    expect(shown(await reloadPage(single))).toEqual(["one waiting"]);
  });

  test("O2 messages of one chat are sent in order, one at a time; chats do not wait for each other", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "one");
    single.client.chats.sendText(FRIEND_CHAT, "two");
    single.client.chats.sendText(OTHER_CHAT, "three");
    expect(shown(single)).toEqual(["one sending", "two waiting"]);
    expect(sends(single).map(({ recvId, content }) => [recvId, content])).toEqual([
      [2, "one"],
      [3, "three"],
    ]);
    await answerSend(single, 5);
    expect(sends(single).map(({ content }) => content)).toEqual(["three", "two"]);
    expect(shown(single)).toEqual(["one null", "two sending"]);
  });

  test("O8 blank text does nothing", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, " \n ");
    expect(messages(single)).toEqual([]);
    expect(sends(single)).toEqual([]);
  });
});

describe("without an answer", () => {
  test("O3 a message without an answer is sent again with the same tmpId after 5 s", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "one");
    const first = sends(single)[0]?.tmpId;
    await loseAnswer(single);
    expect(shown(single)).toEqual(["one waiting"]);
    clockOf(single.ports).advance(5_000);
    await flushMicrotasks();
    expect(sends(single)[0]?.tmpId).toBe(first);
    expect(single.notices).toEqual([]);
  });

  test("O3 a waiting message is sent as soon as the connection is back", async () => {
    const single = await createLoggedInClient();
    single.ports.sockets.last().close(1006);
    single.client.chats.sendText(FRIEND_CHAT, "one");
    await loseAnswer(single);
    single.client.session.reconnectNow();
    await flushMicrotasks();
    await single.goOnline();
    expect(sends(single)).toHaveLength(1);
  });

  test("O3 nothing is sent while there is no network", async () => {
    const single = await createLoggedInClient();
    single.ports.environment.set({ hasNetwork: false });
    single.client.chats.sendText(FRIEND_CHAT, "one");
    expect(shown(single)).toEqual(["one waiting"]);
    expect(sends(single)).toEqual([]);
  });

  test("O3 waiting messages are sent when the network is back, also if the socket survived", async () => {
    const single = await createLoggedInClient();
    single.ports.environment.set({ hasNetwork: false });
    single.client.chats.sendText(FRIEND_CHAT, "one");
    single.ports.environment.set({ hasNetwork: true });
    expect(single.client.getState().connection).toEqual({ kind: "online" });
    expect(sends(single)).toHaveLength(1);
  });

  test.each([
    [429, true],
    [500, true],
    [503, true],
    [400, false],
    [403, false],
  ])("O3 O4 after HTTP status %i the message waits: %s", async (status, isWaiting) => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "one");
    const text = '{"code":500,"message":"","data":null}';
    single.ports.http.replyRaw(SEND, { kind: "answer", status, text, retryAfterSeconds: null });
    await flushMicrotasks();
    expect(shown(single)).toEqual([isWaiting ? "one waiting" : "one failed"]);
  });
});

describe("refused", () => {
  async function createClientWithRefusedSend(): Promise<SingleClient> {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "one");
    single.client.chats.sendText(FRIEND_CHAT, "two");
    await single.respond(SEND, null, 500);
    return single;
  }

  test("O4 a refused message is failed with the reason, and the next one is sent", async () => {
    const single = await createClientWithRefusedSend();
    expect(shown(single)).toEqual(["one failed", "two sending"]);
    expect(messages(single)[0]?.failure).toMatchObject({ kind: "refused", code: 500 });
    expect(single.notices).toEqual([]);
  });

  test("O4 a message to the system chat fails with its reason", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText("SYSTEM:0", "one");
    await flushMicrotasks();
    expect(messages(single, "SYSTEM:0")[0]).toMatchObject({
      sending: "failed",
      failure: { key: "message.typeNotAllowed" },
    });
  });

  test("O13 a message that fails in a chat that was removed from the list brings the chat back", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "one");
    single.client.chats.remove(FRIEND_CHAT);
    expect(single.client.getState().chats.order).not.toContain(FRIEND_CHAT);
    await single.respond(SEND, null, 500);
    expect(single.client.getState().chats.order).toContain(FRIEND_CHAT);
    expect(shown(single)).toEqual(["one failed"]);
  });

  test("O5 a failed message can be sent again", async () => {
    const single = await createClientWithRefusedSend();
    await answerSend(single, 5);
    single.client.chats.resend(FRIEND_CHAT, messages(single).find((m) => m.sending === "failed")!.tmpId!);
    expect(sends(single)[0]?.content).toBe("one");
    await answerSend(single, 6);
    expect(messages(single).map((message) => [message.id, message.content])).toEqual([
      [5, "two"],
      [6, "one"],
    ]);
  });

  test("O5 after a reload a discarded message stays deleted and a failed one stays failed", async () => {
    const single = await createClientWithRefusedSend();
    await single.respond(SEND, null, 500);
    const [one] = messages(single);
    single.client.chats.discard(FRIEND_CHAT, one!.tmpId!);
    expect(shown(single)).toEqual(["two failed"]);
    clockOf(single.ports).advance(200);
    await flushMicrotasks();
    const again = await reloadPage(single);
    expect(shown(again)).toEqual(["two failed"]);
    expect(messages(again)[0]?.failure).toMatchObject({ code: 500 });
  });

  test("O5 only failed messages can be sent again", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "one");
    single.client.chats.resend(FRIEND_CHAT, sends(single)[0]!.tmpId);
    single.client.chats.resend(FRIEND_CHAT, "unknown");
    expect(sends(single)).toHaveLength(1);
  });
});

describe("reloads and confirmation by other paths", () => {
  test("O10 a message written while the local database is read comes after those that waited there, and is not lost", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "one");
    await flushMicrotasks();
    const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
    const stop = again.client.subscribe(() => {
      if (again.client.getState().chats.byKey[FRIEND_CHAT] === undefined) return;
      stop();
      again.client.chats.sendText(FRIEND_CHAT, "two");
    });
    await again.client.session.resume();
    await flushMicrotasks();
    expect(messages(again).map(({ content }) => content)).toEqual(["one", "two"]);
    const last = await reloadPage(again);
    expect(shown(last)).toEqual(["one waiting", "two waiting"]);
  });

  test.each([0, 5, 10])(
    "O10 a message written %i steps into reading the local database leaves the rest of its chat complete",
    async (steps) => {
      const single = await createLoggedInClient();
      await single.push(pushedRow(5), pushedRow(6));
      single.client.chats.sendText(FRIEND_CHAT, "one");
      single.client.chats.setDraft(FRIEND_CHAT, "half a");
      clockOf(single.ports).advance(200);
      await flushMicrotasks();
      const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
      const resumed = again.client.session.resume();
      for (let i = 0; i < steps; i++) await Promise.resolve();
      expect(again.client.getState().session.kind).toBe("restoring");
      again.client.chats.sendText(FRIEND_CHAT, "two");
      await resumed;
      await flushMicrotasks();
      expect(messages(again).flatMap(({ id, content }) => (id === null ? content : []))).toEqual([
        "one",
        "two",
      ]);
      expect(again.client.getState().chats.byKey[FRIEND_CHAT]).toMatchObject({
        draft: "half a",
        unread: 2,
        window: { hasOlder: true },
        sync: { newest: { id: 6 } },
      });
      again.client.chats.loadOlder(FRIEND_CHAT);
      await flushMicrotasks();
      expect(messages(again).map(({ id }) => id)).toEqual([5, 6, null, null]);
      clockOf(again.ports).advance(200);
      await flushMicrotasks();
      expect(shown(await reloadPage(again)).slice(-2)).toEqual(["one waiting", "two waiting"]);
    },
  );

  test("O10 a message accepted by the server while the local database is read leaves the rest of its chat complete", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(5));
    clockOf(single.ports).advance(200);
    await flushMicrotasks();
    const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
    const resumed = again.client.session.resume();
    again.client.chats.sendText(FRIEND_CHAT, "two");
    await answerSend(again, 6);
    await resumed;
    await flushMicrotasks();
    again.client.chats.loadOlder(FRIEND_CHAT);
    await flushMicrotasks();
    expect(messages(again).map(({ id }) => id)).toEqual([5, 6]);
    expect(again.client.getState().chats.byKey[FRIEND_CHAT]).toMatchObject({ unread: 1 });
  });

  test("O6 a message whose send was interrupted by a reload is sent again with the same tmpId and shown once", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "one");
    const { tmpId } = sends(single)[0]!;
    await flushMicrotasks();
    const again = await reloadPage(single);
    await flushMicrotasks();
    await again.goOnline();
    expect(sends(again)[0]?.tmpId).toBe(tmpId);
    await answerSend(again, 5);
    expect(messages(again).map((message) => [message.id, message.key])).toEqual([[5, tmpId]]);
  });

  test("O7 a pushed row with the tmpId confirms the entry", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendText(FRIEND_CHAT, "one");
    const { tmpId } = sends(single)[0]!;
    await loseAnswer(single);
    await single.push(pushedRow(5, { sendId: ME, recvId: 2, tmpId, content: "one" }));
    expect(shown(single)).toEqual(["one null"]);
    clockOf(single.ports).advance(20_000);
    await flushMicrotasks();
    expect(sends(single)).toEqual([]);
    const again = await reloadPage(single);
    again.client.chats.open(FRIEND_CHAT);
    await flushMicrotasks();
    expect(shown(again)).toEqual(["one null"]);
  });
});

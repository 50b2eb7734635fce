import { describe, expect, test } from "vitest";
import { FRIEND_CHAT, ME } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createSolo, loggedIn, pushed, sentRow, type Solo } from "../testing/logged-in.ts";
import { settle } from "../testing/settle.ts";
import type { ChatKey } from "../model/state.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";
const SEND = "/message/private/send";

const messages = (solo: Solo, key = FRIEND_CHAT) =>
  solo.client.getState().chats.byKey[key]?.window.messages ?? [];
const shown = (solo: Solo) => messages(solo).map((message) => `${message.content} ${message.sending}`);
const sends = (solo: Solo) =>
  solo.ports.http.waiting
    .filter(({ request }) => request.url.endsWith(SEND))
    .map(({ request }) => bodyOf(request) as { recvId: number; content: string; tmpId: string });

/** The server stores the first send that waits. */
async function store(solo: Solo, id: number): Promise<void> {
  const [send] = sends(solo);
  await solo.reply(SEND, { ...sentRow(id, send!.tmpId, send!.content), recvId: send!.recvId });
}

async function lose(solo: Solo): Promise<void> {
  solo.ports.http.replyRaw(SEND, { kind: "failed", reason: "offline" });
  await settle();
}

async function reloaded(solo: Solo): Promise<Solo> {
  const again = createSolo({ storage: solo.ports.storage.tab(true), name: "again" });
  await again.client.session.resume();
  return again;
}

describe("sending", () => {
  test("O1 a message appears at once, and is on disk before anything else is waited for", async () => {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    expect(shown(solo)).toEqual(["one sending"]);
    await settle();
    expect(shown(await reloaded(solo))).toEqual(["one waiting"]);
  });

  test("O2 messages of one chat go out in order, one at a time; chats do not wait for each other", async () => {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    solo.client.chats.sendText(FRIEND_CHAT, "two");
    solo.client.chats.sendText(OTHER_CHAT, "three");
    expect(shown(solo)).toEqual(["one sending", "two waiting"]);
    expect(sends(solo).map(({ recvId, content }) => [recvId, content])).toEqual([
      [2, "one"],
      [3, "three"],
    ]);
    await store(solo, 5);
    expect(sends(solo).map(({ content }) => content)).toEqual(["three", "two"]);
    expect(shown(solo)).toEqual(["one null", "two sending"]);
  });

  test("O8 blank text does nothing", async () => {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, " \n ");
    expect(messages(solo)).toEqual([]);
    expect(sends(solo)).toEqual([]);
  });
});

describe("without an answer", () => {
  test("O3 a message waits and goes out again with the same tmpId after 5 s", async () => {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    const first = sends(solo)[0]?.tmpId;
    await lose(solo);
    expect(shown(solo)).toEqual(["one waiting"]);
    clockOf(solo.ports).advance(5_000);
    await settle();
    expect(sends(solo)[0]?.tmpId).toBe(first);
    expect(solo.notices).toEqual([]);
  });

  test("O3 or as soon as the line is back", async () => {
    const solo = await loggedIn();
    solo.ports.sockets.last().close(1006);
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    await lose(solo);
    solo.client.session.retryConnection();
    await settle();
    await solo.goOnline();
    expect(sends(solo)).toHaveLength(1);
  });

  test("O3 nothing goes out while there is no network", async () => {
    const solo = await loggedIn();
    solo.ports.environment.set({ hasNetwork: false });
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    expect(shown(solo)).toEqual(["one waiting"]);
    expect(sends(solo)).toEqual([]);
  });

  test("O3 a network that comes back sends, also over a socket that outlived the loss", async () => {
    const solo = await loggedIn();
    solo.ports.environment.set({ hasNetwork: false });
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    solo.ports.environment.set({ hasNetwork: true });
    expect(solo.client.getState().connection).toEqual({ kind: "online" });
    expect(sends(solo)).toHaveLength(1);
  });

  test.each([
    [429, true],
    [500, true],
    [503, true],
    [400, false],
    [403, false],
  ])("O3 O4 after HTTP status %i it waits: %s", async (status, isWaiting) => {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    const text = '{"code":500,"message":"","data":null}';
    solo.ports.http.replyRaw(SEND, { kind: "answer", status, text, retryAfterSeconds: null });
    await settle();
    expect(shown(solo)).toEqual([isWaiting ? "one waiting" : "one failed"]);
  });
});

describe("refused", () => {
  async function refused(): Promise<Solo> {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    solo.client.chats.sendText(FRIEND_CHAT, "two");
    await solo.reply(SEND, null, 500);
    return solo;
  }

  test("O4 a refusal makes it failed with the reason, and the next one goes out", async () => {
    const solo = await refused();
    expect(shown(solo)).toEqual(["one failed", "two sending"]);
    expect(messages(solo)[0]?.failure).toMatchObject({ kind: "refused", code: 500 });
    expect(solo.notices).toEqual([]);
  });

  test("O4 the system chat cannot be written to, and says so", async () => {
    const solo = await loggedIn();
    solo.client.chats.sendText("SYSTEM:0", "one");
    await settle();
    expect(messages(solo, "SYSTEM:0")[0]).toMatchObject({
      sending: "failed",
      failure: { key: "message.typeNotAllowed" },
    });
  });

  test("O5 it can be sent again", async () => {
    const solo = await refused();
    await store(solo, 5);
    solo.client.chats.resend(FRIEND_CHAT, messages(solo).find((m) => m.sending === "failed")!.tmpId!);
    expect(sends(solo)[0]?.content).toBe("one");
    await store(solo, 6);
    expect(messages(solo).map((message) => [message.id, message.content])).toEqual([
      [5, "two"],
      [6, "one"],
    ]);
  });

  test("O5 what was discarded is gone after a reload too, what failed is still failed", async () => {
    const solo = await refused();
    await solo.reply(SEND, null, 500);
    const [one] = messages(solo);
    solo.client.chats.discard(FRIEND_CHAT, one!.tmpId!);
    expect(shown(solo)).toEqual(["two failed"]);
    clockOf(solo.ports).advance(200);
    await settle();
    const again = await reloaded(solo);
    expect(shown(again)).toEqual(["two failed"]);
    expect(messages(again)[0]?.failure).toMatchObject({ code: 500 });
  });

  test("O5 sending again is for failed ones only", async () => {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    solo.client.chats.resend(FRIEND_CHAT, sends(solo)[0]!.tmpId);
    solo.client.chats.resend(FRIEND_CHAT, "unknown");
    expect(sends(solo)).toHaveLength(1);
  });
});

describe("reloads and other ways to know", () => {
  test("O10 what is written while the disk is read comes behind what waited there, and is not lost", async () => {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    await settle();
    const again = createSolo({ storage: solo.ports.storage.tab(true), name: "again" });
    const stop = again.client.subscribe(() => {
      if (again.client.getState().chats.byKey[FRIEND_CHAT] === undefined) return;
      stop();
      again.client.chats.sendText(FRIEND_CHAT, "two");
    });
    await again.client.session.resume();
    await settle();
    expect(messages(again).map(({ content }) => content)).toEqual(["one", "two"]);
    const last = await reloaded(again);
    expect(shown(last)).toEqual(["one waiting", "two waiting"]);
  });

  test.each([0, 5, 10])(
    "O10 what is written %i steps into the reading of the disk takes nothing from its chat",
    async (steps) => {
      const solo = await loggedIn();
      await solo.push(pushed(5), pushed(6));
      solo.client.chats.sendText(FRIEND_CHAT, "one");
      solo.client.chats.setDraft(FRIEND_CHAT, "half a");
      clockOf(solo.ports).advance(200);
      await settle();
      const again = createSolo({ storage: solo.ports.storage.tab(true), name: "again" });
      const resumed = again.client.session.resume();
      for (let i = 0; i < steps; i++) await Promise.resolve();
      expect(again.client.getState().session.kind).toBe("restoring");
      again.client.chats.sendText(FRIEND_CHAT, "two");
      await resumed;
      await settle();
      expect(messages(again).flatMap(({ id, content }) => (id === null ? content : []))).toEqual([
        "one",
        "two",
      ]);
      expect(again.client.getState().chats.byKey[FRIEND_CHAT]).toMatchObject({
        draft: "half a",
        unread: 2,
        window: { hasOlder: true },
        book: { newest: { id: 6 } },
      });
      again.client.chats.loadOlder(FRIEND_CHAT);
      await settle();
      expect(messages(again).map(({ id }) => id)).toEqual([5, 6, null, null]);
      clockOf(again.ports).advance(200);
      await settle();
      expect(shown(await reloaded(again)).slice(-2)).toEqual(["one waiting", "two waiting"]);
    },
  );

  test("O10 nor does what the server has taken meanwhile", async () => {
    const solo = await loggedIn();
    await solo.push(pushed(5));
    clockOf(solo.ports).advance(200);
    await settle();
    const again = createSolo({ storage: solo.ports.storage.tab(true), name: "again" });
    const resumed = again.client.session.resume();
    again.client.chats.sendText(FRIEND_CHAT, "two");
    await store(again, 6);
    await resumed;
    await settle();
    again.client.chats.loadOlder(FRIEND_CHAT);
    await settle();
    expect(messages(again).map(({ id }) => id)).toEqual([5, 6]);
    expect(again.client.getState().chats.byKey[FRIEND_CHAT]).toMatchObject({ unread: 1 });
  });

  test("O6 a reload in the middle of a send sends it again under the same tmpId, and shows it once", async () => {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    const { tmpId } = sends(solo)[0]!;
    await settle();
    const again = await reloaded(solo);
    await settle();
    await again.goOnline();
    expect(sends(again)[0]?.tmpId).toBe(tmpId);
    await store(again, 5);
    expect(messages(again).map((message) => [message.id, message.key])).toEqual([[5, tmpId]]);
  });

  test("O7 a pushed row with the tmpId confirms the entry", async () => {
    const solo = await loggedIn();
    solo.client.chats.sendText(FRIEND_CHAT, "one");
    const { tmpId } = sends(solo)[0]!;
    await lose(solo);
    await solo.push(pushed(5, { sendId: ME, recvId: 2, tmpId, content: "one" }));
    expect(shown(solo)).toEqual(["one null"]);
    clockOf(solo.ports).advance(20_000);
    await settle();
    expect(sends(solo)).toEqual([]);
    const again = await reloaded(solo);
    again.client.chats.open(FRIEND_CHAT);
    await settle();
    expect(shown(again)).toEqual(["one null"]);
  });
});

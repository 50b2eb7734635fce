import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import type { BroadcastFile } from "./broadcast-attachments.ts";
import { friendVO, ownRow, userInfo } from "../testing/builders.ts";
import { bodyOf } from "../testing/fake-http.ts";
import { createFakeTabs, type FakeTabs } from "../testing/fake-tabs.ts";
import {
  answerUpload,
  loseSend,
  refuseSend,
  refuseUpload,
  reloadPage,
  uploading,
} from "../testing/file-steps.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import {
  advanceTime,
  answerLoginRequests,
  createSingleClient,
  type SingleClient,
  TOKENS,
} from "../testing/single-client.ts";

const SEND = "/message/private/send";
const FRIENDS = [5, 6, 7];
const friends = FRIENDS.map((id) => friendVO({ id, userName: `f${id}`, nickName: `F${id}` }));

/** A client of user 1 who is online and has three friends. */
async function createClient(device: FakeTabs = createFakeTabs()): Promise<SingleClient> {
  const single = createSingleClient({ device });
  const form = { userName: "me", password: "password", rememberName: true, rememberPassword: false };
  const done = single.client.session.login(form);
  await flushMicrotasks();
  await single.respond("/login", TOKENS);
  await single.respond("/user/self", userInfo());
  await done;
  await flushMicrotasks();
  await single.goOnline();
  await answerLoginRequests(single, friends);
  await single.endPulls();
  return single;
}

const file = (name: string, part: Partial<BroadcastFile> = {}): BroadcastFile => ({
  type: MessageType.FILE,
  name,
  mimeType: "application/pdf",
  file: { size: 1_000, type: "application/pdf" },
  ...part,
});

interface SentBody {
  recvId: number;
  content: string;
  tmpId: string;
}

function waitingSends({ ports }: SingleClient): SentBody[] {
  return ports.http.waiting
    .filter(({ request }) => request.url.endsWith(SEND))
    .map(({ request }) => bodyOf(request) as SentBody);
}

let lastId = 100;

/** Answers the message that waits, and lets the next one follow. Returns "content to user". */
async function answerNext(single: SingleClient): Promise<string> {
  const [body, ...others] = waitingSends(single);
  expect(others).toEqual([]);
  if (body === undefined) throw new Error("no message is being sent");
  const { recvId, content, tmpId } = body;
  await single.respond(SEND, ownRow({ id: ++lastId, recvId, content, tmpId }));
  await advanceTime(single, 50);
  return `${content} to ${recvId}`;
}

async function answerAll(single: SingleClient): Promise<string[]> {
  const answered: string[] = [];
  while (waitingSends(single).length > 0) answered.push(await answerNext(single));
  return answered;
}

const broadcastOf = ({ client }: SingleClient) => client.getState().broadcast;
const statesOf = (single: SingleClient) =>
  broadcastOf(single).run?.recipients.map(({ userId, state }) => `${userId} ${state}`);
const endings = ({ notices }: SingleClient) => notices.filter(({ kind }) => kind === "broadcastEnded");

async function start(single: SingleClient, text = "hello", userIds: readonly number[] = FRIENDS) {
  single.client.broadcast.select(userIds);
  single.client.broadcast.setText(text);
  single.client.broadcast.send();
  await flushMicrotasks();
}

describe("the attachments of a broadcast", () => {
  test("BR1 an attachment is uploaded once, as soon as it is chosen", async () => {
    const single = await createClient();
    expect(single.client.broadcast.attach([file("a.pdf")])).toEqual([]);
    await flushMicrotasks();
    expect(broadcastOf(single).draft.attachments).toMatchObject([{ name: "a.pdf", status: "uploading" }]);
    single.client.broadcast.select([5]);
    single.client.broadcast.send();
    expect(broadcastOf(single).run).toBeNull();
    await answerUpload(single, "a.pdf");
    expect(broadcastOf(single).draft.attachments).toMatchObject([{ status: "success" }]);
    await start(single, "hello", [5, 6]);
    const content = JSON.stringify({ name: "a.pdf", size: 1_000, url: "/files/x/a.pdf" });
    expect(await answerAll(single)).toEqual([
      "hello to 5",
      "hello to 6",
      `${content} to 5`,
      `${content} to 6`,
    ]);
    expect(uploading(single)).toEqual([]);
    expect(broadcastOf(single).draft).toEqual({ userIds: [], text: "", attachments: [] });
  });

  test("BR1 a failed upload says why, and can be tried again or removed", async () => {
    const single = await createClient();
    single.client.broadcast.attach([file("a.pdf"), file("b.pdf")]);
    await flushMicrotasks();
    await refuseUpload(single, "a.pdf", "upload.dailyLimit");
    const [first, second] = broadcastOf(single).draft.attachments;
    expect(first).toMatchObject({ status: "failed", failure: { key: "upload.dailyLimit" } });
    single.client.broadcast.retryAttachment(first!.id);
    single.client.broadcast.removeAttachment(second!.id);
    await flushMicrotasks();
    expect(uploading(single)).toEqual(["a.pdf"]);
    await answerUpload(single, "a.pdf");
    expect(broadcastOf(single).draft.attachments).toMatchObject([{ name: "a.pdf", status: "success" }]);
  });

  test("BR1 files that are not allowed are not added, and the person is told why", async () => {
    const { client } = await createClient();
    const large = file("b.zip", { file: { size: 10_485_761, type: "" } });
    const picture = file("c.bmp", { type: MessageType.IMAGE, mimeType: "image/bmp" });
    expect(client.broadcast.attach([file("a.pdf"), large, picture])).toEqual(["tooLarge", "type"]);
    expect(client.getState().broadcast.draft.attachments.map(({ name }) => name)).toEqual(["a.pdf"]);
  });
});

describe("sending a broadcast", () => {
  test("BR4 the messages are sent one at a time and shown in their chats", async () => {
    const single = await createClient();
    await start(single);
    expect(waitingSends(single)).toHaveLength(1);
    expect(await answerAll(single)).toEqual(["hello to 5", "hello to 6", "hello to 7"]);
    expect(statesOf(single)).toEqual(["5 sent", "6 sent", "7 sent"]);
    const { byKey } = single.client.getState().chats;
    expect(byKey["PRIVATE:6"]?.window.messages).toMatchObject([{ content: "hello", sending: null }]);
    const counts = { total: 3, waiting: 0, sent: 3, failed: 0, cancelled: 0 };
    expect(endings(single)).toEqual([{ kind: "broadcastEnded", counts }]);
  });

  test("BR2 people who are no longer friends are no recipients", async () => {
    const single = await createClient();
    await start(single, "hello", [5, 99]);
    expect(statesOf(single)).toEqual(["5 waiting"]);
  });

  test("BR5 a refusal fails one recipient with its reason; BR6 only that one is tried again", async () => {
    const single = await createClient();
    await start(single);
    await answerNext(single);
    await refuseSend(single, "message.notFriend");
    await advanceTime(single, 50);
    await answerNext(single);
    expect(statesOf(single)).toEqual(["5 sent", "6 failed", "7 sent"]);
    expect(broadcastOf(single).run?.recipients[1]?.failure).toMatchObject({ key: "message.notFriend" });
    single.client.broadcast.retryFailed();
    await flushMicrotasks();
    expect(await answerAll(single)).toEqual(["hello to 6"]);
    expect(endings(single)).toHaveLength(2);
  });

  test("BR7 without an answer the same message is sent again with the same tmpId", async () => {
    const single = await createClient();
    await start(single, "hello", [5]);
    const [first] = waitingSends(single);
    await loseSend(single);
    await advanceTime(single, 4_999);
    expect(waitingSends(single)).toEqual([]);
    await advanceTime(single, 1);
    expect(waitingSends(single)).toEqual([first]);
  });

  test("BR7 an error of the server fails the recipient only when it repeats", async () => {
    const single = await createClient();
    await start(single, "hello", [5]);
    const tooMany = JSON.stringify({ code: 429, message: "too often", data: null, key: "request.tooMany" });
    for (let times = 0; times < 3; times++) {
      expect(statesOf(single)).toEqual(["5 waiting"]);
      single.ports.http.replyRaw(SEND, {
        kind: "answer",
        status: 429,
        text: tooMany,
        retryAfterSeconds: 1,
      });
      await advanceTime(single, 5_000);
    }
    expect(broadcastOf(single).run?.recipients).toMatchObject([
      { state: "failed", failure: { kind: "http", status: 429, message: "too often" } },
    ]);
  });

  test("BR8 after it was cancelled nothing more is sent, and what was on its way counts", async () => {
    const single = await createClient();
    await start(single);
    await answerNext(single);
    single.client.broadcast.cancel();
    await answerNext(single);
    expect(waitingSends(single)).toEqual([]);
    expect(statesOf(single)).toEqual(["5 sent", "6 sent", "7 cancelled"]);
    expect(endings(single)).toEqual([]);
  });

  test("BR7 a message whose row comes with a push counts as sent and is not sent again", async () => {
    const single = await createClient();
    await start(single, "hello", [5, 6]);
    const [{ tmpId } = { tmpId: "" }] = waitingSends(single);
    await loseSend(single);
    const row = ownRow({ id: ++lastId, recvId: 5, content: "hello", tmpId });
    await single.push({ cmd: 3, data: row });
    expect(statesOf(single)).toEqual(["5 sent", "6 waiting"]);
    await advanceTime(single, 5_000);
    expect(await answerAll(single)).toEqual(["hello to 6"]);
  });

  test("BR12 an ordinary message goes first", async () => {
    const single = await createClient();
    await start(single);
    single.client.chats.sendText("PRIVATE:7", "ordinary");
    await flushMicrotasks();
    expect(waitingSends(single).map(({ content }) => content)).toEqual(["hello", "ordinary"]);
    await single.respond(SEND, ownRow({ id: ++lastId, recvId: 5, content: "hello" }));
    await advanceTime(single, 200);
    expect(waitingSends(single).map(({ content }) => content)).toEqual(["ordinary"]);
    await single.respond(SEND, ownRow({ id: ++lastId, recvId: 7, content: "ordinary" }));
    await advanceTime(single, 50);
    expect(await answerAll(single)).toEqual(["hello to 6", "hello to 7"]);
  });
});

describe("a broadcast over reloads and tabs", () => {
  test("BR11 after a reload it goes on with the same tmpIds", async () => {
    const single = await createClient();
    await start(single);
    await answerNext(single);
    const [waiting] = waitingSends(single);
    const again = await reloadPage(single);
    await flushMicrotasks();
    expect(statesOf(again)).toEqual(["5 sent", "6 waiting", "7 waiting"]);
    expect(waitingSends(again)).toEqual([waiting]);
    expect(await answerAll(again)).toEqual(["hello to 6", "hello to 7"]);
  });

  test("BR11 after the logout nothing is sent", async () => {
    const single = await createClient();
    await start(single);
    await single.client.session.logout();
    await flushMicrotasks();
    await single.respond(SEND, ownRow({ id: ++lastId, recvId: 5, content: "hello" }));
    await advanceTime(single, 5_000);
    expect(waitingSends(single)).toEqual([]);
    expect(broadcastOf(single).run).toBeNull();
  });

  test("BR13 another tab shows it, can cancel it, and goes on when the first is closed", async () => {
    const device = createFakeTabs();
    const single = await createClient(device);
    const storage = single.ports.storage.tab(true);
    const other = createSingleClient({ storage, name: "other", device });
    await other.client.session.resume();
    await start(single);
    await answerNext(single);
    expect(statesOf(other)).toEqual(["5 sent", "6 waiting", "7 waiting"]);
    expect(waitingSends(other)).toEqual([]);
    single.client.close();
    await single.respond(SEND, ownRow({ id: ++lastId, recvId: 6, content: "hello" }));
    await flushMicrotasks();
    expect(waitingSends(other).map(({ recvId }) => recvId)).toEqual([6]);
    other.client.broadcast.cancel();
    expect(statesOf(other)).toEqual(["5 sent", "6 cancelled", "7 cancelled"]);
  });
});

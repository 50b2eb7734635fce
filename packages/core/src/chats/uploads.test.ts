import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import type { SystemConfig } from "@parley/protocol/entities";
import type { OutgoingFile } from "../client-api.ts";
import type { HttpResponse } from "../ports.ts";
import type { ChatKey } from "../model/state.ts";
import { FRIEND_CHAT, userInfo } from "../testing/builders.ts";
import { bodyOf, type HttpExchange } from "../testing/fake-http.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import {
  createLoggedInClient,
  createSingleClient,
  pushedRow,
  sentRow,
  type SingleClient,
  TOKENS,
} from "../testing/single-client.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";
const SEND = "/message/private/send";

function file(name: string, part: Partial<OutgoingFile> = {}): OutgoingFile {
  return {
    type: MessageType.FILE,
    name,
    size: 1_000,
    mimeType: "text/plain",
    width: null,
    height: null,
    duration: null,
    wave: null,
    file: { size: 1_000, type: "text/plain" },
    cover: null,
    ...part,
  };
}

const messages = (single: SingleClient, key = FRIEND_CHAT) =>
  single.client.getState().chats.byKey[key]?.window.messages ?? [];
const shown = (single: SingleClient, key = FRIEND_CHAT) =>
  messages(single, key).map(({ upload, content, sending }) => `${upload?.name ?? content} ${sending}`);
/** The names of the files that are being uploaded. */
const uploading = (single: SingleClient) => uploadsOf(single).map(nameOf);
const uploadsOf = (single: SingleClient) =>
  single.ports.http.waiting.filter(({ request }) => typeof request.body === "object");
const nameOf = ({ request }: HttpExchange) =>
  typeof request.body === "object" ? request.body[0]?.name : undefined;
const sends = (single: SingleClient) =>
  single.ports.http.waiting
    .filter(({ request }) => request.url.endsWith(SEND))
    .map(({ request }) => bodyOf(request) as { content: string; tmpId: string; type: number });

function uploadOf(single: SingleClient, name: string): HttpExchange {
  const found = uploadsOf(single).find((exchange) => nameOf(exchange) === name);
  if (found === undefined) throw new Error(`${name} is not being uploaded`);
  return found;
}

/** Answers an upload. */
async function answerUpload(single: SingleClient, name: string, data: unknown = `/files/x/${name}`) {
  await answerUploadWith(single, name, { code: 200, message: "", data });
}

async function answerUploadWith(single: SingleClient, name: string, envelope: object) {
  const text = JSON.stringify(envelope);
  const answer: HttpResponse = { kind: "answer", status: 200, text, retryAfterSeconds: null };
  single.ports.http.finish(uploadOf(single, name), answer);
  await flushMicrotasks();
}

/** Lets the client load the limits of the server. */
async function configure(single: SingleClient, upload: SystemConfig["upload"]) {
  single.ports.sockets.last().close(1006);
  clockOf(single.ports).advance(15_000);
  await flushMicrotasks();
  await single.goOnline();
  const config = {
    socketSecure: false,
    webrtc: { maxChannel: 9, heldOffer: false, iceServers: [] },
    message: { recallSeconds: 1, editSeconds: 1 },
    upload,
  };
  await single.respond("/user/self", userInfo());
  await single.respond("/system/config", config);
}

async function breakUpload(single: SingleClient, name: string) {
  single.ports.http.finish(uploadOf(single, name), { kind: "failed", reason: "offline" });
  await flushMicrotasks();
  clockOf(single.ports).advance(500);
  await flushMicrotasks();
}

async function refuseUpload(single: SingleClient, name: string, key: string) {
  await answerUploadWith(single, name, { code: 500, message: "no", data: null, key, params: {} });
}

async function answerSend(single: SingleClient, id: number) {
  const [send] = sends(single);
  await single.respond(SEND, { ...sentRow(id, send!.tmpId, send!.content), type: send!.type });
}

async function sendFiles(single: SingleClient, names: readonly string[], key = FRIEND_CHAT) {
  single.client.chats.sendFiles(
    key,
    names.map((name) => file(name)),
  );
  await flushMicrotasks();
}

async function reloadPage(single: SingleClient): Promise<SingleClient> {
  single.client.close();
  await flushMicrotasks();
  const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
  await again.client.session.resume();
  return again;
}

describe("sending files", () => {
  test("U1 a file is shown at once, uploaded, and sent with its content", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendFiles(FRIEND_CHAT, [file("a.txt")]);
    const [echo] = messages(single);
    expect(echo).toMatchObject({ type: MessageType.FILE, content: "", upload: { name: "a.txt" }, id: null });
    await flushMicrotasks();
    expect(shown(single)).toEqual(["a.txt sending"]);
    expect(single.client.getState().uploads[echo!.tmpId!]).toEqual({ sentBytes: 0, totalBytes: 1_000 });
    await answerUpload(single, "a.txt");
    const content = JSON.stringify({ name: "a.txt", size: 1_000, url: "/files/x/a.txt" });
    expect(sends(single)).toMatchObject([{ content, type: MessageType.FILE, tmpId: echo!.tmpId }]);
    expect(messages(single)).toMatchObject([{ content, upload: null, sending: "sending" }]);
    await answerSend(single, 5);
    expect(messages(single)).toMatchObject([{ id: 5, key: echo!.key, content, sending: null }]);
  });

  test("U1 pictures, voice and videos go to their own endpoints, a video with its cover", async () => {
    const single = await createLoggedInClient();
    const cover = { size: 5, type: "image/jpeg" };
    single.client.chats.sendFiles(FRIEND_CHAT, [
      file("a.png", { type: MessageType.IMAGE }),
      file("b.webm", { type: MessageType.AUDIO, duration: 3, wave: "0".repeat(32) }),
      file("c.mp4", { type: MessageType.VIDEO, cover }),
    ]);
    await flushMicrotasks();
    expect(
      uploadsOf(single).map(({ request }) => [
        new URL(request.url).pathname,
        typeof request.body === "object" && request.body.map(({ field }) => field),
      ]),
    ).toEqual([
      ["/api/image/upload", ["file"]],
      ["/api/file/upload", ["file"]],
      ["/api/video/upload", ["file", "cover"]],
    ]);
  });

  test("U2 messages go out in the order of sending, texts between files too", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["slow"]);
    single.client.chats.sendText(FRIEND_CHAT, "text");
    await sendFiles(single, ["fast"]);
    await answerUpload(single, "fast");
    expect(sends(single)).toEqual([]);
    await answerUpload(single, "slow");
    const order: unknown[] = [];
    for (const id of [5, 6, 7]) {
      order.push(sends(single).map(({ type, content }) => (type === 0 ? content : JSON.parse(content).name)));
      await answerSend(single, id);
    }
    expect(order).toEqual([["slow"], ["text"], ["fast"]]);
  });

  test("U3 U4 at most three uploads run at once, over all chats, ahead of the turn of their messages", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a", "b"]);
    await sendFiles(single, ["c", "d"], OTHER_CHAT);
    expect(uploading(single)).toEqual(["a", "b", "c"]);
    expect(Object.keys(single.client.getState().uploads)).toHaveLength(3);
    await answerUpload(single, "b");
    expect(uploading(single)).toEqual(["a", "c", "d"]);
    expect(sends(single)).toEqual([]);
  });

  test("U5 discarding aborts the upload and lets the next one go on", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a", "b"]);
    const [first] = messages(single);
    single.client.chats.discard(FRIEND_CHAT, first!.tmpId!);
    await flushMicrotasks();
    expect(uploading(single)).toEqual(["b"]);
    expect(shown(single)).toEqual(["b sending"]);
    expect(Object.keys(single.client.getState().uploads)).toEqual([messages(single)[0]!.tmpId]);
    await answerUpload(single, "b");
    expect(sends(single)).toHaveLength(1);
    expect(single.client.chats.localFile(first!.tmpId!)).toBeUndefined();
  });

  test("U5 a message that waits for its upload can be discarded too", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a", "b", "c", "d", "e"]);
    single.client.chats.discard(FRIEND_CHAT, messages(single)[3]!.tmpId!);
    await answerUpload(single, "a");
    expect(uploading(single)).toEqual(["b", "c", "e"]);
  });

  test("U6 U7 a refused or broken upload fails its message; it can be sent again", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a", "b", "c"]);
    await refuseUpload(single, "a", "upload.dailyLimit");
    await breakUpload(single, "b");
    await answerUpload(single, "c");
    expect(messages(single).map(({ sending, failure }) => [sending, failure])).toMatchObject([
      ["failed", { kind: "refused", key: "upload.dailyLimit" }],
      ["failed", { kind: "network", reason: "offline" }],
      ["sending", null],
    ]);
    expect(single.client.getState().uploads).toEqual({});
    single.client.chats.resend(FRIEND_CHAT, messages(single)[1]!.tmpId!);
    await flushMicrotasks();
    expect(shown(single)[1]).toBe("b sending");
    await answerSend(single, 5);
    await answerUpload(single, "b");
    expect(sends(single)).toHaveLength(1);
  });

  test("U8 without a network an upload waits, and begins again when it is back", async () => {
    const single = await createLoggedInClient();
    single.ports.environment.set({ hasNetwork: false });
    await sendFiles(single, ["a"]);
    expect([uploading(single), shown(single)]).toEqual([[], ["a waiting"]]);
    single.ports.environment.set({ hasNetwork: true });
    await flushMicrotasks();
    expect(uploading(single)).toEqual(["a"]);
    single.ports.environment.set({ hasNetwork: false });
    await breakUpload(single, "a");
    expect(shown(single)).toEqual(["a waiting"]);
    single.ports.environment.set({ hasNetwork: true });
    await flushMicrotasks();
    expect([uploading(single), shown(single)]).toEqual([["a"], ["a sending"]]);
    await answerUpload(single, "a");
    expect(sends(single)).toHaveLength(1);
  });

  test("U9 a file that is too large fails at once and is not uploaded", async () => {
    const single = await createLoggedInClient();
    await configure(single, { imageMax: 2_097_152, fileMax: 5_242_880 });
    single.client.chats.sendFiles(FRIEND_CHAT, [
      file("big", { size: 5_242_881 }),
      file("picture", { type: MessageType.IMAGE, size: 2_097_153 }),
      file("fits", { size: 5_242_880 }),
    ]);
    await flushMicrotasks();
    expect(messages(single).map(({ sending, failure }) => [sending, failure])).toMatchObject([
      ["failed", { kind: "refused", key: "upload.tooLarge", params: { max: 5 } }],
      ["failed", { kind: "refused", key: "upload.tooLarge", params: { max: 2 } }],
      ["sending", null],
    ]);
    expect(uploading(single)).toEqual(["fits"]);
  });

  test("U10 the progress is shown at most 10 times a second, and its last value always", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a"]);
    const tmpId = messages(single)[0]!.tmpId!;
    const seen: (number | undefined)[] = [];
    let last = single.client.getState().uploads;
    single.client.subscribe(() => {
      const { uploads } = single.client.getState();
      if (uploads !== last) seen.push(uploads[tmpId]?.sentBytes);
      last = uploads;
    });
    const { request } = uploadOf(single, "a");
    for (let sent = 1; sent <= 250; sent++) {
      request.onProgress?.(sent, 1_000);
      clockOf(single.ports).advance(1);
    }
    expect(seen).toHaveLength(2);
    clockOf(single.ports).advance(100);
    expect(seen.at(-1)).toBe(250);
    await answerUpload(single, "a");
    expect(seen).toHaveLength(4);
    expect(single.client.getState().uploads).toEqual({});
  });

  test("U11 a token that ends soon is refreshed before an upload", async () => {
    const single = await createLoggedInClient();
    clockOf(single.ports).advance((TOKENS.accessTokenExpiresIn - 59) * 1_000);
    await flushMicrotasks();
    await sendFiles(single, ["a"]);
    expect(uploading(single)).toEqual([]);
    await single.respond("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    expect(uploadOf(single, "a").request.headers["accessToken"]).toBe("access%202");
  });

  test("U11 a token that ends in the middle is refreshed once and the upload repeated", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a", "b"]);
    await answerUploadWith(single, "a", { code: 401, message: "", data: null });
    await answerUploadWith(single, "b", { code: 401, message: "", data: null });
    expect(single.waiting().filter((path) => path.startsWith("/refreshToken"))).toHaveLength(1);
    await single.respond("/refreshToken", { ...TOKENS, accessToken: "access 2" });
    expect(uploading(single)).toEqual(["a", "b"]);
    await answerUpload(single, "a");
    expect(sends(single)).toHaveLength(1);
  });

  test("U12 a logout aborts all uploads", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a", "b", "c", "d"]);
    await single.client.session.logout();
    await flushMicrotasks();
    expect(uploading(single)).toEqual([]);
    expect(single.client.getState().uploads).toEqual({});
  });

  test("U13 a row of the server confirms a file and aborts its upload", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a"]);
    const { tmpId } = messages(single)[0]!;
    await single.push(pushedRow(5, { ...sentRow(5, tmpId!, "{}"), type: MessageType.FILE }));
    expect(messages(single)).toMatchObject([{ id: 5, upload: null, sending: null }]);
    expect(uploading(single)).toEqual([]);
  });
});

test("U16 a page that logs in by itself uploads when it is logged in", async () => {
  const first = createSingleClient();
  const form = { userName: "me", password: "secret", rememberName: true, rememberPassword: true };
  const done = first.client.session.login(form);
  await flushMicrotasks();
  await first.respond("/login", TOKENS);
  await first.respond("/user/self", userInfo());
  await done;
  first.client.close();
  const single = createSingleClient({ storage: first.ports.storage.tab(false), name: "again" });
  await single.client.session.resume();
  await flushMicrotasks();
  await sendFiles(single, ["a"]);
  expect([uploading(single), single.waiting().filter((path) => path === "/login")]).toEqual([[], ["/login"]]);
  await single.respond("/login", TOKENS);
  await single.respond("/user/self", userInfo());
  await single.goOnline();
  await flushMicrotasks();
  expect([uploading(single), shown(single)]).toEqual([["a"], ["a sending"]]);
});

describe("a file that the server does not have any more", () => {
  async function failSend(single: SingleClient) {
    await sendFiles(single, ["a"]);
    await answerUpload(single, "a");
    const refusal = { code: 500, message: "", data: null, key: "file.notIssued", params: {} };
    const answer = { status: 200, text: JSON.stringify(refusal), retryAfterSeconds: null };
    single.ports.http.replyRaw(SEND, { kind: "answer", ...answer });
    await flushMicrotasks();
    expect(messages(single)).toMatchObject([{ sending: "failed", upload: null }]);
  }

  test("U14 it is uploaded again when its message is sent again", async () => {
    const single = await createLoggedInClient();
    await failSend(single);
    single.client.chats.resend(FRIEND_CHAT, messages(single)[0]!.tmpId!);
    await flushMicrotasks();
    expect([uploading(single), shown(single)]).toEqual([["a"], ["a sending"]]);
    await answerUpload(single, "a", "/files/y/a");
    expect(JSON.parse(sends(single)[0]!.content)).toMatchObject({ url: "/files/y/a" });
  });

  test("U15 it is uploaded again after the server got another database", async () => {
    const single = await createLoggedInClient();
    single.ports.environment.set({ hasNetwork: true });
    await sendFiles(single, ["a"]);
    await answerUpload(single, "a");
    single.ports.http.replyRaw(SEND, { kind: "failed", reason: "offline" });
    await flushMicrotasks();
    single.ports.sockets.last().close(1006);
    clockOf(single.ports).advance(15_000);
    await flushMicrotasks();
    await single.goOnline("epoch 2");
    await flushMicrotasks();
    expect(uploading(single)).toEqual(["a"]);
  });
});

describe("after a reload", () => {
  test("U20 what was uploaded and not sent is sent", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a", "b"]);
    await answerUpload(single, "b");
    await answerUpload(single, "a");
    const again = await reloadPage(single);
    expect(messages(again).map(({ sending, upload }) => [sending, upload])).toEqual([
      ["waiting", null],
      ["waiting", null],
    ]);
    await again.goOnline();
    expect(sends(again).map(({ content }) => JSON.parse(content).name)).toEqual(["a"]);
  });

  test("U21 what was not uploaded is failed, and can only be discarded", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a"]);
    const again = await reloadPage(single);
    const lost = { sending: "failed", failure: { kind: "fileLost" }, upload: { name: "a" } };
    expect(messages(again)).toMatchObject([lost]);
    await again.goOnline();
    const { tmpId } = messages(again)[0]!;
    again.client.chats.resend(FRIEND_CHAT, tmpId!);
    await flushMicrotasks();
    expect(messages(again)).toMatchObject([lost]);
    expect([uploading(again), sends(again)]).toEqual([[], []]);
    again.client.chats.discard(FRIEND_CHAT, tmpId!);
    await flushMicrotasks();
    expect(messages(await reloadPage(again))).toEqual([]);
  });
});

test("U22 a tab that is opened does not fail what another tab uploads", async () => {
  const device = createFakeTabs();
  const single = await createLoggedInClient({ device });
  await sendFiles(single, ["a"]);
  const { storage } = single.ports;
  const other = createSingleClient({ device, storage: storage.tab(true), name: "other" });
  await other.client.session.resume();
  await flushMicrotasks();
  expect(messages(other)).toEqual([]);
  expect(uploading(single)).toEqual(["a"]);
  await flushMicrotasks();
  expect(messages(await reloadPage(other))).toMatchObject([{ failure: { kind: "fileLost" } }]);
});

test("U30 the file of a message stays in memory after the server has it", async () => {
  const single = await createLoggedInClient();
  const sent = file("a");
  single.client.chats.sendFiles(FRIEND_CHAT, [sent]);
  await flushMicrotasks();
  const { tmpId } = messages(single)[0]!;
  expect(single.client.chats.localFile(tmpId!)).toEqual({ file: sent.file, cover: null });
  await answerUpload(single, "a");
  await answerSend(single, 5);
  expect(messages(single)).toMatchObject([{ id: 5 }]);
  expect(single.client.chats.localFile(tmpId!)).toEqual({ file: sent.file, cover: null });
});

import { MessageType } from "@parley/protocol/codes";
import { describe, expect, test } from "vitest";
import type { SystemConfig } from "@parley/protocol/entities";
import type { ChatKey } from "../model/state.ts";
import { FRIEND_CHAT, outgoingFile, userInfo } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import {
  answerSend,
  answerUpload,
  answerUploadWith,
  breakUpload,
  loseSend,
  messagesOf,
  refuseUpload,
  sendFiles,
  sendingOf,
  sends,
  uploading,
  uploadOf,
  uploadRequests,
} from "../testing/file-steps.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import {
  createLoggedInClient,
  createSingleClient,
  NO_CHANGES,
  pushedRow,
  sentRow,
  type SingleClient,
  TOKENS,
} from "../testing/single-client.ts";

const OTHER_CHAT: ChatKey = "PRIVATE:3";

/** Lets the client load the limits of the server. */
async function configure(single: SingleClient, upload: SystemConfig["upload"]) {
  single.ports.sockets.last().close(1006);
  clockOf(single.ports).advance(15_000);
  await flushMicrotasks();
  await single.goOnline();
  const config = {
    socketSecure: false,
    webrtc: { maxChannel: 9, heldOffer: false, iceServers: [] },
    group: { joinMode: 1 },
    message: { recallSeconds: 1, editSeconds: 1 },
    upload,
    webPush: null,
  };
  await single.respond("/user/self", userInfo());
  await single.respond("/system/config", config);
}

describe("sending files", () => {
  test("U1 a file is shown at once, uploaded, and sent with its content", async () => {
    const single = await createLoggedInClient();
    single.client.chats.sendFiles(FRIEND_CHAT, [outgoingFile("a.txt")]);
    const [echo] = messagesOf(single);
    expect(echo).toMatchObject({ type: MessageType.FILE, content: "", upload: { name: "a.txt" }, id: null });
    await flushMicrotasks();
    expect(sendingOf(single)).toEqual(["a.txt sending"]);
    expect(single.client.getState().uploads[echo!.tmpId!]).toEqual({ sentBytes: 0, totalBytes: 1_000 });
    await answerUpload(single, "a.txt");
    const content = JSON.stringify({ name: "a.txt", size: 1_000, url: "/files/x/a.txt" });
    expect(sends(single)).toMatchObject([{ content, type: MessageType.FILE, tmpId: echo!.tmpId }]);
    expect(messagesOf(single)).toMatchObject([{ content, upload: null, sending: "sending" }]);
    await answerSend(single, 5);
    expect(messagesOf(single)).toMatchObject([{ id: 5, key: echo!.key, content, sending: null }]);
  });

  test("U1 pictures, voice and videos go to their own endpoints, a video with its cover", async () => {
    const single = await createLoggedInClient();
    const cover = { size: 5, type: "image/jpeg" };
    single.client.chats.sendFiles(FRIEND_CHAT, [
      outgoingFile("a.png", { type: MessageType.IMAGE }),
      outgoingFile("b.webm", { type: MessageType.AUDIO, duration: 3, wave: "0".repeat(32) }),
      outgoingFile("c.mp4", { type: MessageType.VIDEO, cover }),
    ]);
    await flushMicrotasks();
    expect(
      uploadRequests(single).map(({ request }) => [
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
    const [first] = messagesOf(single);
    single.client.chats.discard(FRIEND_CHAT, first!.tmpId!);
    await flushMicrotasks();
    expect(uploading(single)).toEqual(["b"]);
    expect(sendingOf(single)).toEqual(["b sending"]);
    expect(Object.keys(single.client.getState().uploads)).toEqual([messagesOf(single)[0]!.tmpId]);
    await answerUpload(single, "b");
    expect(sends(single)).toHaveLength(1);
    expect(single.client.chats.localFile(first!.tmpId!)).toBeUndefined();
  });

  test("O5 a message whose upload has just ended is being sent and cannot be discarded", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a"]);
    const { tmpId } = messagesOf(single)[0]!;
    await answerUpload(single, "a");
    single.client.chats.discard(FRIEND_CHAT, tmpId!);
    expect(messagesOf(single)).toMatchObject([{ tmpId, sending: "sending" }]);
    await loseSend(single);
    clockOf(single.ports).advance(5_000);
    await flushMicrotasks();
    await answerSend(single, 5);
    expect(messagesOf(single)).toMatchObject([{ id: 5, sending: null }]);
  });

  test("U5 a message that waits for its upload can be discarded too", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a", "b", "c", "d", "e"]);
    single.client.chats.discard(FRIEND_CHAT, messagesOf(single)[3]!.tmpId!);
    await answerUpload(single, "a");
    expect(uploading(single)).toEqual(["b", "c", "e"]);
  });

  test("U6 U7 a refused or broken upload fails its message; it can be sent again", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a", "b", "c"]);
    await refuseUpload(single, "a", "upload.dailyLimit");
    await breakUpload(single, "b");
    await answerUpload(single, "c");
    expect(messagesOf(single).map(({ sending, failure }) => [sending, failure])).toMatchObject([
      ["failed", { kind: "refused", key: "upload.dailyLimit" }],
      ["failed", { kind: "network", reason: "offline" }],
      ["sending", null],
    ]);
    expect(single.client.getState().uploads).toEqual({});
    single.client.chats.resend(FRIEND_CHAT, messagesOf(single)[1]!.tmpId!);
    await flushMicrotasks();
    expect(sendingOf(single)[1]).toBe("b sending");
    await answerSend(single, 5);
    await answerUpload(single, "b");
    expect(sends(single)).toHaveLength(1);
  });

  test("U8 without a network an upload waits, and begins again when it is back", async () => {
    const single = await createLoggedInClient();
    single.ports.environment.set({ hasNetwork: false });
    await sendFiles(single, ["a"]);
    expect([uploading(single), sendingOf(single)]).toEqual([[], ["a waiting"]]);
    single.ports.environment.set({ hasNetwork: true });
    await flushMicrotasks();
    expect(uploading(single)).toEqual(["a"]);
    single.ports.environment.set({ hasNetwork: false });
    await breakUpload(single, "a");
    expect(sendingOf(single)).toEqual(["a waiting"]);
    single.ports.environment.set({ hasNetwork: true });
    await flushMicrotasks();
    expect([uploading(single), sendingOf(single)]).toEqual([["a"], ["a sending"]]);
    await answerUpload(single, "a");
    expect(sends(single)).toHaveLength(1);
  });

  test("U8 all uploads that break off without a network wait, not only the first of a chat", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a", "b"]);
    single.ports.environment.set({ hasNetwork: false });
    await breakUpload(single, "a");
    await breakUpload(single, "b");
    expect(sendingOf(single)).toEqual(["a waiting", "b waiting"]);
    single.ports.environment.set({ hasNetwork: true });
    await flushMicrotasks();
    expect(sendingOf(single)).toEqual(["a sending", "b sending"]);
  });

  test("U9 a file that is too large fails at once and is not uploaded", async () => {
    const single = await createLoggedInClient();
    await configure(single, { imageMax: 2_097_152, fileMax: 5_242_880 });
    single.client.chats.sendFiles(FRIEND_CHAT, [
      outgoingFile("big", { size: 5_242_881 }),
      outgoingFile("picture", { type: MessageType.IMAGE, size: 2_097_153 }),
      outgoingFile("fits", { size: 5_242_880 }),
    ]);
    await flushMicrotasks();
    expect(messagesOf(single).map(({ sending, failure }) => [sending, failure])).toMatchObject([
      ["failed", { kind: "refused", key: "upload.tooLarge", params: { max: 5 } }],
      ["failed", { kind: "refused", key: "upload.tooLarge", params: { max: 2 } }],
      ["sending", null],
    ]);
    expect(uploading(single)).toEqual(["fits"]);
    single.client.chats.resend(FRIEND_CHAT, messagesOf(single)[0]!.tmpId!);
    await flushMicrotasks();
    expect(uploading(single)).toEqual(["fits"]);
    expect(messagesOf(single)[0]).toMatchObject({ sending: "failed", failure: { key: "upload.tooLarge" } });
  });

  test("U10 the progress is shown at most 10 times a second, and its last value always", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a"]);
    const tmpId = messagesOf(single)[0]!.tmpId!;
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
    const { tmpId } = messagesOf(single)[0]!;
    await single.push(pushedRow(5, { ...sentRow(5, tmpId!, "{}"), type: MessageType.FILE }));
    expect(messagesOf(single)).toMatchObject([{ id: 5, upload: null, sending: null }]);
    expect(uploading(single)).toEqual([]);
  });
});

describe("while a file is being uploaded", () => {
  async function arrives(single: SingleClient) {
    await answerUpload(single, "a");
    expect(sends(single)).toHaveLength(1);
    await answerSend(single, 5);
    const { chats } = single.client.getState();
    expect(chats.order).toContain(FRIEND_CHAT);
    expect(messagesOf(single)).toMatchObject([{ id: 5, type: MessageType.FILE, upload: null }]);
  }

  test("U17 its chat can be closed and removed", async () => {
    const single = await createLoggedInClient();
    await sendFiles(single, ["a"]);
    single.client.chats.closeOpen();
    single.client.chats.remove(FRIEND_CHAT);
    await arrives(single);
  });

  test("U17 the history can be cleared", async () => {
    const single = await createLoggedInClient();
    await single.push(pushedRow(2));
    await sendFiles(single, ["a"]);
    const cleared = single.client.chats.clearHistory();
    await single.respond("/user/flushAllMessage", null);
    await single.respond("/user/changes", { ...NO_CHANGES, cleared: [{ type: "PRIVATE", upTo: 2 }] });
    await single.endPulls();
    await cleared;
    expect(sendingOf(single)).toEqual(["a sending"]);
    await arrives(single);
  });

  test("U18 the chat list shows it by its kind", async () => {
    const single = await createLoggedInClient();
    const previewOf = () => single.client.getState().chats.byKey[FRIEND_CHAT]?.preview;
    for (const [type, key] of [
      [MessageType.IMAGE, "image"],
      [MessageType.FILE, "file"],
      [MessageType.AUDIO, "audio"],
      [MessageType.VIDEO, "video"],
    ] as const) {
      single.client.chats.sendFiles(FRIEND_CHAT, [outgoingFile(key, { type })]);
      expect(previewOf()).toMatchObject({ key, text: "", sendId: 1 });
      expect(single.client.getState().chats.byKey[FRIEND_CHAT]?.unread).toBe(0);
    }
    await flushMicrotasks();
    await refuseUpload(single, "image", "upload.type");
    expect(previewOf()).toMatchObject({ key: "video" });
    expect(single.ports.sounds).toEqual([]);
  });
});

test("U19 a copy of a message with a file names the same file", async () => {
  const single = await createLoggedInClient();
  const content = JSON.stringify({ name: "a", size: 1, url: "/files/x/a" });
  await single.push(pushedRow(4, { type: MessageType.FILE, content }));
  await single.client.chats.forward(FRIEND_CHAT, [4], [OTHER_CHAT]);
  expect(sends(single)).toMatchObject([{ type: MessageType.FILE, content }]);
  expect(uploading(single)).toEqual([]);
  expect(messagesOf(single, OTHER_CHAT)).toMatchObject([{ content, upload: null }]);
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
  expect([uploading(single), sendingOf(single)]).toEqual([["a"], ["a sending"]]);
});

test("U30 the file of a message stays in memory after the server has it", async () => {
  const single = await createLoggedInClient();
  const sent = outgoingFile("a");
  single.client.chats.sendFiles(FRIEND_CHAT, [sent]);
  await flushMicrotasks();
  const { tmpId } = messagesOf(single)[0]!;
  expect(single.client.chats.localFile(tmpId!)).toEqual({ file: sent.file, cover: null });
  await answerUpload(single, "a");
  await answerSend(single, 5);
  expect(messagesOf(single)).toMatchObject([{ id: 5 }]);
  expect(single.client.chats.localFile(tmpId!)).toEqual({ file: sent.file, cover: null });
});

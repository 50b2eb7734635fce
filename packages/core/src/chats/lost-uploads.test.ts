import { describe, expect, test } from "vitest";
import { FRIEND_CHAT } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import {
  answerUpload,
  loseSend,
  messagesOf,
  refuseSend,
  reloadPage,
  sendFiles,
  sendingOf,
  sends,
  uploading,
} from "../testing/file-steps.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createLoggedInClient, createSingleClient, type SingleClient } from "../testing/single-client.ts";

describe("a file that the server does not have any more", () => {
  async function failSend(single: SingleClient) {
    await sendFiles(single, ["a"]);
    await answerUpload(single, "a");
    await refuseSend(single, "file.notIssued");
    expect(messagesOf(single)).toMatchObject([{ sending: "failed", upload: null }]);
  }

  test("U14 it is uploaded again when its message is sent again", async () => {
    const single = await createLoggedInClient();
    await failSend(single);
    single.client.chats.resend(FRIEND_CHAT, messagesOf(single)[0]!.tmpId!);
    await flushMicrotasks();
    expect([uploading(single), sendingOf(single)]).toEqual([["a"], ["a sending"]]);
    await answerUpload(single, "a", "/files/y/a");
    expect(JSON.parse(sends(single)[0]!.content)).toMatchObject({ url: "/files/y/a" });
  });

  test("U15 it is uploaded again after the server got another database", async () => {
    const single = await createLoggedInClient();
    single.ports.environment.set({ hasNetwork: true });
    await sendFiles(single, ["a"]);
    await answerUpload(single, "a");
    await loseSend(single);
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
    expect(messagesOf(again).map(({ sending, upload }) => [sending, upload])).toEqual([
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
    expect(messagesOf(again)).toMatchObject([lost]);
    await again.goOnline();
    const { tmpId } = messagesOf(again)[0]!;
    again.client.chats.resend(FRIEND_CHAT, tmpId!);
    await flushMicrotasks();
    expect(messagesOf(again)).toMatchObject([lost]);
    expect([uploading(again), sends(again)]).toEqual([[], []]);
    again.client.chats.discard(FRIEND_CHAT, tmpId!);
    await flushMicrotasks();
    expect(messagesOf(await reloadPage(again))).toEqual([]);
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
  expect(messagesOf(other)).toEqual([]);
  expect(uploading(single)).toEqual(["a"]);
  await flushMicrotasks();
  expect(messagesOf(await reloadPage(other))).toMatchObject([{ failure: { kind: "fileLost" } }]);
});

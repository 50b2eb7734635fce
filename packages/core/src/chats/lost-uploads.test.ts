import { describe, expect, test } from "vitest";
import type { PendingUpload } from "../model/state.ts";
import { FRIEND_CHAT, userInfo } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeTabs, type FakeTabs } from "../testing/fake-tabs.ts";
import {
  answerSend,
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
import {
  createLoggedInClient,
  createSingleClient,
  type SingleClient,
  TOKENS,
} from "../testing/single-client.ts";

describe("a file that the server no longer has", () => {
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

test("U24 a message whose description of its file is malformed is left out", async () => {
  const single = await createLoggedInClient();
  await sendFiles(single, ["a"]);
  single.client.close();
  await flushMicrotasks();
  const database = await single.ports.storage.open("parley-chats:https://im.example:1");
  const [entry] = await database.outbox();
  const damaged = { ...entry!, tmpId: "damaged", upload: { name: 5 } as unknown as PendingUpload };
  await database.write({ outbox: [damaged] });
  const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again" });
  await again.client.session.resume();
  await flushMicrotasks();
  expect(messagesOf(again).map(({ upload }) => upload?.name)).toEqual(["a"]);
});

describe("several tabs", () => {
  async function openTab(first: SingleClient, device: FakeTabs): Promise<SingleClient> {
    const other = createSingleClient({ device, storage: first.ports.storage.tab(false), name: "other" });
    const form = { userName: "me", password: "password", rememberName: true, rememberPassword: false };
    const done = other.client.session.login(form);
    await flushMicrotasks();
    await other.respond("/login", TOKENS);
    await other.respond("/user/self", userInfo());
    await done;
    await flushMicrotasks();
    return other;
  }

  test("U22 a tab that is opened does not fail what another tab uploads", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    await sendFiles(single, ["a"]);
    const other = await openTab(single, device);
    expect(messagesOf(other)).toEqual([]);
    expect(uploading(single)).toEqual(["a"]);
    await flushMicrotasks();
    expect(messagesOf(await reloadPage(other))).toMatchObject([{ failure: { kind: "fileLost" } }]);
  });

  test("U22 a tab that is opened does not send what waits behind an upload of another tab", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    await sendFiles(single, ["a", "b"]);
    single.client.chats.sendText(FRIEND_CHAT, "after the files");
    await answerUpload(single, "b");
    const other = await openTab(single, device);
    expect(messagesOf(other)).toEqual([]);
    await other.goOnline();
    expect(sends(other)).toEqual([]);
    await answerUpload(single, "a");
    for (const id of [5, 6, 7]) await answerSend(single, id);
    expect(messagesOf(single).map(({ id }) => id)).toEqual([5, 6, 7]);
  });

  test("U22 messages that each tab has written stay there when a third one is opened", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    const other = await openTab(single, device);
    for (const [tab, name] of [
      [single, "a"],
      [other, "b"],
    ] as const) {
      await sendFiles(tab, [name]);
      tab.client.chats.sendText(FRIEND_CHAT, `after ${name}`);
    }
    await flushMicrotasks();
    const third = await openTab(single, device);
    expect(messagesOf(third)).toEqual([]);
    expect(sendingOf(single)).toEqual(["a sending", "after a waiting"]);
    expect(sendingOf(other)).toEqual(["b sending", "after b waiting"]);
  });

  test("U23 when a tab is closed, another one sends its messages and shows the lost files", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    const other = await openTab(single, device);
    await other.goOnline();
    await sendFiles(single, ["a"]);
    single.client.chats.sendText(FRIEND_CHAT, "after a");
    expect(messagesOf(other)).toEqual([]);
    single.client.close();
    await flushMicrotasks();
    expect(sendingOf(other)).toEqual(["a failed", "after a sending"]);
    expect(messagesOf(other)[0]).toMatchObject({ failure: { kind: "fileLost" } });
    expect(sends(other).map(({ content }) => content)).toEqual(["after a"]);
  });

  test("U23 when a tab crashes, another one sends its messages and those of a tab that it came after", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    single.client.chats.sendText(FRIEND_CHAT, "before the reload");
    const again = await reloadPage(single, device);
    const [other, third] = [await openTab(again, device), await openTab(again, device)];
    await other.goOnline();
    await sendFiles(again, ["a"]);
    again.client.chats.sendText(FRIEND_CHAT, "after a");
    await sendFiles(third, ["b"]);
    await flushMicrotasks();
    device.crash(again.ports.tabs);
    await flushMicrotasks();
    expect(sendingOf(other)).toEqual(["before the reload sending", "a failed", "after a waiting"]);
    expect(messagesOf(other)[1]).toMatchObject({ failure: { kind: "fileLost" } });
  });

  test("U25 a failed message that several tabs show is discarded in all of them", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    const other = await openTab(single, device);
    await sendFiles(single, ["a"]);
    const again = await reloadPage(single, device);
    await flushMicrotasks();
    expect([sendingOf(other), sendingOf(again)]).toEqual([["a failed"], ["a failed"]]);
    again.client.chats.discard(FRIEND_CHAT, messagesOf(again)[0]!.tmpId!);
    expect([sendingOf(other), sendingOf(again)]).toEqual([[], []]);
    await flushMicrotasks();
    expect(messagesOf(await reloadPage(other, device))).toEqual([]);
  });
});

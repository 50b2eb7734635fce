import { describe, expect, test } from "vitest";
import { FRIEND_CHAT, outgoingFile, privateRow } from "../testing/builders.ts";
import { clockOf } from "../testing/fake-ports.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import { flushMicrotasks } from "../testing/flush-microtasks.ts";
import { createLoggedInClient, createSingleClient, type SingleClient } from "../testing/single-client.ts";

/** A file whose bytes can be recognized by their type. */
const file = (name: string) => outgoingFile(name, { file: { size: 1_000, type: `bytes of ${name}` } });

const draftOf = ({ client }: SingleClient) => client.getState().chats.byKey[FRIEND_CHAT]?.draftFiles ?? [];
const namesOf = (single: SingleClient) => draftOf(single).map(({ name }) => name);
const messagesOf = ({ client }: SingleClient) =>
  client.getState().chats.byKey[FRIEND_CHAT]?.window.messages ?? [];

async function bytesOf(single: SingleClient) {
  const files = await Promise.all(
    draftOf(single).map(({ id }) => single.client.chats.draftFile(FRIEND_CHAT, id)),
  );
  return files.map((one) => one?.type ?? null);
}

async function settle(single: SingleClient) {
  for (let i = 0; i < 5; i++) {
    await flushMicrotasks();
    clockOf(single.ports).advance(500);
  }
  await flushMicrotasks();
}

async function addFiles(single: SingleClient, names: readonly string[]) {
  single.client.chats.open(FRIEND_CHAT);
  single.client.chats.addDraftFiles(
    FRIEND_CHAT,
    names.map((name) => file(name)),
  );
  await settle(single);
}

async function reloadPage(single: SingleClient): Promise<SingleClient> {
  single.client.close();
  await flushMicrotasks();
  return openTab(single);
}

async function openTab(single: SingleClient, device = createFakeTabs()): Promise<SingleClient> {
  const again = createSingleClient({ storage: single.ports.storage.tab(true), name: "again", device });
  await again.client.session.resume();
  await flushMicrotasks();
  return again;
}

async function storedIds(single: SingleClient) {
  const database = await single.ports.storage.open(`parley-chats:https://im.example:1`);
  return database.fileIds();
}

describe("files of a draft", () => {
  test("U50 keep their order, can be moved and removed, and are at most 20", async () => {
    const single = await createLoggedInClient();
    await addFiles(single, ["a", "b", "c"]);
    const [a, b] = draftOf(single);
    single.client.chats.moveDraftFile(FRIEND_CHAT, a!.id, 2);
    expect(namesOf(single)).toEqual(["b", "c", "a"]);
    single.client.chats.removeDraftFile(FRIEND_CHAT, b!.id);
    expect(namesOf(single)).toEqual(["c", "a"]);
    await settle(single);
    expect(await storedIds(single)).toHaveLength(2);
    await addFiles(
      single,
      Array.from({ length: 30 }, (_, n) => `more ${n}`),
    );
    expect(namesOf(single)).toHaveLength(20);
    expect(await storedIds(single)).toHaveLength(20);
  });

  test("U51 survive a reload with their bytes", async () => {
    const single = await createLoggedInClient();
    await addFiles(single, ["a", "b"]);
    const again = await reloadPage(single);
    expect(namesOf(again)).toEqual(["a", "b"]);
    expect(await bytesOf(again)).toEqual(["bytes of a", "bytes of b"]);
  });

  test("U52 are the same in all tabs", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    await addFiles(single, ["a"]);
    const other = await openTab(single, device);
    await addFiles(single, ["b"]);
    expect(namesOf(other)).toEqual(["a", "b"]);
    expect(await bytesOf(other)).toEqual(["bytes of a", "bytes of b"]);
    other.client.chats.removeDraftFile(FRIEND_CHAT, draftOf(other)[0]!.id);
    await settle(other);
    expect(namesOf(single)).toEqual(["b"]);
    other.client.chats.sendDraftFiles(FRIEND_CHAT);
    expect(namesOf(single)).toEqual([]);
    await settle(other);
    expect(messagesOf(other)).toMatchObject([{ upload: { name: "b" } }]);
    expect(other.client.chats.localFile(messagesOf(other)[0]!.tmpId!)?.file.type).toBe("bytes of b");
  });

  test("U52 are kept when they are added in two tabs at the same moment", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    single.client.chats.open(FRIEND_CHAT);
    const other = await openTab(single, device);
    other.client.chats.open(FRIEND_CHAT);
    single.client.chats.addDraftFiles(FRIEND_CHAT, [file("a")]);
    other.client.chats.addDraftFiles(FRIEND_CHAT, [file("b")]);
    for (const tab of [single, other, single, other]) await settle(tab);
    expect(namesOf(single).toSorted()).toEqual(["a", "b"]);
    expect(namesOf(other)).toEqual(namesOf(single));
    expect(await storedIds(single)).toHaveLength(2);
  });

  test("U53 become messages in their order; the draft and its storage are empty then", async () => {
    const single = await createLoggedInClient();
    await addFiles(single, ["a", "b"]);
    const again = await reloadPage(single);
    again.client.chats.sendDraftFiles(FRIEND_CHAT);
    again.client.chats.sendText(FRIEND_CHAT, "text");
    expect(namesOf(again)).toEqual([]);
    expect(messagesOf(again).map(({ upload, content }) => upload?.name ?? content)).toEqual([
      "a",
      "b",
      "text",
    ]);
    await settle(again);
    expect(await storedIds(again)).toEqual([]);
    const files = messagesOf(again).map(({ tmpId }) => again.client.chats.localFile(tmpId!)?.file.type);
    expect(files).toEqual(["bytes of a", "bytes of b", undefined]);
  });

  test("U59 sent in two tabs at the same moment they are the same messages", async () => {
    const single = await createLoggedInClient();
    await addFiles(single, ["a", "b"]);
    // This tab hears of nothing that the other one does.
    const other = await openTab(single);
    expect(namesOf(other)).toEqual(["a", "b"]);
    single.client.chats.sendDraftFiles(FRIEND_CHAT);
    other.client.chats.sendDraftFiles(FRIEND_CHAT);
    const tmpIds = messagesOf(single).map(({ tmpId }) => tmpId);
    expect(tmpIds).toHaveLength(2);
    expect(messagesOf(other).map(({ tmpId }) => tmpId)).toEqual(tmpIds);
  });

  test("U54 one that this device has lost fails its message", async () => {
    const single = await createLoggedInClient();
    await addFiles(single, ["a"]);
    const database = await single.ports.storage.open(`parley-chats:https://im.example:1`);
    await database.removeFiles(await database.fileIds());
    const again = await reloadPage(single);
    const bytes = bytesOf(again);
    await settle(again);
    expect(await bytes).toEqual([null]);
    await again.goOnline();
    again.client.chats.sendDraftFiles(FRIEND_CHAT);
    await settle(again);
    expect(messagesOf(again)).toMatchObject([{ sending: "failed", failure: { kind: "fileLost" } }]);
  });

  test("U55 one that does not fit stays in memory, and the person is told", async () => {
    const single = await createLoggedInClient();
    single.ports.storage.isFullForFiles = true;
    await addFiles(single, ["a", "b"]);
    expect(single.notices.filter(({ kind }) => kind === "fileNotStored")).toHaveLength(1);
    expect(single.client.getState().storage).toBe("disk");
    expect(await bytesOf(single)).toEqual(["bytes of a", "bytes of b"]);
  });

  test("U55 other tabs get one that does not fit from the tab that has it, as long as that is open", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    const other = await openTab(single, device);
    other.client.chats.open(FRIEND_CHAT);
    single.ports.storage.isFullForFiles = true;
    await addFiles(single, ["a", "b"]);
    expect(await bytesOf(other)).toEqual(["bytes of a", "bytes of b"]);
    other.client.chats.removeDraftFile(FRIEND_CHAT, draftOf(other)[1]!.id);
    other.client.chats.sendDraftFiles(FRIEND_CHAT);
    await settle(other);
    const [message] = messagesOf(other);
    expect(message).toMatchObject({ sending: "sending", upload: { name: "a" } });
    expect(other.client.chats.localFile(message!.tmpId!)?.file.type).toBe("bytes of a");
    await addFiles(single, ["c"]);
    single.client.close();
    const bytes = bytesOf(other);
    await settle(other);
    expect(await bytes).toEqual([null]);
  });

  test("U55 without any storage they are in memory, and the person is not told again", async () => {
    const single = await createLoggedInClient();
    single.ports.storage.shouldRefuse = true;
    single.client.chats.setDraft(FRIEND_CHAT, "x");
    await settle(single);
    const before = single.notices.length;
    await addFiles(single, ["a"]);
    expect(await bytesOf(single)).toEqual(["bytes of a"]);
    expect(single.notices).toHaveLength(before);
  });

  test("U56 go with their chat", async () => {
    const single = await createLoggedInClient();
    await addFiles(single, ["a"]);
    expect(await storedIds(single)).toHaveLength(1);
    single.client.chats.remove(FRIEND_CHAT);
    await settle(single);
    expect([namesOf(single), await storedIds(single)]).toEqual([[], []]);
  });

  test("U56 go with their chat while they are being stored, and when another tab removes it", async () => {
    const device = createFakeTabs();
    const single = await createLoggedInClient({ device });
    await addFiles(single, ["a"]);
    const other = await openTab(single, device);
    single.client.chats.addDraftFiles(FRIEND_CHAT, [file("b")]);
    other.client.chats.remove(FRIEND_CHAT);
    await settle(other);
    await settle(single);
    expect([namesOf(single), namesOf(other), await storedIds(single)]).toEqual([[], [], []]);
  });

  test("U56 stored files that no draft has are removed at the next start", async () => {
    const single = await createLoggedInClient();
    await addFiles(single, ["a"]);
    const database = await single.ports.storage.open(`parley-chats:https://im.example:1`);
    await database.putFile({ id: "unused", file: { size: 1, type: "" }, cover: null });
    const again = await reloadPage(single);
    await settle(again);
    expect(await storedIds(again)).toEqual([draftOf(again)[0]!.id]);
  });

  test("U58 stay when the messages have to be loaded again", async () => {
    const single = await createLoggedInClient();
    await addFiles(single, ["a"]);
    await single.push({ cmd: 3, data: privateRow({ id: 7 }) });
    single.ports.sockets.last().close(1006);
    clockOf(single.ports).advance(15_000);
    await flushMicrotasks();
    await single.goOnline("epoch 2");
    await settle(single);
    expect(namesOf(single)).toEqual(["a"]);
    expect(await bytesOf(await reloadPage(single))).toEqual(["bytes of a"]);
  });
});

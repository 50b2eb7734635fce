import { expect, onTestFinished, test, vi } from "vitest";
import { FRIEND_CHAT } from "@parley/core/testing/builders";
import { createLoggedInClient } from "@parley/core/testing/single-client";
import { MessageType } from "@parley/protocol/codes";
import { currentText } from "../../../../kit/i18n/i18n.ts";
import { useToasts } from "../../../../ui/toast-store.ts";
import { attachFiles } from "./attach-files.ts";
import { beingReadNow } from "./pick-files.ts";

const choice = (prefix: string, count: number) => ({
  files: Array.from({ length: count }, (_, index) => new File(["text"], `${prefix}${index}.txt`)),
  hasFolder: false,
  isFile: true,
});

test("E3 files that are still being read count, so that none of a second choice is lost without a sentence", async () => {
  useToasts.setState([], true);
  const { client } = await createLoggedInClient();
  client.chats.open(FRIEND_CHAT);
  const first = attachFiles(client, FRIEND_CHAT, choice("a", 15));
  expect(beingReadNow(FRIEND_CHAT)).toBe(15);
  const second = attachFiles(client, FRIEND_CHAT, choice("b", 8));
  expect(useToasts.getState().map(({ text }) => text)).toEqual([
    currentText()("attach.tooMany", { max: 20 }),
  ]);
  expect(beingReadNow(FRIEND_CHAT)).toBe(20);
  await Promise.all([first, second]);
  expect(beingReadNow(FRIEND_CHAT)).toBe(0);
  const names = client.getState().chats.byKey[FRIEND_CHAT]?.draftFiles.map(({ name }) => name);
  expect(names).toHaveLength(20);
  expect(names?.at(-1)).toBe("b4.txt");
});

test("a picture whose reading fails goes as a file, and what is chosen later is still added", async () => {
  const reportError = vi.fn();
  vi.stubGlobal("reportError", reportError);
  vi.stubGlobal("Image", undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { client } = await createLoggedInClient();
  client.chats.open(FRIEND_CHAT);
  const picture = {
    files: [new File(["bytes"], "a.png", { type: "image/png" })],
    hasFolder: false,
    isFile: false,
  };
  await attachFiles(client, FRIEND_CHAT, picture);
  await attachFiles(client, FRIEND_CHAT, choice("b", 1));
  expect(beingReadNow(FRIEND_CHAT)).toBe(0);
  const files = client.getState().chats.byKey[FRIEND_CHAT]?.draftFiles;
  expect(files?.map(({ name, type }) => [name, type])).toEqual([
    ["a.png", MessageType.FILE],
    ["b0.txt", MessageType.FILE],
  ]);
  expect(reportError).toHaveBeenCalledOnce();
});

test("E1 pictures and videos that cannot be shown in the chat go as files, which a sentence says unless files were asked for", async () => {
  const { client } = await createLoggedInClient();
  client.chats.open(FRIEND_CHAT);
  const attach = async (names: readonly string[], isFile: boolean) => {
    useToasts.setState([], true);
    const files = names.map((name) => new File(["bytes"], name));
    await attachFiles(client, FRIEND_CHAT, { files, hasFolder: false, isFile });
    return useToasts.getState().map(({ text }) => text);
  };
  const t = currentText();
  expect(await attach(["a.heic"], false)).toEqual([t("attach.goesAsFile", { name: "a.heic" })]);
  expect(await attach(["a.mkv", "b.bmp", "c.pdf"], false)).toEqual([t("attach.goAsFiles", { count: 2 })]);
  expect(await attach(["a.pdf"], false)).toEqual([]);
  expect(await attach(["a.heic"], true)).toEqual([]);
});

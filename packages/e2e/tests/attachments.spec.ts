import { MessageType } from "@parley/protocol/codes";
import { fileContent, imageContent } from "@parley/protocol/message";
import { createAccount, befriend } from "../src/api.ts";
import {
  choose,
  chooseWithButton,
  expectWaiting,
  pasteByMenu,
  png,
  stored,
  text,
  waiting,
} from "../src/attachments.ts";
import { expect, test } from "../src/fixtures.ts";

test("E1 E6 E7 E8 E10 chosen files are moved, removed, changed to files, and sent in order before the text, into the chat in which they were chosen", async ({
  friends,
  chatting: { lin },
  cast,
  server,
}) => {
  const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  await befriend(mei, friends.lin);
  await choose(lin, "attach.pickPicture", [
    png("one.png"),
    png("two.png"),
    png("three.png"),
    png("four.png"),
  ]);
  await expect(lin.composer()).toBeFocused();
  await chooseWithButton(lin, "attach.pickFile", [text("notes.txt")]);
  await expectWaiting(lin, ["one.png", "two.png", "three.png", "four.png", "notes.txt"]);
  await expect(lin.composer()).toBeFocused();

  // By keys: to the front, and away.
  await waiting(lin).nth(2).focus();
  await lin.page.keyboard.press("Shift+ArrowLeft");
  await expectWaiting(lin, ["one.png", "three.png", "two.png", "four.png", "notes.txt"]);
  await expect(waiting(lin).nth(1)).toBeFocused();
  await lin.page.keyboard.press("Delete");
  await expectWaiting(lin, ["one.png", "two.png", "four.png", "notes.txt"]);
  await expect(waiting(lin).nth(1)).toBeFocused();
  // By the pointer: the first behind the second.
  const [first, second] = [await waiting(lin).nth(0).boundingBox(), await waiting(lin).nth(1).boundingBox()];
  if (first === null || second === null) throw new Error("the files are not visible");
  await lin.page.mouse.move(first.x + 10, first.y + 40);
  await lin.page.mouse.down();
  await lin.page.mouse.move(second.x + 20, second.y + 40, { steps: 5 });
  await lin.page.mouse.move(second.x + 50, second.y + 40, { steps: 5 });
  await lin.page.mouse.up();
  await expectWaiting(lin, ["two.png", "one.png", "four.png", "notes.txt"]);
  await expect(lin.page.getByRole("menu")).toHaveCount(0);
  // By the menu: a picture as a file.
  await waiting(lin).nth(2).click();
  await lin.menuItem("attach.asFile").click();
  await expect(waiting(lin).nth(2)).toHaveAccessibleName(
    new RegExp(`^${lin.t("attach.file", { name: "four.png", size: "" })}`),
  );

  await lin.composer().fill("看看这些");
  // Another chat has none of them.
  await lin.openChat(cast.mei.nickName);
  await expect(waiting(lin)).toHaveCount(0);
  await expect(lin.row(cast.bo.nickName)).toContainText(`${lin.t("chat.draft")} 看看这些`);
  await lin.openChat(cast.bo.nickName);
  await expectWaiting(lin, ["two.png", "one.png", "four.png", "notes.txt"]);
  await lin.composer().press("Enter");
  await lin.openChat(cast.mei.nickName);

  await expect.poll(async () => (await stored(friends.lin)).length).toBe(5);
  const messages = await stored(friends.lin);
  expect(messages.map(({ type }) => type)).toEqual([
    MessageType.IMAGE,
    MessageType.IMAGE,
    MessageType.FILE,
    MessageType.FILE,
    MessageType.TEXT,
  ]);
  expect(imageContent.parse(JSON.parse(messages[0]?.content ?? ""))).toMatchObject({ width: 40, height: 40 });
  expect(fileContent.parse(JSON.parse(messages[2]?.content ?? ""))).toMatchObject({ name: "four.png" });
  expect(fileContent.parse(JSON.parse(messages[3]?.content ?? ""))).toMatchObject({
    name: "notes.txt",
    size: 9,
  });
  expect(messages[4]?.content).toBe("看看这些");
  await lin.openChat(cast.bo.nickName);
  await expect(waiting(lin)).toHaveCount(0);
  await expect(lin.composer()).toHaveValue("");
});

test("E2 E3 empty, too large and too many files are refused in words, and the others stay", async ({
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await choose(lin, "attach.pickFile", [text("empty.txt", ""), text("good.txt")]);
  await lin.expectToast(lin.t("attach.empty"));
  await expectWaiting(lin, ["good.txt"]);
  await choose(
    lin,
    "attach.pickFile",
    Array.from({ length: 21 }, (_, index) => text(`n${index}.txt`)),
  );
  await lin.expectToast(lin.t("attach.tooMany", { max: 20 }));
  await expect(waiting(lin)).toHaveCount(20);
});

test.describe("with a small limit", () => {
  test.use({ ownServer: { UPLOAD_MAX_MB: "1" } });

  test("E2 a file above the server's limit is refused with the limit", async ({ lin, cast }) => {
    await lin.openChat(cast.bo.nickName);
    await choose(lin, "attach.pickFile", [text("large.txt", "x".repeat(1_048_577)), text("good.txt")]);
    await lin.expectToast(lin.t("upload.tooLarge", { max: "1.00 MB" }));
    await expectWaiting(lin, ["good.txt"]);
  });
});

test("E4 E9 a picture is pasted, the cells of a spreadsheet are pasted as text, and files are sent without a text; a quote stays", async ({
  friends,
  chatting: { lin, bo },
}) => {
  await bo.send("which one?");
  await lin.runMessageAction("which one?", "act.quote");
  await lin.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await lin.composer().focus();
  const copy = (withText: boolean) =>
    lin.page.evaluate(async (hasText) => {
      const canvas = new OffscreenCanvas(30, 20);
      canvas.getContext("2d")?.fillRect(0, 0, 30, 20);
      const picture = await canvas.convertToBlob({ type: "image/png" });
      await navigator.clipboard.write([
        new ClipboardItem({
          "image/png": picture,
          ...(hasText && { "text/plain": new Blob(["1\t2"], { type: "text/plain" }) }),
        }),
      ]);
    }, withText);
  await copy(true);
  // A paste needs no click into the field before it.
  await lin.composer().blur();
  await lin.page.keyboard.press("Control+v");
  await expect(lin.composer()).toBeFocused();
  await expect(lin.composer()).toHaveValue("1\t2");
  // A paste by the menu comes without a key.
  await lin.composer().blur();
  await pasteByMenu(lin.page, " by menu");
  await expect(lin.composer()).toBeFocused();
  await expect(lin.composer()).toHaveValue("1\t2 by menu");
  await expect(waiting(lin)).toHaveCount(0);
  await lin.composer().fill("");
  await expect(lin.button("chat.send")).toBeDisabled();
  await copy(false);
  await lin.page.keyboard.press("Control+v");
  await expect(waiting(lin)).toHaveCount(1);
  await expect(lin.composer()).toHaveValue("");
  await lin.button("chat.send").click();
  await expect(waiting(lin)).toHaveCount(0);
  await expect.poll(async () => (await stored(friends.lin)).at(-1)?.type).toBe(MessageType.IMAGE);
  // The quote waits for a text.
  await expect(lin.button("chat.unquote")).toBeVisible();
});

test("E10 a reload keeps the waiting files, and they can be sent after it", async ({
  friends,
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await choose(lin, "attach.pickPicture", [png("one.png"), png("two.png")]);
  await expectWaiting(lin, ["one.png", "two.png"]);
  await lin.page.reload();
  await expectWaiting(lin, ["one.png", "two.png"]);
  await lin.link("nav.friends").click();
  await lin.link("nav.chats").click();
  await expect(lin.row(cast.bo.nickName)).toContainText(`${lin.t("chat.draft")} ${lin.t("preview.image")}`);
  await lin.openChat(cast.bo.nickName);
  await expectWaiting(lin, ["one.png", "two.png"]);
  await lin.button("chat.send").click();
  await expect.poll(async () => (await stored(friends.lin)).map(({ type }) => type)).toEqual([1, 1]);
});

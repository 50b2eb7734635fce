import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Route } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { befriend, createAccount } from "../src/api.ts";
import { dropFilesOn, png, stored, text } from "../src/attachments.ts";
import { expectAccessible } from "../src/expect-accessible.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

/** Opens the broadcast tool from the main menu. */
async function openBroadcast(person: Person): Promise<Locator> {
  await person.button("nav.menu").click();
  await person.page.getByRole("menuitem", { name: person.t("menu.broadcast"), exact: true }).click();
  const dialog = person.page.getByRole("dialog", { name: person.t("broadcast.title"), exact: true });
  await expect(dialog).toBeVisible();
  return dialog;
}

/** Holds back the next messages that the page sends. Returns a function that lets them through. */
async function holdSends({ context }: Person) {
  const held: Route[] = [];
  let isOpen = false;
  await context.route("**/message/private/send", (route) => {
    if (isOpen) return route.continue();
    held.push(route);
    return undefined;
  });
  return {
    count: () => held.length,
    async release() {
      isOpen = true;
      // Those of a page that was loaded again are gone.
      await Promise.all(held.map((route) => route.continue().catch(() => undefined)));
    },
  };
}

test("a broadcast with text, picture and file goes on while its dialog is closed; a person who is no longer a friend fails, and is tried again", async ({
  friends,
  cast,
  server,
  openSignedIn,
}) => {
  const nora = { ...cast.other("nora"), nickName: `周若宁${cast.lin.userName.slice(3)}` };
  const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  const others = [mei, await createAccount(server.url, nora.userName, nora.nickName)] as const;
  for (const other of others) await befriend(friends.lin, other);
  const lin = await openSignedIn(cast.lin);
  const dialog = await openBroadcast(lin);
  await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(750);
  const send = (count: number) =>
    dialog.getByRole("button", { name: lin.t("broadcast.send", { count }), exact: true });
  const option = (name: string) => dialog.getByRole("option").filter({ hasText: name });
  const search = dialog.getByRole("searchbox");

  // Friends are found by pinyin and initials; Enter takes the only one.
  await search.fill("zrn");
  await expect(dialog.getByRole("option")).toHaveCount(1);
  await search.press("Enter");
  await expect(option(nora.nickName)).toHaveAttribute("aria-selected", "true");
  await search.fill("meiling");
  await dialog.getByRole("button", { name: lin.t("broadcast.selectAll"), exact: true }).click();
  await search.fill("");
  await expect(dialog.getByRole("option", { selected: true })).toHaveCount(2);
  await dialog.getByRole("button", { name: lin.t("broadcast.clear"), exact: true }).click();
  await expect(dialog.getByRole("option", { selected: true })).toHaveCount(0);
  await dialog.getByRole("button", { name: lin.t("broadcast.selectAll"), exact: true }).click();
  await expect(send(3)).toBeDisabled();
  await dialog.getByRole("button", { name: lin.t("members.remove", { name: nora.nickName }) }).click();
  await expect(send(2)).toBeDisabled();

  // Blank text is none; the text is trimmed.
  const field = dialog.getByRole("textbox", { name: lin.t("broadcast.text"), exact: true });
  await field.fill("  \n ");
  await expect(send(2)).toBeDisabled();
  await field.fill("  下周一放假");
  await dialog.getByRole("button", { name: lin.t("chat.emoticons"), exact: true }).click();
  await dialog.getByRole("gridcell", { name: lin.t("emoticon.5"), exact: true }).click();
  await expect(field).toBeFocused();
  await expect(dialog.locator('[data-emoticon="5"]')).toBeVisible();
  await lin.page.keyboard.type("  \n");
  await expect(send(2)).toBeEnabled();

  // Attachments: wrong ones are refused with the text of the specification, a failed upload can be repeated.
  const pictures = dialog.locator('[data-attach="picture"]');
  const files = dialog.locator('[data-attach="file"]');
  await pictures.setInputFiles({ ...png("old.bmp"), mimeType: "image/bmp" });
  await lin.expectToast(lin.t("upload.type", { types: "jpeg, png, jpg, webp, gif" }));
  const large = test.info().outputPath("large.bin");
  await writeFile(large, Buffer.alloc(10_485_761));
  await files.setInputFiles(large);
  await lin.expectToast(lin.t("upload.tooLarge", { max: "10.00 MB" }));
  await expect(dialog.locator("[data-status]")).toHaveCount(0);
  await pictures.setInputFiles(png("map.png"));
  await expect(dialog.locator('[data-status="success"]')).toHaveCount(1);
  await lin.context.route("**/file/upload", (route) => route.abort());
  await files.setInputFiles(text("plan.txt"));
  await expect(dialog.locator('[data-status="failed"]')).toContainText("plan.txt");
  await expect(dialog.getByText(lin.t("broadcast.failedNotSent"))).toBeVisible();
  await expectAccessible(lin, "a broadcast that is composed");
  await lin.context.unroute("**/file/upload");
  await dialog.getByRole("button", { name: lin.t("broadcast.retryUpload", { name: "plan.txt" }) }).click();
  await expect(dialog.locator('[data-status="success"]')).toHaveCount(2);

  // The draft stays while the dialog is closed.
  await lin.page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await openBroadcast(lin);
  await expect(field).toHaveValue(/^ {2}下周一放假. {2}\n$/u);

  // While the first message is on its way, Mei ends the friendship, and Lin closes the dialog.
  const sends = await holdSends(lin);
  await send(2).click();
  await expect(dialog.getByRole("progressbar")).toBeVisible();
  await expect.poll(sends.count).toBe(1);
  await expectAccessible(lin, "a broadcast that is being sent");
  await mei.call(ENDPOINTS.deleteFriend, { params: { id: friends.lin.id } });
  await dialog
    .getByRole("button", { name: lin.t("app.close"), exact: true })
    .last()
    .click();
  await lin.expectToast(lin.t("broadcast.goesOn"));
  await expect(lin.text("broadcast.bar", { done: 0, total: 2 })).toBeVisible();
  await sends.release();
  const result = lin.t("broadcast.partly", { success: 1, fail: 1 });
  await lin.expectToast(result);
  await lin.page
    .locator("[data-toasts]")
    .getByRole("button", { name: lin.t("broadcast.show"), exact: true })
    .click();
  await expect(dialog.getByText(result, { exact: true })).toBeVisible();
  const failed = dialog.locator(`[data-recipient="${mei.id}"]`);
  await expect(failed).toContainText(
    lin.t("broadcast.state.failed", { reason: lin.t("error.message.notFriend") }),
  );
  await expect(dialog.locator(`[data-recipient="${friends.bo.id}"]`)).toContainText(
    lin.t("broadcast.state.sent"),
  );
  await expectAccessible(lin, "the result of a broadcast");

  // Friends again: only Mei is tried again.
  await befriend(friends.lin, mei);
  await dialog.getByRole("button", { name: lin.t("broadcast.retry", { count: 1 }), exact: true }).click();
  await expect(dialog.getByText(lin.t("broadcast.succeeded", { count: 2 }), { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: lin.t("broadcast.done"), exact: true }).click();
  for (const account of [friends.bo, mei]) {
    const messages = await stored(account);
    const own = messages.filter(({ type }) => type <= 2);
    expect(own.map(({ type }) => type)).toEqual([0, 1, 2]);
    expect(own[0]?.content).toBe("下周一放假#爱心;");
  }
  await lin.openChat(cast.bo.nickName);
  await expect(lin.messages()).toHaveCount(3);
});

test("files that are dropped on the dialog become attachments, as pictures or files by their type; what cannot be sent is refused with a sentence", async ({
  lin,
}, testInfo) => {
  const folder = testInfo.outputPath("folder");
  await mkdir(folder);
  const files = [
    png("map.png"),
    text("plan.txt"),
    text("empty.txt", ""),
    { name: "large.bin", buffer: Buffer.alloc(10_485_761) },
  ];
  const paths = await Promise.all(
    files.map(async ({ name, buffer }) => {
      const path = join(folder, name);
      await writeFile(path, buffer);
      return path;
    }),
  );
  const dialog = await openBroadcast(lin);
  const target = dialog.locator("[data-over]");
  await dropFilesOn(lin, target, [...paths, folder], dialog.getByRole("searchbox"));
  for (const sentence of [
    lin.t("attach.folder"),
    lin.t("attach.empty"),
    lin.t("upload.tooLarge", { max: "10.00 MB" }),
  ])
    await lin.expectToast(sentence);
  const attachments = dialog.locator("[data-status]");
  await expect(attachments).toHaveText([/map\.png/, /plan\.txt/]);
  await expect(dialog.locator('[data-status="success"]')).toHaveCount(2);
  // Only a picture shows itself.
  await expect(attachments.locator("img")).toHaveCount(1);

  // A drag of text is none of files.
  const data = await lin.page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.setData("text/plain", "hello");
    return transfer;
  });
  await dialog.getByRole("searchbox").dispatchEvent("dragenter", { dataTransfer: data });
  await dialog.getByRole("searchbox").dispatchEvent("dragover", { dataTransfer: data });
  await expect(target).toHaveCount(0);
});

test("a broadcast goes on after a reload, can be stopped, and names the people who got it", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn({ ...cast.bo, viewport: { width: 390, height: 844 }, isTouch: true });
  await bo.page.goto(`${bo.url}/home/me`);
  await bo.button("menu.broadcast").click();
  const dialog = bo.page.getByRole("dialog", { name: bo.t("broadcast.title"), exact: true });
  await expect(dialog).toBeVisible();
  // It rises from below.
  await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await dialog.getByRole("option").first().click();
  await dialog.getByRole("textbox", { name: bo.t("broadcast.text"), exact: true }).fill("See you on Monday");
  await expectAccessible(bo, "a broadcast on a phone");
  const sends = await holdSends(bo);
  await dialog.getByRole("button", { name: bo.t("broadcast.send", { count: 1 }), exact: true }).click();
  await expect.poll(sends.count).toBe(1);

  await bo.page.reload();
  await bo.page.getByRole("button", { name: bo.t("broadcast.show"), exact: true }).click();
  await expect.poll(sends.count).toBe(2);
  await dialog.getByRole("button", { name: bo.t("broadcast.stop"), exact: true }).click();
  await expect(
    dialog.getByText(bo.t("broadcast.cancelled", { success: 0, rest: 1 }), { exact: true }),
  ).toBeVisible();
  await sends.release();
  // The message that was on its way when it was stopped has arrived, once.
  await expect(dialog.getByText(bo.t("broadcast.succeeded", { count: 1 }), { exact: true })).toBeVisible();
  expect((await stored(friends.lin)).map(({ content }) => content)).toEqual(["See you on Monday"]);
});

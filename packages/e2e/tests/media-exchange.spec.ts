import type { FileChooser } from "@playwright/test";
import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { fileContent } from "@parley/protocol/message";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";
import { createPng } from "../src/png.ts";
import { watchLabel } from "../src/watch-label.ts";

/** Chooses files through the browser's dialog. */
async function choose(person: Person, item: string, files: Parameters<FileChooser["setFiles"]>[0]) {
  const opened = person.page.waitForEvent("filechooser");
  await person.sendFromPlusMenu(item);
  await (await opened).setFiles(files);
}

test("three people of a group exchange pictures, a file and voice messages; a forwarded file outlives the recall of the first one", async ({
  team: { accounts, lin, bo, mei },
  cast,
  server,
}) => {
  // Lin sends two pictures and a file between two texts.
  await lin.send("before");
  await choose(lin, "attach.pickPicture", [
    { name: "a.png", mimeType: "image/png", buffer: createPng(300) },
    { name: "b.png", mimeType: "image/png", buffer: createPng(200) },
  ]);
  await choose(lin, "attach.pickFile", [
    { name: "plan.txt", mimeType: "text/plain", buffer: Buffer.from("the whole plan") },
  ]);
  await expect(lin.page.locator("[data-strip] [data-tile]")).toHaveCount(3);
  await lin.send("after");
  for (const person of [lin, bo, mei]) {
    await expect(person.messages()).toHaveCount(5);
    await person.expectSent();
    await expect(person.page.locator('[data-picture="shown"]')).toHaveCount(2);
    await expect(person.messages().nth(3)).toHaveAccessibleName(/plan\.txt/);
    await expect(person.messages().nth(0)).toContainText("before");
    await expect(person.messages().nth(4)).toContainText("after");
  }

  // Bo answers with a picture, Mei with what she says; everybody hears it.
  await choose(bo, "attach.pickPicture", [{ name: "c.png", mimeType: "image/png", buffer: createPng(150) }]);
  await bo.button("chat.send").click();
  await expect(mei.page.locator('[data-picture="shown"]')).toHaveCount(3);
  await mei.button("voice.record").click();
  await expect(mei.page.getByRole("timer")).toHaveText(/^\d:(?!0[01])\d\d$/);
  await mei.button("voice.send").click();
  for (const person of [lin, bo]) {
    const voice = person.messages().nth(6);
    const expectPlayed = await watchLabel(person, person.t("media.pause"));
    await voice.getByRole("button", { name: person.t("media.play"), exact: true }).click();
    await expectPlayed();
    await expect(voice.getByRole("img", { name: person.t("media.unheard"), exact: true })).toHaveCount(0);
  }

  // Mei quotes Lin's picture and forwards the file to Bo alone.
  await mei.messages().nth(1).click({ button: "right" });
  await mei.menuItem("act.quote").click();
  await mei.send("this one");
  await expect((await bo.expectMessage("this one")).locator("[data-quote] img")).toHaveJSProperty(
    "complete",
    true,
  );
  await mei.messages().nth(3).locator("[data-bubble]").click({ button: "right" });
  await mei.menuItem("act.forward").click();
  await mei.dialog().getByRole("checkbox", { name: cast.bo.nickName }).click();
  await mei
    .dialog()
    .getByRole("button", { name: mei.t("compose.sendTo", { count: 1 }) })
    .click();
  await expect(bo.row(cast.mei.nickName)).toHaveAccessibleName(/\[File\]/);

  // Lin recalls picture and file: they are gone for everybody, and only the forwarded file is left on the server.
  const rows = await accounts.lin.call(ENDPOINTS.loadGroupMessages, { query: { minId: 0 } });
  const { url } = fileContent.parse(
    JSON.parse(rows.find(({ type }) => type === MessageType.FILE)?.content ?? ""),
  );
  const [picture] = rows.filter(({ type }) => type === MessageType.IMAGE);
  const { originUrl } = JSON.parse(picture?.content ?? "") as { originUrl: string };
  for (const row of [3, 1]) {
    await lin.messages().nth(row).click({ button: "right" });
    await lin.menuItem("act.recall").click();
    await expect(lin.page.getByRole("menu")).toHaveCount(0);
  }
  for (const person of [lin, bo, mei]) {
    await expect(person.page.getByRole("log").getByText("plan.txt")).toHaveCount(0);
    await expect(person.page.locator('[data-picture="shown"]')).toHaveCount(2);
  }
  await expect.poll(async () => (await fetch(`${server.url}${originUrl}`)).status).toBe(404);
  expect(await (await fetch(`${server.url}${url}`)).text()).toBe("the whole plan");
  await bo.openChat(cast.mei.nickName);
  const [download] = await Promise.all([
    bo.page.waitForEvent("download"),
    bo
      .messages()
      .last()
      .getByRole("button", { name: /plan\.txt/ })
      .click(),
  ]);
  expect(download.suggestedFilename()).toBe("plan.txt");
});

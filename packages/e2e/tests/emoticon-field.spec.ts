import type { Locator } from "@playwright/test";
import { expect, test } from "../src/fixtures.ts";
import { createGroup } from "../src/groups.ts";

/** The text on the clipboard, read by this page. */
const clipboard = (field: Locator) => field.page().evaluate(() => navigator.clipboard.readText());

test("M131 M132 an emoticon is a picture in the field: one character for keys, a token on the clipboard and in drafts", async ({
  friends: _,
  lin,
  cast,
}) => {
  await lin.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await lin.openChat(cast.bo.nickName);
  const field = lin.composer();
  const keys = lin.page.keyboard;
  // A complete token becomes a picture; undo restores the typed text.
  await field.pressSequentially("评#憨笑;");
  await lin.expectComposerText("评[憨笑]");
  await keys.press("Control+z");
  await expect(field).toHaveValue(/#憨笑;?$/);
  await keys.press("Control+Shift+z");
  await lin.expectComposerText("评[憨笑]");
  await field.pressSequentially("ok");

  // The caret steps over it, and one Delete or one Backspace removes it.
  await keys.press("Home");
  await keys.press("ArrowRight");
  await keys.press("Delete");
  await expect(field).toHaveValue("评ok");
  await keys.press("Control+z");
  await lin.expectComposerText("评[憨笑]ok");
  await field.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(1, 1));
  await keys.press("ArrowRight");
  await keys.press("Backspace");
  await expect(field).toHaveValue("评ok");
  await keys.press("Control+z");
  await lin.expectComposerText("评[憨笑]ok");

  // The picture is as large as its character.
  const [picture] = await lin
    .pictures()
    .evaluateAll((pictures) => pictures.map((element) => element.getBoundingClientRect()));
  const size = await field.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect(picture?.width).toBeCloseTo(size * 1.5, 0);

  // The layer below the field breaks lines where the field does.
  await lin.page.evaluate(() => document.fonts.ready);
  await field.fill("一行 words #憨笑;#爱心;and more ".repeat(40));
  const heights = () =>
    field.evaluate((element) => [
      element.scrollHeight,
      element.parentElement?.firstElementChild?.scrollHeight,
    ]);
  await expect(async () => {
    const [fieldHeight, layerHeight] = await heights();
    expect(fieldHeight).toBeGreaterThan(200);
    expect(layerHeight).toBe(fieldHeight);
  }).toPass();
  await field.fill("评#憨笑;ok");

  // The clipboard gets its token.
  await keys.press("Control+a");
  await keys.press("Control+c");
  await expect.poll(() => clipboard(field)).toBe("评#憨笑;ok");
  await keys.press("Control+x");
  await expect(field).toHaveValue("");
  await keys.press("Control+v");
  await keys.press("Control+v");
  await lin.expectComposerText("评[憨笑]ok评[憨笑]ok");
  await keys.press("Control+z");
  await lin.expectComposerText("评[憨笑]ok");

  // The counter counts the characters of the token.
  await field.fill(`${"好".repeat(3_997)}#憨笑;`);
  await expect(lin.page.getByText("4,001 / 4,000")).toBeVisible();

  // Drafts keep the token, here and in another tab.
  await field.fill("稿#爱心;");
  await lin.link("nav.friends").click();
  await lin.link("nav.chats").click();
  await lin.openChat(cast.bo.nickName);
  await lin.expectComposerText("稿[爱心]");
  await lin.page.reload();
  await lin.expectComposerText("稿[爱心]");
  const tab = await lin.openSignedInTab();
  await tab.openChat(cast.bo.nickName);
  await tab.expectComposerText("稿[爱心]");
  await lin.composer().press("Enter");
  await lin.expectTexts(["稿#爱心;"]);
  await lin.expectSent();

  // The field for editing a message shows pictures too.
  await lin.composer().press("ArrowUp");
  const editing = lin.field("chat.editing");
  await expect(editing).toHaveAccessibleDescription("稿[爱心]");
  await editing.press("Backspace");
  await editing.pressSequentially("#起跳;");
  await editing.press("Enter");
  await lin.expectTexts(["稿#起跳;"]);
});

test("M133 emoticons and mentions in the field are each deleted as a whole", async ({
  friends,
  lin,
  cast,
}) => {
  const group = await createGroup(friends.lin, `Two of us ${cast.lin.userName}`, [friends.bo]);
  await lin.openChat(group.name);
  const field = lin.composer();
  const marks = lin.page.locator("form mark");
  await field.pressSequentially("#憨笑;@bo");
  const members = lin.page.getByRole("listbox", { name: lin.t("naming.who") });
  await expect(members.getByRole("option")).toHaveCount(1);
  await field.press("Enter");
  await field.pressSequentially("#爱心;");
  await lin.expectComposerText(`[憨笑]@${cast.bo.nickName} [爱心]`);
  await expect(marks).toHaveText([`@${cast.bo.nickName}`]);
  await lin.link("nav.friends").click();
  await lin.page.goBack();
  await expect(marks).toHaveText([`@${cast.bo.nickName}`]);
  await lin.expectComposerText(`[憨笑]@${cast.bo.nickName} [爱心]`);
  await field.press("Backspace");
  await field.press("Backspace");
  await expect(marks).toHaveCount(0);
  await field.press("Control+z");
  await expect(marks).toHaveText([`@${cast.bo.nickName}`]);
  await field.press("Enter");
  await lin.expectTexts([`#憨笑;@${cast.bo.nickName}`]);
  await expect(lin.messages().locator("[data-mention]")).toHaveText(`@${cast.bo.nickName}`);
});

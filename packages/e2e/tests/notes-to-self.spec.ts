import type { Locator } from "@playwright/test";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

const header = (person: Person) => person.page.locator("main header");
const notes = (person: Person) => person.row(person.t("chat.self"));

/** Opens the switcher and returns its field. */
async function openSwitcher(person: Person): Promise<Locator> {
  // The shortcut works once the chats are loaded.
  await expect(person.page.getByRole("option").first()).toBeVisible();
  await person.page.keyboard.press("Control+k");
  return person.dialog().getByRole("combobox");
}

test("notes to self are found in the switcher before the first note, and show neither receipts nor presence", async ({
  lin,
}) => {
  await expect(notes(lin)).toHaveCount(0);
  await (await openSwitcher(lin)).fill("bij");
  await lin
    .dialog()
    .getByRole("option", { name: lin.t("chat.self") })
    .click();
  await expect(header(lin).getByRole("heading")).toHaveText(lin.t("chat.self"));
  await expect(header(lin)).toContainText(lin.t("chat.notes"));
  await lin.send("买牛奶");
  const message = await lin.expectMessage("买牛奶");
  await expect(message).toHaveAttribute("data-mid", /^\d+$/);
  await expect(message).not.toContainText(lin.t("chat.read"));
  await expect(message).not.toContainText(lin.t("chat.unread"));
  await expect(notes(lin)).toContainText("买牛奶");
  await expect(
    lin.page.getByRole("log", { name: lin.t("chat.messagesWith", { name: lin.t("chat.self") }) }),
  ).toBeVisible();
  await lin.button("chat.more").click();
  await expect(lin.menuItem("compose.card")).toBeVisible();
  await expect(lin.menuItem("compose.shake")).toHaveCount(0);
});

test("the search of the chat list and the own card open the notes to self", async ({ lin, cast }) => {
  const search = lin.page.getByRole("searchbox", { name: lin.t("chat.search") });
  await search.fill(lin.t("chat.self"));
  await notes(lin).click();
  await expect(lin.composer()).toBeFocused();
  await expect(header(lin).getByRole("heading")).toHaveText(lin.t("chat.self"));
  await search.fill("");
  await lin.openChat(cast.bo.nickName);
  await expect(header(lin).getByRole("heading")).toHaveText(cast.bo.nickName);
  await lin.page.goBack();
  await expect(header(lin).getByRole("heading")).toHaveText(lin.t("chat.self"));
  await header(lin).getByRole("button").first().click();
  await lin
    .dialog()
    .getByRole("button", { name: lin.t("chat.self"), exact: true })
    .click();
  await expect(lin.dialog()).toHaveCount(0);
  await expect(header(lin).getByRole("heading")).toHaveText(lin.t("chat.self"));
});

test("notes to self are pinned on every device, also on a new one, and cannot be muted", async ({
  lin,
  cast,
  openSignedIn,
}) => {
  await (await openSwitcher(lin)).fill("bij");
  await expect(lin.dialog().getByRole("option").first()).toHaveText(lin.t("chat.self"));
  await lin.page.keyboard.press("Enter");
  await lin.send("to keep");
  const tab = await lin.openSignedInTab();
  await notes(tab).click({ button: "right" });
  await expect(tab.menuItem("chatMenu.markUnread")).toBeVisible();
  await expect(tab.menuItem("chatMenu.mute")).toHaveCount(0);
  await tab.menuItem("chatMenu.pin").click();
  const pinned = new RegExp(lin.t("chat.pinned"));
  await expect(notes(lin)).toHaveAccessibleName(pinned);
  const other = await openSignedIn(cast.lin);
  await expect(notes(other)).toHaveAccessibleName(pinned);
  await other.link("nav.friends").click();
  await expect(other.row(cast.bo.nickName)).toBeVisible();
  await expect(other.row(cast.lin.nickName)).toHaveCount(0);
});

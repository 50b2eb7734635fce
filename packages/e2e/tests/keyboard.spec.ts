import type { Locator } from "@playwright/test";
import { sendText, PASSWORD } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

const PRESSES_MAX = 40;

/** Presses Tab until this element has the focus, and checks that the focus is visible. */
async function tabTo(person: Person, target: Locator, key = "Tab"): Promise<void> {
  for (let presses = 0; presses < PRESSES_MAX; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await person.page.keyboard.press(key);
  }
  await expect(target).toBeFocused();
  await expect.poll(() => hasVisibleFocus(person), { message: `focus of ${String(target)}` }).toBe(true);
}

/** Whether the focused element, its parent or its active option has a focus ring. */
function hasVisibleFocus(person: Person): Promise<boolean> {
  return person.page.evaluate(() => {
    const focused = document.activeElement;
    if (focused === null) return false;
    const activeOption = document.getElementById(focused.getAttribute("aria-activedescendant") ?? "");
    const candidates = [focused, focused.parentElement, activeOption].filter((element) => element !== null);
    return candidates.some((element) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
      return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== "none";
    });
  });
}

test("UI18 login, read, write, quote, friends and logout by keyboard, with a visible focus", async ({
  friends,
  cast,
  openLogin,
}) => {
  await sendText(friends.lin, friends.bo, "read me by keyboard");
  const bo = await openLogin(cast.bo);
  const { keyboard } = bo.page;
  await tabTo(bo, bo.page.getByRole("combobox", { name: bo.t("app.language") }));
  await tabTo(bo, bo.byLabel("login.username"));
  await keyboard.type(cast.bo.userName);
  await tabTo(bo, bo.byLabel("login.password"));
  await keyboard.type(PASSWORD);
  await tabTo(bo, bo.byLabel("login.rememberName"));
  await tabTo(bo, bo.button("login.submit"));
  await keyboard.press("Enter");
  await bo.expectHome();

  const skip = bo.page.getByRole("link", { name: bo.t("app.skip") });
  await tabTo(bo, skip);
  await expect(skip).toBeInViewport({ ratio: 1 });
  await tabTo(bo, bo.link("nav.chats"));
  await tabTo(bo, bo.page.getByRole("searchbox", { name: bo.t("chat.search") }));
  const list = bo.page.getByRole("listbox", { name: bo.t("chat.list") });
  await tabTo(bo, list);
  const row = bo.row(cast.lin.nickName);
  for (let presses = 0; presses < PRESSES_MAX && !(await isActiveOption(list, row)); presses++)
    await keyboard.press("ArrowDown");
  await expect.poll(() => hasVisibleFocus(bo)).toBe(true);
  await keyboard.press("Enter");
  await bo.expectMessage("read me by keyboard");
  await expect(bo.composer()).toBeFocused();
  await expect(bo.page).toHaveTitle(cast.bo.nickName);
  await keyboard.type("typed by keyboard");
  await keyboard.press("Enter");
  const mine = await bo.expectMessage("typed by keyboard");

  await tabTo(bo, bo.page.getByRole("log"), "Shift+Tab");
  await keyboard.press("ArrowUp");
  await expect(mine).toBeFocused();
  await keyboard.press("ArrowUp");
  await expect(bo.messages().first()).toBeFocused();
  await keyboard.press("r");
  await expect(bo.composer()).toBeFocused();
  await keyboard.type("quoted by keyboard");
  await keyboard.press("Enter");
  await expect(await bo.expectMessage("quoted by keyboard")).toContainText("read me by keyboard");

  await keyboard.press("Alt+Digit2");
  await expect(bo.page).toHaveURL(/\/home\/friend$/);
  await expect(bo.page.getByRole("listbox", { name: bo.t("friend.list") })).toBeFocused();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await keyboard.press("Enter");
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(cast.lin.nickName);
  await keyboard.press("Alt+Digit1");
  await expect(bo.page).toHaveURL(/\/home\/chat$/);
  await expect(bo.page.getByRole("listbox", { name: bo.t("chat.list") })).toBeFocused();

  await tabTo(bo, bo.button("nav.menu"), "Shift+Tab");
  await keyboard.press("Enter");
  await bo.expectMenuFocused();
  // Close app is the last item.
  await keyboard.press("End");
  await keyboard.press("ArrowUp");
  await expect(bo.page.getByRole("menuitem", { name: bo.t("menu.logout") })).toBeFocused();
  await keyboard.press("Enter");
  await expect(bo.dialog().getByRole("button", { name: bo.t("menu.logout"), exact: true })).toBeFocused();
  await keyboard.press("Enter");
  await expect(bo.page).toHaveURL(/\/login$/);
});

/** Whether this row is the active option of the list. */
async function isActiveOption(list: Locator, row: Locator): Promise<boolean> {
  return (await row.getAttribute("id")) === (await list.getAttribute("aria-activedescendant"));
}

test("Alt with arrows changes the chat, but not behind a dialog nor from a list of choices; F6 cycles through the parts of the page, typed letters go to the composer", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendText(friends.lin, friends.bo, "hello");
  const bo = await openSignedIn(cast.bo);
  for (const name of [bo.t("chat.system"), cast.lin.nickName]) await expect(bo.row(name)).toBeVisible();
  const { keyboard } = bo.page;
  await keyboard.press("Alt+ArrowDown");
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(bo.t("chat.system"));
  await keyboard.press("Alt+ArrowDown");
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(cast.lin.nickName);
  const chatUrl = bo.page.url();
  await bo.addFriendButton().click();
  await expect(bo.dialog()).toBeVisible();
  for (const keys of ["Alt+ArrowUp", "Alt+Digit2"]) {
    await keyboard.press(keys);
    await expect(bo.page).toHaveURL(chatUrl);
  }
  await keyboard.press("Escape");
  await expect(bo.dialog()).toHaveCount(0);
  await keyboard.press("Control+f");
  await bo.byLabel("find.kind").focus();
  await keyboard.press("Alt+ArrowUp");
  await expect(bo.page).toHaveURL(chatUrl);
  await keyboard.press("Escape");
  await bo.button("find.close").click();
  const focusedLandmark = () =>
    bo.page.evaluate(
      () => document.activeElement?.closest<HTMLElement>("[data-landmark]")?.dataset["landmark"],
    );
  // The system chat has no field: the focus goes to its cards and not to the page.
  const heading = bo.page.getByRole("heading", { level: 1 });
  await bo.composer().focus();
  await keyboard.press("Alt+ArrowUp");
  await expect(heading).toHaveText(bo.t("chat.system"));
  await expect.poll(focusedLandmark).toBe("messages");
  await keyboard.press("Alt+ArrowDown");
  await expect(heading).toHaveText(cast.lin.nickName);
  await expect(bo.composer()).toBeFocused();
  const landmarks = new Set<string | undefined>();
  for (let press = 0; press < 8; press++) {
    const before = await focusedLandmark();
    await keyboard.press("F6");
    await expect.poll(focusedLandmark).not.toBe(before);
    landmarks.add(await focusedLandmark());
  }
  expect([...landmarks]).toEqual(expect.arrayContaining(["nav", "list", "main", "messages", "composer"]));
  // Backwards from the field, the focus goes to the messages as a whole.
  await bo.composer().focus();
  await keyboard.press("Shift+F6");
  await expect(bo.page.getByRole("log")).toBeFocused();
  await keyboard.press("F6");
  await expect(bo.composer()).toBeFocused();
  await bo.openChat(cast.lin.nickName);
  await bo.page.locator("main h1").click();
  await bo.page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await keyboard.type("anywhere");
  await expect(bo.composer()).toHaveValue("anywhere");
});

test("dialogs keep the focus inside and return it when they close", async ({ bo }) => {
  const opener = bo.addFriendButton();
  await opener.focus();
  await bo.page.keyboard.press("Enter");
  const dialog = bo.page.getByRole("dialog", { name: bo.t("friend.add") });
  await expect(dialog.getByRole("searchbox")).toBeFocused();
  for (let press = 0; press < 6; press++) {
    await bo.page.keyboard.press("Tab");
    expect(await dialog.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  }
  await bo.page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();
});

test("the keys of the quick switcher leave a dialog open in which something was entered", async ({
  bo,
  cast,
}) => {
  const { keyboard } = bo.page;
  const switcher = bo.page.getByRole("combobox", { name: bo.t("search.placeholder") });
  await bo.link("nav.groups").click();
  await bo.button("groups.add").click();
  await bo.menuItem("groups.create").click();
  const name = bo.field("groups.name");
  await name.fill("Lunch");
  for (const keys of ["Control+k", "Control+/"]) await keyboard.press(keys);
  await expect(name).toHaveValue("Lunch");
  await name.fill("");
  const lin = bo.dialog().getByRole("option", { name: cast.lin.nickName });
  await lin.click();
  await keyboard.press("Control+k");
  await expect(lin).toHaveAttribute("aria-selected", "true");
  await lin.click();
  await expect(lin).toHaveAttribute("aria-selected", "false");
  await keyboard.press("Control+k");
  await expect(switcher).toBeFocused();
  await keyboard.press("Escape");
  await expect(bo.dialog()).toHaveCount(0);

  await bo.link("nav.friends").click();
  await bo.row(cast.lin.nickName).click();
  await bo.button("block.more").click();
  await bo.menuItem("report.action").click();
  await bo.field("report.text").fill("Sells umbrellas");
  await keyboard.press("Control+k");
  await expect(bo.field("report.text")).toHaveValue("Sells umbrellas");
  await expect(switcher).toHaveCount(0);
});

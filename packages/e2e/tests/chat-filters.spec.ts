import type { Locator } from "@playwright/test";
import { befriend, createAccount, sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";

const chips = (person: Person): Locator =>
  person.page.getByRole("radiogroup", { name: person.t("chatFilter.label"), exact: true });

const chip = (person: Person, filter: string): Locator =>
  chips(person).getByRole("radio", { name: person.t(`chatFilter.${filter}`), exact: true });

/** Waits until the list shows exactly these chats, from top to bottom. */
async function expectChats(person: Person, names: readonly string[]): Promise<void> {
  await expect
    .poll(() =>
      person.page
        .locator("[data-chat]")
        .evaluateAll((rows) =>
          rows
            .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
            .map((row) => row.querySelector("bdi")?.textContent ?? ""),
        ),
    )
    .toEqual(names);
}

/** Moves the pointer away from the list, so that its rows may move. */
const leaveList = (person: Person) => person.page.getByRole("main").hover({ position: { x: 5, y: 300 } });

async function runFromMenu(person: Person, command: string): Promise<void> {
  await person.button("nav.menu").click();
  await person.menuItem(command).click();
}

const badge = (person: Person, name: string): Locator => person.row(name).locator("[data-badge]");

test("CF1 CF2 CF3 CF4 CF6 two people: what each filter shows, and an unread chat stays until its reader leaves it", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const group = await createGroup(friends.bo, `Trip ${cast.bo.userName}`, [friends.lin]);
  await sendText(friends.lin, friends.bo, "hello");
  const bo = await openSignedIn(cast.bo);
  const lin = await openSignedIn(cast.lin);
  const system = bo.t("chat.system");
  const { nickName } = cast.lin;
  await expectChats(bo, [system, nickName, group.name]);
  await expect(chip(bo, "all")).toBeChecked();

  await chip(bo, "groups").click();
  await expectChats(bo, [group.name]);
  await chip(bo, "people").click();
  await expectChats(bo, [nickName]);
  await chip(bo, "mentions").click();
  await expect(bo.text("chatFilter.emptyMentions")).toBeVisible();
  await expectChats(bo, []);
  await lin.openChat(group.name);
  await lin.composer().pressSequentially(`@${cast.bo.userName.slice(0, 2)}`);
  await lin.composer().press("Enter");
  await lin.composer().press("Enter");
  await expectChats(bo, [group.name]);
  await chip(bo, "unread").click();
  await expectChats(bo, [group.name, nickName]);

  // Read, it stays as long as it is open, and a new message of the other one comes first only when the pointer has left.
  await bo.row(nickName).click();
  await bo.expectMessage("hello");
  await expect(badge(bo, nickName)).toHaveCount(0);
  await leaveList(bo);
  await expectChats(bo, [group.name, nickName]);
  await bo.row(group.name).click();
  await expect(badge(bo, group.name)).toHaveCount(0);
  await expectChats(bo, [group.name, nickName]);
  await leaveList(bo);
  await expectChats(bo, [group.name]);

  await lin.openChat(cast.bo.nickName);
  await lin.send("are you there?");
  await expectChats(bo, [nickName, group.name]);
  // On the other screen nothing is open any more.
  await bo.link("nav.friends").click();
  await bo.link("nav.chats").click();
  await expectChats(bo, [nickName]);
  await bo.row(nickName).click({ button: "right" });
  await bo.menuItem("chatMenu.markRead").click();
  await leaveList(bo);
  await expect(bo.text("chatFilter.emptyUnread")).toBeVisible();
  await bo.button("chatFilter.showAll").click();
  await expectChats(bo, [system, nickName, group.name]);
  await expect(chip(bo, "all")).toBeChecked();
});

test("CF5 CF8 CF9 keys choose a filter while one writes, arrows move in the row, and Alt ↓ goes on in what is shown", async ({
  friends,
  cast,
  server,
  openSignedIn,
}) => {
  const owen = cast.other("owen");
  const writer = await createAccount(server.url, owen.userName, owen.nickName);
  await befriend(writer, friends.bo);
  await sendText(writer, friends.bo, "one");
  const group = await createGroup(friends.bo, `Trip ${cast.bo.userName}`, [friends.lin]);
  await sendToGroup(friends.lin, group.id, "two");
  await sendText(friends.lin, friends.bo, "three");
  const bo = await openSignedIn(cast.bo);
  const { keyboard } = bo.page;
  await bo.openChat(group.name);
  await bo.composer().fill("draft");
  await leaveList(bo);
  // What Shift makes of a digit depends on the keyboard.
  await keyboard.press("Alt+Shift+Digit5");
  await expectChats(bo, [cast.lin.nickName, owen.nickName]);
  await expect(bo.composer()).toBeFocused();
  await expect(bo.composer()).toHaveValue("draft");
  await expect(bo.page.getByRole("status").filter({ hasText: bo.t("keys.filterPeople") })).toHaveCount(1);
  await keyboard.press("Alt+ArrowDown");
  const title = bo.page.getByRole("heading", { level: 1 });
  await expect(title).toHaveText(owen.nickName);
  await keyboard.press("Alt+ArrowUp");
  await expect(title).toHaveText(cast.lin.nickName);
  await keyboard.press("Alt+ArrowUp");
  await expect(title).toHaveText(cast.lin.nickName);
  await keyboard.press("Alt+Shift+Digit4");
  await expectChats(bo, [group.name]);

  await chip(bo, "groups").focus();
  await keyboard.press("ArrowRight");
  await expect(chip(bo, "people")).toBeFocused();
  await expectChats(bo, [cast.lin.nickName, owen.nickName]);
  await keyboard.press("ArrowRight");
  await expect(chip(bo, "all")).toBeChecked();
  await keyboard.press("ArrowLeft");
  await keyboard.press("Home");
  await expect(chip(bo, "all")).toBeFocused();
  await keyboard.press("End");
  await expect(chip(bo, "people")).toBeChecked();
  // One stop for Tab; the list is next.
  await keyboard.press("Tab");
  const list = bo.page.getByRole("listbox", { name: bo.t("chat.list") });
  await expect(list).toBeFocused();
  await keyboard.press("Alt+Shift+Digit3");
  await expect(bo.text("chatFilter.emptyMentions")).toBeVisible();
  await expect(chip(bo, "mentions")).toBeFocused();
  // Letters go to the composer from here.
  await keyboard.type("!");
  await expect(bo.composer()).toBeFocused();

  await keyboard.press("Control+k");
  await expect(bo.dialog()).toBeVisible();
  await keyboard.press("Alt+Shift+Digit1");
  await keyboard.press("Escape");
  await expect(bo.dialog()).toHaveCount(0);
  await expect(chip(bo, "mentions")).toBeChecked();
});

test("CF7 CF10 the choice outlives other screens and ends with a search by key, a reload and a sign-out; a search finds all chats, and a collapsed list shows all", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const group = await createGroup(friends.bo, `Trip ${cast.bo.userName}`, [friends.lin]);
  await sendText(friends.lin, friends.bo, "hello");
  const bo = await openSignedIn(cast.bo);
  const all = [bo.t("chat.system"), cast.lin.nickName, group.name];
  await expectChats(bo, all);
  await chip(bo, "groups").click();
  await bo.link("nav.friends").click();
  await expect(chips(bo)).toHaveCount(0);
  await bo.link("nav.chats").click();
  await expectChats(bo, [group.name]);

  const field = bo.page.getByRole("searchbox", { name: bo.t("chat.search") });
  await field.fill(cast.lin.nickName);
  await expectChats(bo, [cast.lin.nickName]);
  await expect(chips(bo)).toHaveCount(0);
  await field.fill("");
  await expectChats(bo, [group.name]);
  await field.fill(cast.lin.nickName);
  await bo.page.keyboard.press("Alt+Shift+Digit4");
  await expect(field).toHaveValue("");
  await expectChats(bo, [group.name]);

  await runFromMenu(bo, "app.collapseList");
  await expect(chips(bo)).toHaveCount(0);
  await expect(bo.page.locator("[data-chat]")).toHaveCount(all.length);

  await runFromMenu(bo, "app.expandList");
  await expectChats(bo, [group.name]);

  await bo.page.reload();
  await expectChats(bo, all);
  await chip(bo, "people").click();
  await expectChats(bo, [cast.lin.nickName]);
  await bo.logOut();
  await bo.logIn();
  await expectChats(bo, all);
});

test("CF8 on a phone the row has room for fingers, and the list comes back without the chat that was read", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendText(friends.lin, friends.bo, "hello");
  const bo = await openSignedIn({ ...cast.bo, viewport: { width: 390, height: 844 }, isTouch: true });
  await chip(bo, "unread").tap();
  await expectChats(bo, [cast.lin.nickName]);
  const box = await chip(bo, "people").boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await bo.row(cast.lin.nickName).tap();
  await bo.expectMessage("hello");
  // The name of the button says how much is unread.
  await expect(bo.button("chat.back")).toBeVisible();
  await bo.page.goBack();
  await expect(bo.text("chatFilter.emptyUnread")).toBeVisible();
  await bo.button("chatFilter.showAll").tap();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
});

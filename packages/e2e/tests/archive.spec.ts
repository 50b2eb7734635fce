import type { Locator } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expectTouchable } from "../src/expect-fits.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";

const foldRow = (person: Person, fold = "archived"): Locator => person.page.locator(`[data-fold="${fold}"]`);

const badge = (row: Locator): Locator => row.locator("[data-badge]");

/** Waits until the row of the archive says this number; 0: there is no such row. */
async function expectArchived(person: Person, count: number): Promise<void> {
  if (count === 0) return expect(foldRow(person)).toHaveCount(0);
  await expect(foldRow(person).locator("bdi")).toHaveText(
    person.t("chatFold.archived", { count: String(count) }),
  );
}

/** The heading above the list of the archive. */
const title = (person: Person, count: number): Locator =>
  person.page.getByRole("heading", {
    name: person.t("chatFold.archived", { count: String(count) }),
    exact: true,
  });

async function chooseFromMenu(person: Person, name: string, item: string): Promise<void> {
  await person.row(name).click({ button: "right" });
  await person.menuItem(item).click();
}

test("CP5 CP8 CP9 CP11 a chat goes into the archive on both devices unread, is found by a search, and its next message brings it back", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const { nickName } = cast.lin;
  await sendText(friends.lin, friends.bo, "first");
  const here = await openSignedIn({ ...cast.bo, device: "one" });
  const there = await openSignedIn({ ...cast.bo, device: "one" });
  for (const person of [here, there]) await expect(person.page).toHaveTitle(`(1) ${cast.bo.nickName}`);

  await chooseFromMenu(here, nickName, "chatMenu.archive");
  // The mouse is still over the list.
  await expect(here.row(nickName)).toHaveCount(0);
  await here.expectToast(here.t("chatMenu.archived"), "status");
  for (const person of [here, there]) {
    await expectArchived(person, 1);
    await expect(person.row(nickName)).toHaveCount(0);
    await expect(foldRow(person)).toHaveAccessibleName(new RegExp(person.t("chatFold.unread")));
    await expect(badge(foldRow(person))).toHaveAttribute("data-badge", "");
    await expect(person.page).toHaveTitle(cast.bo.nickName);
  }
  await here.page.getByRole("radio", { name: here.t("chatFilter.unread"), exact: true }).click();
  await expect(here.text("chatFilter.emptyUnread")).toBeVisible();
  await here.button("chatFilter.showAll").click();

  await foldRow(there).click();
  await expect(title(there, 1)).toBeVisible();
  await expect(badge(there.row(nickName))).toHaveText("1");
  await expect(there.page.getByRole("radiogroup")).toHaveCount(0);

  const field = here.page.getByRole("searchbox", { name: here.t("chat.search") });
  await field.fill(nickName);
  await here.openChat(nickName);
  await here.expectMessage("first");
  await field.fill("");
  await expect(badge(there.row(nickName))).toHaveCount(0);
  for (const [person, isListed] of [
    [here, false],
    [there, true],
  ] as const)
    await expect(person.row(nickName)).toHaveCount(isListed ? 1 : 0);
  await here.row(here.t("chat.system")).click();

  // It leaves the list of the archive, which has no other chat.
  await sendText(friends.lin, friends.bo, "second");
  for (const person of [here, there]) {
    await expect(badge(person.row(nickName))).toHaveText("1");
    await expectArchived(person, 0);
    await expect(person.page.getByRole("radiogroup")).toBeVisible();
    await expect(person.page).toHaveTitle(`(1) ${cast.bo.nickName}`);
  }

  await chooseFromMenu(there, nickName, "chatMenu.archive");
  for (const person of [here, there]) await expectArchived(person, 1);
  await there.button("app.undo").click();
  for (const person of [here, there]) {
    await expect(badge(person.row(nickName))).toHaveText("1");
    await expectArchived(person, 0);
  }
});

test("CP5 CP10 a muted group stays in the archive until somebody mentions the reader, and in the list after it was read", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const group = await createGroup(friends.lin, `Trip ${cast.bo.userName}`, [friends.bo]);
  await friends.bo.call(ENDPOINTS.setGroupMsgRemind, { body: { groupId: group.id, msgRemind: 2 } });
  const here = await openSignedIn({ ...cast.bo, device: "one" });
  const there = await openSignedIn({ ...cast.bo, device: "one" });
  await here.openChat(group.name);
  await here.button("chat.groupInfo").click();
  await here.page.getByRole("switch", { name: here.t("chatMenu.archive"), exact: true }).click();
  for (const person of [here, there]) {
    await expectArchived(person, 1);
    await expect(badge(foldRow(person))).toHaveCount(0);
  }
  await here.row(here.t("chat.system")).click();

  await sendToGroup(friends.lin, group.id, "for all", { atUserIds: [-1] });
  for (const person of [here, there]) {
    await expect(badge(foldRow(person))).toBeVisible();
    await expect(foldRow(person)).toContainText(person.t("chat.atAll"));
    await expect(person.row(group.name)).toHaveCount(0);
  }
  await sendToGroup(friends.lin, group.id, "for you", { atUserIds: [friends.bo.id] });
  for (const person of [here, there]) {
    await expect(person.row(group.name)).toContainText(person.t("chat.atMe"));
    await expectArchived(person, 0);
  }
  await there.openChat(group.name);
  await there.expectMessage("for you");
  for (const person of [here, there]) {
    await expect(badge(person.row(group.name))).toHaveCount(0);
    await expectArchived(person, 0);
  }
  await sendToGroup(friends.lin, group.id, "for nobody");
  await expect(badge(here.row(group.name))).toBeVisible();
  await expectArchived(here, 0);
});

test("CP8 CP11 by keys: the menu archives, Enter opens the archive, Esc and the button lead back", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const { nickName } = cast.lin;
  await sendText(friends.lin, friends.bo, "hello");
  const bo = await openSignedIn(cast.bo);
  const { keyboard } = bo.page;
  const list = bo.page.getByRole("listbox", { name: bo.t("chat.list") });
  await expect(bo.row(nickName)).toBeVisible();
  await list.focus();
  await keyboard.press("End");
  await keyboard.press("Shift+F10");
  await bo.expectMenuFocused();
  await keyboard.press("End");
  await keyboard.press("ArrowUp");
  await expect(bo.menuItem("chatMenu.archive")).toBeFocused();
  await keyboard.press("Enter");
  await expectArchived(bo, 1);
  await expect(list).toBeFocused();

  const archive = bo.page.getByRole("listbox", { name: bo.t("chatFold.archived", { count: "1" }) });
  const openArchive = async () => {
    await keyboard.press("Home");
    await keyboard.press("Enter");
    await expect(archive).toBeFocused();
  };
  await openArchive();
  await expect(title(bo, 1)).toBeVisible();
  await keyboard.press("Escape");
  await expect(title(bo, 1)).toHaveCount(0);
  await expect(list).toBeFocused();
  await openArchive();
  await keyboard.press("Shift+Tab");
  await expect(bo.button("chat.back")).toBeFocused();
  await keyboard.press("Enter");
  await expect(bo.page.getByRole("radiogroup")).toBeVisible();
  await expect(list).toBeFocused();

  await openArchive();
  await keyboard.press("Shift+F10");
  await bo.expectMenuFocused();
  await bo.menuItem("chatMenu.unarchive").click();
  await expect(bo.row(nickName)).toBeVisible();
  await expectArchived(bo, 0);
  await expect(list).toBeFocused();
});

test("CP8 on a phone Back leads from a chat to the archive, and from there to the list", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const { nickName } = cast.lin;
  await sendText(friends.lin, friends.bo, "hello");
  const bo = await openSignedIn({ ...cast.bo, viewport: { width: 390, height: 844 }, isTouch: true });
  await chooseFromMenu(bo, nickName, "chatMenu.archive");
  await expect(bo.button("app.undo")).toBeVisible();
  await expectTouchable(bo, "the row of the archive, and what takes archiving back");
  const chips = bo.page.getByRole("radiogroup");
  for (const back of [() => bo.page.goBack(), () => bo.button("chat.back").tap()]) {
    await foldRow(bo).tap();
    await expect(title(bo, 1)).toBeVisible();
    await bo.row(nickName).tap();
    await bo.expectMessage("hello");
    await back();
    await expect(title(bo, 1)).toBeVisible();
    await back();
    await expect(chips).toBeVisible();
    await expectArchived(bo, 1);
  }
  await foldRow(bo).tap();
  await chooseFromMenu(bo, nickName, "chatMenu.unarchive");
  await expect(chips).toBeVisible();
  await expect(bo.row(nickName)).toBeVisible();
  await bo.row(nickName).tap();
  await bo.page.goBack();
  await expect(chips).toBeVisible();
});

test("CF11 by a setting, muted groups are folded into one row, which says that one is mentioned inside", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const [muted, loud] = [
    await createGroup(friends.bo, `Quiet ${cast.bo.userName}`, [friends.lin]),
    await createGroup(friends.bo, `Loud ${cast.bo.userName}`, [friends.lin]),
  ];
  await friends.bo.call(ENDPOINTS.setGroupMsgRemind, { body: { groupId: muted.id, msgRemind: 2 } });
  const bo = await openSignedIn(cast.bo);
  const row = foldRow(bo, "mutedGroups");
  await expect(bo.row(muted.name)).toBeVisible();
  await bo.openSettings("general");
  await bo.page.getByRole("switch", { name: bo.t("settings.foldMuted") }).click();
  await bo.page.keyboard.press("Escape");
  await expect(row.locator("bdi")).toHaveText(bo.t("chatFold.mutedGroups", { count: "1" }));
  await expect(bo.row(muted.name)).toHaveCount(0);
  await expect(bo.row(loud.name)).toBeVisible();
  await expect(badge(row)).toHaveCount(0);
  await sendToGroup(friends.lin, muted.id, "for you", { atUserIds: [friends.bo.id] });
  await expect(badge(row)).toBeVisible();
  await expect(row).toHaveAccessibleName(new RegExp(bo.t("chat.atMeLabel")));
  await bo.page.getByRole("radio", { name: bo.t("chatFilter.groups"), exact: true }).click();
  await expect(bo.row(muted.name)).toBeVisible();
  await expect(row).toHaveCount(0);
  await bo.page.getByRole("radio", { name: bo.t("chatFilter.all"), exact: true }).click();

  await bo.page.reload();
  await row.click();
  await expect(bo.row(muted.name)).toContainText(bo.t("chat.atMe"));
  await expect(bo.row(loud.name)).toHaveCount(0);
  await chooseFromMenu(bo, muted.name, "remind.label");
  await bo.page.getByRole("menuitemradio", { name: bo.t("remind.0"), exact: true }).click();
  await expect(bo.row(muted.name)).toBeVisible();
  await expect(bo.row(loud.name)).toBeVisible();
  await expect(row).toHaveCount(0);
});

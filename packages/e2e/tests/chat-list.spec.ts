import type { Locator } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type Account, befriend, createAccount, sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { Network } from "../src/network.ts";
import { menuItemName, type Person } from "../src/person.ts";

const badge = (person: Person, name: string): Locator => person.row(name).locator("[data-badge]");

/** Chooses an item of a chat's menu. */
async function chooseFromMenu(person: Person, name: string, item: string): Promise<void> {
  await person.row(name).click({ button: "right" });
  await person.page.getByRole("menuitem", { name: menuItemName(person.t(item)) }).click();
  await expect(person.page.getByRole("menu")).toHaveCount(0);
}

/** The names in the chat list, from top to bottom. */
function chatNames(person: Person): Promise<string[]> {
  return person.page
    .locator("[data-chat]")
    .evaluateAll((rows) =>
      rows
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
        .map((row) => row.querySelector("bdi")?.textContent ?? ""),
    );
}

/** Creates friends of Bo. Each has sent him a message, in this order. */
async function createWriters(
  url: string,
  bo: Account,
  people: readonly { userName: string; nickName: string }[],
) {
  const accounts: Account[] = [];
  for (const { userName, nickName } of people) {
    const account = await createAccount(url, userName, nickName);
    await befriend(account, bo);
    await sendText(account, bo, `from ${nickName}`);
    accounts.push(account);
  }
  return accounts;
}

test("pin, mute, read state and unread marks sync across devices", async ({
  friends,
  cast,
  server,
  openSignedIn,
}) => {
  const owen = cast.other("owen");
  await sendText(friends.lin, friends.bo, "first");
  await createWriters(server.url, friends.bo, [owen]);
  const here = await openSignedIn({ ...cast.bo, device: "one" });
  const there = await openSignedIn({ ...cast.bo, device: "one" });
  for (const person of [here, there]) await expect(badge(person, cast.lin.nickName)).toHaveText("1");

  await chooseFromMenu(here, cast.lin.nickName, "chatMenu.pin");
  for (const person of [here, there]) {
    await expect(person.row(cast.lin.nickName)).toHaveAccessibleName(new RegExp(person.t("chat.pinned")));
    await person.page.getByRole("main").hover();
    await expect.poll(async () => (await chatNames(person)).indexOf(owen.nickName)).toBeGreaterThan(0);
  }
  await chooseFromMenu(there, cast.lin.nickName, "chatMenu.mute");
  for (const person of [here, there]) {
    await expect(badge(person, cast.lin.nickName)).toHaveAttribute("data-badge", "");
    await expect(person.row(cast.lin.nickName)).toHaveAccessibleName(new RegExp(person.t("chat.muted")));
    await expect(person.page).toHaveTitle(`(1) ${cast.bo.nickName}`);
  }
  await chooseFromMenu(here, owen.nickName, "chatMenu.markRead");
  for (const person of [here, there]) {
    await expect(badge(person, owen.nickName)).toHaveCount(0);
    await expect(person.page).toHaveTitle(cast.bo.nickName);
  }
  await chooseFromMenu(here, owen.nickName, "chatMenu.markUnread");
  for (const person of [here, there]) {
    await expect(badge(person, owen.nickName)).toHaveAttribute("data-badge", "");
    await expect(person.row(owen.nickName)).toHaveAccessibleName(new RegExp(person.t("chat.markedUnread")));
    await expect(person.page).toHaveTitle(cast.bo.nickName);
  }
  await there.openChat(owen.nickName);
  for (const person of [here, there]) await expect(badge(person, owen.nickName)).toHaveCount(0);
});

test("CP1 CP2 CP3 an unread mark that was set without a network survives a reload, reaches the other device, and ends there by reading", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const id = await sendText(friends.lin, friends.bo, "first");
  await friends.bo.call(ENDPOINTS.readPrivateMessages, {
    query: { friendId: friends.lin.id, messageId: id },
  });
  const here = await openBrowser({ ...cast.bo, device: "one" });
  const network = await Network.install(here);
  await here.openAndLogIn();
  const there = await openBrowser({ ...cast.bo, device: "one" });
  await there.openAndLogIn();
  for (const person of [here, there]) {
    await expect(person.row(cast.lin.nickName)).toBeVisible();
    await expect(badge(person, cast.lin.nickName)).toHaveCount(0);
  }
  await network.disconnect();
  await chooseFromMenu(here, cast.lin.nickName, "chatMenu.markUnread");
  await expect(badge(here, cast.lin.nickName)).toHaveAttribute("data-badge", "");
  await expect(badge(there, cast.lin.nickName)).toHaveCount(0);
  await here.page.reload();
  await expect(badge(here, cast.lin.nickName)).toHaveAttribute("data-badge", "");
  await network.restore();
  await expect(badge(there, cast.lin.nickName)).toHaveAttribute("data-badge", "");
  await sendText(friends.lin, friends.bo, "second");
  for (const person of [here, there]) await expect(badge(person, cast.lin.nickName)).toHaveText("1");
  await there.openChat(cast.lin.nickName);
  for (const person of [here, there]) await expect(badge(person, cast.lin.nickName)).toHaveCount(0);
});

test("deleting a chat asks first, removes it from the list, and the next message brings it back", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendText(friends.lin, friends.bo, "before");
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage("before");
  const list = bo.page.getByRole("listbox", { name: bo.t("chat.list") });
  await list.focus();
  await bo.page.keyboard.press("Delete");
  await expect(bo.dialog()).toContainText(bo.t("chatMenu.deleteBody"));
  await bo.page.keyboard.press("Escape");
  await expect(bo.dialog()).toHaveCount(0);
  await expect(list).toBeFocused();

  await bo.page.keyboard.press("Shift+F10");
  const menu = bo.page.getByRole("menu", { name: bo.t("chatMenu.label") });
  await expect.poll(() => menu.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  await bo.page.keyboard.press("End");
  await bo.page.keyboard.press("Enter");
  await bo
    .dialog()
    .getByRole("button", { name: bo.t("chatMenu.deleteConfirm"), exact: true })
    .click();
  await expect(bo.row(cast.lin.nickName)).toHaveCount(0);
  await expect(bo.page).toHaveURL(/\/home\/chat$/);
  await sendText(friends.lin, friends.bo, "after");
  await expect(badge(bo, cast.lin.nickName)).toHaveText("1");
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(["before", "after"]);
});

test("a double click on the chats and the keys open the next unread chat, wrap around, and scroll it into view", async ({
  friends,
  cast,
  server,
  openSignedIn,
}) => {
  const people = Array.from({ length: 20 }, (_, index) => cast.other(`n${index}x`));
  const [first] = await createWriters(server.url, friends.bo, people);
  const bo = await openSignedIn(cast.bo);
  await expect(bo.row(people.at(-1)?.nickName ?? "")).toBeVisible();
  // Mark all chats as read but the oldest one, the second newest one, and a muted one between them.
  const [oldest = "", muted = "", newer = ""] = [people[0], people[9], people[18]].map(
    (writer) => writer?.nickName,
  );
  for (const { nickName } of people.slice(1)) {
    if (nickName === newer || nickName === muted) continue;
    await bo.row(nickName).scrollIntoViewIfNeeded();
    await chooseFromMenu(bo, nickName, "chatMenu.markRead");
  }
  await bo.row(muted).scrollIntoViewIfNeeded();
  await chooseFromMenu(bo, muted, "chatMenu.mute");
  const title = bo.page.getByRole("heading", { level: 1 });
  await bo.link("nav.chats").dblclick();
  await expect(title).toHaveText(newer);
  await expect(bo.row(newer)).toBeInViewport();
  await expect(badge(bo, newer)).toHaveCount(0);
  await bo.page.keyboard.press("Alt+Shift+ArrowDown");
  await expect(title).toHaveText(oldest);
  await expect(bo.row(oldest)).toBeInViewport({ ratio: 1 });
  await expect(badge(bo, oldest)).toHaveCount(0);
  // No other chat is unread, so the muted one is next.
  await bo.page.keyboard.press("Alt+Shift+ArrowDown");
  await expect(title).toHaveText(muted);
  await expect(badge(bo, muted)).toHaveCount(0);
  if (first !== undefined) await sendText(first, friends.bo, "again");
  await expect(badge(bo, oldest)).toHaveText("1");
  await bo.page.keyboard.press("Alt+Shift+ArrowUp");
  await expect(title).toHaveText(oldest);
});

test("rows keep their place under the pointer while messages arrive", async ({
  friends,
  cast,
  server,
  openSignedIn,
}) => {
  const [owen] = await createWriters(server.url, friends.bo, [cast.other("owen")]);
  await sendText(friends.lin, friends.bo, "newest");
  const bo = await openSignedIn(cast.bo);
  const { nickName } = cast.other("owen");
  await expect(badge(bo, nickName)).toHaveText("1");
  await expect(badge(bo, cast.lin.nickName)).toHaveText("1");
  await bo.row(nickName).hover();
  const before = await chatNames(bo);
  if (owen !== undefined) await sendText(owen, friends.bo, "now I am the newest");
  await expect(badge(bo, nickName)).toHaveText("2");
  expect(await chatNames(bo)).toEqual(before);
  await bo.page.getByRole("main").hover();
  await expect.poll(() => chatNames(bo)).not.toEqual(before);
});

test("a long press on a row opens its menu and no chat", async ({ friends, cast, openSignedIn }) => {
  await sendText(friends.lin, friends.bo, "hello");
  const bo = await openSignedIn({ ...cast.bo, viewport: { width: 390, height: 844 }, isTouch: true });
  const row = bo.row(cast.lin.nickName);
  // With the message the row comes to its place.
  await expect(badge(bo, cast.lin.nickName)).toHaveText("1");
  const box = await row.boundingBox();
  const point = { x: (box?.x ?? 0) + 100, y: (box?.y ?? 0) + 20 };
  const touch = await bo.context.newCDPSession(bo.page);
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [point] });
  await expect(bo.page.getByRole("menu")).toBeVisible();
  await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await bo.page.getByRole("menuitem", { name: bo.t("chatMenu.markRead") }).tap();
  await expect(badge(bo, cast.lin.nickName)).toHaveCount(0);
  await expect(bo.page).toHaveURL(/\/home\/chat$/);
});

import type { Locator } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type Account, befriend, createAccount, sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import { sendPicture } from "../src/media.ts";
import { Network } from "../src/network.ts";
import type { Person } from "../src/person.ts";
import { TimelineView } from "../src/timeline-view.ts";

const chips = (message: Locator) => message.locator("[data-reaction]");
const chip = (message: Locator, reaction: string) => message.locator(`[data-reaction="${reaction}"]`);

const count = (one: Locator) => one.locator("span").last();

/** Reacts over HTTP. */
async function react(by: Account, id: number, key: string, on = true): Promise<void> {
  await by.call(ENDPOINTS.setReaction, { body: { id, key, on } });
}

/** Opens the quick reactions by the pointer that rests on their button, and presses one. */
async function reactByHover(person: Person, message: Locator, reaction: string): Promise<void> {
  await message.locator("[data-bubble]").hover();
  await message
    .locator("[data-hover-bar]")
    .getByRole("button", { name: person.t("reaction.add") })
    .hover();
  await message.getByRole("toolbar").getByRole("button", { name: reaction, exact: true }).click();
}

test("RE1 RE2 RE5 RE7 RE11 two people react by pointer and keys, join and take back, see who it was; a recall ends it", async ({
  friends,
  chatting: { lin, bo },
  cast,
}) => {
  const id = await sendText(friends.lin, friends.bo, "周五聚餐?");
  const ofBo = await bo.expectMessage("周五聚餐?");
  const ofLin = await lin.expectMessage("周五聚餐?");

  await reactByHover(bo, ofBo, "😂");
  await expect(count(chip(ofBo, "😂"))).toHaveText("1");
  await expect(chip(ofBo, "😂")).toHaveAttribute("aria-pressed", "true");
  await expect(chip(ofBo, "😂")).toHaveAccessibleName(`😂, 1, ${bo.t("names.you")}`);
  await expect(chip(ofLin, "😂")).toHaveAccessibleName(`😂，1，${cast.bo.nickName}`);
  await expect(chip(ofLin, "😂")).toHaveAttribute("aria-pressed", "false");
  // Nothing is unread.
  await expect(lin.page).toHaveTitle(cast.lin.nickName);

  await chip(ofLin, "😂").click();
  await expect(count(chip(ofBo, "😂"))).toHaveText("2");
  await expect(chip(ofBo, "😂")).toHaveAccessibleName(
    `😂, 2, ${bo.t("names.last", { names: bo.t("names.you"), last: cast.lin.nickName })}`,
  );
  await chip(ofLin, "😂").click();
  await expect(count(chip(ofBo, "😂"))).toHaveText("1");

  // The button behind the chips, and the menu, where the reaction that was used last comes first.
  await ofLin
    .locator("[data-reactions]")
    .getByRole("button", { name: lin.t("reaction.add") })
    .click();
  await ofLin.getByRole("toolbar").getByRole("button", { name: "🙏" }).click();
  await expect(count(chip(ofBo, "🙏"))).toHaveText("1");
  await lin.openMessageMenu("周五聚餐?");
  const first = lin.page.getByRole("menuitemcheckbox").first();
  await expect(first).toHaveAccessibleName("🙏");
  await expect(first).toHaveAttribute("aria-checked", "true");
  await first.click();
  await expect(chip(ofBo, "🙏")).toHaveCount(0);

  // Keys on the message, and between the chips.
  const { keyboard } = bo.page;
  await bo.page.getByRole("log").focus();
  await keyboard.press("ArrowUp");
  await expect(ofBo).toBeFocused();
  await keyboard.press("+");
  await expect(count(chip(ofLin, "👍"))).toHaveText("1");
  await keyboard.press("=");
  await expect(chip(ofLin, "😂")).toHaveCount(0);
  await keyboard.press("=");
  await expect(chip(ofLin, "👍")).toHaveCount(0);
  await keyboard.press("+");
  // Chips stand in the order in which the server got the reactions.
  await expect(count(chip(ofLin, "👍"))).toHaveText("1");
  await react(friends.lin, id, "#开心;");
  await expect(chip(ofBo, "#开心;")).toBeVisible();
  await chip(ofBo, "👍").focus();
  await keyboard.press("ArrowRight");
  await expect(chip(ofBo, "#开心;")).toBeFocused();
  await expect(chip(ofBo, "#开心;").locator("img")).toHaveAttribute("src", /\/2\.gif$/);

  // With keys the menu begins below its row of reactions, which is above its first item.
  await ofBo.focus();
  await keyboard.press("Enter");
  await expect(bo.menuItem("act.quote")).toBeVisible();
  await keyboard.press("ArrowDown");
  await expect(bo.menuItem("act.quote")).toBeFocused();
  await keyboard.press("ArrowUp");
  await expect(bo.page.getByRole("menuitem", { name: bo.t("reaction.more") })).toBeFocused();
  await keyboard.press("Enter");

  // All emoji and emoticons, by keys: a letter searches, and Enter picks what was found first.
  const picker = bo.page.getByRole("dialog", { name: bo.t("reaction.more") });
  await expect(picker.getByRole("gridcell").first()).toBeVisible();
  await picker.getByRole("searchbox").fill("rocket");
  await picker.getByRole("searchbox").press("Enter");
  await expect(count(chip(ofLin, "🚀"))).toHaveText("1");
  await expect(picker).toHaveCount(0);
  await expect(ofBo).toBeFocused();
  await chip(ofBo, "🚀").click();
  await expect(chip(ofLin, "🚀")).toHaveCount(0);
  await chip(ofBo, "#开心;").focus();

  // Who it was.
  await keyboard.press("Alt+Enter");
  const dialog = bo.page.getByRole("dialog", { name: bo.t("reaction.title") });
  await expect(dialog.getByRole("tab")).toHaveCount(2);
  await expect(dialog.getByRole("tabpanel")).toContainText(cast.lin.nickName);
  await dialog.getByRole("tab").first().click();
  await expect(dialog.getByRole("tabpanel")).toContainText(cast.bo.nickName);
  await keyboard.press("Escape");
  await chip(ofBo, "👍").click({ modifiers: ["Alt"] });
  await expect(dialog).toBeVisible();
  await keyboard.press("Escape");
  await lin.runMessageAction("周五聚餐?", "reaction.title");
  await expect(lin.page.getByRole("dialog").getByRole("tab")).toHaveCount(2);
  await lin.page.keyboard.press("Escape");

  await lin.page.reload();
  await expect(chip(ofLin, "#开心;")).toHaveAttribute("aria-pressed", "true");
  await expect(chip(ofLin, "👍")).toHaveAttribute("aria-pressed", "false");
  await lin.runMessageAction("周五聚餐?", "act.recall");
  for (const person of [lin, bo]) await expect(chips(person.page.getByRole("log"))).toHaveCount(0);
});

test("RE3 RE4 RE8 RE10 in a group of three, on a grid, and without a network", async ({
  friends,
  cast,
  server,
  openBrowser,
}) => {
  const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  await befriend(friends.lin, mei);
  const group = await createGroup(friends.lin, `三人行 ${cast.lin.userName}`, [friends.bo, mei]);
  const id = await sendToGroup(friends.lin, group.id, "Who is in?");
  const pictures = [];
  for (const side of [300, 301, 302]) pictures.push(await sendPicture(friends.lin, friends.bo, side));
  await react(mei, id, "👍");
  await react(friends.lin, id, "👍");
  await react(friends.bo, pictures[1] ?? 0, "❤️");

  const bo = await openBrowser(cast.bo);
  const network = await Network.install(bo);
  await bo.openAndLogIn();
  await bo.openChat(group.name);
  const message = await bo.expectMessage("Who is in?");
  const thumb = chip(message, "👍");
  const two = bo.t("names.last", { names: cast.mei.nickName, last: cast.lin.nickName });
  await expect(thumb).toHaveAccessibleName(`👍, 2, ${two}`);
  await thumb.hover();
  await expect(bo.page.getByText(two, { exact: true })).toBeVisible();

  // Whoever may not write may still react, unless it is they who are muted.
  await friends.lin.call(ENDPOINTS.muteGroup, { body: { id: group.id, isMuted: true } });
  await expect(bo.blockedReason("error.message.allMuted")).toBeVisible();
  const answered: unknown[] = [];
  bo.page.on("response", (response) => {
    if (response.url().endsWith("/message/reaction")) answered.push(response.request().postDataJSON());
  });
  await thumb.click();
  await expect(thumb).toHaveAttribute("aria-pressed", "true");
  await expect(count(thumb)).toHaveText("3");
  await expect.poll(() => answered).toEqual([{ id, key: "👍", on: true }]);

  // Of many presses without a network, one request is left, for the last state.
  await network.disconnect();
  await expect(bo.connectionBar()).toBeVisible();
  for (let press = 1; press <= 5; press++) {
    await thumb.click();
    await expect(count(thumb)).toHaveText(press % 2 === 1 ? "2" : "3");
  }
  await expect(thumb).toHaveCSS("border-style", "dashed");
  await network.restore();
  await bo.retryNow();
  await expect(thumb).toHaveCSS("border-style", "solid");
  await expect(count(thumb)).toHaveText("2");
  const { people } = await mei.call(ENDPOINTS.listReactions, { query: { id, key: "👍" } });
  expect(people.map(({ userId }) => userId)).toEqual([mei.id, friends.lin.id]);
  expect(answered.slice(1)).toEqual([{ id, key: "👍", on: false }]);

  // A grid.
  await bo.openChat(cast.lin.nickName);
  const row = bo.page.getByRole("group", { name: new RegExp(bo.t("reaction.picture", { number: 2 })) });
  await expect(count(chip(row, "❤️"))).toHaveText("1");
  await chip(row, "❤️").click();
  await expect(row).toHaveCount(0);
  await expect.poll(() => answered.at(-1)).toEqual({ id: pictures[1], key: "❤️", on: false });
});

test("RE9 chips above the view and in it do not move what is above them, and those of the last message stay in view", async ({
  friends,
  openConversation,
}) => {
  const { bo, view } = await openConversation(30);
  await expect(bo.page.locator("[data-unread-divider]")).toBeVisible();
  await bo.send("at the end");
  await view.expectRestsAtEnd();
  await bo.expectSent();
  const last = bo.messages().filter({ hasText: "at the end" });
  const lastId = Number(await last.getAttribute("data-mid"));
  await react(friends.lin, lastId, "👍");
  await expect(chip(last, "👍")).toBeInViewport({ ratio: 1 });
  await view.expectRestsAtEnd();

  await view.wheel(-600);
  await expect(bo.button("chat.down")).toBeVisible();
  await view.waitUntilStable();
  const top = await view.firstVisibleRow();
  const above = (await view.idsAboveView()).slice(0, 3);
  expect(above.length).toBeGreaterThan(0);
  for (const id of [...above, Number(top.id)])
    for (const key of ["👍", "😂"]) await react(friends.lin, id, key);
  await expect(chips(view.log.locator(`[data-mid="${top.id}"]`))).toHaveCount(2);
  await view.expectAt(top);
  for (const id of [...above, Number(top.id)])
    for (const key of ["👍", "😂"]) await react(friends.lin, id, key, false);
  await expect(chips(view.log.locator(`[data-mid="${top.id}"]`))).toHaveCount(0);
  await view.expectAt(top);
});

test("RE6 on a phone a held finger opens the menu with the quick reactions, large enough for it", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendText(friends.lin, friends.bo, "press me");
  const phone = { viewport: { width: 390, height: 844 }, isTouch: true };
  const bo = await openSignedIn({ ...cast.bo, ...phone });
  await bo.row(cast.lin.nickName).tap();
  const message = await bo.expectMessage("press me");
  await new TimelineView(bo).waitUntilStable();
  const box = await message.locator("[data-bubble]").boundingBox();
  if (box === null) throw new Error("the message is not in view");
  const touchSession = await bo.context.newCDPSession(bo.page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await touchSession.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
  await expect(bo.page.getByRole("menu")).toBeVisible();
  await touchSession.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  const items = bo.page.getByRole("menuitemcheckbox");
  await expect(items).toHaveCount(6);
  for (const item of await items.all()) {
    const { width = 0, height = 0 } = (await item.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(40);
  }
  await items.nth(1).tap();
  await expect(count(chip(message, "❤️"))).toHaveText("1");
  await message.getByRole("button", { name: bo.t("reaction.add") }).tap();
  const again = message.getByRole("toolbar").getByRole("button", { name: "❤️" });
  expect((await again.boundingBox())?.width).toBeGreaterThanOrEqual(40);
  await again.tap();
  await expect(chips(message)).toHaveCount(0);
});

test("RE13 RE14 the author sees in the list who reacted, until something newer comes, and not if they do not want it", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const id = await sendText(friends.lin, friends.bo, "Friday?");
  const lin = await openSignedIn(cast.lin);
  const row = lin.row(cast.bo.nickName);
  await expect(row).toContainText("Friday?");
  const told = lin.t("reaction.told", { name: cast.bo.nickName, reaction: "👍" });

  await react(friends.bo, id, "👍");
  await expect(row).toContainText(told);
  await expect(row).toHaveAccessibleName(new RegExp(told));
  await expect(lin.page).not.toHaveTitle(/\(/);
  await react(friends.bo, id, "👍", false);
  await expect(row).toContainText("Friday?");
  await react(friends.bo, id, "👍");
  await expect(row).toContainText(told);
  await sendText(friends.bo, friends.lin, "Saturday");
  await expect(row).toContainText("Saturday");
  await react(friends.bo, id, "🎉");
  await expect(row).toContainText("🎉");
  await lin.openChat(cast.bo.nickName);
  await expect(row).toContainText("Saturday");

  await lin.openSettings("notifications");
  const setting = lin.page.getByRole("combobox", { name: lin.t("settings.reactions") });
  await setting.selectOption({ label: lin.t("settings.reactions.off") });
  await lin.page.keyboard.press("Escape");
});

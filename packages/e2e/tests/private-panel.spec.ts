import type { Locator } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { expectAccessible } from "../src/expect-accessible.ts";
import { sendTexts } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

const panel = (person: Person): Locator => person.page.getByRole("complementary");
const searchField = (person: Person): Locator =>
  person.page.getByRole("searchbox", { name: person.t("find.title") });

test("P161 P162 the panel of a private chat offers card, remark, mute, pin, search, and blocking in a menu", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendTexts(friends.lin, friends.bo, ["我家在上海东边", "别的"]);
  const bo = await openSignedIn({ ...cast.bo, viewport: { width: 1024, height: 768 } });
  await bo.openChat(cast.lin.nickName);
  await bo.button("chat.info").click();
  await expect(panel(bo)).toContainText(cast.lin.nickName);
  await expect(panel(bo)).toContainText(cast.lin.userName);
  await expect
    .poll(async () => {
      const [box, main] = [await panel(bo).boundingBox(), await bo.page.getByRole("main").boundingBox()];
      return { width: box?.width, gap: (box?.x ?? 0) - (main?.x ?? 0) - (main?.width ?? 0) };
    })
    .toEqual({ width: 300, gap: 0 });
  await expectAccessible(bo, "the panel of a private chat");

  await panel(bo)
    .getByRole("button", { name: new RegExp(`^${bo.t("friend.remark")}`) })
    .click();
  const remark = panel(bo).getByRole("textbox", { name: bo.t("friend.remark") });
  await remark.fill("Lin of design");
  await remark.press("Enter");
  await expect(remark).toHaveCount(0);
  await expect(
    panel(bo).getByRole("button", { name: new RegExp(`^${bo.t("friend.remark")}`) }),
  ).toBeFocused();
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText("Lin of design");
  await panel(bo)
    .getByRole("switch", { name: bo.t("chatMenu.mute") })
    .click();
  await expect(bo.row("Lin of design")).toHaveAccessibleName(new RegExp(bo.t("chat.muted")));
  await panel(bo)
    .getByRole("switch", { name: bo.t("groupInfo.top") })
    .click();
  await expect(bo.row("Lin of design")).toHaveAccessibleName(new RegExp(bo.t("chat.pinned")));
  // The client shows a pin before the server has stored it.
  await expect
    .poll(async () => (await friends.bo.call(ENDPOINTS.listFriends, {}))[0])
    .toMatchObject({ remarkNickName: "Lin of design", msgRemind: 0, isTop: true });

  await panel(bo)
    .getByRole("button", { name: bo.t("find.title") })
    .click();
  await expect(searchField(bo)).toBeFocused();
  await expect(panel(bo)).toBeVisible();
  await searchField(bo).press("Escape");

  await expect(bo.button("block.block")).toHaveCount(0);
  await panel(bo)
    .getByRole("button", { name: bo.t("block.more") })
    .click();
  await bo.menuItem("block.block").click();
  await bo.answerDialog("block.block");
  await expect(panel(bo)).toContainText(bo.t("block.state"));
  await panel(bo)
    .getByRole("button", { name: bo.t("block.more") })
    .click();
  await bo.menuItem("block.unblock").click();
  await expect(panel(bo)).not.toContainText(bo.t("block.state"));

  // The card has the same menu and stays open behind it.
  await bo.openPeerCard();
  await bo
    .dialog()
    .getByRole("button", { name: bo.t("block.more") })
    .click();
  await expect(bo.menuItem("block.block")).toBeVisible();
  await bo.page.keyboard.press("Escape");
  await expect(bo.page.getByRole("menu")).toHaveCount(0);
  await expect(bo.dialog()).toHaveCount(1);
  await bo.page.keyboard.press("Escape");
  await expect(bo.dialog()).toHaveCount(0);

  await panel(bo)
    .getByRole("button", { name: bo.t("friend.detail") })
    .click();
  await expect(bo.page).toHaveURL(new RegExp(`/home/friend/${friends.lin.id}$`));
  await expect(bo.button("block.block")).toHaveCount(0);
  await expect(bo.button("block.more")).toBeVisible();
});

test("P161 the panel covers a part of the conversation below 1,024 px and is a page with a back button on a phone", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn({ ...cast.bo, viewport: { width: 1023, height: 768 } });
  await bo.openChat(cast.lin.nickName);
  await bo.button("chat.info").click();
  await expect(panel(bo)).toBeVisible();
  await expect.poll(() => panel(bo).boundingBox()).toMatchObject({ x: 723, y: 0, width: 300, height: 768 });
  await bo.page.keyboard.press("Escape");
  await expect(panel(bo)).toHaveCount(0);

  await bo.page.setViewportSize({ width: 390, height: 844 });
  await bo.button("chat.info").click();
  await expect.poll(() => panel(bo).boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 });
  await expect(bo.page.getByRole("main")).toHaveJSProperty("inert", true);
  await expectAccessible(bo, "the panel of a private chat on a phone");
  // Nothing of the conversation shows through.
  const screenshot = await bo.page.screenshot({ animations: "disabled" });
  const hidingStyle = await bo.page.addStyleTag({ content: "main { visibility: hidden }" });
  expect(screenshot.equals(await bo.page.screenshot({ animations: "disabled" }))).toBe(true);
  await hidingStyle.evaluate((style) => (style as Element).remove());
  await bo.button("chat.backToChat").click();
  await expect(panel(bo)).toHaveCount(0);
  await expect(bo.composer()).toBeVisible();
  // Starting a search closes the panel.
  await bo.button("chat.info").click();
  await panel(bo)
    .getByRole("button", { name: bo.t("find.title") })
    .click();
  await expect(panel(bo)).toHaveCount(0);
  await expect(searchField(bo)).toBeFocused();
});

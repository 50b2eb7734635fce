import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { TimelineView } from "../src/timeline-view.ts";
import { Fingers } from "../src/touch.ts";

const PHONE = { viewport: { width: 390, height: 844 }, isTouch: true } as const;

test("browser back and forward switch between list and chat; the tab bar is hidden while a chat is open", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const lin = await openSignedIn(cast.lin);
  await lin.openChat(cast.bo.nickName);
  const bo = await openSignedIn({ ...cast.bo, ...PHONE });
  const tabs = bo.page.getByRole("navigation", { name: bo.t("nav.label") });
  await expect(tabs).toBeVisible();
  await bo.row(cast.lin.nickName).tap();
  await expect(bo.page.getByRole("log")).toBeVisible();
  await expect(tabs).toHaveCount(0);
  await expect(bo.page.getByRole("listbox")).toHaveCount(0);
  // Opening a chat by touch does not show the keyboard.
  await expect(bo.composer()).not.toBeFocused();
  await bo.composer().tap();
  await bo.composer().pressSequentially("first line");
  await bo.composer().press("Enter");
  await bo.composer().pressSequentially("second line");
  await bo.button("chat.send").tap();
  await lin.expectTexts(["first line\nsecond line"]);
  await expect(bo.composer()).toBeInViewport({ ratio: 1 });
  const { bottom, height } = await bo.composer().evaluate((field) => ({
    bottom: field.getBoundingClientRect().bottom,
    height: innerHeight,
  }));
  expect(bottom).toBeLessThanOrEqual(height);

  await bo.page.goBack();
  await expect(bo.page).toHaveURL(/\/home\/chat$/);
  await expect(tabs).toBeVisible();
  await lin.send("are you there?");
  await expect(bo.row(cast.lin.nickName)).toHaveAccessibleName(
    new RegExp(bo.t("chat.unreadCount", { count: 1 })),
  );
  await bo.page.goForward();
  await bo.expectMessage("are you there?");
  const back = bo.page.getByRole("button", { name: new RegExp(`^${bo.t("chat.back")}`) });
  const list = bo.page.getByRole("listbox", { name: bo.t("chat.list") });
  await back.tap();
  await expect(list).toBeVisible();

  // It went back, so the browser's Back does not lead into the chat again.
  await bo.page.goForward();
  await expect(bo.page.getByRole("log")).toBeVisible();
  await bo.open(new URL(bo.page.url()).pathname);
  await back.tap();
  await expect(list).toBeVisible();
  await expect(bo.page).toHaveURL(/\/home\/chat$/);
});

test("a long press on a message opens its menu and activates nothing", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const first = await sendText(friends.lin, friends.bo, "look at this");
  const body = { recvId: friends.lin.id, content: "I see", type: 0, quoteMessageId: first };
  await friends.bo.call(ENDPOINTS.sendPrivateMessage, { body });
  const bo = await openSignedIn({ ...cast.bo, ...PHONE });
  await bo.row(cast.lin.nickName).tap();
  const message = await bo.expectMessage("I see");
  const quote = message.getByRole("button");
  await new TimelineView(bo).waitUntilStable();
  const box = await quote.boundingBox();
  if (box === null) throw new Error("the quote is not in view");
  const touchSession = await bo.context.newCDPSession(bo.page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await touchSession.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
  await expect(bo.menuItem("act.copy")).toBeVisible();
  await touchSession.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await expect(bo.menuItem("act.copy")).toBeVisible();
  await bo.menuItem("act.quote").tap();
  await expect(bo.text("chat.replyTo", { name: bo.t("chat.me") })).toBeVisible();
});

test("friends and the own page are screens of their own, with a way back and a logout", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn({ ...cast.bo, ...PHONE });
  await bo.link("nav.friends").tap();
  await bo.row(cast.lin.nickName).tap();
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(cast.lin.nickName);
  await bo.button("friend.back").tap();
  await expect(bo.page.getByRole("listbox", { name: bo.t("friend.list") })).toBeVisible();
  await bo.link("nav.me").tap();
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(cast.bo.nickName);
  await bo.page.getByRole("combobox", { name: bo.t("app.theme") }).selectOption("dark");
  await expect(bo.page.locator("html")).toHaveAttribute("data-theme", "dark");
  await bo.button("menu.logout").tap();
  await bo
    .dialog()
    .getByRole("button", { name: bo.t("menu.logout"), exact: true })
    .tap();
  await expect(bo.page).toHaveURL(/\/login$/);
});

test("SC3 SC4 a swipe from the left edge leads back; a menu is a sheet, which a press beside it closes", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendText(friends.lin, friends.bo, "look at this");
  const bo = await openSignedIn({ ...cast.bo, ...PHONE });
  const fingers = await Fingers.of(bo);
  const swipe = (from: number, to: number) =>
    fingers.move([
      [
        [from, 400],
        [to, 410],
      ],
    ]);
  await bo.row(cast.lin.nickName).tap();
  await bo.expectMessage("look at this");
  await bo.page.setViewportSize({ width: 320, height: 568 });
  const name = await bo.page.getByRole("main").getByRole("heading", { level: 1 }).boundingBox();
  expect(name?.width, "room for the name in the smallest window").toBeGreaterThan(48);
  await bo.page.setViewportSize(PHONE.viewport);
  // From a text field, where browsers take a focus that a script moves for one of the keyboard.
  await bo.composer().focus();
  await bo.button("chat.find").focus();
  await expect(bo.text("chat.find"), "no tooltip on a touch screen").toHaveCount(0);

  await bo.button("chat.info").tap();
  await expect(bo.page.getByRole("complementary")).toBeVisible();
  await swipe(8, 300);
  await expect(bo.page.getByRole("complementary")).toHaveCount(0);
  // From further inside, or too short, a finger leads nowhere.
  await swipe(60, 360);
  await swipe(8, 80);
  await bo.expectMessage("look at this");

  const more = bo.page.locator("form").getByRole("button", { name: bo.t("chat.more"), exact: true });
  const menu = bo.page.getByRole("menu");
  const back = await bo.button("chat.back").boundingBox();
  const [x, y] = [(back?.x ?? 0) + 10, (back?.y ?? 0) + 10];
  // A press beside it reaches nothing behind it, neither by a finger nor by the mouse of a narrow window.
  for (const press of [() => bo.page.touchscreen.tap(x, y), () => bo.page.mouse.click(x, y)]) {
    await more.tap();
    await expect
      .poll(async () => {
        const box = await menu.boundingBox();
        return box === null ? null : [box.x, box.width, Math.round(box.y + box.height)];
      })
      .toEqual([0, 390, 844]);
    await press();
    await expect(menu).toHaveCount(0);
    await bo.expectMessage("look at this");
  }

  await swipe(8, 300);
  await expect(bo.page.getByRole("listbox", { name: bo.t("chat.list") })).toBeVisible();
});

import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { inLanguages } from "../src/full-run.ts";
import type { Person } from "../src/person.ts";

/** Chooses an item of the main menu. */
async function chooseFromMenu(person: Person, id: string): Promise<void> {
  await person.button("nav.menu").click();
  await person.page.getByRole("menuitem", { name: person.t(id), exact: true }).click();
}

test("clearing all chats asks first, clears them on all devices of the user, and leaves the other user's messages", async ({
  friends,
  cast,
  openLogin,
}) => {
  await sendText(friends.lin, friends.bo, "to be forgotten");
  // Two browsers with one device number behave like two tabs, and neither is in the background.
  const [lin, bo, tab] = [
    await openLogin(cast.lin),
    await openLogin({ ...cast.bo, device: "one" }),
    await openLogin({ ...cast.bo, device: "one" }),
  ];
  for (const person of [lin, bo, tab]) await person.logIn();
  for (const person of [bo, tab]) {
    await person.openChat(cast.lin.nickName);
    await person.expectMessage("to be forgotten");
  }

  await chooseFromMenu(bo, "menu.clearHistory");
  await bo
    .dialog()
    .getByRole("button", { name: bo.t("app.cancel") })
    .click();
  await bo.expectMessage("to be forgotten");

  await bo.context.route("**/user/flushAllMessage", (route) =>
    route.fulfill({ json: { code: 500, message: "the store is full", data: null } }),
  );
  await chooseFromMenu(bo, "menu.clearHistory");
  const confirm = bo.dialog().getByRole("button", { name: bo.t("settings.clearConfirm"), exact: true });
  await confirm.click();
  const reason = "the store is full";
  await bo.expectToast(bo.t("settings.clearFailed", { reason }), "alert");
  await bo.context.unroute("**/user/flushAllMessage");
  const friendsRequest = bo.page.waitForRequest("**/friend/list");
  await confirm.click();
  await friendsRequest;
  await expect(bo.dialog()).toHaveCount(0);
  for (const person of [bo, tab]) await person.expectTexts([]);
  await bo.page.reload();
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts([]);

  await lin.openChat(cast.bo.nickName);
  await lin.expectMessage("to be forgotten");
  await lin.send("a new beginning");
  await bo.expectTexts(["a new beginning"]);
});

test("P163 the item to clear all chats is not next to logout, in the menu and on a phone", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  const expectApart = (names: readonly string[]) => {
    const [clear, logout] = ["menu.clearHistory", "menu.logout"].map((id) =>
      names.findIndex((name) => name.startsWith(bo.t(id))),
    );
    expect(clear).toBeGreaterThan(-1);
    expect(logout).toBeGreaterThan(-1);
    expect(Math.abs((clear ?? 0) - (logout ?? 0))).toBeGreaterThan(1);
  };
  await bo.button("nav.menu").click();
  await expect(bo.menuItem("menu.logout")).toBeVisible();
  expectApart(await bo.page.getByRole("menuitem").allTextContents());
  await bo.page.keyboard.press("Escape");
  await bo.page.setViewportSize({ width: 390, height: 844 });
  await bo.open("/home/me");
  await expect(bo.button("menu.logout")).toBeVisible();
  expectApart(await bo.page.getByRole("main").getByRole("listitem").allTextContents());
});

test("ST6 other settings contain one checkbox, which reverts when the server refuses; about shows the version", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  const storedSettings = () =>
    bo.page.evaluate((id) => localStorage.getItem(`parley.otherSettings.${id}`), friends.bo.id);
  // Saved when the user info is loaded, before the dialog is ever open.
  await expect.poll(storedSettings).toBe('{"requireFriendConfirmation":true}');
  await chooseFromMenu(bo, "menu.otherSettings");
  const checkbox = bo.dialog().getByRole("checkbox");
  await expect(checkbox).toHaveCount(1);
  await expect(checkbox).toHaveAccessibleName(bo.t("settings.approve"));
  await expect(checkbox).toBeChecked();
  await checkbox.click();
  await expect.poll(async () => (await friends.bo.call(ENDPOINTS.self, {})).isManualApprove).toBe(false);
  await expect.poll(storedSettings).toBe('{"requireFriendConfirmation":false}');
  await bo.context.route("**/user/manualApprove**", (route) =>
    route.fulfill({ json: { code: 500, message: "no", data: null } }),
  );
  await checkbox.click();
  await bo.expectToast(bo.t("settings.saveFailed"), "alert");
  await expect(checkbox).not.toBeChecked();
  await expect.poll(storedSettings).toBe('{"requireFriendConfirmation":false}');
  await bo.page.keyboard.press("Escape");

  await chooseFromMenu(bo, "menu.about");
  await expect(bo.dialog()).toContainText(/\d+\.\d+\.\d+/);
});

for (const language of inLanguages("en-US")) {
  test(`each tab of the settings comes into view when it is chosen at 390 px, in ${language}`, async ({
    friends: _,
    cast,
    openSignedIn,
  }) => {
    const bo = await openSignedIn({
      ...cast.bo,
      language,
      viewport: { width: 390, height: 844 },
      isTouch: true,
    });
    await bo.open("/home/me/settings");
    const tabs = bo.page.getByRole("tab");
    await expect(tabs).toHaveCount(9);
    await tabs.first().focus();
    for (let n = 1; n < 9; n++) {
      await bo.page.keyboard.press("ArrowRight");
      await expect(tabs.nth(n)).toHaveAttribute("aria-selected", "true");
      await expect(tabs.nth(n)).toBeInViewport({ ratio: 0.99 });
    }
  });
}

test("S107 the menu has the entries of the spec and closes by Esc or a click outside; the switcher has them too", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  const names = [
    "refresh",
    "otherSettings",
    "broadcast",
    "clearHistory",
    "settings",
    "about",
    "logout",
    "closeApp",
  ];
  const menu = bo.page.getByRole("menu");
  for (const close of [() => bo.page.keyboard.press("Escape"), () => bo.page.mouse.click(900, 300)]) {
    await bo.button("nav.menu").click();
    for (const name of names) await expect(bo.menuItem(`menu.${name}`)).toBeVisible();
    await expect(bo.menuItem("app.language")).toBeVisible();
    await close();
    await expect(menu).toHaveCount(0);
  }
  const commands = [...names.map((name) => `menu.${name}`), "profile.title", "groups.create", "groups.join"];
  await bo.page.keyboard.press("Control+k");
  for (const id of commands) {
    await bo.page.getByRole("combobox").fill(bo.t(id));
    await expect(bo.dialog().getByRole("option", { name: bo.t(id), exact: true })).toBeVisible();
  }
  await bo.page.getByRole("combobox").fill(bo.t("profile.title"));
  await bo
    .dialog()
    .getByRole("option", { name: bo.t("profile.title"), exact: true })
    .click();
  await expect(bo.page.getByRole("dialog", { name: bo.t("profile.title"), exact: true })).toBeVisible();
});

test("S107 closing the app asks, closes the socket with 3000 and the window; where that stays, the login screen follows", async ({
  friends: _,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await bo.context.addInitScript(() => {
    const { close } = WebSocket.prototype;
    WebSocket.prototype.close = function (code, reason) {
      localStorage.setItem("e2e.closedWith", String(code));
      close.call(this, code, reason);
    };
    // The window of a test could be closed, unlike that of most people.
    if (opener === null) window.close = () => localStorage.setItem("e2e.closed", "tried");
  });
  await bo.openAndLogIn();
  await chooseFromMenu(bo, "menu.closeApp");
  await bo.answerDialog("app.cancel");
  const opened = await bo.duplicate();
  await opened.expectHome();
  const closed = opened.page.waitForEvent("close");
  await chooseFromMenu(opened, "menu.closeApp");
  await opened.answerDialog("menu.closeApp");
  await closed;
  await expect(bo.button("nav.menu")).toBeVisible();

  await chooseFromMenu(bo, "menu.closeApp");
  await bo.answerDialog("menu.closeApp");
  await expect(bo.page).toHaveURL(/\/login$/);
  const noted = (name: string) => bo.page.evaluate((key) => localStorage.getItem(key), `e2e.${name}`);
  expect([await noted("closedWith"), await noted("closed")]).toEqual(["3000", "tried"]);
  await bo.page.reload();
  await expect(bo.button("login.submit")).toBeVisible();
});

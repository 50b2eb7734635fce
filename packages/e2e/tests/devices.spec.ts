import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { PASSWORD, sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { inLanguages } from "../src/full-run.ts";
import { Network } from "../src/network.ts";

for (const language of inLanguages("zh-CN")) {
  test(`a login on another device ends this session with the dialog of the spec, in ${language}`, async ({
    friends: _,
    cast,
    openLogin,
    openSignedIn,
  }) => {
    const here = await openLogin({ ...cast.bo, language });
    await here.byLabel("login.rememberPassword").check();
    await here.logIn();
    await expect(here.row(cast.lin.nickName)).toBeVisible();
    const elsewhere = await openSignedIn(cast.bo);

    const dialog = here.page.getByRole("alertdialog", { name: here.t("end.kickedTitle") });
    for (const id of ["end.kicked", "end.kickedHere"]) await expect(dialog).toContainText(here.t(id));
    await dialog.getByRole("button", { name: here.t("app.confirm") }).click();
    await expect(here.page).toHaveURL(/\/login$/);
    await expect(dialog).toHaveCount(0);

    // The password is remembered, but a forced logout counts as a logout: a reload does not log in again and end the other session.
    await here.page.reload();
    await expect(here.button("login.submit")).toBeVisible();
    await expect(elsewhere.row(cast.lin.nickName)).toBeVisible();
    await expect(elsewhere.dialog()).toHaveCount(0);
  });
}

test("a second tab of the same browser does not end the first; both receive everything", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const first = await openSignedIn(cast.bo);
  await first.openChat(cast.lin.nickName);
  const second = await first.openSignedInTab();
  await second.openChat(cast.lin.nickName);

  await sendText(friends.lin, friends.bo, "for both");
  await first.expectMessage("for both");
  await second.expectMessage("for both");
  await second.send("from the second");
  await first.expectTexts(["for both", "from the second"]);
  await first.send("from the first");
  await second.expectTexts(["for both", "from the second", "from the first"]);
  await expect(first.dialog()).toHaveCount(0);
});

test("a chat read in one tab is read in the other", async ({ friends, cast, openSignedIn }) => {
  const first = await openSignedIn(cast.bo);
  const second = await first.openSignedInTab();
  await sendText(friends.lin, friends.bo, "unread");
  await expect(first.page).toHaveTitle(`(1) ${cast.bo.nickName}`);
  await expect(second.page).toHaveTitle(`(1) ${cast.bo.nickName}`);
  await second.page.bringToFront();
  await second.openChat(cast.lin.nickName);
  await expect(second.page).toHaveTitle(cast.bo.nickName);
  await expect(first.page).toHaveTitle(cast.bo.nickName);
});

test('logout asks first, leads to the login screen, and "back" does not return to the chats', async ({
  bo,
}) => {
  await bo.button("nav.menu").click();
  await bo.page.getByRole("menuitem", { name: bo.t("menu.logout") }).click();
  await expect(bo.dialog()).toContainText(bo.t("logout.body"));
  await bo
    .dialog()
    .getByRole("button", { name: bo.t("app.cancel"), exact: true })
    .click();
  await bo.link("nav.friends").click();
  await expect(bo.page).toHaveURL(/\/home\/friend$/);
  await bo.logOut();
  await bo.page.goBack();
  await expect(bo.page).toHaveURL(/\/login$/);
  await expect(bo.button("login.submit")).toBeVisible();
  await expect(bo.page).toHaveTitle(bo.t("app.name"));
});

test("a changed password ends the other sessions and says why", async ({ friends, bo }) => {
  await expect(bo.page.getByRole("option")).not.toHaveCount(0);
  await friends.bo.call(ENDPOINTS.modifyPwd, {
    body: { oldPassword: PASSWORD, newPassword: "another-horse-8" },
  });
  await bo.confirmEnd("end.passwordChangedTitle", bo.t("end.passwordChanged"));
  await bo.logIn("another-horse-8");
});

test("a session that ended while the tab was on another site leads to the login screen with the reason", async ({
  friends,
  bo,
  cast,
  server,
}) => {
  await bo.openChat(cast.lin.nickName);
  await bo.page.goto("about:blank");
  await friends.bo.call(ENDPOINTS.modifyPwd, {
    body: { oldPassword: PASSWORD, newPassword: "another-horse-8" },
  });
  await bo.page.goto(`${server.url}/home/chat`);
  await bo.confirmEnd("end.passwordChangedTitle", bo.t("end.passwordChanged"));
  bo.console.allow(/status of (400|401)/);
});

for (const [situation, type, title, body] of [
  ["a ban says its reason", 50, "end.bannedTitle", "Sold umbrellas in the lobby"],
  ["a cancelled account says so", 54, "end.unregisteredTitle", null],
] as const) {
  test(`${situation} and ends the session`, async ({ friends: _, cast, openBrowser }) => {
    const bo = await openBrowser(cast.bo);
    const network = await Network.install(bo);
    await bo.openAndLogIn();
    await expect(bo.row(cast.lin.nickName)).toBeVisible();
    await network.deliverFrame({
      cmd: 5,
      data: { type, seqNo: 0, sendId: 0, recvId: 0, content: body ?? "" },
    });
    await bo.confirmEnd(title, body ?? bo.t("end.unregistered"));
  });
}

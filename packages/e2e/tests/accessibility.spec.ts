import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { expectAccessible, WIDTHS } from "../src/expect-accessible.ts";
import { createAccount, sendText, sendTexts } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";

for (const [width, viewport] of WIDTHS) {
  const isPhone = viewport.width < 768;

  test(`axe finds no serious violation before login: ${width}, both themes`, async ({ cast, openLogin }) => {
    const bo = await openLogin({ ...cast.bo, viewport });
    await bo.page.emulateMedia({ reducedMotion: "reduce" });
    await expect(bo.button("login.submit")).toBeVisible();
    await expectAccessible(bo, "login");
    await bo.button("server.custom").click();
    await bo.byLabel("server.address").fill("not an address");
    await bo.button("login.submit").click();
    await expect(bo.text("login.passwordRequired")).toBeVisible();
    await bo.byLabel("server.address").focus();
    await bo.byLabel("server.address").blur();
    await expect(bo.text("server.notAnAddress")).toBeVisible();
    await expectAccessible(bo, "login with errors");
    await bo.open("/register");
    await bo.button("register.submit").click();
    await expect(bo.text("register.usernameRequired")).toBeVisible();
    await expectAccessible(bo, "register with errors");
  });

  test(`axe finds no serious violation in searches and chat actions: ${width}, both themes`, async ({
    friends,
    cast,
    openLogin,
  }) => {
    await sendTexts(friends.lin, friends.bo, ["我家在上海东边", "the second"]);
    const bo = await openLogin({ ...cast.bo, viewport });
    await bo.page.emulateMedia({ reducedMotion: "reduce" });
    await bo.logIn();
    await bo.row(cast.lin.nickName).click({ button: "right" });
    await expect(bo.page.getByRole("menu")).toBeVisible();
    await expectAccessible(bo, "menu of a chat");
    await bo.page.getByRole("menuitem", { name: new RegExp(bo.t("chatMenu.delete")) }).click();
    await expect(bo.dialog()).toBeVisible();
    await expectAccessible(bo, "question before deleting a chat");
    await bo.page.keyboard.press("Escape");
    await bo.page.getByRole("button", { name: new RegExp(`^${bo.t("nav.search")}`) }).click();
    await expect(bo.dialog().getByRole("option").first()).toBeVisible();
    await expectAccessible(bo, "switcher");
    await bo.dialog().getByRole("combobox").fill("上海");
    await expect(bo.dialog().getByRole("option")).toHaveCount(1);
    await expectAccessible(bo, "search results");
    await bo.dialog().getByRole("combobox").fill("海上");
    await expect(bo.text("search.empty")).toBeVisible();
    await expectAccessible(bo, "search without results");
    await bo.page.keyboard.press("Escape");
    await bo.page.keyboard.press("Control+/");
    await expect(bo.dialog()).toBeVisible();
    await expectAccessible(bo, "table of shortcuts");
    await bo.page.keyboard.press("Escape");
    await bo.openChat(cast.lin.nickName);
    // The highlight animation of a result mixes the colours of both themes while the theme changes.
    await bo.page.addStyleTag({ content: "[data-flash] * { animation: none !important }" });
    await bo.button("chat.find").click();
    await bo.page.getByRole("searchbox", { name: bo.t("find.title") }).fill("上海");
    await expect(bo.page.getByRole("main").getByRole("search").getByRole("status")).toHaveText("1/1");
    await expectAccessible(bo, "search of a chat");
  });

  test(`axe finds no serious violation on any screen or dialog: ${width}, both themes`, async ({
    friends,
    cast,
    server,
    openLogin,
    openSignedIn,
  }) => {
    test.slow();
    const stranger = await createAccount(server.url, cast.other("ann").userName, "Ann Other");
    const remark = "May I?";
    await stranger.call(ENDPOINTS.applyFriend, { body: { friendId: friends.bo.id, source: 1, remark } });
    await sendTexts(friends.lin, friends.bo, ["你好", "https://example.org/", "three"]);
    await sendText(friends.bo, friends.lin, "mine, from my phone");
    const bo = await openLogin({ ...cast.bo, viewport });
    await bo.page.emulateMedia({ reducedMotion: "reduce" });
    await bo.logIn();
    await expect(bo.row(cast.lin.nickName)).toBeVisible();
    await expectAccessible(bo, "chats");
    await bo.openChat(cast.lin.nickName);
    await bo.send("read all");
    await expect(bo.text("chat.unread")).toBeVisible();
    await expectAccessible(bo, "conversation");
    await bo.openMessageMenu("read all");
    await expectAccessible(bo, "menu of a message");
    await bo.menuItem("act.quote").click();
    await bo.button("chat.emoticons").click();
    await expect(bo.page.getByRole("grid")).toBeVisible();
    await expectAccessible(bo, "quote and emoticon picker");
    await bo.page.keyboard.press("Escape");
    await bo.composer().press("Escape");
    await bo.runMessageAction("read all", "act.choose");
    await bo.page
      .getByRole("toolbar")
      .getByRole("button", { name: bo.t("choose.forward") })
      .click();
    await expect(bo.dialog().getByRole("checkbox").first()).toBeVisible();
    await expectAccessible(bo, "selection and forward dialog");
    await bo.page.keyboard.press("Escape");
    await bo.button("choose.end").click();
    await bo.sendFromPlusMenu("compose.place");
    await expect(bo.dialog()).toBeVisible();
    await expectAccessible(bo, "sending a location");
    await bo.page.keyboard.press("Escape");
    await bo.openPeerCard();
    await expect(bo.dialog()).toBeVisible();
    await expectAccessible(bo, "user card");
    await bo.page.keyboard.press("Escape");

    await bo.context.route("**/message/private/send", (route) =>
      route.fulfill({ json: { code: 500, message: "not today", data: null } }),
    );
    await bo.send("refused");
    await expect(bo.text("chat.notSent")).toBeVisible();
    await expectAccessible(bo, "a failed message");

    await bo.open("/home/chat");
    await bo.openChat(bo.t("chat.system"));
    await expect(bo.button("request.approve")).toBeVisible();
    await expectAccessible(bo, "system chat");
    await bo.open("/home/friend");
    await expect(bo.button("request.approve")).toBeVisible();
    await expectAccessible(bo, "friends and requests");
    await bo.addFriendButton().click();
    await bo.page.getByRole("searchbox", { name: bo.t("friend.findLabel") }).fill(cast.lin.userName.slice(3));
    await bo.page.keyboard.press("Enter");
    await expect(bo.page.getByRole("list", { name: bo.t("friend.results") })).toBeVisible();
    await expectAccessible(bo, "search for users");
    await bo.button("app.close").click();
    await bo.row(cast.lin.nickName).click();
    await bo.button("friend.editRemark").click();
    await expectAccessible(bo, "friend");
    await bo.button("friend.delete").click();
    await expect(bo.dialog()).toBeVisible();
    await expectAccessible(bo, "question before deleting a friend");
    await bo
      .dialog()
      .getByRole("button", { name: bo.t("friend.deleteConfirm") })
      .click();
    await expect(bo.page).toHaveURL(/\/home\/friend$/);
    await bo.open("/home/chat");
    await bo.openChat(cast.lin.nickName);
    await expect(bo.blockedReason("chat.blockedDeleted")).toBeVisible();
    await expectAccessible(bo, "conversation after the friendship ended");

    if (isPhone) {
      await bo.page.goBack();
      await bo.link("nav.me").click();
      await expect(bo.button("menu.logout")).toBeVisible();
      await expectAccessible(bo, "own page");
    } else {
      await bo.button("nav.menu").click();
      await bo.page.getByRole("menuitem", { name: bo.t("app.language") }).click();
      await expect(bo.page.getByRole("menuitemradio").first()).toBeVisible();
      await expectAccessible(bo, "menu");
      await bo.page.keyboard.press("Escape");
      await bo.page.keyboard.press("Escape");
    }
    await openSignedIn(cast.bo);
    await expect(bo.page.getByRole("alertdialog", { name: bo.t("end.kickedTitle") })).toBeVisible();
    await expectAccessible(bo, "forced logout");
  });
}

import { PASSWORD } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { inLanguages } from "../src/full-run.ts";
import type { Person } from "../src/person.ts";

const REASON = "在大厅里卖雨伞";

/** Tries to log in at the login screen and expects this error. */
async function expectLoginRefused(person: Person, message: string): Promise<void> {
  await person.byLabel("login.username").fill(person.options.userName);
  await person.byLabel("login.password").fill(PASSWORD);
  await person.button("login.submit").click();
  await expect(person.page.locator("form").getByText(message, { exact: true })).toBeVisible();
  await person.expectToast(message, "alert");
  await expect(person.page).toHaveURL(/\/login$/);
}

for (const language of inLanguages("zh-TW")) {
  test(`a ban ends all sessions with its reason, and unban allows login again, in ${language}`, async ({
    friends: _,
    cast,
    server,
    openSignedIn,
  }) => {
    const here = await openSignedIn({ ...cast.bo, language });
    const other = await here.openSignedInTab();
    await expect(other.row(cast.lin.nickName)).toBeVisible();
    await server.admin("ban", cast.bo.userName, "--reason", REASON);
    for (const tab of [here, other]) await tab.confirmEnd("end.bannedTitle", REASON);
    await expectLoginRefused(here, here.t("error.account.banned", { reason: REASON }));
    await server.admin("unban", cast.bo.userName);
    await here.page.reload();
    await here.logIn();
    await expect(here.row(cast.lin.nickName)).toBeVisible();
  });
}

test("P111 chat and card of a banned user show the ban with its reason until it ends", async ({
  lin,
  cast,
  server,
}) => {
  await lin.openChat(cast.bo.nickName);
  await server.admin("ban", cast.bo.userName, "--reason", REASON);
  const banText = lin.t("card.banned", { reason: REASON });
  await expect(lin.page.getByRole("main").getByRole("status").getByText(banText)).toBeVisible();
  await lin.openPeerCard();
  await expect(lin.dialog()).toContainText(banText);
  await server.admin("unban", cast.bo.userName);
  await expect(lin.page.getByText(banText)).toHaveCount(0);
});

test("a closed account ends its session with a message and refuses login", async ({
  friends: _,
  cast,
  server,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await server.admin("unregister", cast.bo.userName);
  await bo.confirmEnd("end.unregisteredTitle", bo.t("end.unregistered"));
  await expectLoginRefused(bo, bo.t("error.account.unregistered"));
});

test("a password reset by the administrator ends the session and says why", async ({ bo, cast, server }) => {
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const output = await server.admin("reset-password", cast.bo.userName);
  await bo.confirmEnd("end.passwordChangedTitle", bo.t("end.passwordChanged"));
  const password = output.split(/\s+/).findLast((word) => word !== "");
  await bo.logIn(password);
});

test("a notice to all reaches online users at once and others at their next login", async ({
  lin,
  cast,
  server,
  openLogin,
}) => {
  const ann = await openLogin(cast.other("ann"));
  await ann.register();
  await ann.logOut();
  await server.admin(
    "notice",
    "--title",
    "周六维护",
    "--text",
    "服务器将于 23:00 升级。\n\n期间消息会排队。",
  );
  const row = lin.row(lin.t("chat.system"));
  await expect(row).toContainText("周六维护");
  await lin.openChat(lin.t("chat.system"));
  await expect(lin.page.getByRole("article", { name: /^周六维护/ })).toContainText("服务器将于 23:00 升级。");
  await lin.button("system.read").first().click();
  await expect(lin.dialog().getByText("期间消息会排队。")).toBeVisible();
  await lin.page.keyboard.press("Escape");

  await ann.logIn();
  await expect(ann.row(ann.t("chat.system"))).toContainText("周六维护");
});

test("a long notice title and the offline bar fit at 390 px", async ({
  friends: _,
  cast,
  server,
  openSignedIn,
}) => {
  const bo = await openSignedIn({ ...cast.bo, viewport: { width: 390, height: 844 }, isTouch: true });
  const title = "The server is renewed on Saturday night, please read what this means for you";
  await server.admin("notice", "--title", title, "--text", "It rests.", "--to", cast.bo.userName);
  await bo.row(bo.t("chat.system")).tap();
  await bo.button("system.read").first().tap();
  await expect(bo.dialog()).toContainText("It rests.");
  await expect(bo.dialog().getByRole("heading", { name: title })).toBeInViewport({ ratio: 1 });
  await bo
    .dialog()
    .getByRole("button", { name: bo.t("app.close") })
    .tap();
  await bo.context.setOffline(true);
  const offlineText = bo.text("connection.offline");
  await expect(offlineText).toBeVisible();
  const [inner, outer] = await offlineText.evaluate((element) =>
    [element, element.closest("div")].map((box) => box?.getBoundingClientRect().top ?? 0),
  );
  expect(inner).toBeGreaterThanOrEqual((outer ?? 0) + 2);
});

test("a notice shows allowed HTML and runs no script; another links to a page", async ({
  bo,
  cast,
  server,
}) => {
  await server.admin("notice", "--title", "Rules", "--text", "short", "--to", cast.bo.userName);
  await bo.openChat(bo.t("chat.system"));
  const maliciousHtml = `<h1>Head</h1><p onclick="alert(1)">one <b>two</b> <a href="https://example.org/a">web</a>
    <a href="javascript:alert(1)">no link</a></p><img src=x onerror="alert(1)"><script>alert(1)</script>
    <svg><script>alert(1)</script><a href="javascript:alert(2)">svg</a></svg><iframe src="https://example.org"></iframe>
    <form action="https://example.org"><input name=a></form><ul><li>item</li></ul><style>body{display:none}</style>`;
  await bo.context.route("**/message/system/content**", (route) =>
    route.fulfill({
      json: {
        code: 200,
        message: "",
        data: { id: 1, contentType: 0, richText: maliciousHtml, externLink: null },
      },
    }),
  );
  // Parsing the HTML logs violations of the content security policy, even though no handler gets into the page.
  bo.console.allow(/inline event handler/);
  let alerts = 0;
  bo.page.on("dialog", (dialog) => {
    alerts++;
    void dialog.dismiss();
  });
  await bo.button("system.read").first().click();
  await expect(bo.dialog().getByRole("listitem")).toHaveText("item");
  const html = await bo.dialog().locator('[dir="auto"]').last().innerHTML();
  expect(html).not.toMatch(/script|onclick|onerror|<img|<svg|<iframe|<form|<input|<style|javascript/i);
  const link = bo.dialog().getByRole("link", { name: "web" });
  await expect(link).toHaveAttribute("href", "https://example.org/a");
  await expect(link).toHaveAttribute("target", "_blank");
  await expect(link).toHaveAttribute("rel", /noopener/);
  await expect(bo.dialog().getByRole("link")).toHaveCount(1);
  expect(alerts).toBe(0);
  await bo.page.keyboard.press("Escape");
  await bo.context.unrouteAll();

  await server.admin(
    "notice",
    "--title",
    "Handbook",
    "--link",
    "https://example.org/handbook",
    "--to",
    cast.bo.userName,
  );
  const card = bo.page.getByRole("article", { name: /^Handbook/ });
  await card.getByRole("button", { name: bo.t("system.read") }).click();
  await expect(bo.dialog().getByRole("link", { name: /example\.org/ })).toHaveAttribute(
    "href",
    "https://example.org/handbook",
  );
});

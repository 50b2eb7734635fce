import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAccount } from "../src/api.ts";
import { cropDialog, useCrop } from "../src/avatars.ts";
import { expect, test } from "../src/fixtures.ts";
import { createPng } from "../src/png.ts";
import { type RunningServer, startServer } from "../src/server.ts";
import { fillRegistration } from "../src/registration.ts";

const serverTest = test.extend<{ otherServer: RunningServer; foreignOrigin: string }>({
  /** Another server, which allows pages of the first one. */
  otherServer: async ({ server }, use) => {
    const otherServer = await startServer({ CORS_ORIGINS: server.url });
    await use(otherServer);
    await otherServer.dispose();
  },
  /** The origin of a web server that is not a Parley server. */
  foreignOrigin: async ({}, use) => {
    const webServer = createServer((_, response) => {
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-headers", "*");
      response.end("<h1>It works!</h1>");
    });
    await new Promise<void>((resolve) => webServer.listen(0, "127.0.0.1", resolve));
    await use(`http://127.0.0.1:${(webServer.address() as AddressInfo).port}`);
    await new Promise((resolve) => webServer.close(resolve));
  },
});

serverTest(
  "a user logs in to another server and chats there; closing the address field returns to the own server",
  async ({ otherServer, cast, openLogin }) => {
    await createAccount(otherServer.url, cast.bo.userName, cast.bo.nickName);
    const lin = await openLogin(cast.lin);
    await lin.button("server.custom").click();
    await lin.byLabel("server.address").fill(`${otherServer.url}/`);
    await lin.byLabel("server.address").blur();
    await expect(lin.text("server.ok")).toBeVisible();
    await expect(lin.byLabel("server.address")).toHaveValue(otherServer.url);
    await lin.register();
    const bo = await openLogin(cast.bo);
    await bo.button("server.custom").click();
    await bo.byLabel("server.address").fill(otherServer.url);
    await bo.logIn();

    await bo.addFriendButton().click();
    await bo.page.getByRole("searchbox", { name: bo.t("friend.findLabel") }).fill(cast.lin.userName);
    await bo.page.keyboard.press("Enter");
    await bo
      .dialog()
      .getByRole("button", { name: bo.t("friend.addShort"), exact: true })
      .click();
    await bo.button("friend.apply").click();
    await lin.openChat(lin.t("chat.system"));
    await lin.button("request.approve").click();
    await lin.openChat(cast.bo.nickName);
    await lin.send("隔壁的服务器");
    await bo.page.keyboard.press("Escape");
    await bo.openChat(cast.lin.nickName);
    await bo.expectMessage("隔壁的服务器");
    await bo.page.reload();
    await bo.expectMessage("隔壁的服务器");

    await bo.logOut();
    await expect(bo.byLabel("server.address")).toHaveValue(otherServer.url);
    await expect(bo.button("login.savedAccounts")).toBeVisible();
    await bo.button("server.custom").click();
    await expect(bo.page.getByText(new URL(bo.url).host)).toBeVisible();
    // The saved account belongs to the other server.
    await expect(bo.button("login.savedAccounts")).toHaveCount(0);
    await bo.byLabel("login.username").fill(cast.bo.userName);
    await bo.byLabel("login.password").fill("correct-horse-7");
    await bo.button("login.submit").click();
    await expect(bo.page.getByText(bo.t("error.login.wrongPassword")).first()).toBeVisible();
  },
);

serverTest(
  "each invalid server address has its own error message",
  async ({ foreignOrigin, cast, openLogin }) => {
    const bo = await openLogin(cast.bo);
    await bo.button("server.custom").click();
    const address = bo.byLabel("server.address");
    await expect(bo.text("server.hint")).toBeVisible();
    const wrong = [
      ["", "server.required"],
      ["not an address", "server.notAnAddress"],
      ["http://127.0.0.1:1", "server.noAnswer"],
      [foreignOrigin, "server.notParley"],
    ] as const;
    for (const [text, message] of wrong) {
      await address.fill(text);
      await address.blur();
      await expect(bo.text(message)).toBeVisible();
      await address.focus();
    }
    await bo.byLabel("login.username").fill("somebody");
    await bo.byLabel("login.password").fill("some password");
    await bo.button("login.submit").click();
    await expect(bo.text("server.notParley")).toBeVisible();
    await expect(bo.page).toHaveURL(/\/login$/);
    await bo.page.reload();
    await expect(bo.byLabel("server.address")).toHaveCount(0);
  },
);

serverTest(
  "the register screen shows the fields that the custom server requires",
  async ({ server, cast, openLogin }) => {
    const strictServer = await startServer({ CORS_ORIGINS: server.url, INVITE_CODE_REQUIRED: "on" });
    const bo = await openLogin(cast.bo);
    await bo.open("/register");
    await expect(bo.field("register.inviteCode")).toHaveCount(0);
    await bo.byLabel("server.custom").check();
    await bo.byLabel("server.address").fill(strictServer.url);
    await bo.byLabel("server.address").blur();
    await expect(bo.field("register.inviteCode")).toBeVisible();
    await bo.byLabel("server.custom").uncheck();
    await expect(bo.field("register.inviteCode")).toHaveCount(0);
    await strictServer.dispose();
  },
);

serverTest(
  "an avatar that one server has taken is dropped when another one is chosen, before the account is made",
  async ({ otherServer, cast, openLogin }) => {
    const bo = await openLogin(cast.bo);
    await fillRegistration(bo);
    const pick = async (size: number) => {
      const buffer = createPng(size);
      await bo.page
        .locator('input[type="file"]')
        .setInputFiles({ name: "me.png", mimeType: "image/png", buffer });
    };
    const avatar = bo.page.locator("form img");
    await pick(64);
    await useCrop(bo);
    await expect(avatar).toHaveCount(1);
    await bo.byLabel("server.custom").check();
    await bo.byLabel("server.address").fill(otherServer.url);
    await bo.byLabel("server.address").press("Enter");
    await expect(bo.text("server.ok")).toBeVisible();
    await expect(avatar).toHaveCount(0);
    await expect(bo.button("register.chooseAvatar")).toBeFocused();

    // An upload that ends after the change of the server does not count either.
    const held = Promise.withResolvers<void>();
    const delivered = Promise.withResolvers<void>();
    await bo.context.route(`${otherServer.url}/api/image/upload`, async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      const response = await route.fetch();
      await held.promise;
      await route.fulfill({ response });
      delivered.resolve();
    });
    await pick(48);
    await cropDialog(bo)
      .getByRole("button", { name: bo.t("crop.use") })
      .click();
    await expect(bo.button("register.avatarUploading")).toBeVisible();
    await bo.byLabel("server.custom").uncheck();
    await expect(bo.button("register.chooseAvatar")).toBeVisible();
    held.resolve();
    await delivered.promise;
    // The page reads that answer before a later one.
    await bo.page.evaluate(() => fetch("/favicon.svg").then((answer) => answer.text()));
    await expect(bo.button("register.chooseAvatar")).toBeVisible();

    await pick(32);
    await useCrop(bo);
    await expect(avatar).toHaveCount(1);
    await bo.button("register.submit").click();
    await bo.expectHome();
    await expect(bo.button("nav.profile", { name: cast.bo.nickName }).locator("img")).toBeVisible();
  },
);

serverTest(
  "a password that is remembered for one server is not sent to another one",
  async ({ friends: _, otherServer, cast, openLogin }) => {
    const bo = await openLogin(cast.bo);
    await bo.byLabel("login.rememberPassword").check();
    await bo.logIn();
    await bo.logOut();
    await expect(bo.byLabel("login.password")).not.toHaveValue("");
    const logins: string[] = [];
    bo.page.on("request", (request) => {
      if (request.url().endsWith("/api/login")) logins.push(request.url());
    });
    await bo.button("server.custom").click();
    await bo.byLabel("server.address").fill(otherServer.url);
    await bo.byLabel("server.address").press("Enter");
    await expect(bo.text("server.ok")).toBeVisible();
    await expect(bo.byLabel("login.password")).toHaveValue("");
    await expect(bo.byLabel("login.password")).toBeFocused();
    expect(logins).toEqual([]);
  },
);

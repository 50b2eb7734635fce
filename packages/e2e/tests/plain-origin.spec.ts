import { expect, test } from "../src/fixtures.ts";
import { Person } from "../src/person.ts";

/** A host name that the test browser maps to this machine. Unlike localhost, it is not a secure origin over http. */
const HOST = "parley.test";

test("on plain http in a LAN users register, become friends and chat; passwords cannot be remembered", async ({
  browser,
  server,
  cast,
}) => {
  const url = `http://${HOST}:${new URL(server.url).port}`;
  const lin = await Person.create(browser, url, { ...cast.lin, isNewHere: true });
  const bo = await Person.create(browser, url, { ...cast.bo, isNewHere: true });
  const sockets: string[] = [];
  for (const person of [lin, bo]) {
    person.page.on("websocket", (socket) => sockets.push(socket.url()));
    // Chromium logs that it ignores this header over plain http.
    person.console.allow(/^The Cross-Origin-Opener-Policy header has been ignored/);
    await person.open();
    expect(await person.page.evaluate(() => window.isSecureContext)).toBe(false);
    await expect(person.byLabel("login.rememberPassword")).toBeDisabled();
    await expect(person.text("login.rememberUnavailable")).toBeVisible();
    await person.register();
  }
  // The server has said that it has only plain sockets, so the client does not try a secure one first.
  await expect.poll(() => sockets).toEqual(Array(2).fill(`ws://${new URL(url).host}/im`));
  await bo.addFriendButton().click();
  await bo.page.getByRole("searchbox", { name: bo.t("friend.findLabel") }).fill(cast.lin.userName);
  await bo.page.keyboard.press("Enter");
  await bo
    .dialog()
    .getByRole("button", { name: bo.t("friend.addShort"), exact: true })
    .click();
  await bo.button("friend.apply").click();
  await bo.page.keyboard.press("Escape");
  await lin.openChat(lin.t("chat.system"));
  await lin.button("request.approve").click();
  await lin.openChat(cast.bo.nickName);
  await lin.send("局域网");
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage("局域网");
  await bo.composer().fill("a draft");
  await bo.page.reload();
  await bo.expectTexts(["局域网"]);
  await expect(bo.composer()).toHaveValue("a draft");

  await lin.openSettings("notifications");
  await expect(lin.dialog()).toContainText(lin.t("settings.notifyPlain"));
  await expect(lin.page.getByRole("switch", { name: lin.t("settings.notify") })).toBeDisabled();
  await lin.page.keyboard.press("Escape");

  const tab = await bo.openSignedInTab();
  await tab.openChat(cast.lin.nickName);
  await tab.composer().press("Enter");
  await lin.expectMessage("a draft");
  await bo.expectTexts(["局域网", "a draft"]);
  await tab.logOut();
  for (const person of [lin, bo]) {
    await person.context.close();
    expect(person.console.unexpectedErrors()).toEqual([]);
  }
});

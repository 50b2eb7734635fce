import { sendTexts } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { Network } from "../src/network.ts";

const FIVE = ["一", "二", "three", "四", "five 😀"];
const TWENTY = Array.from({ length: 20 }, (_, index) => `第 ${index + 1} of 20`);

test("what was written while a person was offline arrives in order, once each, and counts as unread", async ({
  pair: { lin, bo },
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await bo.context.setOffline(true);
  for (const text of FIVE) await lin.send(text);
  await lin.expectTexts(FIVE);
  await bo.context.setOffline(false);

  const row = bo.row(cast.lin.nickName);
  await expect(row).toContainText(FIVE.at(-1) ?? "");
  await expect(row).toHaveAccessibleName(new RegExp(bo.t("chat.unreadCount", { count: 5 })));
  await expect(bo.page).toHaveTitle(`(5) ${cast.bo.nickName}`);
  await expect(
    bo.page.getByRole("link", { name: bo.t("nav.chatsUnread", { count: 5 }), exact: true }),
  ).toBeVisible();

  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(FIVE);
  await expect(bo.text("chat.newMessages")).toBeVisible();
  await expect(bo.page).toHaveTitle(cast.bo.nickName);
  await expect(lin.text("chat.read")).toBeVisible();
});

test("what was written while the browser was closed is there after the next login", async ({
  friends,
  cast,
  openLogin,
}) => {
  const before = await openLogin(cast.bo);
  await before.logIn();
  await before.page.close();
  await sendTexts(friends.lin, friends.bo, FIVE);
  const bo = await before.openTab();
  await bo.logIn();
  await expect(bo.page).toHaveTitle(`(5) ${cast.bo.nickName}`);
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(FIVE);
});

test("what a person writes while offline waits, says so, and goes out once in order", async ({
  pair: { lin, bo },
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await bo.openChat(cast.lin.nickName);
  await bo.context.setOffline(true);
  for (const text of FIVE) await bo.send(text);
  await expect(bo.text("chat.waitingNetwork", { count: FIVE.length })).toBeVisible();
  await expect(lin.messages()).toHaveCount(0);
  await bo.context.setOffline(false);
  await lin.expectTexts(FIVE);
  await bo.expectTexts(FIVE);
  await expect(bo.text("chat.waitingNetwork", { count: FIVE.length })).toHaveCount(0);
});

test("row 14: twenty that wait survive a reload and are sent once, in order, before what is written afterwards", async ({
  friends: _,
  cast,
  openBrowser,
}) => {
  const lin = await openBrowser(cast.lin);
  await lin.open();
  await lin.logIn();
  await lin.openChat(cast.bo.nickName);
  const bo = await openBrowser(cast.bo);
  const network = await Network.install(bo);
  await bo.open();
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  await bo.send("before");
  await lin.expectMessage("before");

  await network.disconnect();
  await expect(bo.connectionBar()).toBeVisible();
  for (const text of TWENTY) await bo.send(text);
  await bo.expectTexts(["before", ...TWENTY]);
  await bo.page.reload();
  await bo.expectTexts(["before", ...TWENTY]);
  const onTheirWay = bo.page.getByRole("img", { name: bo.t("chat.sending") });
  await expect(onTheirWay).toHaveCount(TWENTY.length);
  // The browser has a network: what does not answer is the server.
  await expect(bo.text("chat.waitingNetwork", { count: TWENTY.length })).toHaveCount(0);
  await bo.send("after the reload");

  await network.restore();
  await bo.retryNow();
  const all = ["before", ...TWENTY, "after the reload"];
  await lin.expectTexts(all);
  await bo.expectTexts(all);
  // The server has each once: nothing more is on its way.
  const arrived = new RegExp(`^(${bo.t("chat.sent")}|${bo.t("chat.read")})$`);
  await expect(bo.page.getByRole("img", { name: arrived })).toHaveCount(all.length);
});

test("the bar distinguishes a lost connection, an unreachable server and a missing network", async ({
  friends: _,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  const network = await Network.install(bo);
  await bo.open();
  await bo.logIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const says = (id: string) => expect(bo.page.locator("output", { hasText: bo.t(id) })).toBeVisible();
  await network.closeSockets();
  await says("connection.reconnecting");
  await bo.connectionBar().click();
  await says("connection.unreachable");
  await bo.context.setOffline(true);
  await says("connection.offline");
  await bo.context.setOffline(false);
  await says("connection.unreachable");
  await network.restore();
  await bo.retryNow();
});

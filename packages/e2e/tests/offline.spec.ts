import { sendTexts } from "../src/api.ts";
import { choose, png, stored, waiting } from "../src/attachments.ts";
import { expect, test } from "../src/fixtures.ts";
import { Network } from "../src/network.ts";

const FIVE = ["一", "二", "three", "四", "five 😀"];
const TWENTY = Array.from({ length: 20 }, (_, index) => `第 ${index + 1} of 20`);

test("messages sent to an offline user arrive in order, once each, and count as unread", async ({
  pair: { lin, bo },
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  // The program of the screens is loaded.
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
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

test("messages sent while the browser was closed are there after the next login", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const before = await openSignedIn(cast.bo);
  await before.page.close();
  await sendTexts(friends.lin, friends.bo, FIVE);
  const bo = await before.openSignedInTab();
  await expect(bo.page).toHaveTitle(`(5) ${cast.bo.nickName}`);
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(FIVE);
});

test("messages written offline wait, say so, and are sent once and in order after reconnecting", async ({
  chatting: { lin, bo },
}) => {
  await bo.context.setOffline(true);
  for (const text of FIVE) await bo.send(text);
  await expect(bo.text("chat.waitingNetwork", { count: FIVE.length })).toBeVisible();
  await expect(lin.messages()).toHaveCount(0);
  await bo.context.setOffline(false);
  await lin.expectTexts(FIVE);
  await bo.expectTexts(FIVE);
  await expect(bo.text("chat.waitingNetwork", { count: FIVE.length })).toHaveCount(0);
});

test("UI14 twenty waiting messages survive a reload and are sent once, in order, before later ones; two pictures fail and say so", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const lin = await openBrowser(cast.lin);
  await lin.openAndLogIn();
  await lin.openChat(cast.bo.nickName);
  const bo = await openBrowser(cast.bo);
  const network = await Network.install(bo);
  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  await bo.send("before");
  await lin.expectMessage("before");

  await network.disconnect();
  await expect(bo.connectionBar()).toBeVisible();
  for (const text of TWENTY) await bo.send(text);
  await bo.expectTexts(["before", ...TWENTY]);
  await choose(bo, "attach.pickPicture", [png("one.png"), png("two.png")]);
  await expect(waiting(bo)).toHaveCount(2);
  await bo.composer().press("Enter");
  const pictures = bo.messages().filter({ has: bo.page.locator("[data-picture]") });
  await expect(pictures).toHaveCount(2);
  await bo.page.reload();
  await expect(pictures.getByText(bo.t("failure.fileLost"))).toHaveCount(2);
  // They cannot be sent again, only discarded.
  await expect(bo.button("chat.resend")).toHaveCount(0);
  for (const count of [1, 0]) {
    await bo.button("chat.discard").first().click();
    await expect(pictures).toHaveCount(count);
  }
  await bo.expectTexts(["before", ...TWENTY]);
  const sendingIcons = bo.page.getByRole("img", { name: bo.t("chat.sending") });
  await expect(sendingIcons).toHaveCount(TWENTY.length);
  // The browser has a network, only the server cannot be reached, so no message waits for the network.
  await expect(bo.text("chat.waitingNetwork", { count: TWENTY.length })).toHaveCount(0);
  await bo.send("after the reload");

  await network.restore();
  await bo.retryNow();
  const all = ["before", ...TWENTY, "after the reload"];
  await lin.expectTexts(all);
  await bo.expectTexts(all);
  // Every message is stored on the server, and none is being sent.
  const storedIcon = new RegExp(`^(${bo.t("chat.sent")}|${bo.t("chat.read")})$`);
  await expect(bo.page.getByRole("img", { name: storedIcon })).toHaveCount(all.length);
  expect((await stored(friends.bo)).map(({ content }) => content)).toEqual(all);
});

test("the bar distinguishes a lost connection, an unreachable server and a missing network", async ({
  friends: _,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  const network = await Network.install(bo);
  await bo.openAndLogIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const expectBar = (id: string) => expect(bo.page.locator("output", { hasText: bo.t(id) })).toBeVisible();
  await network.closeSockets();
  await expectBar("connection.reconnecting");
  await bo.connectionBar().click();
  await expectBar("connection.unreachable");
  await bo.context.setOffline(true);
  await expectBar("connection.offline");
  await bo.context.setOffline(false);
  await expectBar("connection.unreachable");
  await network.restore();
  await bo.retryNow();
});

import { sendTexts } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { Network } from "../src/network.ts";

const MESSAGES = ["一", "two", "三", "four"];

test("UI7 offline, a reload shows the chat list and the last chat from the local database", async ({
  friends,
  cast,
  openBrowser,
}) => {
  await sendTexts(friends.lin, friends.bo, MESSAGES);
  const bo = await openBrowser(cast.bo);
  const network = await Network.install(bo);
  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(MESSAGES);
  await expect(bo.page).toHaveTitle(cast.bo.nickName);

  await network.disconnect();
  let answers = 0;
  bo.page.on("response", (response) => (answers += response.url().includes("/api/") ? 1 : 0));
  await bo.page.reload();
  await bo.expectTexts(MESSAGES);
  await expect(bo.row(cast.lin.nickName)).toContainText("four");
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(cast.lin.nickName);
  await expect(bo.page).toHaveTitle(cast.bo.nickName);
  await expect(bo.connectionBar()).toBeVisible();
  await expect(bo.page.locator('main [aria-busy="true"]')).toHaveCount(0);
  expect(answers).toBe(0);

  await bo.link("nav.friends").click();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
});

test("offline, a new tab with a remembered password shows local data", async ({
  friends,
  cast,
  openBrowser,
}) => {
  await sendTexts(friends.lin, friends.bo, MESSAGES);
  const bo = await openBrowser(cast.bo);
  const network = await Network.install(bo);
  await bo.open();
  await bo.byLabel("login.rememberPassword").check();
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(MESSAGES);
  await network.disconnect();
  await bo.page.close();
  const tab = await bo.openTab();
  await expect(tab.row(cast.lin.nickName)).toContainText("four");
  await tab.openChat(cast.lin.nickName);
  await tab.expectTexts(MESSAGES);
  await network.restore();
  await tab.retryNow();
  await tab.send("back again");
  await expect(tab.messageState("chat.unread")).toBeVisible();
});

test("messages that arrived while the browser was closed are added to local data without duplicates", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendTexts(friends.lin, friends.bo, MESSAGES);
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(MESSAGES);
  await bo.page.goto("about:blank");
  await sendTexts(friends.lin, friends.bo, ["five", "六"]);
  await sendTexts(friends.bo, friends.lin, ["from my phone"]);
  await bo.open("/home/chat");
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts([...MESSAGES, "five", "六", "from my phone"]);
});

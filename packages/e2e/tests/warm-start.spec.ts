import { sendTexts } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { Line } from "../src/line.ts";

const TALK = ["一", "two", "三", "four"];

test("row 7: with the network gone, a reload shows the chat list and the last chat from disk", async ({
  friends,
  cast,
  sit,
}) => {
  await sendTexts(friends.lin, friends.bo, TALK);
  const bo = await sit(cast.bo);
  const line = await Line.lay(bo);
  await bo.open();
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(TALK);
  await expect(bo.page).toHaveTitle(cast.bo.nickName);

  await line.cut();
  let answers = 0;
  bo.page.on("response", (response) => (answers += response.url().includes("/api/") ? 1 : 0));
  await bo.page.reload();
  await bo.expectTexts(TALK);
  await expect(bo.row(cast.lin.nickName)).toContainText("four");
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(cast.lin.nickName);
  await expect(bo.page).toHaveTitle(cast.bo.nickName);
  await expect(bo.bar()).toBeVisible();
  await expect(bo.page.locator('main [aria-busy="true"]')).toHaveCount(0);
  expect(answers).toBe(0);

  await bo.link("nav.friends").click();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
});

test("with the network gone, a new tab with a remembered password shows what is on disk", async ({
  friends,
  cast,
  sit,
}) => {
  await sendTexts(friends.lin, friends.bo, TALK);
  const bo = await sit(cast.bo);
  const line = await Line.lay(bo);
  await bo.open();
  await bo.labelled("login.rememberPassword").check();
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(TALK);
  await line.cut();
  await bo.page.close();
  const tab = await bo.openTab();
  await expect(tab.row(cast.lin.nickName)).toContainText("four");
  await tab.openChat(cast.lin.nickName);
  await tab.expectTexts(TALK);
  await line.mend();
  await tab.retryNow();
  await tab.send("back again");
  await expect(tab.text("chat.unread")).toBeVisible();
});

test("what came while the browser was away is added to what is on disk, without doubles", async ({
  friends,
  cast,
  visit,
}) => {
  await sendTexts(friends.lin, friends.bo, TALK);
  const bo = await visit(cast.bo);
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(TALK);
  await bo.page.goto("about:blank");
  await sendTexts(friends.lin, friends.bo, ["five", "六"]);
  await sendTexts(friends.bo, friends.lin, ["from my phone"]);
  await bo.open("/home/chat");
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts([...TALK, "five", "六", "from my phone"]);
});

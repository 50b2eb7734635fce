import { EMOTICONS } from "@parley/protocol/emoticons";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

/** The file of friends, groups and people. */
const PEOPLE_CHUNK = "**/assets/people-*.js";

/** Counts how often the page is loaded from now on: by the requests, since the end of a load may be heard of after the page asks for chunks. */
function countLoads({ page }: Person): () => number {
  let loads = 0;
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  return () => loads;
}

test("a chunk that fails once is loaded after one automatic reload", async ({ bo, cast }) => {
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const loads = countLoads(bo);
  await bo.page.route(PEOPLE_CHUNK, (route) => (loads() === 0 ? route.abort() : route.continue()));
  await bo.link("nav.friends").click();
  await expect.poll(loads).toBe(1);
  await expect(bo.page).toHaveURL(/\/home\/friend$/);
  await bo.row(cast.lin.nickName).click();
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(cast.lin.nickName);
  expect(loads()).toBe(1);
});

test("a chunk that never loads causes one reload and then an error card, while the rest of the page works", async ({
  bo,
  cast,
}) => {
  bo.console.allow(/could not be loaded|dynamically imported module/);
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const loads = countLoads(bo);
  await bo.page.route(PEOPLE_CHUNK, (route) => route.abort());
  await bo.link("nav.friends").click();
  const card = bo.page.getByRole("alert").filter({ hasText: bo.t("app.chunkFailed") });
  await expect(card).toBeVisible();
  expect(loads()).toBe(1);
  await bo.link("nav.chats").click();
  await bo.openChat(cast.lin.nickName);
  await bo.send("the rest works");
  await bo.expectMessage("the rest works");

  await bo.link("nav.friends").click();
  await expect(card).toBeVisible();
  await bo.page.unroute(PEOPLE_CHUNK);
  await card.getByRole("button", { name: bo.t("app.reload") }).click();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
});

test("a page whose texts cannot be loaded logs that its initialization failed", async ({ bo }) => {
  bo.console.allow(/Initialization failed|Failed to load resource|dynamically imported module/);
  const logged: string[] = [];
  bo.page.on("console", (message) => logged.push(message.text()));
  await bo.page.route("**/assets/en-US-*.js", (route) => route.abort());
  await bo.page.reload();
  await expect.poll(() => logged.join("\n")).toContain("Initialization failed");
});

test("a chunk needed while the server is down shows an error and keeps the page", async ({ bo, cast }) => {
  bo.console.allow(/could not be loaded|dynamically imported module/);
  await bo.openChat(cast.lin.nickName);
  await bo.send("before the cut");
  await bo.expectMessage("before the cut");
  await bo.context.setOffline(true);
  await bo.link("nav.friends").click();
  await expect(bo.page.getByRole("alert").filter({ hasText: bo.t("app.chunkFailed") })).toBeVisible();
  await bo.link("nav.chats").click();
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage("before the cut");
});

test("the pictures of the emoticons are loaded before the picker is opened", async ({
  openSignedIn,
  cast,
  friends: _,
}) => {
  const bo = await openSignedIn(cast.bo);
  const last = `/emoticons/${EMOTICONS.length - 1}.gif`;
  await bo.page.waitForResponse((response) => response.url().endsWith(last) && response.ok());
  await expect(bo.dialog()).toHaveCount(0);
});

test("a dialog that never loads shows an error, and the screen behind it keeps working", async ({
  bo,
  cast,
}) => {
  bo.console.allow(/could not be loaded|dynamically imported module/);
  await bo.openChat(cast.lin.nickName);
  const loads = countLoads(bo);
  await bo.page.route(PEOPLE_CHUNK, (route) => route.abort());
  const isReloaded = bo.page.waitForEvent("load");
  await bo.addFriendButton().click();
  await isReloaded;
  await bo.addFriendButton().click();
  await bo.expectToast(bo.t("app.chunkFailed"));
  expect(loads()).toBe(1);
  await bo.openChat(cast.lin.nickName);
  await bo.send("the rest works");
  await bo.expectMessage("the rest works");
});

import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { expect, test } from "../src/fixtures.ts";
import { createGroup } from "../src/groups.ts";

const FRIENDS = "**/assets/friend-screen-*.js";

test("a part that fails to load once is loaded by a reload of its own", async ({ bo, cast }) => {
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  let loads = 0;
  bo.page.on("load", () => (loads += 1));
  await bo.page.route(FRIENDS, (route) => (loads === 0 ? route.abort() : route.continue()));
  await bo.link("nav.friends").click();
  await expect.poll(() => loads).toBe(1);
  await expect(bo.page).toHaveURL(/\/home\/friend$/);
  await bo.row(cast.lin.nickName).click();
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(cast.lin.nickName);
  expect(loads).toBe(1);
});

test("a part that never loads: one reload, then a card that says so while the rest works", async ({
  bo,
  cast,
}) => {
  bo.console.allow(/could not be loaded|dynamically imported module/);
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  let loads = 0;
  bo.page.on("load", () => (loads += 1));
  await bo.page.route(FRIENDS, (route) => route.abort());
  await bo.link("nav.friends").click();
  const card = bo.page.getByRole("alert").filter({ hasText: bo.t("app.chunkFailed") });
  await expect(card).toBeVisible();
  expect(loads).toBe(1);
  await bo.link("nav.chats").click();
  await bo.openChat(cast.lin.nickName);
  await bo.send("the rest works");
  await bo.expectMessage("the rest works");

  await bo.link("nav.friends").click();
  await expect(card).toBeVisible();
  await bo.page.unroute(FRIENDS);
  await card.getByRole("button", { name: bo.t("app.reload") }).click();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
});

test("a part wanted while the server is away is told without losing the page", async ({ bo, cast }) => {
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

test("a dialog that never loads is told of, and the screen behind it lives on", async ({ bo, cast }) => {
  bo.console.allow(/could not be loaded|dynamically imported module/);
  await bo.openChat(cast.lin.nickName);
  let loads = 0;
  bo.page.on("load", () => (loads += 1));
  await bo.page.route("**/assets/add-friend-dialog-*.js", (route) => route.abort());
  await bo.button("friend.add").first().click();
  await expect.poll(() => loads).toBe(1);
  await bo.button("friend.add").first().click();
  await expect(bo.page.getByText(bo.t("app.chunkFailed"))).toBeVisible();
  expect(loads).toBe(1);
  await bo.openChat(cast.lin.nickName);
  await bo.send("the rest works");
  await bo.expectMessage("the rest works");
});

test("why nothing can be said is not there to be loaded: the place of the composer says so, no toast does, and the reason comes with the network", async ({
  friends: { lin, bo },
  cast,
  sit,
}) => {
  const group = await createGroup(lin, "Tilework", [bo]);
  await lin.call(ENDPOINTS.muteGroupMembers, {
    body: { groupId: group.id, userIds: [bo.id], isMuted: true },
  });
  const reader = await sit(cast.bo);
  reader.console.allow(/could not be loaded|dynamically imported module/);
  const reason = "**/assets/blocked-group-*.js";
  await reader.page.route(reason, (route) => route.abort());
  await reader.open();
  await reader.logIn();
  await expect(reader.row("Tilework")).toBeVisible();
  await reader.context.setOffline(true);
  await reader.openChat("Tilework");
  await expect(reader.blocked("chat.blockedUnknown")).toBeVisible();
  await expect(reader.text("app.chunkFailed")).toHaveCount(0);
  await reader.page.unroute(reason);
  await reader.context.setOffline(false);
  await reader.retryNow();
  await expect(reader.blocked("error.message.muted")).toBeVisible();
});

import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { type Account, createAccount } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

/** Two users who are not friends. */
interface Strangers {
  readonly lin: Account;
  readonly bo: Account;
}

const strangersTest = test.extend<{ strangers: Strangers; browsers: { lin: Person; bo: Person } }>({
  strangers: async ({ server, cast }, use) => {
    await use({
      lin: await createAccount(server.url, cast.lin.userName, cast.lin.nickName),
      bo: await createAccount(server.url, cast.bo.userName, cast.bo.nickName),
    });
  },
  browsers: async ({ strangers: _, cast, openSignedIn }, use) => {
    const [lin, bo] = await Promise.all([openSignedIn(cast.lin), openSignedIn(cast.bo)]);
    await use({ lin, bo });
  },
});

const apply = (from: Account, to: Account, remark: string) =>
  from.call(ENDPOINTS.applyFriend, { body: { friendId: to.id, source: 1, remark } });

/** Opens the friends screen and returns the card of a user's request. */
async function openRequestCard(person: Person, name: string) {
  await person.link("nav.friends").click();
  return person.page.getByRole("region", { name: person.t("request.title") }).getByRole("article", { name });
}

strangersTest(
  "a request with a remark is pending for the sender, shown to the receiver, and accepted on the friends screen",
  async ({ browsers, cast }) => {
    const { lin, bo } = browsers;
    await bo.addFriendButton().click();
    await bo.button("friend.find").click();
    await expect(bo.text("search.keywordNeeded")).toBeVisible();
    await bo.page.getByRole("searchbox", { name: bo.t("friend.findLabel") }).fill(cast.lin.userName);
    await bo.page.keyboard.press("Enter");
    await bo
      .dialog()
      .getByRole("button", { name: bo.t("friend.addShort"), exact: true })
      .click();
    const remark = bo.field("friend.applyRemark");
    await remark.fill("x".repeat(21));
    await expect(bo.text("friend.remarkTooLong", { max: 20 })).toBeVisible();
    await expect(bo.button("friend.apply")).toBeDisabled();
    await remark.fill("Bo from the 3rd floor".slice(0, 20));
    await bo.button("friend.apply").click();
    await expect(bo.dialog().getByText(bo.t("friend.pending"))).toBeVisible();
    await bo.page.keyboard.press("Escape");
    const pendingRequest = await openRequestCard(bo, cast.lin.nickName);
    await expect(pendingRequest).toContainText(bo.t("request.waiting"));

    await expect(lin.page).toHaveTitle(`(1) ${cast.lin.nickName}`);
    const receivedRequest = await openRequestCard(lin, cast.bo.nickName);
    await expect(receivedRequest).toContainText("Bo from the 3rd floo");
    await expect(receivedRequest).toContainText(lin.t("request.fromSearch"));
    await receivedRequest.getByRole("button", { name: lin.t("request.approve") }).click();
    await expect(receivedRequest).toHaveCount(0);
    await expect(lin.row(cast.bo.nickName)).toBeVisible();
    await expect(pendingRequest).toHaveCount(0);
    await expect(bo.row(cast.lin.nickName)).toBeVisible();
    await bo.link("nav.chats").click();
    await bo.openChat(cast.lin.nickName);
    await expect(bo.page.getByRole("log").getByText(bo.t("tip.friend.nowFriends"))).toBeVisible();
  },
);

strangersTest(
  "a request accepted in the system chat: its card and the other screens of both users show it",
  async ({ strangers, browsers, cast }) => {
    const { lin, bo } = browsers;
    await apply(strangers.bo, strangers.lin, "Bo here");
    await lin.openChat(lin.t("chat.system"));
    const card = lin.page.getByRole("article", { name: lin.t("system.friendRequest") });
    await expect(card).toContainText(lin.t("request.quoted", { text: "Bo here" }));
    await expect(card).toContainText(lin.t("request.fromSearch"));
    await expect(card).toContainText(lin.t("system.pending"));
    await card.getByRole("button", { name: lin.t("request.approve") }).click();
    await expect(card).toContainText(lin.t("request.approved"));
    await expect(card.getByRole("button", { name: lin.t("request.approve") })).toHaveCount(0);
    await expect(bo.row(cast.lin.nickName)).toBeVisible();
    await expect(lin.page.getByRole("link", { name: lin.t("nav.friends"), exact: true })).toBeVisible();
  },
);

strangersTest(
  "UI15 an answered request counts as unread nowhere, and opening the system chat clears the rest",
  async ({ strangers, browsers, cast, server }) => {
    const { lin } = browsers;
    await server.admin("notice", "--title", "Tonight", "--text", "It rests.", "--to", cast.lin.userName);
    await apply(strangers.bo, strangers.lin, "Bo here");
    await expect(lin.page).toHaveTitle(`(2) ${cast.lin.nickName}`);
    const receivedRequest = await openRequestCard(lin, cast.bo.nickName);
    await receivedRequest.getByRole("button", { name: lin.t("request.approve") }).click();
    await expect(receivedRequest).toHaveCount(0);
    await lin.link("nav.chats").click();
    const system = lin.row(lin.t("chat.system"));
    await expect(system.locator("[data-badge]")).toHaveText("1");
    await expect(lin.page).toHaveTitle(`(1) ${cast.lin.nickName}`);
    await lin.openChat(lin.t("chat.system"));
    await expect(system.locator("[data-badge]")).toHaveCount(0);
    await expect(lin.page).toHaveTitle(cast.lin.nickName);
  },
);

strangersTest(
  "after a declined request the users are not friends, and the sender may ask again",
  async ({ strangers, browsers, cast }) => {
    const { lin, bo } = browsers;
    await apply(strangers.bo, strangers.lin, "first try");
    await lin.openChat(lin.t("chat.system"));
    const card = lin.page.getByRole("article", { name: lin.t("system.friendRequest") });
    await card.getByRole("button", { name: lin.t("request.reject") }).click();
    await expect(card).toContainText(lin.t("request.rejected"));
    const sentRequest = await openRequestCard(bo, cast.lin.nickName);
    await expect(sentRequest).toHaveCount(0);
    await expect(bo.text("friend.empty")).toBeVisible();
    await apply(strangers.bo, strangers.lin, "second try");
    await expect(await openRequestCard(lin, cast.bo.nickName)).toContainText("second try");
  },
);

strangersTest(
  "a collapsed list shows the number of requests, and a click on it expands the list",
  async ({ strangers, browsers, cast }) => {
    const { lin } = browsers;
    await apply(strangers.bo, strangers.lin, "Bo here");
    await lin.button("nav.menu").click();
    await lin.page.getByRole("menuitem", { name: lin.t("app.collapseList") }).click();
    await expect(await openRequestCard(lin, cast.bo.nickName)).toHaveCount(0);
    const requestsButton = lin.page.getByRole("button", {
      name: `${lin.t("request.title")}${lin.t("app.listSeparator")}1`,
      exact: true,
    });
    await expect(requestsButton.locator("[data-badge]")).toHaveText("1");
    await requestsButton.click();
    await expect(requestsButton).toHaveCount(0);
    await expect(lin.page.getByRole("region", { name: lin.t("request.title") })).toBeFocused();
    await expect(await openRequestCard(lin, cast.bo.nickName)).toBeVisible();
  },
);

strangersTest(
  "a request that its sender withdraws disappears for the receiver",
  async ({ strangers, browsers, cast }) => {
    const { lin, bo } = browsers;
    await apply(strangers.bo, strangers.lin, "oops");
    await bo.page.reload();
    const receivedRequest = await openRequestCard(lin, cast.bo.nickName);
    await expect(receivedRequest).toBeVisible();
    const mine = await openRequestCard(bo, cast.lin.nickName);
    await mine.getByRole("button", { name: bo.t("request.recall") }).click();
    await expect(mine).toHaveCount(0);
    await expect(receivedRequest).toHaveCount(0);
    await lin.link("nav.chats").click();
    await lin.openChat(lin.t("chat.system"));
    const card = lin.page.getByRole("article", { name: lin.t("system.friendRequest") });
    await expect(card).toContainText(lin.t("request.recalled"));
    await expect(card.getByRole("button", { name: lin.t("request.approve") })).toHaveCount(0);
  },
);

strangersTest(
  "two users who send each other requests become friends at once",
  async ({ strangers, browsers, cast }) => {
    const { lin, bo } = browsers;
    await apply(strangers.bo, strangers.lin, "");
    const receivedRequest = await openRequestCard(lin, cast.bo.nickName);
    await expect(receivedRequest).toBeVisible();
    await apply(strangers.lin, strangers.bo, "");
    await expect(receivedRequest).toHaveCount(0);
    await expect(lin.row(cast.bo.nickName)).toBeVisible();
    await expect(bo.row(cast.lin.nickName)).toBeVisible();
  },
);

strangersTest(
  "a request answered in one tab is closed in the other tab",
  async ({ strangers, browsers, cast }) => {
    const { lin } = browsers;
    const tab = await lin.openSignedInTab();
    await apply(strangers.bo, strangers.lin, "hello");
    const here = await openRequestCard(lin, cast.bo.nickName);
    await tab.openChat(tab.t("chat.system"));
    const there = tab.page.getByRole("article", { name: tab.t("system.friendRequest") });
    await expect(here).toBeVisible();
    await here.getByRole("button", { name: lin.t("request.approve") }).click();
    await expect(there).toContainText(tab.t("request.approved"));
    await expect(there.getByRole("button", { name: tab.t("request.approve") })).toHaveCount(0);
  },
);

strangersTest(
  "a request answered in an app is closed in the browser",
  async ({ strangers, browsers, cast }) => {
    const { lin } = browsers;
    const request = await apply(strangers.bo, strangers.lin, "hello");
    const card = await openRequestCard(lin, cast.bo.nickName);
    await expect(card).toBeVisible();
    await strangers.lin.call(ENDPOINTS.approveFriendRequest, { query: { id: request.id } });
    await expect(card).toHaveCount(0);
    await expect(lin.row(cast.bo.nickName)).toBeVisible();
  },
);

strangersTest(
  "a former friend can be asked again from the user card",
  async ({ strangers, browsers, cast }) => {
    const { lin, bo } = browsers;
    const request = await apply(strangers.bo, strangers.lin, "");
    await strangers.lin.call(ENDPOINTS.approveFriendRequest, { query: { id: request.id } });
    await expect(bo.row(cast.lin.nickName)).toBeVisible();
    await strangers.lin.call(ENDPOINTS.deleteFriend, { params: { id: strangers.bo.id } });
    await bo.openChat(cast.lin.nickName);
    await expect(bo.blockedReason("chat.blockedDeleted")).toBeVisible();
    await bo.openPeerCard();
    await bo
      .dialog()
      .getByRole("button", { name: bo.t("friend.add"), exact: true })
      .click();
    await expect(
      bo.page.getByRole("dialog", { name: bo.t("friend.applyTitle", { name: cast.lin.nickName }) }),
    ).toBeVisible();
    await bo.field("friend.applyRemark").fill("once more");
    await bo.page.keyboard.press("Enter");
    await expect(bo.dialog()).toHaveCount(0);
    await expect(bo.page.getByRole("main").getByText(bo.t("friend.asked"))).toBeVisible();
    await expect(await openRequestCard(lin, cast.bo.nickName)).toContainText("once more");
  },
);

import type { Locator } from "@playwright/test";
import { waitForAnimations } from "../src/animations.ts";
import { befriend, createAccount } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";
import { expectOnline } from "../src/presence.ts";

const SEARCH_MAX = 20;

/** Searches users by name and returns the list of results. */
async function searchUsers(person: Person, name: string): Promise<Locator> {
  await person.addFriendButton().click();
  await person.page.getByRole("searchbox", { name: person.t("friend.findLabel") }).fill(name);
  await person
    .dialog()
    .getByRole("button", { name: person.t("friend.find"), exact: true })
    .click();
  return person.page.getByRole("list", { name: person.t("friend.results") });
}

test("the search shows at most 20 users and says when it finds none", async ({ server, cast, openLogin }) => {
  const crowd = cast.other("crowd");
  const numbers = Array.from({ length: SEARCH_MAX + 2 }, (_, index) => index);
  await Promise.all(
    numbers.map((index) => createAccount(server.url, `${crowd.userName}x${index}`, `Crowd ${index}`)),
  );
  const bo = await openLogin(cast.bo);
  await bo.register();
  const found = await searchUsers(bo, `${crowd.userName}x`);
  await expect(found.getByRole("listitem")).toHaveCount(SEARCH_MAX);
  await bo.page.keyboard.press("Escape");
  await searchUsers(bo, `nobody${crowd.userName}`);
  await expect(bo.text("friend.findEmpty")).toBeVisible();
  await bo.button("friend.clearSearch").click();
  await expect(bo.text("friend.findHint")).toBeVisible();
});

test("the search marks the user and their friends", async ({ bo, cast }) => {
  const suffix = cast.bo.userName.slice("bo".length);
  const found = await searchUsers(bo, suffix);
  await expect(found.getByRole("listitem").filter({ hasText: cast.bo.nickName })).toContainText(
    bo.t("friend.self"),
  );
  const friend = found.getByRole("listitem").filter({ hasText: cast.lin.nickName });
  await friend.getByRole("button", { name: bo.t("friend.message"), exact: true }).click();
  await expect(bo.composer()).toBeFocused();
  await expect(bo.dialog()).toHaveCount(0);
});

test("deleting a friend removes both sides, keeps the chat, and the composer says why nothing can be sent", async ({
  pair: { lin, bo },
  cast,
}) => {
  await bo.openChat(cast.lin.nickName);
  await bo.send("still friends");
  await lin.openChat(cast.bo.nickName);
  await lin.expectMessage("still friends");

  await lin.link("nav.friends").click();
  await lin.row(cast.bo.nickName).click();
  await lin.button("friend.delete").click();
  const question = lin.page.getByRole("alertdialog", { name: lin.t("friend.deleteTitle") });
  await expect(question).toContainText(lin.t("friend.deleteBody", { name: cast.bo.nickName }));
  await expect(question.getByRole("button", { name: lin.t("app.cancel") })).toBeFocused();
  await question.getByRole("button", { name: lin.t("friend.deleteConfirm") }).click();
  await expect(lin.text("friend.empty")).toBeVisible();

  await expect(bo.blockedReason("chat.blockedDeleted")).toBeVisible();
  await expect(bo.composer()).toHaveCount(0);
  await expect(bo.messages().filter({ hasText: "still friends" })).toBeVisible();
  await expect(bo.page.getByRole("log").getByText(bo.t("tip.friend.ended"))).toBeVisible();
  await bo.link("nav.friends").click();
  await expect(bo.text("friend.empty")).toBeVisible();

  await lin.link("nav.chats").click();
  await lin.openChat(cast.bo.nickName);
  await expect(lin.blockedReason("chat.blockedDeleted")).toBeVisible();
  await expect(lin.messages().filter({ hasText: "still friends" })).toBeVisible();
});

test("a remark replaces the friend's name everywhere, and removing it restores the nickname", async ({
  lin,
  cast,
}) => {
  const remark = "老博";
  await lin.link("nav.friends").click();
  await lin.row(cast.bo.nickName).click();
  await lin.button("friend.editRemark").click();
  await lin.field("friend.remark").fill(remark);
  await lin.button("friend.saveRemark").click();
  await expect(lin.page.getByRole("heading", { level: 1, name: remark })).toBeVisible();
  await expect(lin.row(remark)).toBeVisible();
  await expect(lin.page.getByRole("definition").filter({ hasText: cast.bo.nickName })).toBeVisible();

  await lin.page.getByRole("button", { name: lin.t("friend.message"), exact: true }).click();
  await expect(lin.row(remark)).toBeVisible();
  await expect(
    lin.page.getByRole("log", { name: lin.t("chat.messagesWith", { name: remark }) }),
  ).toBeVisible();
  await lin.button("card.open", { name: remark }).first().click();
  await expect(lin.page.getByRole("dialog", { name: lin.t("card.title", { name: remark }) })).toContainText(
    cast.bo.nickName,
  );
  await lin.page.keyboard.press("Escape");

  await lin.page.reload();
  await expect(lin.row(remark)).toBeVisible();
  await lin.link("nav.friends").click();
  await lin.row(remark).click();
  await lin.button("friend.editRemark").click();
  await lin.field("friend.remark").fill("");
  await lin.button("friend.saveRemark").click();
  await expect(lin.page.getByRole("heading", { level: 1, name: cast.bo.nickName })).toBeVisible();
});

test("a remark longer than 20 characters is refused at once; Esc cancels the edit", async ({ lin, cast }) => {
  await lin.link("nav.friends").click();
  await lin.row(cast.bo.nickName).click();
  await lin.button("friend.editRemark").click();
  const field = lin.field("friend.remark");
  await field.fill("名".repeat(21));
  await expect(lin.text("friend.remarkTooLong", { max: 20 })).toBeVisible();
  await field.press("Enter");
  await expect(field).toBeVisible();
  await field.press("Escape");
  await expect(field).toHaveCount(0);
  await expect(lin.page.getByRole("heading", { level: 1 })).toHaveText(cast.bo.nickName);
});

test("a filter by name hides other friends, and an online friend shows as online", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await openSignedIn(cast.bo);
  await expectOnline(friends.lin, friends.bo);
  // The client asks for the presence of friends at the login, and then every 30 s.
  const lin = await openSignedIn(cast.lin);
  await lin.link("nav.friends").click();
  await expect(lin.text("friend.onlineCount", { count: 1 })).toBeVisible();
  const filter = lin.page.getByRole("searchbox", { name: lin.t("friend.search") });
  await filter.fill("nobody at all");
  await expect(lin.text("friend.searchEmpty")).toBeVisible();
  await lin.button("friend.clearSearch").click();
  await expect(lin.row(cast.bo.nickName)).toHaveAccessibleName(new RegExp(lin.t("presence.desktop")));
});

for (const [edge, viewport] of [
  ["right", { width: 1024, height: 900 }],
  ["bottom", { width: 1024, height: 420 }],
  ["narrow", { width: 800, height: 600 }],
] as const) {
  test(`the user card stays inside the window: ${edge}`, async ({ friends: _, cast, openSignedIn }) => {
    const bo = await openSignedIn({ ...cast.bo, viewport });
    await bo.openChat(cast.lin.nickName);
    await bo.send("hello");
    await bo.openPeerCard();
    const card = bo.page.getByRole("dialog");
    await expect(card).toBeInViewport({ ratio: 1 });
    // It rises for a moment.
    await waitForAnimations(card);
    const box = await card.boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    // Spec §2: its corner stays 350 px from the right edge and 200 px from the bottom.
    expect(box?.x).toBeLessThanOrEqual(viewport.width - 350);
    expect(box?.y).toBeLessThanOrEqual(viewport.height - 200);
    await bo.page.mouse.click(viewport.width - 5, viewport.height / 2);
    await expect(card).toHaveCount(0);
  });
}

test("P166 the page of a friend calls them, sends their card to others, and turns their notifications off", async ({
  friends,
  pair: { lin, bo },
  cast,
  server,
}) => {
  const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  await befriend(friends.bo, mei);
  await bo.link("nav.friends").click();
  await bo.row(cast.lin.nickName).click();
  const alerts = bo.page.getByRole("switch", { name: bo.t("friend.alerts") });
  await expect(alerts).toBeChecked();
  await alerts.click();
  await expect(alerts).not.toBeChecked();
  await expect(bo.text("friend.alertsOff")).toBeVisible();

  await bo.button("friend.recommend").click();
  await expect(bo.dialog().getByRole("checkbox", { name: cast.lin.nickName })).toHaveCount(0);
  await bo.dialog().getByRole("checkbox", { name: cast.mei.nickName }).click();
  await bo.answerDialog("compose.sendTo", { count: 1 });
  await bo.expectToast(bo.t("friend.recommended", { count: 1 }));

  await bo.button("call.voice").click();
  await expect(lin.page.getByRole("alertdialog")).toContainText(lin.t("call.invitesVoice"));
  await lin.button("call.reject").click();
  await expect(bo.dialog()).toHaveCount(0);

  await bo.link("nav.chats").click();
  await bo.openChat(cast.mei.nickName);
  await expect(bo.messages().filter({ hasText: cast.lin.nickName })).toHaveCount(1);
});

import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText, sendTexts, sendLongConversation } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { sendPicture } from "../src/media.ts";
import type { Person } from "../src/person.ts";
import { TimelineView } from "../src/timeline-view.ts";

const ROWS_MAX = 120;
const LONG = 400;
const WHEEL = 500;
const TURNS_MAX = 60;
const PAGES = 4;
const BURST = Array.from({ length: 200 }, (_, index) => `burst ${index}`);

/** Makes the browser refuse its database, so that every older page comes from the server. */
async function refuseDatabase(person: Person): Promise<void> {
  await person.page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("refused", "SecurityError");
    };
  });
}

/** Answers in a chat that was just opened at its unread divider. Afterwards everything is read and the view is at the bottom. */
async function catchUp(person: Person, view: TimelineView): Promise<void> {
  await expect(person.page.locator("[data-unread-divider]")).toBeVisible();
  await view.waitUntilStable();
  await person.send("at the bottom now");
  await expect(person.messages().filter({ hasText: "at the bottom now" })).toBeInViewport({ ratio: 1 });
  await expect(person.page).toHaveTitle(person.options.nickName);
  await view.expectRestsAtEnd();
}

test("UI1 scrolling up by wheel through older pages moves the text only by the wheel's distance", async ({
  openConversation,
}) => {
  test.slow();
  const { bo, view } = await openConversation(LONG);
  await catchUp(bo, view);
  // Pulled messages are in memory. After a reload a chat begins with its newest page only.
  await bo.page.reload();
  await view.expectAtEnd();

  let pages = 0;
  let { total } = await view.measure();
  for (let turn = 0; turn < TURNS_MAX && pages < PAGES; turn++) {
    // The next turn needs room above.
    await expect.poll(async () => (await view.measure()).above).toBeGreaterThan(WHEEL);
    await view.waitUntilStable();
    const top = await view.firstVisibleRow();
    await view.wheel(-WHEEL);
    await view.expectAt({ id: top.id, y: top.y + WHEEL });
    const after = await view.measure();
    expect(after.rows).toBeLessThanOrEqual(ROWS_MAX);
    // A page of 50 messages is much higher than what corrected estimates of a few heights add.
    if (after.total > total + 1_500) pages += 1;
    total = after.total;
  }
  expect(pages).toBe(PAGES);
});

test("UI1 keys page through a long conversation to its start and its end, with few rows mounted", async ({
  openConversation,
}) => {
  test.slow();
  const { bo, view } = await openConversation(300);
  await view.log.focus();
  let most = 0;
  await expect(async () => {
    await bo.page.keyboard.press("Home");
    await view.waitUntilStable();
    most = Math.max(most, (await view.measure()).rows);
    await expect(bo.page.getByRole("log").getByText(bo.t("tip.friend.nowFriends"))).toBeInViewport({
      timeout: 200,
    });
  }).toPass();
  await bo.page.keyboard.press("PageDown");
  // Rows are measured when they are first mounted, so the end may move once or twice.
  await expect(async () => {
    await bo.page.keyboard.press("End");
    await view.waitUntilStable();
    expect((await view.measure()).below).toBeLessThanOrEqual(1);
  }).toPass();
  expect(Math.max(most, (await view.measure()).rows)).toBeLessThanOrEqual(ROWS_MAX);
  await bo.page.keyboard.press("Home");
  await expect.poll(async () => (await view.measure()).below).toBeGreaterThan(1);
  // The browser still scrolls to the start.
  await bo.composer().focus();
  await bo.page.keyboard.press("Control+End");
  await view.expectRestsAtEnd();
});

test("UI4 a burst of messages keeps a user who is at the bottom at the bottom", async ({
  friends,
  openConversation,
}) => {
  const { bo, view } = await openConversation(40);
  await catchUp(bo, view);
  await sendTexts(friends.lin, friends.bo, BURST);
  await expect(bo.messages().filter({ hasText: BURST.at(-1) ?? "" })).toBeInViewport({ ratio: 1 });
  await view.expectRestsAtEnd();
});

test("UI3 a burst of messages does not move a user who reads further up by one pixel; the button counts it and jumps there", async ({
  friends,
  cast,
  openConversation,
}) => {
  const { bo, view } = await openConversation(80);
  await catchUp(bo, view);
  const { height } = await view.measure();
  await view.wheel(-2 * height);
  await expect(bo.button("chat.down")).toBeVisible();
  await view.waitUntilStable();
  const top = await view.firstVisibleRow();
  await sendTexts(friends.lin, friends.bo, BURST);
  const unseenButton = bo.button("chat.downUnseen", { count: BURST.length });
  const down = bo.page.getByRole("main").getByRole("button", { name: /latest message|unread message/ });
  await expect(unseenButton).toContainText("99+");
  await view.waitUntilStable();
  expect(await view.firstVisibleRow()).toEqual(top);

  await unseenButton.click();
  await expect(bo.page.getByRole("article", { name: /burst 0,/ })).toBeInViewport({ ratio: 1 });
  // The first click leads to the first unseen message, the second one to the bottom.
  await down.click();
  await view.expectAtEnd();
  await expect(bo.page).toHaveTitle(cast.bo.nickName);
});

test("a chat opens at its unread divider, which stays while the chat is open and disappears after an answer", async ({
  friends,
  cast,
  openConversation,
}) => {
  const { bo, view } = await openConversation(30);
  await catchUp(bo, view);
  await bo.link("nav.friends").click();
  await sendTexts(friends.lin, friends.bo, BURST.slice(0, 60));
  await bo.link("nav.chats").click();
  await expect(bo.row(cast.lin.nickName)).toHaveAccessibleName(
    new RegExp(bo.t("chat.unreadCount", { count: 60 })),
  );
  await bo.openChat(cast.lin.nickName);

  const divider = bo.page.locator("[data-unread-divider]");
  await expect(divider).toHaveText(bo.t("chat.newMessages"));
  expect(await view.dividerAt()).toBeCloseTo(0.25, 1);
  await sendTexts(friends.lin, friends.bo, ["one more"]);
  await expect(bo.row(cast.lin.nickName)).toContainText("one more");
  await expect(divider).toBeVisible();
  await bo.send("I have seen them");
  await expect(bo.messages().filter({ hasText: "I have seen them" })).toBeInViewport();
  await expect(divider).toHaveCount(0);
  await expect(bo.page).toHaveTitle(cast.bo.nickName);
});

test("T121 a chat whose unread messages all fit opens at its end and follows new messages", async ({
  friends,
  cast,
  openConversation,
}) => {
  const { bo, view } = await openConversation(30);
  await catchUp(bo, view);
  await bo.link("nav.friends").click();
  // With the divider at a quarter of the height, the last of these would be below the view.
  await sendTexts(friends.lin, friends.bo, BURST.slice(0, 16));
  await bo.link("nav.chats").click();
  await expect(bo.row(cast.lin.nickName)).toContainText("burst 15");
  await bo.openChat(cast.lin.nickName);
  await expect(bo.page.locator("[data-unread-divider]")).toBeInViewport({ ratio: 1 });
  await expect(bo.messages().last()).toBeInViewport({ ratio: 1 });
  await view.expectRestsAtEnd();
  await sendText(friends.lin, friends.bo, "one more");
  await expect(bo.messages().filter({ hasText: "one more" })).toBeInViewport({ ratio: 1 });
});

test("T122 unseen messages below the view show the down button, which jumps to the end when the first of them is next", async ({
  friends,
  cast,
  openConversation,
}) => {
  const { bo, view } = await openConversation(30, { viewport: { width: 1440, height: 520 } });
  await catchUp(bo, view);
  const receiveWhileAway = async (texts: readonly string[]) => {
    await bo.link("nav.friends").click();
    await sendTexts(friends.lin, friends.bo, texts);
    await bo.link("nav.chats").click();
    await expect(bo.row(cast.lin.nickName)).toContainText(texts.at(-1) ?? "");
    await bo.openChat(cast.lin.nickName);
    expect(await view.dividerAt()).toBeCloseTo(0.25, 1);
  };
  const down = bo.page.getByRole("main").getByRole("button", { name: /unread message/ });

  // So few pixels below the view would not show the button if everything were read.
  await receiveWhileAway(BURST.slice(0, 11));
  expect((await view.measure()).below).toBeLessThan(240);
  await down.click();
  await view.expectAtEnd();
  await expect(down).toHaveCount(0);

  await receiveWhileAway(BURST.slice(11, 71));
  await down.click();
  await view.expectAtEnd();
});

test("a chat whose window begins at its first unread message opens with older ones above the divider", async ({
  friends,
  cast,
  openBrowser,
}) => {
  await sendLongConversation(friends.lin, friends.bo, 70);
  await friends.bo.call(ENDPOINTS.readPrivateMessages, { query: { friendId: friends.lin.id } });
  // As many as a page, so that the first page of a browser without a database contains nothing else.
  await sendTexts(friends.lin, friends.bo, BURST.slice(0, 50));
  const bo = await openBrowser(cast.bo);
  await refuseDatabase(bo);
  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  const view = new TimelineView(bo);
  expect(await view.dividerAt()).toBeCloseTo(0.25, 1);
  await expect(bo.messages().filter({ hasText: "burst 0" })).toBeInViewport({ ratio: 1 });
  expect((await view.firstVisibleRow()).y).toBeLessThan(100);
});

test("a chat opened by its URL in a browser without local data shows the unread divider", async ({
  friends,
  cast,
  openBrowser,
}) => {
  await sendLongConversation(friends.lin, friends.bo, 40);
  await friends.bo.call(ENDPOINTS.readPrivateMessages, { query: { friendId: friends.lin.id } });
  await sendTexts(friends.lin, friends.bo, BURST.slice(0, 30));
  const bo = await openBrowser(cast.bo);
  await refuseDatabase(bo);
  await bo.openAndLogIn();
  await bo.open(`/home/chat/PRIVATE:${friends.lin.id}`);
  expect(await new TimelineView(bo).dividerAt()).toBeCloseTo(0.25, 1);
});

test("sending directly after opening a chat with unread messages scrolls to the bottom", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendLongConversation(friends.lin, friends.bo, 40);
  const bo = await openSignedIn(cast.bo);
  const view = new TimelineView(bo);
  for (const [turn, text] of ["quick", "quicker", "quickest"].entries()) {
    await bo.link("nav.friends").click();
    await sendTexts(friends.lin, friends.bo, BURST.slice(0, 60));
    await bo.link("nav.chats").click();
    await expect(bo.row(cast.lin.nickName)).toContainText(BURST[59] ?? "");
    await bo.row(cast.lin.nickName).click({ noWaitAfter: true });
    await bo.page.keyboard.type(`${text} ${turn}`);
    await bo.page.keyboard.press("Enter");
    await expect(bo.messages().filter({ hasText: `${text} ${turn}` })).toBeInViewport({ ratio: 1 });
    await view.expectRestsAtEnd();
  }
});

test("UI2 an edit and a recall above the view do not move it", async ({ friends, openConversation }) => {
  const { bo, view } = await openConversation(80);
  await catchUp(bo, view);
  await view.wheel(-1_500);
  await expect(bo.button("chat.down")).toBeVisible();
  await view.waitUntilStable();
  const top = await view.firstVisibleRow();
  const above = await view.idsAboveView();
  expect(above.length).toBeGreaterThan(3);
  const [edited, recalled] = above;
  const edit = {
    recvId: friends.bo.id,
    type: 7,
    content: "长 ".repeat(300).trim(),
    quoteMessageId: edited ?? 0,
  };
  await friends.lin.call(ENDPOINTS.sendPrivateMessage, { body: edit });
  await expect(bo.messages().filter({ hasText: edit.content })).toBeAttached();
  await view.expectAt(top);
  await friends.lin.call(ENDPOINTS.recallPrivateMessage, { params: { id: recalled ?? 0 } });
  await expect(view.log.locator(`[data-mid="${recalled}"][role="article"]`)).toHaveCount(0);
  await view.expectAt(top);
  // A new message below the view does not move it either.
  await sendText(friends.lin, friends.bo, "below");
  await expect(bo.button("chat.downUnseen", { count: 1 })).toBeVisible();
  await view.expectAt(top);
});

test("UI2 a picture above the view that arrives or fails does not move it", async ({
  friends,
  openConversation,
}) => {
  const { bo, view } = await openConversation(30);
  await catchUp(bo, view);
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
  let requests = 0;
  await bo.context.route("**/files/**", async (route) => {
    const isBroken = requests++ % 2 === 0;
    await isAnswered;
    await (isBroken ? route.abort() : route.continue());
  });
  for (let n = 1; n <= 4; n++) {
    await sendPicture(friends.lin, friends.bo, 300 + n);
    await sendTexts(friends.lin, friends.bo, [`after picture ${n}`]);
  }
  await sendTexts(
    friends.lin,
    friends.bo,
    Array.from({ length: 30 }, (_, n) => `below ${n}`),
  );
  await bo.expectMessage("below 29");
  // While a message is unread, the button names the number of unread messages.
  await expect(bo.page).toHaveTitle(bo.options.nickName);
  await view.expectRestsAtEnd();
  await view.wheel(-600);
  await expect(bo.button("chat.down")).toBeVisible();
  await view.waitUntilStable();
  const pictures = (state: string) => view.log.locator(`[data-picture="${state}"]`);
  const areAbove = () =>
    pictures("loading").evaluateAll((boxes) => {
      const edge = document.querySelector('[role="log"]')?.getBoundingClientRect().top ?? 0;
      return boxes.map((box) => box.getBoundingClientRect().bottom < edge);
    });
  await expect.poll(async () => (await areAbove()).filter(Boolean).length).toBeGreaterThanOrEqual(2);
  const top = await view.firstVisibleRow();
  answer();
  await expect(pictures("loading")).toHaveCount(0);
  await expect(pictures("failed").first()).toBeAttached();
  await expect(pictures("shown").first()).toBeAttached();
  await view.expectAt(top);
});

test("UI16 a message below the view is not read until the user scrolls to it", async ({
  friends,
  chatting: { lin, bo },
  cast,
}) => {
  await sendLongConversation(friends.lin, friends.bo, 60);
  const view = new TimelineView(bo);
  await expect(bo.messages().last()).toBeVisible();
  await expect(bo.page).toHaveTitle(cast.bo.nickName);
  await view.waitUntilStable();
  await view.wheel(-1_500);
  await expect(bo.button("chat.down")).toBeVisible();
  await lin.send("can you see this?");
  await expect(bo.button("chat.downUnseen", { count: 1 })).toBeVisible();
  await expect(bo.page).toHaveTitle(`(1) ${cast.bo.nickName}`);
  await expect(lin.messageState("chat.unread")).toBeVisible();
  await bo.button("chat.downUnseen", { count: 1 }).click();
  await expect(lin.text("chat.read")).toBeVisible();
  await expect(bo.page).toHaveTitle(cast.bo.nickName);
});

test("an older page that fails to load shows an error and loads after a retry; the text does not move", async ({
  friends,
  cast,
  openBrowser,
}) => {
  await sendLongConversation(friends.lin, friends.bo, 160);
  const bo = await openBrowser(cast.bo);
  await refuseDatabase(bo);
  await bo.openAndLogIn();
  await bo.context.route("**/message/private/history*", (route) => route.abort("internetdisconnected"));
  await bo.openChat(cast.lin.nickName);
  const view = new TimelineView(bo);
  await expect(bo.text("chat.olderFailed")).toBeAttached();
  await bo.context.unroute("**/message/private/history*");
  await view.log.focus();
  await bo.page.keyboard.press("Home");
  await expect.poll(async () => (await view.measure()).above).toBe(0);
  await view.waitUntilStable();
  const top = await view.firstVisibleRow();
  await bo.button("app.retry").click();
  await expect(bo.text("chat.olderFailed")).toHaveCount(0);
  await view.expectAt(top);
});

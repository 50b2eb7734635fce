import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { TimelineView } from "../src/timeline-view.ts";

test("recall: both users see who recalled the message, in their language; the sender can write it again", async ({
  chatting: { lin, bo },
  cast,
}) => {
  await lin.send("太早了");
  await bo.expectMessage("太早了");
  await lin.runMessageAction("太早了", "act.recall");
  const tip = lin.page.getByRole("log").getByText(lin.t("tip.recalled", { by: "me" }));
  await expect(tip).toBeVisible();
  const theirs = bo.t("tip.recalled", { name: cast.lin.nickName });
  await expect(bo.page.getByRole("log").getByText(theirs)).toBeVisible();
  await expect(bo.row(cast.lin.nickName)).toContainText(theirs);
  await expect(lin.row(cast.bo.nickName)).toContainText(lin.t("tip.recalled", { by: "me" }));
  await lin.expectTexts([]);
  await bo.expectTexts([]);
  await expect(bo.button("chat.writeAgain")).toHaveCount(0);
  await lin.page.reload();
  await lin.button("chat.writeAgain").click();
  await expect(lin.composer()).toHaveValue("太早了");
  await lin.page.reload();
  await expect(tip).toBeVisible();
});

test("edit: ↑ edits the last text, the draft is kept, and both users see the new text marked as edited in every tab", async ({
  chatting: { lin, bo },
  cast,
}) => {
  const tab = await lin.openSignedInTab();
  await tab.openChat(cast.bo.nickName);
  await lin.send("tomorow");
  await bo.expectMessage("tomorow");
  await lin.composer().fill("a draft");
  await lin.runMessageAction("tomorow", "act.edit");
  const field = lin.field("chat.editing");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("tomorow");
  await field.press("Escape");
  await expect(lin.composer()).toHaveValue("a draft");
  await lin.composer().fill("");
  await lin.composer().press("ArrowUp");
  await field.fill("tomorrow");
  await field.press("Enter");
  await expect(lin.composer()).toBeFocused();
  for (const person of [lin, bo, tab]) {
    await person.expectTexts(["tomorrow"]);
    await expect(person.messages().getByText(person.t("chat.edited"), { exact: true })).toBeVisible();
  }
  await expect(bo.row(cast.lin.nickName)).toContainText("tomorrow");
});

test("quote: bar above the composer, bubble for both users, jump to the message, and a recalled original", async ({
  friends,
  pair: { lin, bo },
  cast,
}) => {
  await sendText(friends.bo, friends.lin, "Which colour?");
  await bo.openChat(cast.lin.nickName);
  await lin.openChat(cast.bo.nickName);
  await lin.runMessageAction("Which colour?", "act.quote");
  await expect(lin.text("chat.replyTo", { name: cast.bo.nickName })).toBeVisible();
  await expect(lin.composer()).toBeFocused();
  await lin.composer().press("Escape");
  await expect(lin.text("chat.replyTo", { name: cast.bo.nickName })).toHaveCount(0);
  await lin.runMessageAction("Which colour?", "act.quote");
  await lin.send("绿色");
  await expect(lin.text("chat.replyTo", { name: cast.bo.nickName })).toHaveCount(0);
  await bo.expectTexts(["Which colour?", "绿色"]);
  const quote = bo.button("chat.quoted", { name: bo.t("chat.me"), text: "Which colour?" });
  await expect(quote).toBeVisible();
  await quote.click();
  await expect(bo.messages().first()).toBeInViewport();
  await bo.runMessageAction("绿色", "act.quote");
  await bo.composer().press("Escape");
  await bo.messages().first().focus();
  await bo.page.keyboard.press("Delete");
  await expect(lin.page.getByText(lin.t("chat.quoteRecalled"))).toBeVisible();
  await expect(bo.page.getByText(bo.t("chat.quoteRecalled"))).toBeVisible();
});

test("UI13 text and quote of a draft survive a reload and a chat switch, are equal in every tab, and end by sending", async ({
  friends,
  lin,
  cast,
}) => {
  await sendText(friends.bo, friends.lin, "When?");
  await lin.openChat(cast.bo.nickName);
  await lin.runMessageAction("When?", "act.quote");
  await lin.composer().fill("周五");
  const bar = lin.text("chat.replyTo", { name: cast.bo.nickName });
  await expect(bar).toBeVisible();
  await lin.link("nav.friends").click();
  await lin.link("nav.chats").click();
  await lin.openChat(cast.bo.nickName);
  await expect(bar).toBeVisible();
  await expect(lin.composer()).toHaveValue("周五");
  await lin.page.reload();
  await expect(bar).toBeVisible();
  await expect(lin.composer()).toHaveValue("周五");

  const tab = await lin.openSignedInTab();
  await tab.openChat(cast.bo.nickName);
  const otherBar = tab.text("chat.replyTo", { name: cast.bo.nickName });
  await expect(otherBar).toBeVisible();
  await expect(tab.composer()).toHaveValue("周五");
  // A focused field is never changed from another tab, so the focus leaves it.
  await tab.page.getByRole("log").focus();
  await lin.composer().press("Enter");
  await expect(otherBar).toHaveCount(0);
  await expect(tab.composer()).toHaveValue("");
  await tab.expectTexts(["When?", "周五"]);
  await expect(tab.button("chat.quoted", { name: cast.bo.nickName, text: "When?" })).toBeVisible();
});

test("receipts: the last own message changes from unread to read when the other user sees it", async ({
  pair: { lin, bo },
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await lin.send("one");
  await lin.send("two");
  const last = lin.messages().filter({ hasText: "two" });
  await expect(last.getByText(lin.t("chat.unread"), { exact: true })).toBeVisible();
  await bo.page.bringToFront();
  await bo.openChat(cast.lin.nickName);
  await expect(last.getByText(lin.t("chat.read"), { exact: true })).toBeVisible();
  await expect(lin.messages().getByRole("img", { name: lin.t("chat.read") })).toHaveCount(2);
});

test("delete: a message is deleted for the user after a question, in every tab, and stays for the other user", async ({
  chatting: { lin, bo },
  cast,
}) => {
  const tab = await lin.openSignedInTab();
  await tab.openChat(cast.bo.nickName);
  await bo.send("keep");
  await bo.send("throw away");
  await tab.expectTexts(["keep", "throw away"]);
  await lin.runMessageAction("throw away", "act.delete");
  const question = lin.page.getByRole("alertdialog");
  await question.getByRole("button", { name: lin.t("app.cancel") }).click();
  await lin.expectTexts(["keep", "throw away"]);
  await lin.runMessageAction("throw away", "act.delete");
  await question.getByRole("button", { name: lin.t("act.delete") }).click();
  await lin.expectTexts(["keep"]);
  await tab.expectTexts(["keep"]);
  await bo.expectTexts(["keep", "throw away"]);
  await lin.page.reload();
  await lin.expectTexts(["keep"]);
});

test("several messages: selected by keys and clicks, copied with names and times, forwarded one by one", async ({
  friends,
  pair: { lin, bo },
  cast,
}) => {
  await sendText(friends.bo, friends.lin, "alpha");
  await sendText(friends.bo, friends.lin, "beta");
  await sendText(friends.bo, friends.lin, "gamma");
  await lin.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await lin.openChat(cast.bo.nickName);
  await lin.expectTexts(["alpha", "beta", "gamma"]);
  const places = () =>
    lin.messages().evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));
  const before = await places();
  await lin.messages().nth(0).focus();
  await lin.page.keyboard.press("Space");
  // A message that moved would lose the click.
  expect(await places()).toEqual(before);
  await lin.messages().nth(2).click();
  await expect(lin.text("choose.count", { count: 2 })).toBeVisible();
  await expect(lin.messages().getByRole("checkbox", { checked: true })).toHaveCount(2);
  const bar = lin.page.getByRole("toolbar");
  await bar.getByRole("button", { name: lin.t("act.copy") }).click();
  const copied = () => lin.page.evaluate(() => navigator.clipboard.readText());
  await expect
    .poll(async () => (await copied()).replace(/\d\d:\d\d/g, "hh:mm"))
    .toBe(`${cast.bo.nickName} hh:mm\nalpha\n${cast.bo.nickName} hh:mm\ngamma`);
  await expect(lin.composer()).toBeVisible();

  await lin.runMessageAction("alpha", "act.choose");
  await lin.messages().nth(1).click();
  await lin.page.keyboard.press("Escape");
  await expect(lin.composer()).toBeVisible();
  await lin.runMessageAction("alpha", "act.choose");
  await lin.messages().nth(1).click();
  await bar.getByRole("button", { name: lin.t("choose.forward") }).click();
  const dialog = lin.dialog();
  await dialog.getByRole("checkbox", { name: cast.bo.nickName }).click();
  await dialog.getByRole("button", { name: lin.t("compose.sendTo", { count: 1 }) }).click();
  await lin.expectTexts(["alpha", "beta", "gamma", "alpha", "beta"]);
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(["alpha", "beta", "gamma", "alpha", "beta"]);
});

test("text selected across messages is copied with names and times, within one message as it is", async ({
  friends,
  lin,
  cast,
}) => {
  await sendText(friends.bo, friends.lin, "see #点赞; there");
  await sendText(friends.bo, friends.lin, "second");
  await lin.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await lin.openChat(cast.bo.nickName);
  await lin.expectTexts(["see #点赞; there", "second"]);
  const selectBubbles = (from: number, to: number) =>
    lin.page.evaluate(
      ([first, last]) => {
        const bubbles = document.querySelectorAll("[data-bubble]");
        const start = bubbles[first ?? 0];
        const end = bubbles[last ?? 0];
        if (start && end) window.getSelection()?.setBaseAndExtent(start, 0, end, end.childNodes.length);
      },
      [from, to],
    );
  const copy = async () => {
    await lin.page.keyboard.press("Control+c");
    return lin.page.evaluate(() => navigator.clipboard.readText());
  };
  await selectBubbles(0, 0);
  expect(await copy()).toBe("see #点赞; there");
  await selectBubbles(0, 1);
  expect((await copy()).replace(/\d\d:\d\d/g, "hh:mm")).toBe(
    `${cast.bo.nickName} hh:mm\nsee #点赞; there\n${cast.bo.nickName} hh:mm\nsecond`,
  );
});

test("the action bar beside a message covers no text, moves nothing, and is reached by keys", async ({
  friends,
  lin,
  cast,
}) => {
  await sendText(friends.bo, friends.lin, "long words ".repeat(40).trim());
  await lin.openChat(cast.bo.nickName);
  const row = lin.messages().first();
  const bubble = row.locator("[data-bubble]");
  // Nothing is unread, and the row has come to its place.
  await expect(lin.page).toHaveTitle(cast.lin.nickName);
  await new TimelineView(lin).waitUntilStable();
  const before = await bubble.boundingBox();
  await bubble.hover();
  const bar = row.locator("[data-hover-bar]");
  await expect(bar).toBeVisible();
  expect(await bubble.boundingBox()).toEqual(before);
  const barBox = await bar.boundingBox();
  expect(barBox?.x).toBeGreaterThanOrEqual((before?.x ?? 0) + (before?.width ?? 0));
  await lin.page.mouse.move(0, 0);
  await expect(bar).toHaveCount(0);
  await lin.page.getByRole("log").focus();
  await lin.page.keyboard.press("ArrowUp");
  await expect(row).toBeFocused();
  await expect(bar).toBeVisible();
  await bar.getByRole("button", { name: lin.t("act.quote") }).focus();
  await lin.page.keyboard.press("Enter");
  await expect(lin.composer()).toBeFocused();
  await row.focus();
  await lin.page.keyboard.press("Shift+F10");
  await expect(lin.menuItem("act.copy")).toBeVisible();
  await lin.expectMenuFocused();
  await lin.page.keyboard.press("Escape");
  await expect(row).toBeFocused();
});

test("a message recalled during an action leaves selection and menu; its edited text moves to the composer", async ({
  friends,
  pair: { lin, bo },
  cast,
}) => {
  await sendText(friends.bo, friends.lin, "alpha");
  const beta = await sendText(friends.bo, friends.lin, "beta");
  const gamma = await sendText(friends.bo, friends.lin, "gamma");
  const recall = (id: number) => friends.bo.call(ENDPOINTS.recallPrivateMessage, { params: { id } });
  await lin.openChat(cast.bo.nickName);
  await bo.openChat(cast.lin.nickName);
  const tab = await lin.openSignedInTab();
  await tab.openChat(cast.bo.nickName);

  await lin.runMessageAction("alpha", "act.choose");
  await lin.messages().filter({ hasText: "beta" }).click();
  await expect(lin.text("choose.count", { count: 2 })).toBeVisible();
  await recall(beta);
  await expect(lin.text("choose.count", { count: 1 })).toBeVisible();
  await lin.page.keyboard.press("Escape");

  await lin.openMessageMenu("gamma");
  await recall(gamma);
  await expect(lin.page.getByRole("menu")).toHaveCount(0);

  await lin.send("delta");
  await tab.expectMessage("delta");
  await lin.runMessageAction("delta", "act.edit");
  await lin.field("chat.editing").fill("epsilon");
  await tab.runMessageAction("delta", "act.recall");
  await expect(lin.composer()).toHaveValue("epsilon");
  await expect(lin.field("chat.editing")).toHaveCount(0);
});

test("a click on the quote of a deleted message says that the message no longer exists", async ({
  friends,
  lin,
  cast,
}) => {
  const id = await sendText(friends.bo, friends.lin, "gone");
  const body = { recvId: friends.lin.id, content: "about that", type: 0, quoteMessageId: id };
  await friends.bo.call(ENDPOINTS.sendPrivateMessage, { body });
  await lin.openChat(cast.bo.nickName);
  await lin.messages().first().focus();
  await lin.page.keyboard.press("Delete");
  await lin.page
    .getByRole("alertdialog")
    .getByRole("button", { name: lin.t("act.delete") })
    .click();
  await lin.expectTexts(["about that"]);
  await lin.button("chat.quoted", { name: cast.bo.nickName, text: "gone" }).click();
  await lin.expectToast(lin.t("error.message.notFound"));
});

test("keys: after delete or recall the next message gets the focus; Esc ends selection, then quote, then search", async ({
  friends,
  lin,
  cast,
}) => {
  for (const text of ["one", "two", "three"]) await sendText(friends.bo, friends.lin, text);
  await lin.openChat(cast.bo.nickName);
  await lin.send("four");
  await lin.expectTexts(["one", "two", "three", "four"]);
  await lin.expectSent();
  const { keyboard } = lin.page;
  const row = (text: string) => lin.messages().filter({ hasText: text });
  await lin.page.getByRole("log").focus();
  for (let press = 0; press < 3; press++) await keyboard.press("ArrowUp");
  await expect(row("two")).toBeFocused();
  await keyboard.press("Delete");
  await lin.page
    .getByRole("alertdialog")
    .getByRole("button", { name: lin.t("act.delete") })
    .press("Enter");
  await expect(row("three")).toBeFocused();
  await keyboard.press("ArrowDown");
  await keyboard.press("Delete");
  await expect(row("four")).toHaveCount(0);
  await expect(row("three")).toBeFocused();

  await keyboard.press("Control+f");
  const search = lin.page.getByRole("searchbox", { name: lin.t("find.title") });
  await expect(search).toBeFocused();
  await lin.runMessageAction("three", "act.quote");
  const quote = lin.text("chat.replyTo", { name: cast.bo.nickName });
  await expect(quote).toBeVisible();
  await lin.runMessageAction("one", "act.choose");
  await expect(lin.text("choose.count", { count: 1 })).toBeVisible();
  await keyboard.press("Escape");
  await expect(quote).toBeVisible();
  await expect(lin.composer()).toBeFocused();
  await keyboard.press("Escape");
  await expect(quote).toHaveCount(0);
  await expect(search).toBeVisible();
  await keyboard.press("Escape");
  await expect(search).toHaveCount(0);
});

import { befriend, createAccount, sendText, sendTexts, sendLongConversation } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { InputMethod } from "../src/input-method.ts";
import { sendFile, sendPicture } from "../src/media.ts";
import type { Person } from "../src/person.ts";

const SEARCHED_TEXT = "我家在上海东边";

const switcherField = (person: Person) =>
  person.page.getByRole("combobox", { name: person.t("search.placeholder") });
const switcherOptions = (person: Person) => person.page.getByRole("dialog").getByRole("option");

async function openSwitcher(person: Person): Promise<void> {
  await person.page.keyboard.press("Control+k");
  await expect(switcherField(person)).toBeFocused();
}

/** Start and end of the highlighted parts of a result, such as "3-5". */
function highlightsIn(person: Person, text: string): Promise<string[]> {
  return switcherOptions(person)
    .filter({ hasText: text })
    .locator("bdi")
    .last()
    .evaluate((line) => {
      let at = 0;
      return [...line.childNodes].flatMap((part) => {
        const start = at;
        at += part.textContent?.length ?? 0;
        return part instanceof HTMLElement && part.tagName === "MARK" ? [`${start}-${at}`] : [];
      });
    });
}

test("UI12 Chinese words are found anywhere in a text and highlighted, and Enter opens the message", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendText(friends.lin, friends.bo, SEARCHED_TEXT);
  await sendLongConversation(friends.lin, friends.bo, 120);
  const bo = await openSignedIn(cast.bo);
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await openSwitcher(bo);
  for (const [query, highlights] of [
    ["上海", ["3-5"]],
    ["海", ["4-5"]],
    ["家在", ["1-3"]],
    ["上海 东", ["3-6"]],
  ] as const) {
    await switcherField(bo).fill(query);
    await expect(switcherOptions(bo).filter({ hasText: SEARCHED_TEXT })).toHaveCount(1);
    await expect.poll(() => highlightsIn(bo, SEARCHED_TEXT)).toEqual(highlights);
  }
  await switcherField(bo).fill("海上");
  await expect(bo.text("search.empty")).toBeVisible();
  await expect(switcherOptions(bo)).toHaveCount(0);
  await bo.button("friend.clearSearch").click();
  await expect(switcherField(bo)).toBeFocused();

  await switcherField(bo).fill("上海");
  await expect(switcherOptions(bo).filter({ hasText: SEARCHED_TEXT })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await bo.page.keyboard.press("Enter");
  await expect(bo.page.getByRole("dialog")).toHaveCount(0);
  await expect(await bo.expectMessage(SEARCHED_TEXT)).toBeInViewport({ ratio: 1 });
});

test("UI12 offline, the switcher searches the local database, and the system chat can be read", async ({
  friends,
  cast,
  openBrowser,
}) => {
  await sendText(friends.lin, friends.bo, SEARCHED_TEXT);
  const bo = await openBrowser(cast.bo);
  // These chunks are prefetched when the page is idle, and what they share with others.
  const chunks = ["dialogs", "chat-more", "shared"].map((name) =>
    bo.page.waitForEvent("requestfinished", (request) => request.url().includes(`/assets/${name}-`)),
  );
  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage(SEARCHED_TEXT);
  await Promise.all(chunks);
  await bo.context.setOffline(true);
  await openSwitcher(bo);
  for (const query of ["上海", "海", "家在", "上海 东"]) {
    await switcherField(bo).fill(query);
    await expect(switcherOptions(bo).filter({ hasText: SEARCHED_TEXT })).toHaveCount(1);
  }
  await switcherField(bo).fill("海上");
  await expect(bo.text("search.empty")).toBeVisible();
  await bo.page.keyboard.press("Escape");
  await bo.row(bo.t("chat.system")).click();
  await expect(bo.page.getByRole("log", { name: bo.t("chat.system") })).toContainText(
    bo.t("system.friendRequest"),
  );
});

test("R111 UI12 the search in a chat counts and highlights results and steps through them", async ({
  friends,
  openConversation,
}) => {
  await sendTexts(friends.lin, friends.bo, [SEARCHED_TEXT, "别的", "再去上海"]);
  await sendText(friends.bo, friends.lin, "上海见");
  const { bo } = await openConversation(100);
  await bo.page.keyboard.press("Control+f");
  const find = bo.page.getByRole("searchbox", { name: bo.t("find.title") });
  const bar = bo.page.getByRole("main").getByRole("search");
  await expect(find).toBeFocused();
  // The placeholder field only collects typed text until the search bar is loaded.
  await expect(bar.getByRole("status")).toBeAttached();
  await find.press("Enter");
  await expect(bar.getByRole("status")).toHaveText(bo.t("search.keywordNeeded"));
  await find.fill("上海");
  await expect(bar.getByRole("status")).toHaveText("1/3");
  await expect(await bo.expectMessage("上海见")).toBeInViewport({ ratio: 1 });
  await find.press("Enter");
  await expect(bar.getByRole("status")).toHaveText("2/3");
  await expect(await bo.expectMessage("再去上海")).toBeInViewport({ ratio: 1 });
  await bo.button("find.older").click();
  await expect(bar.getByRole("status")).toHaveText("3/3");
  await expect(await bo.expectMessage(SEARCHED_TEXT)).toBeInViewport({ ratio: 1 });
  await find.press("Shift+Enter");
  await expect(bar.getByRole("status")).toHaveText("2/3");
  await expect
    .poll(() =>
      bo.page.evaluate(() =>
        [...(CSS.highlights.get("parley-found") ?? [])].map(
          (range) => (range as Range).cloneContents().textContent,
        ),
      ),
    )
    .toEqual(["上海", "上海", "上海"]);

  await bo.page.getByRole("combobox", { name: bo.t("find.sender") }).selectOption({ label: bo.t("chat.me") });
  await expect(bar.getByRole("status")).toHaveText("1/1");
  await find.fill("海上");
  await expect(bar.getByRole("status")).toHaveText(bo.t("find.none"));
  await find.press("Escape");
  await expect(bar).toHaveCount(0);
  await expect.poll(() => bo.page.evaluate(() => CSS.highlights.has("parley-found"))).toBe(false);
});

test("R2 R164 a file is found by its name and its kind, in the switcher and in its chat, where the name is highlighted", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const { bo: sender, lin } = friends;
  const name = "青瓦验收清单 Budget final v12.xlsx";
  await sendFile(sender, lin, name, Buffer.from("1"));
  await sendFile(sender, lin, "other.xlsx", Buffer.from("2"));
  await sendTexts(
    sender,
    lin,
    Array.from({ length: 60 }, (_, index) => `No ${index}`),
  );
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  await openSwitcher(bo);
  await switcherField(bo).fill("budg 验收");
  const option = switcherOptions(bo).filter({ hasText: name });
  await expect(option).toHaveCount(1);
  await expect(option.locator("mark")).toHaveText(["验收", "Budg"]);
  await option.click();
  const file = bo.page.getByRole("article", { name: new RegExp(name) });
  await expect(file).toBeInViewport({ ratio: 1 });

  await bo.page.keyboard.press("Control+f");
  const find = bo.page.getByRole("searchbox", { name: bo.t("find.title") });
  const bar = bo.page.getByRole("main").getByRole("search");
  await find.fill("xlsx");
  await expect(bar.getByRole("status")).toHaveText("1/2");
  await find.fill("清单");
  await expect(bar.getByRole("status")).toHaveText("1/1");
  await expect(file).toBeInViewport({ ratio: 1 });
  await bo.button("find.list").click();
  const list = bar.getByRole("list", { name: bo.t("find.list") });
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await expect(list.locator("mark")).toHaveText("清单");
  await expect
    .poll(() =>
      bo.page.evaluate(() =>
        [...(CSS.highlights.get("parley-found") ?? [])].map(
          (range) => (range as Range).cloneContents().textContent,
        ),
      ),
    )
    .toEqual(["清单"]);

  const kinds = bar.getByRole("combobox", { name: bo.t("find.kind") });
  await kinds.selectOption({ label: bo.t("media.tab.files") });
  await find.fill("");
  await expect(bar.getByRole("status")).toHaveText("1/2");
  await find.press("Enter");
  await expect(bar.getByRole("status")).toHaveText("2/2");
  await expect(file).toBeInViewport({ ratio: 1 });
  await kinds.selectOption({ label: bo.t("media.tab.links") });
  await expect(bar.getByRole("status")).toHaveText(bo.t("find.none"));
  await sendPicture(sender, lin);
  await kinds.selectOption({ label: bo.t("media.tab.pictures") });
  await expect(bar.getByRole("status")).toHaveText("1/1");
  await expect(list.getByRole("listitem")).toContainText(bo.t("preview.image"));
});

test("R163 results of the search in a chat are also a list whose rows jump to the messages", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const longPrefix = "先说一些别的事情然后才说到我家在";
  await sendTexts(friends.lin, friends.bo, [`${longPrefix}上海东边`, "别的"]);
  await sendText(friends.bo, friends.lin, "上海见");
  await sendTexts(
    friends.lin,
    friends.bo,
    Array.from({ length: 55 }, (_, index) => `上海 ${index}.`),
  );
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  await bo.page.keyboard.press("Control+f");
  const find = bo.page.getByRole("searchbox", { name: bo.t("find.title") });
  const bar = bo.page.getByRole("main").getByRole("search");
  await find.fill("上海");
  await expect(bar.getByRole("status")).toHaveText("1/57");
  await bo.button("find.list").click();
  const list = bar.getByRole("list", { name: bo.t("find.list") });
  await expect(list.getByRole("listitem").first()).toContainText("上海 54.");
  await expect(list.locator("[aria-current]")).toContainText("上海 54.");
  await find.press("Enter");
  await expect(list.locator("[aria-current]")).toContainText("上海 53.");
  await bar.evaluate((element) => {
    const scroller = element.querySelector('[role="list"]')?.parentElement;
    scroller?.scrollTo(0, scroller.scrollHeight);
  });
  await list.getByRole("button", { name: bo.t("search.more") }).click();
  await expect(list.getByRole("listitem").first()).toHaveAttribute("aria-setsize", "57");
  await bar.evaluate((element) => {
    const scroller = element.querySelector('[role="list"]')?.parentElement;
    scroller?.scrollTo(0, scroller.scrollHeight);
  });
  const mine = list.getByRole("button").filter({ hasText: "上海见" });
  await expect(mine).toContainText(bo.t("chat.me"));
  const last = list.getByRole("button").filter({ hasText: "上海东边" });
  await expect(last).toContainText(`…${longPrefix.slice(-10)}上海东边`);
  await expect(last.locator("mark")).toHaveText("上海");
  await last.click();
  await expect(bar.getByRole("status")).toHaveText("57/57");
  await expect(await bo.expectMessage(`${longPrefix}上海东边`)).toBeInViewport();
  await find.press("Escape");
  await expect(list).toHaveCount(0);
  await expect(find).toBeFocused();
});

test("R163 on a phone results have two lines, and choosing a result in a chat closes the list of results", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendTexts(friends.lin, friends.bo, ["先说一些别的事情然后才说到我家在上海东边", "别的"]);
  const bo = await openSignedIn({ ...cast.bo, viewport: { width: 390, height: 844 }, isTouch: true });
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await bo.button("nav.search").tap();
  await switcherField(bo).fill("上海");
  const row = switcherOptions(bo).filter({ has: bo.page.locator("time") });
  await expect(row).toHaveCount(1);
  const [mark, name, time] = await Promise.all(
    [row.locator("mark"), row.getByText(cast.lin.nickName).first(), row.locator("time")].map((part) =>
      part.boundingBox(),
    ),
  );
  expect(mark?.y).toBeGreaterThan((name?.y ?? 0) + (name?.height ?? 0) - 4);
  expect(Math.abs((time?.y ?? 0) - (name?.y ?? 0))).toBeLessThan(8);
  expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThan(390 - 16);
  await row.tap();
  await expect(await bo.expectMessage("我家在上海东边")).toBeInViewport();

  await bo.button("chat.find").tap();
  await bo.page.getByRole("searchbox", { name: bo.t("find.title") }).fill("上海");
  await bo.button("find.list").tap();
  const list = bo.page.getByRole("list", { name: bo.t("find.list") });
  await list.getByRole("button").tap();
  await expect(list).toHaveCount(0);
  await expect(await bo.expectMessage("我家在上海东边")).toBeInViewport();
});

test("the switcher shows a few messages at first, then all of them page by page", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const texts = Array.from({ length: 60 }, (_, index) => `上海 ${index}.`);
  await sendTexts(friends.lin, friends.bo, texts);
  const bo = await openSignedIn(cast.bo);
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await openSwitcher(bo);
  await switcherField(bo).fill("上海");
  const results = switcherOptions(bo).filter({ has: bo.page.locator("time") });
  const more = switcherOptions(bo).filter({ hasText: bo.t("search.more") });
  await expect(results).toHaveCount(5);
  await switcherOptions(bo)
    .filter({ hasText: bo.t("search.all", { count: 60 }) })
    .click();
  await expect(results).toHaveCount(50);
  await expect(results.nth(4)).toHaveAttribute("aria-selected", "true");
  await more.click();
  await expect(results).toHaveCount(60);
  await expect(more).toHaveCount(0);
  await results.last().click();
  await expect(await bo.expectMessage("上海 0.")).toBeInViewport({ ratio: 1 });
});

test("what is typed before the pinyin table arrives finds people as soon as it does", async ({
  friends,
  server,
  cast,
  openSignedIn,
}) => {
  const zhou = await createAccount(server.url, cast.other("zhou").userName, "周若宁");
  await befriend(zhou, friends.bo);
  const bo = await openSignedIn(cast.bo);
  const { promise: isWanted, resolve: send } = Promise.withResolvers<void>();
  await bo.page.route("**/pinyin-table*.json", async (route) => {
    await isWanted;
    await route.continue();
  });
  await bo.link("nav.groups").click();
  await bo.button("groups.add").click();
  await bo.menuItem("groups.create").click();
  await bo.page.getByRole("searchbox", { name: bo.t("members.search") }).fill("zrn");
  const found = bo.dialog().getByRole("option", { name: "周若宁" });
  await expect(found).toHaveCount(0);
  send();
  await expect(found).toBeVisible();
});

test("names are found by pinyin and initials, in the list, among friends and in the switcher", async ({
  friends,
  server,
  cast,
  openSignedIn,
}) => {
  const zhou = await createAccount(server.url, cast.other("zhou").userName, "周若宁");
  const shan = await createAccount(server.url, cast.other("shan").userName, "单田芳");
  for (const person of [zhou, shan]) await befriend(person, friends.bo);
  const bo = await openSignedIn(cast.bo);
  await expect(bo.row("周若宁")).toBeVisible();
  const listSearch = bo.page.getByRole("searchbox", { name: bo.t("chat.search") });
  const rows = bo.page.getByRole("listbox").getByRole("option");
  for (const [query, name] of [
    ["zrn", "周若宁"],
    ["ruoning", "周若宁"],
    ["shantian", "单田芳"],
    ["dtf", "单田芳"],
  ] as const) {
    await listSearch.fill(query);
    await expect(rows).toHaveCount(1);
    await expect(bo.row(name)).toBeVisible();
  }
  await bo.link("nav.friends").click();
  await bo.page.getByRole("searchbox", { name: bo.t("friend.search") }).fill("zhou");
  await expect(rows).toHaveCount(1);
  await expect(bo.row("周若宁")).toBeVisible();
  await openSwitcher(bo);
  await bo.page.keyboard.type("stf");
  await expect(switcherOptions(bo).first()).toContainText("单田芳");
  await bo.page.keyboard.press("Enter");
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText("单田芳");
});

test("the search field of the chat list finds chats and messages, by mouse and by keys", async ({
  friends,
  server,
  cast,
  openSignedIn,
}) => {
  const owen = cast.other("owen");
  await befriend(await createAccount(server.url, owen.userName, "Owen Budget"), friends.bo);
  await sendTexts(friends.lin, friends.bo, ["the budget is ready", "nothing else"]);
  const bo = await openSignedIn(cast.bo);
  const field = bo.page.getByRole("searchbox", { name: bo.t("chat.search") });
  const found = bo.page.getByRole("listbox", { name: bo.t("search.results") });
  await field.fill("budget");
  await expect(bo.row("Owen Budget")).toBeVisible();
  const messages = found.getByRole("group", { name: bo.t("search.messages") }).getByRole("option");
  await expect(messages).toContainText(["the budget is ready"]);
  await found.focus();
  await bo.page.keyboard.press("End");
  await bo.page.keyboard.press("Enter");
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(cast.lin.nickName);
  await expect(bo.messages().filter({ hasText: "the budget is ready" })).toBeVisible();
  // Nothing of it anywhere: two ways to go on.
  await field.fill("zzzz");
  await expect(bo.text("search.empty")).toBeVisible();
  await expect(bo.button("friend.add").last()).toBeVisible();
  await bo.button("friend.clearSearch").click();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
});

test("the switcher finds recent chats, friends without a chat and commands by keyboard alone", async ({
  friends,
  server,
  cast,
  openSignedIn,
}) => {
  const owen = cast.other("owen");
  await befriend(await createAccount(server.url, owen.userName, owen.nickName), friends.bo);
  await sendText(friends.lin, friends.bo, "hello");
  const bo = await openSignedIn(cast.bo);
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  const { keyboard } = bo.page;
  await openSwitcher(bo);
  await expect(switcherOptions(bo).filter({ hasText: cast.lin.nickName })).toBeVisible();
  await expect(switcherOptions(bo).first()).toHaveAttribute("aria-selected", "true");
  await keyboard.press("ArrowUp");
  await expect(switcherOptions(bo).last()).toHaveAttribute("aria-selected", "true");
  await keyboard.press("ArrowDown");
  await expect(switcherOptions(bo).first()).toHaveAttribute("aria-selected", "true");
  await keyboard.press("Escape");
  await expect(switcherField(bo)).toHaveCount(0);

  await openSwitcher(bo);
  await keyboard.type(owen.nickName);
  await expect(switcherOptions(bo).first()).toContainText(owen.nickName);
  await keyboard.press("Enter");
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(owen.nickName);
  await expect(bo.composer()).toBeFocused();

  await openSwitcher(bo);
  const dark = bo.t("search.themeCommand", { name: bo.t("theme.dark") });
  await keyboard.type(dark);
  await expect(switcherOptions(bo).first()).toContainText(dark);
  await keyboard.press("Enter");
  await expect(bo.page.locator("html")).toHaveAttribute("data-theme", "dark");
  await keyboard.press("Control+/");
  const shortcutTable = bo.page.getByRole("dialog", { name: bo.t("keys.title") });
  await expect(shortcutTable).toContainText(bo.t("keys.switcher"));
  await keyboard.press("Escape");
  await expect(shortcutTable).toHaveCount(0);
});

test("Enter while composing chooses nothing in the switcher, the next Enter does", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendText(friends.lin, friends.bo, "hello");
  const bo = await openSignedIn(cast.bo);
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await openSwitcher(bo);
  await (await InputMethod.of(bo.page)).write("linxiao", "林晓");
  await expect(switcherField(bo)).toHaveValue("林晓");
  await expect(switcherOptions(bo).first()).toContainText(cast.lin.nickName);
  await expect(bo.page.getByRole("dialog")).toBeVisible();
  await bo.page.keyboard.press("Enter");
  await expect(bo.page.getByRole("heading", { level: 1 })).toHaveText(cast.lin.nickName);
});

test("text typed directly after the shortcut of the chat search goes into the search, not into the composer", async ({
  friends,
  lin,
  cast,
}) => {
  await sendText(friends.bo, friends.lin, "needle");
  await lin.openChat(cast.bo.nickName);
  await lin.expectTexts(["needle"]);
  await lin.page.keyboard.press("Control+f");
  await lin.page.keyboard.type("needle");
  await expect(lin.page.getByRole("searchbox", { name: lin.t("find.title") })).toHaveValue("needle");
  await expect(lin.composer()).toHaveValue("");
  await expect(lin.page.getByRole("main").getByText("1/1", { exact: true })).toBeVisible();
});

import type { Locator } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";
import { productTexts } from "../src/product-texts.ts";

async function chooseFromMenu(person: Person, menu: string, item: string): Promise<void> {
  await person.button("nav.menu").click();
  await person.page.getByRole("menuitem", { name: person.t(menu) }).click();
  await person.page.getByRole("menuitemradio", { name: item, exact: true }).click();
}

const backgroundOf = (person: Person) =>
  person.page.locator("html").evaluate((root) => getComputedStyle(root).backgroundColor);

/** The element with the colour for the browser's own frame. */
const themeColour = (person: Person) => person.page.locator('meta[name="theme-color"]').first();

test("the theme changes at once, survives a reload, and can follow the system again", async ({
  bo,
  cast,
}) => {
  await bo.openChat(cast.lin.nickName);
  await bo.composer().fill("still here");
  const light = await backgroundOf(bo);
  await chooseFromMenu(bo, "app.theme", bo.t("theme.dark"));
  await expect(bo.page.locator("html")).toHaveAttribute("data-theme", "dark");
  const dark = await backgroundOf(bo);
  expect(dark).not.toBe(light);
  await expect(themeColour(bo)).toHaveAttribute("content", dark);
  await expect(bo.composer()).toHaveValue("still here");
  await bo.page.reload();
  await expect(bo.composer()).toHaveValue("still here");
  expect(await backgroundOf(bo)).toBe(dark);
  await chooseFromMenu(bo, "app.theme", bo.t("theme.system"));
  await expect(bo.page.locator("html")).not.toHaveAttribute("data-theme");
  expect(await backgroundOf(bo)).toBe(light);
  await bo.page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(() => backgroundOf(bo)).toBe(dark);
});

test("the language changes at once everywhere, keeps the draft and survives a reload", async ({
  bo,
  cast,
}) => {
  await bo.openChat(cast.lin.nickName);
  await bo.composer().fill("half typed");
  const manifestLanguage = () =>
    bo.page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
      const answer = await fetch(link?.href ?? "");
      return ((await answer.json()) as { lang: string }).lang;
    });
  expect(await manifestLanguage()).toBe("en-US");
  const tw = productTexts("zh-TW");
  await chooseFromMenu(bo, "app.language", "繁體中文");
  await expect(bo.page.locator("html")).toHaveAttribute("lang", "zh-TW");
  const field = bo.page.getByRole("textbox", { name: tw("chat.placeholder"), exact: true });
  await expect(field).toHaveValue("half typed");
  await expect.poll(manifestLanguage).toBe("zh-TW");
  await expect(bo.page.getByRole("link", { name: tw("nav.friends") })).toBeVisible();
  await expect(bo.page.getByRole("log").getByText(tw("tip.friend.nowFriends"))).toBeVisible();
  await field.press("Enter");
  await expect(bo.page.getByRole("log").getByText(tw("chat.unread"), { exact: true })).toBeVisible();
  await bo.page.reload();
  await expect(bo.page.getByRole("link", { name: tw("nav.friends") })).toBeVisible();
  await bo.page.getByRole("button", { name: tw("nav.menu") }).click();
  await bo.page.getByRole("menuitem", { name: tw("app.language") }).click();
  await expect(bo.page.getByRole("menuitemradio", { name: "繁體中文" })).toBeChecked();
  await bo.page.getByRole("menuitemradio", { name: "English" }).click();
  await expect(bo.composer()).toBeVisible();
});

test("a click outside closes the menu and does nothing else; Esc closes it and focuses its button", async ({
  bo,
  cast,
}) => {
  await bo.openChat(cast.lin.nickName);
  const menu = bo.page.getByRole("menu");
  await bo.button("nav.menu").click();
  await expect(menu).toBeVisible();
  await bo.page.getByRole("log").click();
  await expect(menu).toHaveCount(0);
  await bo.expectHome();
  await bo.button("nav.menu").click();
  // A key that comes before the focus is in the menu does not close it.
  await expect.poll(() => menu.evaluate((box) => box.contains(document.activeElement))).toBe(true);
  await bo.page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(bo.button("nav.menu")).toBeFocused();
});

test('"refresh page" in the menu reloads the page', async ({ bo, cast }) => {
  await bo.openChat(cast.lin.nickName);
  await bo.page.evaluate(() => Object.assign(window, { isTheSamePage: true }));
  await bo.button("nav.menu").click();
  await bo.page.getByRole("menuitem", { name: bo.t("menu.refresh") }).click();
  // Unlike a question of its own, this outlives the page that is left.
  await bo.page.waitForFunction(() => !("isTheSamePage" in window));
  await expect(bo.composer()).toBeVisible();
});

test("pointer and keys resize the list between 200 and 400 px, and its width survives a reload", async ({
  bo,
}) => {
  const edge = bo.page.getByRole("separator", { name: bo.t("app.resizeList") });
  const list = bo.page.getByRole("region", { name: bo.t("chat.listPane") });
  const expectWidth = async (width: number) => {
    await expect(edge).toHaveAttribute("aria-valuenow", String(width));
    await expect.poll(async () => (await list.boundingBox())?.width).toBe(width);
  };
  const drag = async (by: number) => {
    const box = await edge.boundingBox();
    if (box === null) throw new Error("the edge of the list is not visible");
    await bo.page.mouse.move(box.x + box.width / 2, 400);
    await bo.page.mouse.down();
    await bo.page.mouse.move(box.x + box.width / 2 + by, 400, { steps: 4 });
    await bo.page.mouse.up();
  };
  await expectWidth(250);
  await drag(60);
  await expectWidth(310);
  await drag(500);
  await expectWidth(400);
  await drag(-500);
  await expectWidth(200);
  await edge.focus();
  await bo.page.keyboard.press("ArrowRight");
  await expectWidth(210);
  await bo.page.keyboard.press("End");
  await expectWidth(400);
  await bo.page.keyboard.press("Home");
  await bo.page.keyboard.press("ArrowRight");
  await bo.page.reload();
  await expectWidth(210);
  await edge.dblclick();
  await expectWidth(250);
});

test("the list collapses to pictures, stays collapsed after a reload, and expands again", async ({
  bo,
  cast,
}) => {
  const list = bo.page.getByRole("region", { name: bo.t("chat.listPane") });
  const toggle = async (id: string) => {
    await bo.button("nav.menu").click();
    await bo.page.getByRole("menuitem", { name: bo.t(id) }).click();
  };
  await toggle("app.collapseList");
  await expect.poll(async () => (await list.boundingBox())?.width).toBe(68);
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await bo.page.reload();
  await expect.poll(async () => (await list.boundingBox())?.width).toBe(68);
  await bo.openChat(cast.lin.nickName);
  await toggle("app.expandList");
  await expect.poll(async () => (await list.boundingBox())?.width).toBe(250);
});

test("a list whose search field disappears shows all", async ({ bo, cast }) => {
  const toggle = async (id: string) => {
    await bo.button("nav.menu").click();
    await bo.menuItem(id).click();
  };
  const row = bo.row(cast.lin.nickName);
  for (const area of ["chat", "friend"] as const) {
    await bo.link(area === "chat" ? "nav.chats" : "nav.friends").click();
    const search = bo.page.getByRole("searchbox", { name: bo.t(`${area}.search`) });
    await search.fill("nobody");
    await expect(row).toHaveCount(0);
    await toggle("app.collapseList");
    await expect(row).toBeVisible();
    await toggle("app.expandList");
    await expect(search).toHaveValue("nobody");
    await expect(row).toHaveCount(0);
  }
  // On a small screen, the list of chats has no search field.
  await bo.link("nav.chats").click();
  await bo.page.getByRole("searchbox", { name: bo.t("chat.search") }).fill("nobody");
  await bo.page.setViewportSize({ width: 390, height: 844 });
  await expect(row).toBeVisible();
});

const heightOf = async (part: Locator) => (await part.boundingBox())?.height ?? 0;
const widthOf = async (part: Locator) => (await part.boundingBox())?.width ?? 0;

test("rows, pictures and the header grow with the text size; a wide window has a wider composer", async ({
  friends,
  cast,
  server,
  openSignedIn,
}) => {
  await sendText(friends.lin, friends.bo, "hello");
  const bo = await openSignedIn({ ...cast.bo, viewport: { width: 1440, height: 900 } });
  await server.admin("notice", "--title", "Rules", "--text", "short", "--to", cast.bo.userName);
  await expect(bo.row(bo.t("chat.system"))).toBeVisible();
  await bo.openChat(cast.lin.nickName);
  const row = bo.row(cast.lin.nickName);
  const parts = [
    row,
    row.locator("> span").nth(1),
    bo.page.locator("main header"),
    bo.page.getByRole("article").first().locator("button span").first(),
  ];
  const before = await Promise.all(parts.map(heightOf));
  const composer = bo.page.locator('[data-landmark="composer"] > div');
  expect(await widthOf(composer)).toBe(760);
  await bo.page.evaluate(() => localStorage.setItem("parley.textSize", "1.3"));
  await bo.page.reload();
  await expect(row).toBeVisible();
  const after = await Promise.all(parts.map(heightOf));
  for (const [index, height] of after.entries()) expect(height / (before[index] ?? 0)).toBeCloseTo(1.3, 1);
  // The second row begins where the first one ends.
  const [upper, lower] = (
    await Promise.all([row, bo.row(bo.t("chat.system"))].map((chatRow) => chatRow.boundingBox()))
  ).toSorted((a, b) => (a?.y ?? 0) - (b?.y ?? 0));
  expect((upper?.y ?? 0) + (upper?.height ?? 0)).toBeCloseTo(lower?.y ?? 0, 0);

  await bo.page.setViewportSize({ width: 1920, height: 1080 });
  await expect.poll(() => widthOf(composer)).toBe(960 * 1.3);
  // On a phone too the buttons stand in the middle of a line of large text.
  await bo.page.setViewportSize({ width: 390, height: 800 });
  await expect(bo.button("voice.record")).toBeVisible();
  const offsets = () =>
    composer.evaluate((box) => {
      const middleOf = (element: Element) => {
        const { top, height } = element.getBoundingClientRect();
        return top + height / 2;
      };
      const buttons = [...box.querySelectorAll("button")].filter((button) => button.checkVisibility());
      const middle = middleOf(box.querySelector("textarea") ?? box);
      return buttons.map((button) => Math.abs(middleOf(button) - middle));
    });
  // The field takes its height from its new width a moment after the window has changed.
  await expect.poll(async () => Math.max(...(await offsets()))).toBeLessThan(1);
  expect((await offsets()).length).toBeGreaterThanOrEqual(3);
});

test("lines of errors and banners grow with the text size", async ({ lin, cast, server }) => {
  await lin.page.evaluate(() => localStorage.setItem("parley.textSize", "1.3"));
  await lin.page.reload();
  await lin.openChat(cast.bo.nickName);
  await lin.send("hello");
  await lin.sendFromPlusMenu("compose.place");
  await lin
    .dialog()
    .getByRole("button", { name: lin.t("chat.send") })
    .click();
  await expect(lin.dialog().getByText(lin.t("compose.placeNothing"))).toBeVisible();
  await server.admin("ban", cast.bo.userName, "--reason", "Spam");
  await expect(lin.page.getByText(lin.t("card.banned", { reason: "Spam" }))).toBeVisible();
  const tight = await lin.page.evaluate(() =>
    [...document.querySelectorAll("body :not(kbd)")].flatMap((element) => {
      const text =
        [...element.childNodes].find((node) => node.nodeType === Node.TEXT_NODE)?.textContent ?? "";
      const { fontSize, lineHeight } = getComputedStyle(element);
      return text.trim() !== "" && Number.parseFloat(lineHeight) < 1.2 * Number.parseFloat(fontSize)
        ? [text]
        : [];
    }),
  );
  expect(tight).toEqual([]);
});

test("list text cannot be selected, and a jump highlights only the bubble", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const first = await sendText(friends.lin, friends.bo, "look at this");
  const body = { recvId: friends.lin.id, content: "I see", type: 0, quoteMessageId: first };
  await friends.bo.call(ENDPOINTS.sendPrivateMessage, { body });
  const bo = await openSignedIn(cast.bo);
  await bo.link("nav.friends").click();
  const heading = bo.page.getByRole("listbox", { name: bo.t("friend.list") }).getByRole("presentation");
  await heading.first().dblclick();
  expect(await bo.page.evaluate(() => getSelection()?.toString())).toBe("");

  await bo.link("nav.chats").click();
  await bo.openChat(cast.lin.nickName);
  // A highlight ends after 1.2 s, so its beginning is noted.
  const flashing = await bo.page.evaluateHandle(() => {
    const bubbles: boolean[] = [];
    document.addEventListener("animationstart", ({ target }) => {
      if (target instanceof HTMLElement && target.closest("[data-flash]") !== null)
        bubbles.push("bubble" in target.dataset);
    });
    return bubbles;
  });
  await bo
    .messages()
    .filter({ hasText: "I see" })
    .getByRole("button", { name: /look at this/ })
    .click();
  await expect.poll(() => flashing.jsonValue()).toContain(true);
  expect(await flashing.jsonValue()).not.toContain(false);
});

test("a long pasted text scrolls the field to its end and fades at the top", async ({ bo, cast }) => {
  await bo.openChat(cast.lin.nickName);
  await bo.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const field = bo.composer();
  const pixelsBelow = () =>
    field.evaluate((element) => element.scrollHeight - element.clientHeight - element.scrollTop);
  await bo.page.evaluate(() => navigator.clipboard.writeText("a line\n".repeat(60)));
  await field.press("Control+v");
  await expect(field).toHaveValue(/a line/);
  await expect.poll(pixelsBelow).toBeLessThanOrEqual(1);
  const fieldFrame = field.locator("..");
  await expect(fieldFrame).toHaveAttribute("data-scrolled");
  await bo.page.reload();
  await expect(field).toBeFocused();
  await expect.poll(pixelsBelow).toBeLessThanOrEqual(1);
  await field.fill("");
  await expect(fieldFrame).not.toHaveAttribute("data-scrolled");
});

import { expect, test } from "../src/fixtures.ts";

test("emoticons: chosen by keys, inserted at the caret, shown as pictures to both users, without a bubble when alone", async ({
  chatting: { lin, bo },
  cast,
}) => {
  const field = lin.composer();
  await field.fill("ab");
  await field.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(1, 1));
  await lin.button("chat.emoticons").click();
  const grid = lin.page.getByRole("grid");
  await expect(grid.getByRole("gridcell")).toHaveCount(57);
  await expect(grid.getByRole("gridcell", { name: lin.t("emoticon.0"), exact: true })).toBeFocused();
  await lin.page.keyboard.press("ArrowDown");
  await lin.page.keyboard.press("ArrowRight");
  await lin.page.keyboard.press("Enter");
  await expect(grid).toHaveCount(0);
  await expect(field).toBeFocused();
  await lin.expectComposerText("a[打气]b");
  await expect(lin.pictures()).toHaveCount(1);
  // The caret is behind it.
  await lin.page.keyboard.type("c");
  await lin.expectComposerText("a[打气]cb");
  await lin.page.keyboard.press("Control+z");
  await lin.expectComposerText("a[打气]b");
  await lin.page.keyboard.press("Control+z");
  await expect(field).toHaveValue("ab");
  await field.fill("");
  await lin.button("chat.emoticons").click();
  // The most recently used emoticon is the first one.
  await expect(grid.getByRole("gridcell").first()).toHaveAccessibleName(lin.t("emoticon.9"));
  await grid
    .getByRole("gridcell", { name: lin.t("emoticon.6"), exact: true })
    .click({ modifiers: ["Shift"] });
  await grid.getByRole("gridcell", { name: lin.t("emoticon.5"), exact: true }).click();
  await lin.expectComposerText("[笑哭][爱心]");
  await field.press("Enter");
  await lin.send("好的 #点赞;");
  for (const person of [lin, bo]) {
    await person.expectTexts(["#笑哭;#爱心;", "好的 #点赞;"]);
    const alone = person.messages().first().locator("[data-bubble]");
    await expect(alone.getByRole("img", { name: person.t("emoticon.6"), exact: true })).toHaveJSProperty(
      "width",
      48,
    );
    await expect(alone).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
    const inline = person
      .messages()
      .nth(1)
      .getByRole("img", { name: person.t("emoticon.46"), exact: true });
    await expect(inline).toHaveJSProperty("width", 24);
    await expect.poll(() => inline.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(72);
  }
  await field.fill("草稿 #爱心;");
  await lin.link("nav.friends").click();
  await lin.link("nav.chats").click();
  const preview = `${lin.t("chat.draft")} 草稿 [${lin.t("emoticon.5")}]`;
  await expect(lin.row(cast.bo.nickName)).toContainText(preview);
});

test("M141 emoji: chosen by group, by a search in pinyin, and in a skin tone that is remembered", async ({
  chatting: { lin, bo },
}) => {
  const field = lin.composer();
  const keys = lin.page.keyboard;
  const grid = lin.page.getByRole("grid");
  const search = lin.page.getByRole("searchbox", { name: lin.t("emoji.search") });
  const cell = (name: string) => grid.getByRole("gridcell", { name, exact: true });
  await field.fill("ab");
  await field.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(1, 1));
  await lin.button("chat.emoticons").click();
  await lin.page.getByRole("tab", { name: lin.t("emoji.smileys") }).click();
  await cell("笑哭了").click({ modifiers: ["Shift"] });
  await expect(cell("笑哭了")).toBeFocused();
  await expect(field).toHaveValue("a😂b");
  // What is typed in the grid is searched.
  await keys.type("muzhixiangshang");
  await expect(search).toHaveValue("muzhixiangshang");
  await expect(cell("拇指向上")).toHaveText("👍");
  await lin.button("emoji.tone").click();
  await lin.button("emoji.toneMedium").click();
  await expect(cell("拇指向上")).toHaveText("👍🏽");
  await search.press("Enter");
  await expect(grid).toHaveCount(0);
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("a😂👍🏽b");
  await field.press("Enter");
  for (const person of [lin, bo]) await person.expectTexts(["a😂👍🏽b"]);

  // The recent ones come first, together with the emoticons.
  await lin.button("chat.emoticons").click();
  await expect(cell("拇指向上")).toBeFocused();
  await expect(cell("拇指向上")).toHaveText("👍🏽");
  await expect(grid.getByRole("gridcell")).toHaveCount(59);
  await keys.press("ArrowUp");
  await expect(search).toBeFocused();
  await keys.press("Escape");
  await expect(grid).toHaveCount(0);
  await expect(field).toBeFocused();
});

test("M136 a location: an address is enough, coordinates arrive as a card with a map link, and a failed device position says why", async ({
  chatting: { lin, bo },
  cast,
}) => {
  await lin.sendFromPlusMenu("compose.place");
  const dialog = lin.dialog();
  await dialog.getByRole("button", { name: lin.t("compose.placeHere") }).click();
  await expect(dialog.getByRole("alert")).toHaveText(lin.t("compose.place.refused"));
  await expect(lin.field("compose.latitude")).toHaveCount(0);
  await dialog.getByRole("button", { name: lin.t("chat.send") }).click();
  await expect(dialog.getByText(lin.t("compose.placeNothing"))).toBeVisible();
  await lin.field("compose.placeAddress").fill("南京东路 1 号");
  await dialog.getByRole("button", { name: lin.t("chat.send") }).click();
  await expect(dialog).toHaveCount(0);
  for (const person of [lin, bo]) {
    const card = await person.expectMessage("南京东路 1 号");
    const link = card.getByRole("link", { name: person.t("place.map") });
    await expect(link).toHaveAttribute("href", /^https:\/\/www\.openstreetmap\.org\/search\?query=%E5/);
    await expect(card).not.toContainText("0.00000");
  }

  await expect(lin.composer()).toBeFocused();
  await lin.sendFromPlusMenu("compose.place");
  await dialog.getByRole("button", { name: lin.t("app.cancel") }).click();
  await expect(lin.composer()).toBeFocused();

  await lin.sendFromPlusMenu("compose.place");
  await lin.context.grantPermissions(["geolocation"]);
  await lin.context.setGeolocation({ latitude: 31.2304, longitude: 121.4737 });
  await dialog.getByRole("button", { name: lin.t("compose.placeHere") }).click();
  await expect(lin.field("compose.latitude")).toHaveValue("31.230400");
  await lin.field("compose.latitude").fill("north");
  await dialog.getByRole("button", { name: lin.t("chat.send") }).click();
  await expect(dialog.getByText(lin.t("compose.latitudeWrong"))).toBeVisible();
  await lin.field("compose.latitude").fill("31.2305");
  await lin.field("compose.placeName").fill("人民广场");
  await dialog.getByRole("button", { name: lin.t("chat.send") }).click();
  await expect(dialog).toHaveCount(0);
  for (const person of [lin, bo]) {
    const card = await person.expectMessage("人民广场");
    await expect(card).toContainText("31.23050, 121.47370");
    const link = card.getByRole("link", { name: person.t("place.map") });
    await expect(link).toHaveAttribute("href", /^https:\/\/www\.openstreetmap\.org\/\?mlat=31\.230500&/);
    await expect(link).toHaveAttribute("rel", "noopener noreferrer");
  }
  await expect(bo.row(cast.lin.nickName)).toContainText(bo.t("preview.location"));
});

test("a contact card: at least one friend must be chosen; a click on it opens the user's card", async ({
  chatting: { lin, bo },
  cast,
}) => {
  await lin.sendFromPlusMenu("compose.card");
  const dialog = lin.dialog();
  const send = dialog.getByRole("button", { name: lin.t("chat.send") });
  await expect(send).toBeDisabled();
  await expect(dialog.getByText(lin.t("compose.cardNobody"))).toBeVisible();
  await dialog.getByRole("checkbox", { name: cast.lin.nickName }).click();
  await expect(dialog.getByText(lin.t("compose.cardNobody"))).toHaveCount(0);
  await send.click();
  const card = await bo.expectMessage(bo.t("chat.card"));
  await card
    .locator("[data-bubble]")
    .getByRole("button", { name: bo.t("card.open", { name: cast.lin.nickName }) })
    .click();
  await expect(
    bo.page.getByRole("dialog", { name: bo.t("card.title", { name: cast.lin.nickName }) }),
  ).toBeVisible();
});

test("a nudge shakes the other user's window on any screen, at most once in ten seconds", async ({
  pair: { lin, bo },
  cast,
}) => {
  await bo.page.evaluate(() => {
    const root = document.getElementById("root");
    const counter = window as unknown as { shakes: number };
    counter.shakes = 0;
    const animate = Element.prototype.animate;
    if (root === null) throw new Error("the page has no root element");
    root.animate = (...parameters) => {
      counter.shakes++;
      return animate.apply(root, parameters);
    };
  });
  await lin.openChat(cast.bo.nickName);
  await lin.sendFromPlusMenu("compose.shake");
  // Enter sends what is written, and does not open the menu again.
  await expect(lin.composer()).toBeFocused();
  // At once, because a slow machine may need ten seconds for what comes then.
  await lin.sendFromPlusMenu("compose.shake");
  await lin.expectToast(lin.t("error.message.shakeTooOften", { seconds: 10 }));
  await lin.expectMessage(lin.t("chat.shakeMine"));
  await expect(lin.messages()).toHaveCount(1);
  await expect.poll(() => bo.page.evaluate(() => (window as unknown as { shakes: number }).shakes)).toBe(1);
  await expect(bo.row(cast.lin.nickName)).toContainText(bo.t("preview.shake"));
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage(bo.t("chat.shakeTheirs"));
  // Opening the message later does not shake the window again.
  expect(await bo.page.evaluate(() => (window as unknown as { shakes: number }).shakes)).toBe(1);
});

test("the send key is chosen beside the send button and survives a reload", async ({ lin, cast }) => {
  await lin.openChat(cast.bo.nickName);
  await lin.button("chat.sendKey").click();
  await lin.page.getByRole("menuitemradio", { name: lin.t("compose.ctrlEnterSends") }).click();
  await lin.composer().pressSequentially("one");
  await lin.composer().press("Enter");
  await lin.composer().pressSequentially("two");
  await lin.composer().press("Control+Enter");
  await lin.expectTexts(["one\ntwo"]);
  await lin.page.reload();
  await lin.composer().pressSequentially("three");
  await lin.composer().press("Control+Enter");
  await lin.expectTexts(["one\ntwo", "three"]);
});

test("a second line gives the field the whole width above its tools, until it is empty; caret and focus stay", async ({
  chatting: { lin },
}) => {
  const width = () => lin.composer().evaluate((field) => field.getBoundingClientRect().width);
  const box = await lin.composer().evaluate((field) => field.closest("form > div")?.clientWidth ?? 0);
  await lin.composer().fill("one line");
  const narrow = await width();
  expect(narrow).toBeLessThan(box - 100);
  await lin.composer().press("Shift+Enter");
  await expect.poll(width).toBeGreaterThan(box - 20);
  await lin.page.keyboard.type("two");
  await expect(lin.composer()).toHaveValue("one line\ntwo");
  await expect(lin.composer()).toBeFocused();
  const [field, tool] = [await lin.composer().boundingBox(), await lin.button("chat.send").boundingBox()];
  expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(tool?.y ?? 0);
  await lin.composer().press("Enter");
  await expect(lin.composer()).toHaveValue("");
  await expect.poll(width).toBe(narrow);
});

test("the counter of a long text does not narrow the field on a phone", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const lin = await openSignedIn({ ...cast.lin, viewport: { width: 390, height: 844 }, isTouch: true });
  await lin.openChat(cast.bo.nickName);
  const width = () => lin.composer().evaluate((field) => field.getBoundingClientRect().width);
  await lin.composer().fill("短");
  const before = await width();
  await lin.composer().fill("好".repeat(4_001));
  await expect(lin.page.getByText("4,001 / 4,000")).toBeVisible();
  expect(await width()).toBe(before);
});

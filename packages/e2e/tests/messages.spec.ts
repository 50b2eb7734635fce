import { expect, test } from "../src/fixtures.ts";

const ODD = [
  "<img src=x onerror=alert(1)><b>bold</b>&amp;",
  "w".repeat(1024),
  "https://example.org/" + "path/".repeat(60),
  "مرحبا بالعالم، كيف حالك؟",
  "mixed עברית and 中文 in one line",
  "👩‍👩‍👧‍👦 𠮷野家 🏳️‍🌈 𝕏",
  "{count, plural, one {#} other {#}} '{}' \\u0041 %s ${x}",
  "two\nlines\n\nand a blank one",
] as const;

test("whatever is written arrives as it was written, as text, and nothing runs out of its bubble", async ({
  pair: { lin, bo },
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await bo.openChat(cast.lin.nickName);
  for (const text of ODD) await lin.send(text);
  for (const person of [lin, bo]) {
    await person.expectTexts(ODD);
    await expect(person.page.getByRole("log").locator("img, b, script")).toHaveCount(0);
    const log = person.page.getByRole("log");
    expect(await log.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    const wider = await log
      .locator('[role="article"] [dir="auto"]')
      .evaluateAll(
        (bubbles) => bubbles.filter((bubble) => bubble.scrollWidth > bubble.clientWidth + 1).length,
      );
    expect(wider).toBe(0);
  }
  const arabic = bo.messages().filter({ hasText: ODD[3] }).locator('[dir="auto"]').first();
  await expect(arabic).toHaveCSS("direction", "rtl");
  await expect(bo.messages().filter({ hasText: "two" }).locator('[dir="auto"]').first()).toHaveCSS(
    "white-space-collapse",
    /preserve|break-spaces/,
  );
});

test("links open elsewhere without telling where they come from; unsafe ones stay text", async ({
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await lin.send(
    "看https://example.org/a?b=1。 example.com me@example.org javascript:alert(1) data:text/html,x",
  );
  const row = await lin.expectMessage("javascript:alert(1)");
  const links = row.getByRole("link");
  await expect(links).toHaveText(["https://example.org/a?b=1", "example.com", "me@example.org"]);
  const parts = await links.evaluateAll((all) =>
    all.map((link) => [link.getAttribute("href"), link.getAttribute("target"), link.getAttribute("rel")]),
  );
  expect(parts).toEqual([
    ["https://example.org/a?b=1", "_blank", "noopener noreferrer"],
    ["http://example.com", "_blank", "noopener noreferrer"],
    ["mailto:me@example.org", "_blank", "noopener noreferrer"],
  ]);
});

test("a text over the limit is counted and held back; blank text is never sent", async ({ lin, cast }) => {
  await lin.openChat(cast.bo.nickName);
  const send = lin.button("chat.send");
  await expect(send).toBeDisabled();
  await lin.composer().fill("  \n ");
  await expect(send).toBeDisabled();
  await lin.composer().press("Enter");
  await lin.composer().fill("好".repeat(1025));
  await expect(lin.page.getByRole("status").filter({ hasText: "1,025 / 1,024" })).toBeVisible();
  await expect(send).toBeDisabled();
  await lin.composer().press("Enter");
  await expect(lin.messages()).toHaveCount(0);
  await lin.composer().fill("😀".repeat(1024));
  await send.click();
  await lin.expectTexts(["😀".repeat(1024)]);
});

test("Shift+Enter and Ctrl+Enter make a new line, Enter sends", async ({ lin, cast }) => {
  await lin.openChat(cast.bo.nickName);
  const field = lin.composer();
  await field.pressSequentially("one");
  await field.press("Shift+Enter");
  await field.pressSequentially("two");
  await field.press("Control+Enter");
  await field.pressSequentially("three");
  await field.press("Enter");
  await lin.expectTexts(["one\ntwo\nthree"]);
});

test("a draft outlives a change of chat and a reload, shows in the list and in the other tab, and ends by sending", async ({
  friends: _,
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await lin.composer().fill("尚未写完");
  await lin.link("nav.friends").click();
  await lin.link("nav.chats").click();
  await expect(lin.row(cast.bo.nickName)).toContainText(`${lin.t("chat.draft")} 尚未写完`);
  await lin.openChat(cast.bo.nickName);
  await expect(lin.composer()).toHaveValue("尚未写完");
  await expect(lin.composer()).toBeFocused();
  await lin.composer().pressSequentially("呢");
  await expect(lin.composer()).toHaveValue("尚未写完呢");
  await lin.page.reload();
  await expect(lin.composer()).toHaveValue("尚未写完呢");

  const tab = await lin.openTab();
  await tab.logIn();
  await expect(tab.row(cast.bo.nickName)).toContainText(`${lin.t("chat.draft")} 尚未写完呢`);
  await lin.composer().press("Enter");
  await expect(tab.row(cast.bo.nickName)).not.toContainText(lin.t("chat.draft"));
  await tab.openChat(cast.bo.nickName);
  await tab.expectTexts(["尚未写完呢"]);
  await expect(tab.composer()).toHaveValue("");
});

test("a message the server refuses says why and can be sent again or thrown away", async ({
  pair: { lin, bo },
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await lin.context.route("**/message/private/send", (route) =>
    route.fulfill({ json: { code: 500, message: "今天不行", data: null } }),
  );
  await lin.send("once more please");
  await lin.send("never mind");
  const again = lin.messages().filter({ hasText: "once more please" });
  const never = lin.messages().filter({ hasText: "never mind" });
  await expect(again.getByText(lin.t("chat.notSent"), { exact: true })).toBeVisible();
  await expect(again).toHaveAccessibleName(/今天不行/);
  await lin.page.reload();
  await expect(again.getByText(lin.t("chat.notSent"), { exact: true })).toBeVisible();
  await lin.context.unroute("**/message/private/send");
  await never.getByRole("button", { name: lin.t("chat.discard"), exact: true }).click();
  await expect(never).toHaveCount(0);
  await again.getByRole("button", { name: lin.t("chat.resend"), exact: true }).click();
  await expect(again.getByText(lin.t("chat.notSent"), { exact: true })).toHaveCount(0);
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(["once more please"]);
  await lin.expectTexts(["once more please"]);
});

test("messages that arrive in the open chat are announced once", async ({ pair: { lin, bo }, cast }) => {
  await lin.openChat(cast.bo.nickName);
  await lin.send("before");
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage("before");
  const voice = bo.page.locator("[data-announcer]");
  await expect(voice).toHaveAttribute("aria-live", "polite");
  await expect(voice).toHaveText("");
  await bo.page.bringToFront();
  await lin.send("read this out");
  await expect(voice).toHaveText(bo.t("chat.announce", { name: cast.lin.nickName, text: "read this out" }));
  await bo.send("my own is not news");
  await bo.expectMessage("my own is not news");
  await expect(voice).toHaveText(bo.t("chat.announce", { name: cast.lin.nickName, text: "read this out" }));
});

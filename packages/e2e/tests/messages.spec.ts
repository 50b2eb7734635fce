import { expect, test } from "../src/fixtures.ts";

const UNUSUAL_TEXTS = [
  "<img src=x onerror=alert(1)><b>bold</b>&amp;",
  "w".repeat(1024),
  "https://example.org/" + "path/".repeat(60),
  "مرحبا بالعالم، كيف حالك؟",
  "mixed עברית and 中文 in one line",
  "👩‍👩‍👧‍👦 𠮷野家 🏳️‍🌈 𝕏",
  "{count, plural, one {#} other {#}} '{}' \\u0041 %s ${x}",
  "two\nlines\n\nand a blank one",
] as const;

test("unusual texts arrive unchanged, are shown as text, and do not overflow their bubbles", async ({
  chatting: { lin, bo },
}) => {
  for (const text of UNUSUAL_TEXTS) await lin.send(text);
  for (const person of [lin, bo]) {
    await person.expectTexts(UNUSUAL_TEXTS);
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
  const arabic = bo.messages().filter({ hasText: UNUSUAL_TEXTS[3] }).locator('[dir="auto"]').first();
  await expect(arabic).toHaveCSS("direction", "rtl");
  await expect(bo.messages().filter({ hasText: "two" }).locator('[dir="auto"]').first()).toHaveCSS(
    "white-space-collapse",
    /preserve|break-spaces/,
  );

  await lin.send("هذه رسالة طويلة جدا باللغة العربية لاختبار المعاينة في قائمة المحادثات وكيف تظهر البداية");
  const preview = bo.row(lin.options.nickName).locator("bdi").last();
  await expect(preview).toHaveText(/^هذه/);
  expect(await preview.evaluate(isFirstLetterSeen)).toBe(true);
});

/** Whether the first letter of a text is inside of the line that cuts the text off. */
function isFirstLetterSeen(text: Element): boolean {
  const range = document.createRange();
  range.setStart(text.firstChild ?? text, 0);
  range.setEnd(text.firstChild ?? text, 1);
  const letter = range.getBoundingClientRect();
  const line = text.parentElement?.getBoundingClientRect();
  return line !== undefined && letter.left >= line.left - 1 && letter.right <= line.right + 1;
}

test("links open in a new tab without a referrer; unsafe links stay text", async ({ lin, cast }) => {
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

test("a text over the limit shows a counter and is not sent; blank text is never sent", async ({
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  const send = lin.button("chat.send");
  await expect(send).toBeDisabled();
  await lin.composer().fill("  \n ");
  await expect(send).toBeDisabled();
  await lin.composer().press("Enter");
  await lin.composer().fill("好".repeat(4_001));
  await expect(lin.page.getByRole("status").filter({ hasText: "4,001 / 4,000" })).toBeVisible();
  await expect(send).toBeDisabled();
  await lin.composer().press("Enter");
  await expect(lin.messages()).toHaveCount(0);
  await lin.composer().fill("😀".repeat(4_000));
  await send.click();
  await lin.expectTexts(["😀".repeat(4_000)]);
});

test("a text over the limit is split into messages in order, or sent as a file; text that shows nothing is not sent", async ({
  chatting: { lin, bo },
}) => {
  await lin.composer().fill("\u200b\u3164");
  await expect(lin.button("chat.send")).toBeDisabled();
  const parts = ["一".repeat(2_100), "二".repeat(2_100), "三".repeat(30)];
  await lin.composer().fill(parts.join("\n\n"));
  await lin.button("chat.split").click();
  await bo.expectTexts([parts[0]!, `${parts[1]}\n\n${parts[2]}`]);
  await expect(lin.composer()).toHaveValue("");
  await lin.composer().fill("x".repeat(4_001));
  await lin.button("chat.asTextFile").click();
  await expect(bo.messages().filter({ hasText: `${lin.t("chat.longTextName")}.txt` })).toBeVisible();
  await expect(lin.composer()).toHaveValue("");
});

test("Shift+Enter and Ctrl+Enter insert a new line, Enter sends", async ({ lin, cast }) => {
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

test("a draft survives a chat switch and a reload, is shown in the list and in another tab, and ends by sending", async ({
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

  const tab = await lin.openSignedInTab();
  await expect(tab.row(cast.bo.nickName)).toContainText(`${lin.t("chat.draft")} 尚未写完呢`);
  await lin.composer().press("Enter");
  await expect(tab.row(cast.bo.nickName)).not.toContainText(lin.t("chat.draft"));
  await tab.openChat(cast.bo.nickName);
  await tab.expectTexts(["尚未写完呢"]);
  await expect(tab.composer()).toHaveValue("");
});

test("a message that the server refuses shows the reason and can be sent again or discarded", async ({
  pair: { lin, bo },
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await lin.context.route("**/message/private/send", (route) =>
    route.fulfill({ json: { code: 500, message: "今天不行", data: null } }),
  );
  await lin.send("once more please");
  await lin.send("never mind");
  const resent = lin.messages().filter({ hasText: "once more please" });
  const discarded = lin.messages().filter({ hasText: "never mind" });
  await expect(resent.getByText(lin.t("chat.notSent"), { exact: true })).toBeVisible();
  await expect(resent).toHaveAccessibleName(/今天不行/);
  await lin.page.reload();
  await expect(resent.getByText(lin.t("chat.notSent"), { exact: true })).toBeVisible();
  await lin.context.unroute("**/message/private/send");
  await discarded.getByRole("button", { name: lin.t("chat.discard"), exact: true }).click();
  await expect(discarded).toHaveCount(0);
  await resent.getByRole("button", { name: lin.t("chat.resend"), exact: true }).click();
  await expect(resent.getByText(lin.t("chat.notSent"), { exact: true })).toHaveCount(0);
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(["once more please"]);
  await lin.expectTexts(["once more please"]);
});

test("messages of others in the open chat are announced to screen readers, own messages are not", async ({
  pair: { lin, bo },
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  await lin.send("before");
  // A message that arrives after the chat was opened would be announced.
  await expect(bo.row(cast.lin.nickName)).toHaveAccessibleName(/before/);
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage("before");
  const announcer = bo.page.locator("[data-announcer]");
  await expect(announcer).toHaveAttribute("aria-live", "polite");
  await expect(announcer).toHaveText("");
  await bo.page.bringToFront();
  await lin.send("read this out");
  await expect(announcer).toHaveText(
    bo.t("chat.announce", { name: cast.lin.nickName, text: "read this out" }),
  );
  await bo.send("my own is not news");
  await bo.expectMessage("my own is not news");
  await expect(announcer).toHaveText(
    bo.t("chat.announce", { name: cast.lin.nickName, text: "read this out" }),
  );
});

import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";

const TEXT =
  "运行 `npm i @x #开心; https://a.example` 然后\n```js\nlet a = 1;\n  go(a);\n```\n*not bold* https://b.example";

test("M134 code is shown in monospace as written, and a block is copied by touch or by key", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendText(friends.bo, friends.lin, TEXT);
  await sendText(friends.bo, friends.lin, "it`s ``` plain");
  const lin = await openSignedIn({ ...cast.lin, viewport: { width: 1024, height: 768 }, isTouch: true });
  await lin.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const clipboard = () => lin.page.evaluate(() => navigator.clipboard.readText());
  await lin.openChat(cast.bo.nickName);
  await lin.expectTexts([TEXT, "it`s ``` plain"]);
  const bubble = lin.messages().first().locator("[data-bubble]");
  const [inline, block] = [bubble.locator("code").first(), bubble.locator("pre")];
  await expect(inline).toHaveText("npm i @x #开心; https://a.example");
  await expect(inline).toHaveCSS("font-family", /monospace/);
  await expect(block).toHaveText("let a = 1;\n  go(a);", { useInnerText: true });
  await expect(block).toHaveCSS("font-family", /monospace/);
  await expect(bubble.getByRole("link")).toHaveText(["https://b.example"]);
  await expect(bubble.locator("img")).toHaveCount(0);
  await expect(lin.messages().nth(1).locator("code")).toHaveCount(0);

  const copy = bubble.getByRole("button", { name: lin.t("code.copy"), exact: true });
  await copy.tap();
  await lin.expectToast(lin.t("chat.copied"));
  await expect.poll(clipboard).toBe("let a = 1;\n  go(a);");
  await lin.page.evaluate(() => navigator.clipboard.writeText(""));
  await copy.press("Enter");
  await expect.poll(clipboard).toBe("let a = 1;\n  go(a);");

  // A message that is selected as a whole is copied as it was written; a selected part is copied as shown.
  await bubble.evaluate((element) => window.getSelection()?.selectAllChildren(element));
  await lin.page.keyboard.press("Control+c");
  await expect.poll(clipboard).toBe(TEXT);
  await block.evaluate((element) => window.getSelection()?.selectAllChildren(element));
  await lin.page.keyboard.press("Control+c");
  await expect.poll(clipboard).toBe("let a = 1;\n  go(a);");
});

test("M135 up to three emoji alone are as large as the product's emoticons, also mixed with them", async ({
  friends,
  lin,
  cast,
}) => {
  await sendText(friends.bo, friends.lin, "👍🏽 #开心;");
  await sendText(friends.bo, friends.lin, "👍🏽 #开心; ok");
  await lin.openChat(cast.bo.nickName);
  await lin.expectTexts(["👍🏽 #开心;", "👍🏽 #开心; ok"]);
  const [alone, withText] = [lin.messages().first(), lin.messages().nth(1)];
  await expect(alone.getByText("👍🏽")).toHaveCSS("font-size", "40px");
  await expect(alone.getByRole("img", { name: lin.t("emoticon.2"), exact: true })).toHaveJSProperty(
    "width",
    48,
  );
  await expect(alone.locator("[data-bubble]")).toHaveCSS("background-color", "rgba(0, 0, 0, 0)");
  await expect(withText.locator("[data-bubble]")).toHaveCSS("font-size", "14px");
  await expect(withText.getByRole("img", { name: lin.t("emoticon.2"), exact: true })).toHaveJSProperty(
    "width",
    24,
  );
});

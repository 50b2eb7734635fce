import { sendTexts } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";

test("I103 I104 I105 on a new device the list shows its rows before the pulls have ended, never an empty state, and nothing jumps", async ({
  friends,
  cast,
  openBrowser,
}) => {
  await sendTexts(friends.lin, friends.bo, ["一", "two"]);
  const bo = await openBrowser(cast.bo);
  await bo.context.addInitScript(
    ({ empty }) => {
      const seen: string[] = [];
      Object.assign(window, { seenInList: seen });
      const look = () => {
        if (document.body?.innerText.includes(empty)) seen.push("empty");
        const rows = [...document.querySelectorAll<HTMLElement>("[data-chat]")];
        const line = rows.map((row) => row.dataset["chat"]).join();
        if (line !== "" && seen.at(-1) !== line) seen.push(line);
      };
      new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
    },
    { empty: bo.t("chat.empty") },
  );
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await bo.page.route(/\/pullOfflineMessage/, async (route) => {
    await held;
    await route.continue();
  });
  await bo.open();
  await bo.submitLogin();
  await expect(bo.row(cast.lin.nickName)).toContainText("two");
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(["一", "two"]);
  const ended = bo.page.waitForResponse(/system\/pullOfflineMessage/);
  release();
  await ended;
  await expect(bo.row(cast.lin.nickName)).toContainText("two");
  await bo.expectTexts(["一", "two"]);
  await bo.page.reload();
  await bo.expectTexts(["一", "two"]);
  const seen = await bo.page.evaluate(() => (window as unknown as { seenInList: string[] }).seenInList);
  expect(new Set(seen).size).toBe(1);
  expect(seen).not.toContain("empty");
});

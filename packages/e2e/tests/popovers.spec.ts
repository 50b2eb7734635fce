import type { Locator } from "@playwright/test";
import { waitForAnimations } from "../src/animations.ts";
import { befriend, createAccount } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";

const WINDOW_SIZES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
];

/** Checks that a popover is inside the window and its controls inside the popover. Only rows of a scrolling list may be below its edge. */
async function expectInside(popover: Locator): Promise<void> {
  await expect(popover).toBeVisible();
  await waitForAnimations(popover);
  const outside = await popover.evaluate((box) => {
    const edges = ({ left, top, right, bottom }: DOMRect) => ({ left, top, right, bottom });
    const { left, top, right, bottom } = box.getBoundingClientRect();
    const found: unknown[] = [];
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
      found.push({ window: [innerWidth, innerHeight], left, top, right, bottom });
    }
    for (const part of box.querySelectorAll(
      "button, a, input, [role^=menuitem], [role=option], [role=tablist]",
    )) {
      // Tabs that do not fit are reached by scrolling their list, which has to fit itself.
      if (part.role === "tab") continue;
      const rect = part.getBoundingClientRect();
      if (rect.width > 0 && (rect.left < left || rect.right > right)) {
        found.push({ part: part.outerHTML.slice(0, 80), ...edges(rect) });
      }
    }
    return found;
  });
  expect.soft(outside).toEqual([]);
}

test("every menu and popover fits into the window, also into narrow ones", async ({
  friends,
  cast,
  server,
  openSignedIn,
}) => {
  // All of them are opened in three window sizes.
  test.slow();
  const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  await befriend(friends.lin, mei);
  const group = await createGroup(friends.lin, `三人行 ${cast.lin.userName}`, [friends.bo, mei]);
  await sendToGroup(friends.bo, group.id, "from Bo");
  await sendToGroup(friends.lin, group.id, "from me");
  const lin = await openSignedIn(cast.lin);
  const menu = lin.page.getByRole("menu");
  const close = async (popover: Locator) => {
    await lin.page.keyboard.press("Escape");
    await expect(popover).toHaveCount(0);
  };
  const check = async (popover: Locator) => {
    await expectInside(popover);
    await close(popover);
  };
  /** Checks a menu, then each of its submenus. */
  const checkMenu = async () => {
    await expectInside(menu);
    for (const opener of await menu.locator("[aria-expanded]").all()) {
      const isSubmenu = (await opener.getAttribute("aria-haspopup")) !== null;
      await opener.press(isSubmenu ? "ArrowRight" : "Enter");
      await expect(opener).toHaveAttribute("aria-expanded", "true");
      await expectInside(isSubmenu ? menu.nth(1) : menu);
      await lin.page.keyboard.press(isSubmenu ? "ArrowLeft" : "Enter");
      await expect(opener).toHaveAttribute("aria-expanded", "false");
    }
    await close(menu);
  };

  const atEachSize = async (person: Person, run: (isPhone: boolean) => Promise<void>) => {
    for (const size of WINDOW_SIZES) {
      await test.step(`${size.width} px`, async () => {
        await person.page.setViewportSize(size);
        await run(size.width < 768);
      });
    }
  };

  await atEachSize(lin, async (isPhone) => {
    const row = lin.row(group.name);
    // The row has its place in this size when it can be pressed.
    await row.hover({ position: { x: 4, y: 4 } });
    const box = await row.boundingBox();
    await row.click({ button: "right", position: { x: (box?.width ?? 0) - 4, y: 4 } });
    await checkMenu();
    if (isPhone) return;
    await lin.button("nav.menu").click();
    await checkMenu();
  });

  await lin.openChat(group.name);
  const picture = lin.page
    .getByRole("log")
    .getByRole("button", { name: lin.t("card.open", { name: cast.bo.nickName }), exact: true });
  await atEachSize(lin, async () => {
    await lin.button("chat.emoticons").click();
    await check(lin.page.getByRole("dialog", { name: lin.t("chat.emoticons") }));
    await lin.button("chat.more").click();
    await checkMenu();
    // In a narrow window an empty field has the microphone in the place of the send button.
    await lin.composer().fill("some words ");
    await lin.button("chat.sendKey").click();
    await checkMenu();
    await lin.composer().press("End");
    await lin.composer().pressSequentially("and then @");
    await check(lin.page.locator("[data-mention-popover]"));
    await lin.composer().fill("");
    for (const text of ["from Bo", "from me"]) {
      await lin.openMessageMenu(text);
      await checkMenu();
    }
    await picture.click({ button: "right" });
    await checkMenu();
    await picture.click();
    await check(lin.dialog());
  });

  await lin.open(`/home/group/${group.id}/members`);
  await atEachSize(lin, async () => {
    await lin.button("groups.memberMenu", { name: cast.bo.nickName }).click();
    await checkMenu();
  });
  await lin.open("/home/group");
  await atEachSize(lin, async () => {
    await lin.button("groups.add").click();
    await checkMenu();
  });

  const tab = await lin.openTab();
  const accounts = tab.page.getByRole("listbox", { name: tab.t("login.savedAccounts") });
  await atEachSize(tab, async () => {
    await tab.button("login.savedAccounts").click();
    await expectInside(accounts);
    await tab.page.keyboard.press("Escape");
    await expect(accounts).toHaveCount(0);
  });
});

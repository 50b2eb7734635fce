import type { Locator } from "@playwright/test";
import { createTone } from "@parley/server/testing/tone";
import { befriend, createAccount } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { sendVoice } from "../src/media.ts";
import { expectOnline } from "../src/presence.ts";

/** Which parts of an element are drawn in another colour than the page behind it, and in which. Shadows are not drawn here. */
const drawn = (element: Locator, pseudo?: "::before") =>
  element.evaluate((target, part) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.cssText = "color: Canvas; forced-color-adjust: none";
    const canvas = getComputedStyle(probe).color;
    probe.remove();
    const isVisible = (colour: string) => colour !== canvas && !/^(transparent|rgba\(.+, 0\))$/.test(colour);
    const style = getComputedStyle(target, part);
    const parts = {
      background: isVisible(style.backgroundColor) && style.backgroundColor,
      border:
        style.borderBottomStyle !== "none" &&
        Number.parseFloat(style.borderBottomWidth) > 0 &&
        isVisible(style.borderBottomColor) &&
        style.borderBottomColor,
      outline:
        style.outlineStyle !== "none" &&
        Number.parseFloat(style.outlineWidth) > 0 &&
        isVisible(style.outlineColor) &&
        style.outlineColor,
    };
    return Object.fromEntries(Object.entries(parts).filter(([, colour]) => colour !== false));
  }, pseudo);

const NOTHING = {};

test("with the colours of the system, what shows a state by a colour shows it by a border, an outline or a background of the system", async ({
  friends,
  lin: _,
  cast,
  server,
  openSignedIn,
}) => {
  await befriend(friends.bo, await createAccount(server.url, cast.mei.userName, cast.mei.nickName));
  // After Lin, who is online then.
  await expectOnline(friends.bo, friends.lin);
  const bo = await openSignedIn(cast.bo);
  const { page } = bo;
  await page.emulateMedia({ forcedColors: "active" });
  await sendVoice(friends.lin, friends.bo, createTone(1), 1);
  await bo.openChat(cast.lin.nickName);

  const bars = bo.messages().getByRole("slider").locator("> *");
  await expect(bars.nth(10)).toBeVisible();
  await expect.poll(() => drawn(bars.first())).toHaveProperty("background");
  await expect.poll(() => drawn(bo.messages().locator("[data-bubble]").first())).toHaveProperty("border");
  const search = page.getByRole("searchbox").first();
  await expect.poll(() => drawn(search.locator(".."))).toHaveProperty("border");
  await search.focus();
  await expect.poll(() => drawn(search)).toHaveProperty("outline");

  await bo.link("nav.friends").click();
  const friend = bo.row(cast.lin.nickName);
  // The row without a choice has no outline, so that the one of the choice means something.
  await expect.poll(() => drawn(friend)).not.toHaveProperty("outline");
  await friend.click();
  await expect.poll(() => drawn(friend)).toHaveProperty("outline");
  const presence = page.getByRole("main").getByText(bo.t("presence.desktop"));
  await expect(presence).toBeVisible();
  await expect.poll(() => drawn(presence, "::before")).toHaveProperty("background");
  await expect.poll(() => drawn(bo.button("friend.message"))).toHaveProperty("border");
  await expect
    .poll(() => drawn(friend.locator("span[aria-hidden] > span:last-child")))
    .toHaveProperty("background");
  await bo.row(cast.mei.nickName).click();
  const offline = page.getByRole("main").getByText(bo.t("presence.offline"));
  await expect(offline).toBeVisible();
  await expect.poll(() => drawn(offline, "::before")).toHaveProperty("border");
  expect(await drawn(offline, "::before")).not.toHaveProperty("background");

  await bo.openSettings("general");
  const tab = (name: string) => page.getByRole("tab", { name: bo.t(`settings.${name}`), exact: true });
  await expect.poll(() => drawn(tab("general"))).toHaveProperty("border");
  await expect.poll(() => drawn(tab("privacy"))).toEqual(NOTHING);
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => drawn(page.locator(":focus"))).toHaveProperty("outline");
  await tab("general").click();
  const choices = page.getByRole("radiogroup").first().locator("label");
  await expect
    .poll(async () => {
      const states = await Promise.all((await choices.all()).map((choice) => drawn(choice)));
      return states.filter((state) => "background" in state).length;
    })
    .toBe(1);
});

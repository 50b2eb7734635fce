import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

/** The line below the name of the open chat. */
const line = (person: Person) => person.page.locator("main header p");

/** What it says of somebody who was here a moment ago, also on a slow machine. */
const lately = (person: Person) =>
  new RegExp(
    `^(${person.t("presence.seen.now")}|${person.t("presence.seen.minutes", { count: 7 }).replace("7", String.raw`\d+`)})$`,
  );

test("LS3 LS4 header and panel say when a friend was last here, unless one of the two has switched it off", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  await expect(line(bo)).toHaveText(lately(bo));
  await bo.button("chat.info").click();
  const panel = bo.page.getByRole("complementary");
  await expect(panel.getByText(lately(bo))).toBeVisible();
  await bo.page.keyboard.press("Escape");

  const seenByLin = () => friends.lin.call(ENDPOINTS.findLastSeen, { query: { userId: friends.bo.id } });
  expect(await seenByLin()).not.toBeNull();
  await bo.openSettings("privacy");
  const shown = bo.dialog().getByRole("switch", { name: bo.t("settings.lastSeenShown") });
  await expect(shown).toBeChecked();
  await expect(shown).toHaveAccessibleDescription(bo.t("settings.lastSeenShownHint"));
  await shown.focus();
  await expect(shown).toBeFocused();
  await bo.page.keyboard.press("Space");
  await expect(shown).not.toBeChecked();
  await expect.poll(seenByLin).toBeNull();
  await bo.page.keyboard.press("Escape");
  await expect(line(bo)).toHaveText(bo.t("presence.offline"));

  // The own switch of another device counts here too, and so does that of the friend.
  await friends.bo.call(ENDPOINTS.setLastSeenShown, { query: { enabled: true } });
  await expect(line(bo)).toHaveText(lately(bo));
  await friends.lin.call(ENDPOINTS.setLastSeenShown, { query: { enabled: false } });
  await bo.page.reload();
  await bo.openChat(cast.lin.nickName);
  await expect(line(bo)).toHaveText(bo.t("presence.offline"));
});

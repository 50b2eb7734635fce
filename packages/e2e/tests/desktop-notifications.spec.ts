import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { desktopInputs, setDesktopAnswer, tellPage } from "../src/desktop-bridge.ts";
import { beAway, expect, logInFirst, test } from "../src/desktop-fixtures.ts";

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47];

test("DT12 a message that nobody looks at is shown by the main process, without asking, and its click opens the chat", async ({
  friends,
  cast,
  openDesktop,
}) => {
  const bo = await openDesktop(cast.bo);
  await beAway(bo);
  await logInFirst(bo);
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await sendText(friends.lin, friends.bo, "first");
  await expect.poll(() => desktopInputs(bo.page, "showNotification")).toHaveLength(1);
  const [shown] = await desktopInputs(bo.page, "showNotification");
  expect(shown).toMatchObject({
    title: bo.t("app.name"),
    body: bo.t("chat.announce", { name: cast.lin.nickName, text: "first" }),
    isLasting: false,
    actions: [],
  });
  expect([...(shown?.icon?.subarray(0, 4) ?? [])]).toEqual(PNG_SIGNATURE);
  await expect(bo.text("notification.offer")).toHaveCount(0);

  const tag = shown?.tag ?? "";
  await bo.link("nav.friends").click();
  await tellPage(bo.page, "notificationActed", { tag: "of an earlier page", action: "open" });
  await tellPage(bo.page, "notificationActed", { tag, action: "open" });
  await expect(bo.page).toHaveURL(/\/home\/chat\/PRIVATE/);
  await expect(bo.messages().filter({ hasText: "first" })).toBeVisible();
  await expect.poll(() => desktopInputs(bo.page, "closeNotification")).toEqual([tag]);

  // Read on another device: it goes away by itself.
  await sendText(friends.lin, friends.bo, "second");
  await expect.poll(() => desktopInputs(bo.page, "showNotification")).toHaveLength(2);
  await friends.bo.call(ENDPOINTS.readPrivateMessages, { query: { friendId: friends.lin.id } });
  await expect.poll(() => desktopInputs(bo.page, "closeNotification")).toEqual([tag, tag]);
});

test("DT12 DT17 the settings of notifications ask for no permission, offer no web push, and their test says what the system did", async ({
  friends: _,
  cast,
  openDesktop,
}) => {
  const bo = await openDesktop(cast.bo);
  await logInFirst(bo);
  await bo.openSettings("notifications");
  await expect(bo.page.getByRole("switch", { name: bo.t("settings.notify"), exact: true })).toBeChecked();
  await expect(bo.text("settings.push")).toHaveCount(0);
  await bo.button("settings.testNotifyShow").click();
  await expect(bo.text("settings.testNotifyDone")).toBeVisible();
  expect(await desktopInputs(bo.page, "showNotification")).toMatchObject([
    { tag: "parley-test", body: bo.t("settings.testNotifyBody") },
  ]);
  await setDesktopAnswer(bo.page, "showNotification", false);
  await bo.button("settings.testNotifyShow").click();
  await expect(bo.text("desktop.notification.failed")).toBeVisible();
});

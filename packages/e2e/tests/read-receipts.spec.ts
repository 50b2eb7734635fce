import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

const receiptSwitch = (person: Person) =>
  person.dialog().getByRole("switch", { name: person.t("settings.readReceipts") });

/** Resolves when the server has answered that this page has read something. */
const hasRead = ({ page }: Person) =>
  page.waitForResponse((response) => response.url().includes(`/api${ENDPOINTS.readPrivateMessages.path}`));

test("RC1 the switch is set with the keyboard, holds on other devices, and goes back if the server refuses", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const bo = await openSignedIn(cast.bo);
  await bo.openSettings("privacy");
  await expect(receiptSwitch(bo)).toBeChecked();
  await expect(receiptSwitch(bo)).toHaveAccessibleDescription(bo.t("settings.readReceiptsHint"));
  await receiptSwitch(bo).focus();
  await expect(receiptSwitch(bo)).toBeFocused();
  await bo.page.keyboard.press("Space");
  await expect(receiptSwitch(bo)).not.toBeChecked();
  await expect.poll(async () => (await friends.bo.call(ENDPOINTS.self, {})).readReceipts).toBe(false);
  await friends.bo.call(ENDPOINTS.setReadReceipts, { query: { enabled: true } });
  await expect(receiptSwitch(bo)).toBeChecked();
  await bo.context.route("**/user/readReceipts**", (route) =>
    route.fulfill({ json: { code: 500, message: "no", data: null } }),
  );
  await receiptSwitch(bo).click();
  await bo.expectToast(bo.t("settings.saveFailed"), "alert");
  await expect(receiptSwitch(bo)).toBeChecked();
});

test("RC2 RC4 RC6 whoever has switched it off reads unseen and sees of nobody what they read, until it is on again", async ({
  friends,
  cast,
  pair: { lin, bo },
}) => {
  await friends.bo.call(ENDPOINTS.setReadReceipts, { query: { enabled: false } });
  await lin.openChat(cast.bo.nickName);
  await lin.send("你看到了吗");
  await lin.expectSent();
  const read = hasRead(bo);
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage("你看到了吗");
  await read;
  const readByLin = hasRead(lin);
  await bo.send("not yet");
  await lin.expectMessage("not yet");
  await readByLin;
  await bo.expectSent();
  await expect(bo.messageState("chat.unread")).toHaveCount(0);
  // What Lin gets after the read: the message, and no receipt.
  await expect(lin.messageState("chat.unread")).toBeVisible();
  await expect(lin.messageState("chat.read")).toHaveCount(0);

  await friends.bo.call(ENDPOINTS.setReadReceipts, { query: { enabled: true } });
  await expect(bo.messageState("chat.unread")).toBeVisible();
  await sendText(friends.lin, friends.bo, "现在呢");
  await bo.expectMessage("现在呢");
  await expect(lin.messageState("chat.read")).toBeVisible();
});

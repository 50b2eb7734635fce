import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { expectAccessible } from "../src/expect-accessible.ts";
import { expect, test } from "../src/fixtures.ts";

test("a running call of a group shows in its chat until it is over, and who is muted cannot join it", async ({
  team: { group, accounts, bo },
}) => {
  const bar = bo.page.getByRole("status").filter({ hasText: bo.t("groupCall.running") });
  await expect(bo.button("groupCall.start")).toBeEnabled();
  await expect(bar).toHaveCount(0);

  const { lin, mei } = accounts;
  const query = { groupId: group.id };
  await lin.call(ENDPOINTS.setupGroupCall, { body: { groupId: group.id, userInfos: [{ id: mei.id }] } });
  await expect(bar.getByRole("button", { name: bo.t("groupCall.join") })).toBeVisible();
  await expect(bo.button("groupCall.join")).toHaveCount(2);
  await expectAccessible(bo, "a chat whose group is in a call");

  await lin.call(ENDPOINTS.muteGroupMembers, {
    body: { groupId: group.id, userIds: [accounts.bo.id], isMuted: true },
  });
  await expect(bo.button("groupCall.startMuted")).toBeDisabled();
  await expect(bar).toBeVisible();
  await expect(bo.button("groupCall.join")).toHaveCount(0);

  await lin.call(ENDPOINTS.cancelGroupCall, { query });
  await expect(bar).toHaveCount(0);
});

test("members to call are chosen from the others in the group, up to the most that a call can have", async ({
  team: { lin },
  cast,
}) => {
  await lin.button("groupCall.start").click();
  const dialog = lin.page.getByRole("dialog", { name: lin.t("groups.pick.call") });
  await expect(dialog.getByRole("option")).toHaveCount(2);
  await expect(dialog.getByRole("option", { name: cast.lin.nickName })).toHaveCount(0);
  await dialog.getByRole("option", { name: cast.bo.nickName }).click();
  await expect(dialog.getByRole("status").first()).toHaveText("1 / 8");
  await expect(
    dialog.getByRole("button", { name: lin.t("groups.confirm.call", { count: 1 }) }),
  ).toBeEnabled();
  await expectAccessible(lin, "choosing who to call");
});

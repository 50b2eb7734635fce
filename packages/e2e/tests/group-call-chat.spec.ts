import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { expectSentences, hangUp } from "../src/calls.ts";
import { expectAccessible } from "../src/expect-accessible.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

test("a running call of a group shows in its chat until it is over, and muted members cannot join it", async ({
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

/** For what needs a connection between two browsers. */
const patient = expect.configure({ timeout: 30_000 });

test("from the call of a group one invites others with the keyboard, makes a picture large, goes on in a small window, and sees who leaves", async ({
  team: { group, lin, bo, mei },
  cast,
  server,
}) => {
  test.slow();
  await server.admin("grant-admin", cast.lin.userName);
  await lin.page.reload();
  const name = lin.t("call.title.group", { name: group.name });
  const call = lin.page.getByRole("dialog", { name, exact: true });
  const tile = (nickName: string) => call.getByRole("listitem").filter({ hasText: nickName });
  const answer = (person: Person) => person.button("call.accept").click({ timeout: 30_000 });

  await lin.button("groupCall.start").click();
  await lin.dialog().getByRole("option", { name: cast.bo.nickName }).click();
  await lin.answerDialog("groups.confirm.call", { count: 1 });
  await expect(tile(cast.bo.nickName)).toContainText(lin.t("groupCall.waiting"));
  await expect(call.getByText(lin.t("groupCall.inCallAndWaiting", { count: 1, waiting: 1 }))).toBeVisible();
  await answer(bo);
  await patient(call.getByText(/^\d\d:\d\d$/)).toBeVisible();
  await expectAccessible(lin, "the call of a group");

  // The keys of the call are no keys of the dialog above it.
  await lin.page.keyboard.press("m");
  await expect(call.getByRole("button", { name: lin.t("call.unmute") })).toBeVisible();
  await call.getByRole("button", { name: lin.t("groupCall.invite") }).press("Enter");
  const picker = lin.page.getByRole("dialog", { name: lin.t("groups.pick.callMore") });
  await expect(picker.getByRole("option")).toHaveCount(1);
  await picker.getByRole("searchbox").press("ArrowDown");
  await lin.page.keyboard.press("Space");
  await expect(picker.getByRole("option", { selected: true })).toHaveCount(1);
  await lin.answerDialog("groups.confirm.invite", { count: 1 });
  await expect(picker).toHaveCount(0);
  await expect(call.getByRole("button", { name: lin.t("groupCall.invite") })).toBeFocused();
  await expect(tile(cast.mei.nickName)).toContainText(lin.t("groupCall.waiting"));
  await answer(mei);
  await patient(call.getByText(lin.t("groupCall.inCall", { count: 3 }))).toBeVisible();

  const enlarge = call.getByRole("button", { name: lin.t("groupCall.enlarge", { name: cast.mei.nickName }) });
  const width = async () => (await tile(cast.mei.nickName).boundingBox())?.width ?? 0;
  const small = await width();
  await enlarge.press("Enter");
  await expect(enlarge).toHaveAttribute("aria-pressed", "true");
  await expect.poll(width).toBeGreaterThan(1.5 * small);

  await lin.page.keyboard.press("Escape");
  await expect(call).toHaveCount(0);
  await expect(lin.page.getByRole("main").getByText(lin.t("groupCall.running"))).toHaveCount(0);
  const what = lin.t("groupCall.left.quit");
  const names = lin.t("names.quoted", { name: cast.mei.nickName });
  await expectSentences(() => hangUp(mei), [lin, lin.t("groupCall.left.sentence", { names, what })]);
  await expect(mei.button("groupCall.join").first()).toBeVisible();
  await lin.button("call.restore").click();
  await expect(call.getByText(lin.t("groupCall.inCall", { count: 2 }))).toBeVisible();

  // The administration shows the call too, and from there one invites others as well.
  await lin.page.keyboard.press("Escape");
  await lin.button("nav.menu").click();
  await lin.menuItem("menu.administration").click();
  await expect(lin.page).toHaveURL(/\/admin\/overview$/);
  await call.getByRole("button", { name: lin.t("groupCall.invite") }).click();
  await expect(picker.getByRole("option")).toHaveCount(1);
});

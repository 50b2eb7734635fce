import { cropDialog, storedPicture, useCrop } from "../src/avatars.ts";
import type { Locator } from "@playwright/test";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { GROUP_MEMBERS_MAX } from "@parley/protocol/limits";
import { expectAccessible } from "../src/expect-accessible.ts";
import { befriend, createAccount } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";
import { createPng } from "../src/png.ts";

/** Opens the page of a group from the list of groups. */
async function openGroup(person: Person, name: string): Promise<Locator> {
  await person.link("nav.groups").click();
  await person.row(name).click();
  const page = person.page.getByRole("main", { name: person.t("groups.detail") });
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  return page;
}

/** Opens the dialog to create or to join a group. */
async function openGroupDialog(person: Person, id: "groups.create" | "groups.join"): Promise<Locator> {
  await person.link("nav.groups").click();
  await person.button("groups.add").click();
  await person.menuItem(id).click();
  return person.page.getByRole("dialog", { name: person.t(id) });
}

/** Waits until the picture of the group is loaded and returns its URL. */
async function expectPicture(container: Locator): Promise<string | null> {
  const picture = container.locator('button:has(+ input[type="file"]) img');
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  return picture.getAttribute("src");
}

test("creating a group: it needs a name, friends are found by name, and its page shows name, members and picture", async ({
  lin,
  cast,
}) => {
  await expect(lin.row(cast.bo.nickName)).toBeVisible();
  await lin.page.keyboard.press("Alt+3");
  await expect(lin.page).toHaveURL(/\/home\/group$/);
  await expect(lin.text("groups.empty")).toBeVisible();

  const dialog = await openGroupDialog(lin, "groups.create");
  const name = dialog.getByRole("textbox", { name: lin.t("groups.name") });
  await expect(name).toBeFocused();
  await dialog.getByRole("button", { name: lin.t("groups.createConfirm") }).click();
  await expect(dialog.getByText(lin.t("groups.nameRequired"))).toBeVisible();
  await name.fill("   ");
  await expect(dialog.getByText(lin.t("groups.nameRequired"))).toBeVisible();
  await name.fill(`午饭 ${cast.lin.userName}`);
  await expect(dialog.getByText(lin.t("groups.nameRequired"))).toHaveCount(0);
  const picture = { name: "lunch.png", mimeType: "image/png", buffer: createPng(64) };
  await dialog.locator("input[type=file]").setInputFiles(picture);
  await useCrop(lin);
  await expectPicture(dialog);
  // Enter selects the only result and does not submit the dialog.
  await dialog.getByRole("searchbox").fill(cast.bo.nickName.toLowerCase());
  await dialog.getByRole("searchbox").press("Enter");
  await expect(dialog.getByRole("option", { selected: true })).toHaveText(new RegExp(cast.bo.nickName));
  await expectAccessible(lin, "a new group");
  await dialog.getByRole("button", { name: lin.t("groups.createConfirm") }).click();

  await expect(lin.page).toHaveURL(/\/home\/chat\/GROUP:\d+$/);
  const page = await openGroup(lin, `午饭 ${cast.lin.userName}`);
  await expect(page).toContainText(lin.t("groups.members", { count: 2 }));
  await expect(page).toContainText(lin.t("groups.iOwn"));
  await expect(page.locator("[data-member]")).toHaveCount(2);
  const firstPicture = await expectPicture(page);
  await expectAccessible(lin, "the page of one's own group");
  await page.locator("input[type=file]").setInputFiles({ ...picture, buffer: createPng(80) });
  // Groups have square pictures.
  await expect(cropDialog(lin).getByRole("group", { name: lin.t("crop.area") })).toHaveCSS(
    "border-radius",
    "0px",
  );
  const { originUrl } = await useCrop(lin);
  expect(await storedPicture(lin, originUrl, [])).toMatchObject({ width: 80, height: 80 });
  await expect.poll(() => expectPicture(page)).not.toBe(firstPicture);

  await lin.button("groups.editName").click();
  const field = lin.field("groups.name");
  await field.fill(" ");
  await field.press("Enter");
  await expect(page.getByText(lin.t("groups.nameRequired"))).toBeVisible();
  await field.fill(`晚饭 ${cast.lin.userName}`);
  await field.press("Enter");
  await expect(page.getByRole("heading", { name: `晚饭 ${cast.lin.userName}`, level: 1 })).toBeVisible();
  await expect(lin.row(`晚饭 ${cast.lin.userName}`)).toBeVisible();
});

test("joining: search by name and number, results, and every error message", async ({
  friends,
  cast,
  bo,
}) => {
  const { lin } = friends;
  const open = await createGroup(lin, `开放 ${cast.lin.userName}`, []);
  const closed = await createGroup(lin, `审核 ${cast.lin.userName}`, []);
  await lin.call(ENDPOINTS.setGroupSettings, { body: { groupId: closed.id, joinApproval: true } });

  const dialog = await openGroupDialog(bo, "groups.join");
  const field = dialog.getByRole("searchbox");
  const find = dialog.getByRole("button", { name: bo.t("friend.find"), exact: true });
  await find.click();
  await expect(dialog.getByText(bo.t("search.keywordNeeded"))).toBeVisible();
  await field.fill(`nobody ${cast.bo.userName}`);
  await field.press("Enter");
  await expect(dialog.getByText(bo.t("groups.noneFound"))).toBeVisible();
  await bo.page.route("**/api/group/findByName*", (route) => route.abort());
  await find.click();
  await expect(dialog.getByText(bo.t("groups.searchFailed"), { exact: true })).toBeVisible();
  await expect(dialog).toContainText(bo.t("failure.offline"));
  await bo.page.unrouteAll();

  await dialog.getByText(bo.t("groups.byNumber")).click();
  await field.fill("four");
  await field.press("Enter");
  await expect(dialog.getByText(bo.t("groups.numberNeeded"))).toBeVisible();
  await field.fill("987654321");
  await field.press("Enter");
  await expect(dialog.getByText(bo.t("error.group.notFound"))).toBeVisible();

  await field.fill(String(open.id));
  await field.press("Enter");
  const found = dialog.getByRole("listitem");
  await expect(found).toContainText(open.name);
  await expectAccessible(bo, "joining a group");
  await found.getByRole("button", { name: bo.t("groups.joinShort") }).click();
  const apply = found.getByRole("button", { name: bo.t("groups.apply") });
  await bo.page.route("**/api/group/request/apply", (route) => route.abort());
  await apply.click();
  await bo.expectToast(bo.t("failure.offline"));
  await bo.page.unrouteAll();
  await bo.page.route("**/api/group/request/apply", (route) => route.fulfill({ body: "<p>a proxy</p>" }));
  await apply.click();
  await bo.expectToast(bo.t("groups.joinFailed"));
  await bo.page.unrouteAll();
  await apply.click();
  await bo.expectToast(bo.t("groups.joined"));
  await expect(found).toContainText(bo.t("error.group.already"));

  await field.fill(String(closed.id));
  await field.press("Enter");
  await expect(found).toContainText(closed.name);
  await found.getByRole("button", { name: bo.t("groups.askToJoin") }).click();
  await bo.field("friend.applyRemark").fill("Bo here");
  // Would open the quick switcher, if nothing had been entered.
  await bo.page.keyboard.press("Control+k");
  await bo.page.keyboard.press("Enter");
  await bo.expectToast(bo.t("groups.asked"));
  await expect(found).toContainText(bo.t("groups.waiting"));
  const [request] = await lin.call(ENDPOINTS.listGroupRequests, {});
  expect(request?.remark).toBe("Bo here");
  await lin.call(ENDPOINTS.approveGroupRequest, { query: { id: request?.id ?? 0 } });
  await expect(found).toContainText(bo.t("error.group.already"));
  await bo.page.keyboard.press("Escape");
  await expect(bo.row(open.name)).toBeVisible();
  await expect(bo.row(closed.name)).toBeVisible();
});

test("a group page opened by its URL waits for the session before it asks the server", async ({
  friends,
  cast,
  bo,
}) => {
  const group = await createGroup(friends.lin, `地址 ${cast.lin.userName}`, []);
  // The browser refuses its database, and the server does not answer yet who is logged in.
  await bo.page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("refused", "SecurityError");
    };
  });
  await bo.page.route("**/api/user/self", () => undefined);
  await bo.open(`/home/group/${group.id}`);
  await expect(bo.page.getByRole("heading", { name: group.name, level: 1 })).toBeVisible();
  await bo.button("groups.joinThis").click();
  await bo.field("friend.applyRemark").press("Enter");
  await bo.expectToast(bo.t("groups.meLoading"));
  await bo.page.unrouteAll({ behavior: "ignoreErrors" });

  await bo.open("/home/group/987654321");
  await expect(bo.text("error.group.notFound")).toBeVisible();
  await expect(bo.button("app.retry")).toHaveCount(0);

  // Opening the URL of its chat adds no chat to the list.
  await bo.open(`/home/chat/GROUP:${group.id}`);
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await expect(bo.page.locator(`[data-chat="GROUP:${group.id}"]`)).toHaveCount(0);
});

test("somebody asks to join a group, is removed, reads that an admin has to agree, and comes back after that", async ({
  friends,
  cast,
  bo,
}) => {
  const { lin } = friends;
  const group = await createGroup(lin, `来去 ${cast.lin.userName}`, []);
  await lin.call(ENDPOINTS.setGroupSettings, { body: { groupId: group.id, joinMode: 2 } });
  const askAndApprove = async () => {
    await bo.button("groups.askToJoin").click();
    await bo.button("groups.apply").click();
    await expect(bo.text("groups.waiting").first()).toBeVisible();
    const [request] = await lin.call(ENDPOINTS.listGroupRequests, {});
    await lin.call(ENDPOINTS.approveGroupRequest, { query: { id: request?.id ?? 0 } });
    await expect(bo.button("groups.quit")).toBeVisible();
  };
  await bo.open(`/home/group/${group.id}`);
  await askAndApprove();
  // Others come and go as they like; who was removed does not.
  await lin.call(ENDPOINTS.setGroupSettings, { body: { groupId: group.id, joinMode: 1 } });
  await lin.call(ENDPOINTS.removeGroupMembers, { body: { groupId: group.id, userIds: [friends.bo.id] } });
  await expect(bo.text("groups.wasRemoved")).toBeVisible();
  await askAndApprove();
});

test("a join request shows a badge and cards on the groups screen and in the system chat; an answer closes all of them", async ({
  friends,
  cast,
  lin,
  openSignedIn,
}) => {
  const group = await createGroup(friends.lin, `申请 ${cast.lin.userName}`, []);
  await friends.lin.call(ENDPOINTS.setGroupSettings, { body: { groupId: group.id, joinApproval: true } });
  const tab = await lin.openSignedInTab();
  const apply = (remark: string) =>
    friends.bo.call(ENDPOINTS.applyGroup, { body: { groupId: group.id, remark } });

  await apply("let me in");
  await expect(
    lin.page.getByRole("link", { name: lin.t("nav.groupsPending", { count: 1 }), exact: true }),
  ).toBeVisible();
  await tab.openChat(tab.t("chat.system"));
  const card = tab.page.getByRole("article", { name: tab.t("system.groupRequest") });
  await expect(card).toContainText(tab.t("system.wantsGroup", { group: group.name }));
  await expect(card).toContainText(tab.t("request.quoted", { text: "let me in" }));
  await lin.link("nav.groups").click();
  const here = lin.page
    .getByRole("region", { name: lin.t("groups.requests") })
    .getByRole("article", { name: cast.bo.nickName });
  await expect(here).toContainText(lin.t("system.wantsGroup", { group: group.name }));
  await here.getByRole("button", { name: lin.t("request.reject") }).click();
  await expect(here).toHaveCount(0);
  await expect(card).toContainText(tab.t("request.rejected"));
  await expect(card.getByRole("button", { name: tab.t("request.approve") })).toHaveCount(0);
  await expect(lin.page.getByRole("link", { name: lin.t("nav.groups"), exact: true })).toBeVisible();

  await apply("please");
  await expect(here).toContainText("please");
  // The page of all of them has it too.
  await lin.open("/home/group/requests");
  const all = lin.page.getByRole("main").getByRole("article", { name: cast.bo.nickName });
  await expect(all).toContainText("please");
  await lin.page.goBack();
  await expect(here).toContainText("please");
  await card
    .filter({ hasText: "please" })
    .getByRole("button", { name: tab.t("request.approve") })
    .click();
  await expect(here).toHaveCount(0);
  const bo = await openSignedIn(cast.bo);
  await openGroup(bo, group.name);
});

test("owner actions: names, alerts, mutes, roles, rights, and their errors", async ({
  friends,
  cast,
  server,
  lin,
}) => {
  const mei = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  await befriend(friends.lin, mei);
  const group = await createGroup(friends.lin, `管理 ${cast.lin.userName}`, [friends.bo, mei]);
  lin.console.allow(/Failed to load resource/);
  const page = await openGroup(lin, group.name);
  const picker = (action: string) => lin.page.getByRole("dialog", { name: lin.t(`groups.pick.${action}`) });

  // The user's own settings of the group.
  await lin.page.route("**/api/group/top", (route) => route.abort());
  const pin = page.getByRole("switch", { name: lin.t("groups.pin") });
  await pin.click();
  await lin.expectToast(lin.t("groups.saveFailed"));
  await expect(pin).not.toBeChecked();
  await page.getByText(lin.t("remind.2"), { exact: true }).click();
  await expect(page.getByRole("radio", { name: lin.t("remind.2") })).toBeChecked();
  await lin.button("groups.editMyName").click();
  await lin.field("groups.myName").fill("组长");
  await lin.page.keyboard.press("Enter");
  await expect(page.locator("[data-member]").first()).toContainText("组长");

  // Mutes and roles, set in the member picker.
  await page.getByRole("button", { name: lin.t("groups.pick.mute") }).click();
  await picker("mute").getByRole("option", { name: cast.bo.nickName }).click();
  // Meanwhile somebody else is muted elsewhere, which the picker shows and leaves so.
  await friends.lin.call(ENDPOINTS.muteGroupMembers, {
    body: { groupId: group.id, userIds: [mei.id], isMuted: true },
  });
  await expect(picker("mute").getByRole("option", { name: cast.mei.nickName, selected: true })).toBeVisible();
  await lin.page.route("**/api/group/members/muted", (route) => route.fulfill({ status: 502, body: "" }));
  await picker("mute")
    .getByRole("button", { name: lin.t("groups.save") })
    .click();
  await expect(picker("mute").getByText(lin.t("groups.operationFailed"), { exact: true })).toBeVisible();
  await lin.page.unrouteAll();
  await picker("mute")
    .getByRole("button", { name: lin.t("groups.save") })
    .click();
  await expect(picker("mute")).toHaveCount(0);
  const mutedPeople = page.getByText(lin.t("groups.mutedPeople"), { exact: true }).locator("..");
  for (const { nickName } of [cast.bo, cast.mei]) await expect(mutedPeople).toContainText(nickName);
  await page.getByRole("button", { name: lin.t("groups.pick.managers") }).click();
  await picker("managers").getByRole("option", { name: cast.mei.nickName }).click();
  await picker("managers")
    .getByRole("button", { name: lin.t("groups.save") })
    .click();
  await expect(page).toContainText(`${lin.t("groups.admins")}${cast.mei.nickName}`);
  await page.getByRole("switch", { name: lin.t("groups.allMuted") }).click();
  await expect(page.getByRole("switch", { name: lin.t("groups.allMuted") })).toBeChecked();

  // Attributes of the group.
  await lin.button("groups.editAttributes").click();
  await lin.field("groups.attributeName").fill("城市");
  await lin.field("groups.attributeValue").fill("杭州");
  await lin.page.keyboard.press("Enter");
  await expect(page.getByRole("listitem").filter({ hasText: "城市" })).toContainText("杭州");

  // Every member may edit now, and the list of all members shows who is muted.
  const rights = page.getByRole("radiogroup", { name: lin.t("groups.editRole") });
  await rights.getByText(lin.t("groups.right.1")).click();
  await expect(rights.getByRole("radio", { name: lin.t("groups.right.1") })).toBeChecked();
  await expect
    .poll(async () => (await friends.bo.call(ENDPOINTS.findGroup, { params: { id: group.id } })) as object)
    .toMatchObject({ editRole: 1, isAllMuted: true, isMuted: true });
  await page.getByRole("link", { name: lin.t("groups.viewAll") }).click();
  const list = lin.page.getByRole("list", { name: lin.t("groups.membersTitle") });
  await expect(list.getByRole("listitem")).toHaveCount(3);
  const row = list.getByRole("listitem").filter({ hasText: cast.bo.nickName });
  await expect(row).toContainText(lin.t("groups.isMuted"));
  await expectAccessible(lin, "all members of a group");

  // Removing a member, first with an error.
  await row.getByRole("button", { name: lin.t("groups.memberMenu", { name: cast.bo.nickName }) }).click();
  await lin.menuItem("groups.removeOne").click();
  const question = lin.page.getByRole("alertdialog");
  await lin.page.route("**/api/group/members/remove", (route) => route.fulfill({ status: 502, body: "" }));
  await question.getByRole("button", { name: lin.t("groups.remove") }).click();
  await expect(question.getByText(lin.t("groups.removeFailed"), { exact: true })).toBeVisible();
  await lin.page.unrouteAll();
  await question.getByRole("button", { name: lin.t("groups.remove") }).click();
  await expect(row).toHaveCount(0);
  await lin.page.goBack();

  await lin.button("groups.dissolve").click();
  await question.getByRole("button", { name: lin.t("groups.dissolveConfirm") }).click();
  await expect(lin.page).toHaveURL(/\/home\/group$/);
  await expect(lin.row(group.name)).toHaveCount(0);
});

test("actions without permission are not offered; leaving removes the group", async ({
  friends,
  cast,
  bo,
}) => {
  const group = await createGroup(friends.lin, `成员 ${cast.lin.userName}`, [friends.bo]);
  const page = await openGroup(bo, group.name);
  await expect(page.locator("[data-member]")).toHaveCount(2);
  for (const id of ["groups.editName", "groups.editNotice", "groups.pick.managers", "groups.dissolve"])
    await expect(bo.button(id)).toHaveCount(0);
  await expect(page.getByRole("switch", { name: bo.t("groups.allMuted") })).toHaveCount(0);
  // Everybody may call, as in the conversation.
  await bo.button("groupCall.start").click();
  await expect(bo.dialog().getByRole("option", { name: cast.lin.nickName })).toBeVisible();
  await bo.page.keyboard.press("Escape");
  await expect(bo.dialog()).toHaveCount(0);

  // Attributes have their own permission, which is independent of the others.
  await expect(bo.button("groups.editAttributes")).toHaveCount(0);
  await friends.lin.call(ENDPOINTS.setGroupSettings, { body: { groupId: group.id, attrRole: 1 } });
  await bo.button("groups.editAttributes").click();
  await bo.field("groups.attributeName").fill("城市");
  await bo.field("groups.attributeValue").fill("杭州");
  await bo.page.keyboard.press("Enter");
  await expect
    .poll(async () => (await friends.lin.call(ENDPOINTS.findGroup, { params: { id: group.id } })) as object)
    .toMatchObject({ attributes: { 城市: "杭州" } });

  // An admin sees the rights and that only the owner can change them.
  await friends.lin.call(ENDPOINTS.addGroupManagers, {
    body: { groupId: group.id, userIds: [friends.bo.id] },
  });
  await expect(page.getByRole("switch", { name: bo.t("groups.allMuted") })).toBeEnabled();
  await expect(page.getByRole("switch", { name: bo.t("groups.isFindable") })).toBeDisabled();
  await expect(page.getByText(bo.t("groups.ownerOnly")).first()).toBeVisible();
  await friends.lin.call(ENDPOINTS.removeGroupManagers, {
    body: { groupId: group.id, userIds: [friends.bo.id] },
  });
  await expect(page.getByText(bo.t("groups.management"))).toHaveCount(0);

  await bo.button("groups.quit").click();
  await bo.page
    .getByRole("alertdialog")
    .getByRole("button", { name: bo.t("groups.quitConfirm") })
    .click();
  await expect(bo.page).toHaveURL(/\/home\/group$/);
  await expect(bo.text("groups.empty")).toBeVisible();
});

test("selecting among 500: few rows are mounted, the maximum holds, and locked rows stay", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const friendsMax = 500;
  const group = await createGroup(friends.bo, `满 ${cast.bo.userName}`, [friends.lin]);
  const bo = await openBrowser(cast.bo);
  await bo.page.route("**/api/friend/list", async (route) => {
    const { data, ...rest } = (await (await route.fetch()).json()) as { data: object[] };
    const more = Array.from({ length: friendsMax - data.length }, (_, index) => {
      const name = `Row ${String(index).padStart(3, "0")}`;
      return { ...data[0], id: 1_000_000 + index, nickName: name, showNickName: name, userName: name };
    });
    await route.fulfill({ json: { ...rest, data: [...data, ...more] } });
  });
  await bo.page.route("**/api/group/list", async (route) => {
    const { data, ...rest } = (await (await route.fetch()).json()) as { data: object[] };
    const almostFull = data.map((item) => ({ ...item, membersCount: GROUP_MEMBERS_MAX - 2 }));
    await route.fulfill({ json: { ...rest, data: almostFull } });
  });
  await bo.openAndLogIn();
  await openGroup(bo, group.name);
  await bo.button("groups.invite").click();
  const dialog = bo.page.getByRole("dialog", { name: bo.t("groups.pick.invite") });
  const options = dialog.getByRole("option");
  await expect(options.first()).toBeVisible();
  expect(await options.count()).toBeLessThanOrEqual(60);
  const locked = dialog.getByRole("option", { name: cast.lin.nickName });
  await expect(locked).toContainText(bo.t("groups.isIn"));
  await locked.click({ force: true });
  await expect(locked).toHaveAttribute("aria-selected", "false");

  // By keyboard: the arrow leads from the search into the list, Space selects.
  await dialog.getByRole("searchbox").fill("row 01");
  await expect(options).toHaveCount(10);
  await dialog.getByRole("searchbox").press("ArrowDown");
  for (const key of [" ", "ArrowDown", " ", "ArrowDown", " "]) await bo.page.keyboard.press(key);
  await bo.expectToast(bo.t("members.tooMany", { maxSize: 2 }));
  await expect(dialog.getByText("2 / 2")).toBeVisible();
  await expect(dialog.getByRole("option", { selected: true })).toHaveText([/Row 010/, /Row 011/]);
  await dialog.getByRole("button", { name: bo.t("members.remove", { name: "Row 010" }) }).click();
  await expect(dialog.getByText("1 / 2")).toBeVisible();
});

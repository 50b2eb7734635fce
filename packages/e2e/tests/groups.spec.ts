import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { befriend, createAccount } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { sendToGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";

/** Waits until the open conversation shows this number of members. */
const expectMembers = (person: Person, count: number) =>
  expect(
    person.page.getByRole("main").getByText(person.t("chat.membersCount", { count })).first(),
  ).toBeVisible();

/** Opens the list of all members of a group. */
async function openMembers(person: Person, group: string): Promise<void> {
  await person.openGroup(group);
  await person.link("groups.viewAll").click();
}

test("a new group appears for all members, who write there and see its new name and notice", async ({
  friends,
  cast,
  server,
  openSignedIn,
}) => {
  const meiAccount = await createAccount(server.url, cast.mei.userName, cast.mei.nickName);
  await befriend(friends.lin, meiAccount);
  const [lin, bo, mei] = await Promise.all([
    openSignedIn(cast.lin),
    openSignedIn(cast.bo),
    openSignedIn(cast.mei),
  ]);
  await lin.link("nav.groups").click();
  await lin.button("groups.add").click();
  await lin.menuItem("groups.create").click();
  await lin.field("groups.name").fill("周末去哪");
  for (const { nickName } of [cast.bo, cast.mei]) {
    await lin.dialog().getByRole("option", { name: nickName }).click();
  }
  await lin.answerDialog("groups.createConfirm");
  await expect(lin.page).toHaveURL(/\/home\/chat/);
  await expect(lin.page.getByRole("heading", { level: 1 })).toHaveText("周末去哪");
  await expectMembers(lin, 3);

  for (const person of [bo, mei]) {
    await person.openChat("周末去哪");
    await expectMembers(person, 3);
  }
  await lin.send("去爬山吗");
  await bo.expectTexts(["去爬山吗"]);
  await mei.expectTexts(["去爬山吗"]);
  await bo.send("Yes!");
  await mei.expectMessage("Yes!");
  await mei.send("我也去");
  for (const person of [lin, bo, mei]) await person.expectTexts(["去爬山吗", "Yes!", "我也去"]);
  await expect(lin.row("周末去哪")).toContainText("我也去");

  await lin.openGroup("周末去哪");
  await lin.button("groups.editName").click();
  await lin.field("groups.name").fill("周六爬山");
  await lin.field("groups.name").press("Enter");
  await expect(lin.page.getByRole("heading", { level: 1 })).toHaveText("周六爬山");
  await lin.button("groups.editNotice").click();
  await lin.field("groups.notice").fill("早上八点，地铁站集合");
  // Would open the quick switcher, if nothing had been entered.
  await lin.page.keyboard.press("Control+k");
  await lin.answerDialog("groups.save");
  for (const person of [bo, mei]) {
    await expect(person.page.getByRole("heading", { level: 1 })).toHaveText("周六爬山");
    await expect(person.row("周六爬山")).toBeVisible();
    await person.expectTip("tip.group.renamed", { name: cast.lin.nickName, group: "周六爬山" });
    await expect(person.page.getByRole("main").locator("[data-notice]")).toContainText(
      "早上八点，地铁站集合",
    );
  }
});

test("muting one member, then all, and unmuting both shows at once on each screen", async ({
  team: { group, lin, bo, mei },
  cast,
}) => {
  await openMembers(lin, group.name);
  await lin.runMemberAction(cast.bo.nickName, "groups.mute");
  await expect(bo.blockedReason("error.message.muted")).toBeVisible();
  const muted = { name: cast.lin.nickName, names: mei.t("names.quoted", { name: cast.bo.nickName }) };
  await mei.expectTip("tip.group.muted", muted);
  await bo.expectTip("tip.group.muted", { ...muted, names: bo.t("names.you") });
  await mei.send("我還能說話");
  await bo.expectMessage("我還能說話");
  await lin.runMemberAction(cast.bo.nickName, "groups.unmute");
  await bo.send("so can I");
  await mei.expectTexts(["我還能說話", "so can I"]);

  await lin.page.goBack();
  const everyone = lin.page.getByRole("switch", { name: lin.t("groups.allMuted") });
  await everyone.click();
  await expect(everyone).toBeChecked();
  for (const person of [bo, mei]) {
    await expect(person.blockedReason("error.message.allMuted")).toBeVisible();
    await person.expectTip("tip.group.allMuted", { name: cast.lin.nickName });
  }
  await lin.button("friend.message").click();
  await lin.send("只有我");
  for (const person of [bo, mei]) await person.expectMessage("只有我");
  await lin.openGroup(group.name);
  await everyone.click();
  for (const person of [bo, mei]) await expect(person.composer()).toBeEnabled();
  await bo.send("free");
  await mei.expectMessage("free");
});

test("a member removed with messages loses access at once, and after rejoining sees only new messages", async ({
  team: { group, accounts, lin, bo, mei },
  cast,
}) => {
  const messages = [
    [lin, "before"],
    [bo, "Bo's first"],
    [mei, "美玲的"],
    [bo, "Bo's second"],
  ] as const;
  for (const [person, text] of messages) {
    await person.send(text);
    // Wait for each message: messages that several people send at once may arrive in any order.
    for (const reader of [lin, bo, mei]) await reader.expectMessage(text);
  }
  const all = messages.map(([, text]) => text);
  for (const person of [lin, bo, mei]) await person.expectTexts(all);

  await openMembers(lin, group.name);
  await lin.runMemberAction(cast.bo.nickName, "groups.removeOne");
  await lin
    .dialog()
    .getByRole("checkbox", { name: lin.t("groups.removeMessages") })
    .click();
  await lin.answerDialog("groups.remove");
  await expect(bo.blockedReason("error.message.notInGroup")).toBeVisible();
  await bo.expectTip("tip.group.removed");
  await mei.expectTexts(["before", "美玲的"]);
  await expectMembers(mei, 2);
  await expect(lin.button("groups.memberMenu", { name: cast.bo.nickName })).toHaveCount(0);
  await lin.page.goBack();
  await lin.button("friend.message").click();
  await lin.expectTexts(["before", "美玲的"]);
  await sendToGroup(accounts.lin, group.id, "without Bo");
  await mei.expectMessage("without Bo");

  await lin.openGroup(group.name);
  await lin.button("groups.invite").click();
  await lin.dialog().getByRole("option", { name: cast.bo.nickName }).click();
  await lin.answerDialog("groups.confirm.invite", { count: 1 });
  await expect(bo.composer()).toBeEnabled();
  await expectMembers(mei, 3);
  await mei.send("歡迎回來");
  await bo.expectMessage("歡迎回來");
  await bo.send("here again");
  await mei.expectTexts(["before", "美玲的", "without Bo", "歡迎回來", "here again"]);
  await expect(bo.messages().filter({ hasText: "without Bo" })).toHaveCount(0);
  await bo.page.reload();
  await bo.expectMessage("here again");
  await expect(bo.messages().filter({ hasText: "without Bo" })).toHaveCount(0);
});

test("a member who leaves keeps old messages, rejoins by number, and sees only messages from then on", async ({
  team: { group, accounts, lin, bo, mei },
  cast,
}) => {
  await accounts.lin.call(ENDPOINTS.setGroupSettings, { body: { groupId: group.id, joinApproval: true } });
  await bo.send("I have to go");
  await mei.expectMessage("I have to go");
  await bo.openGroup(group.name);
  await bo.button("groups.quit").click();
  await bo.answerDialog("groups.quitConfirm");
  await expectMembers(mei, 2);
  await mei.send("他走了");
  await lin.expectMessage("他走了");
  await bo.link("nav.chats").click();
  await bo.openChat(group.name);
  await bo.expectTexts(["I have to go"]);
  await expect(bo.blockedReason("error.message.notInGroup")).toBeVisible();

  await bo.link("nav.groups").click();
  await bo.button("groups.add").click();
  await bo.menuItem("groups.join").click();
  await bo.text("groups.byNumber").click();
  const number = bo.page.getByRole("searchbox", { name: bo.t("groups.number") });
  await number.fill(String(group.id));
  await number.press("Enter");
  await bo.answerDialog("groups.askToJoin");
  await bo.field("friend.applyRemark").fill("It's me again");
  await bo.answerDialog("groups.apply");
  await expect(bo.dialog().getByText(bo.t("groups.waiting"), { exact: true })).toBeVisible();
  await bo.page.keyboard.press("Escape");

  await expect(lin.page.getByRole("link", { name: lin.t("nav.groupsPending", { count: 1 }) })).toBeVisible();
  await lin.link("nav.groups").click();
  const requests = lin.page.getByRole("region", { name: lin.t("groups.requests") });
  await expect(requests).toContainText("It's me again");
  await requests.getByRole("button", { name: lin.t("request.approve"), exact: true }).click();
  await expect(requests).toHaveCount(0);
  await expectMembers(mei, 3);
  await mei.expectTip("tip.group.joined", { name: cast.bo.nickName });
  await mei.send("又來了");
  await bo.link("nav.chats").click();
  await bo.openChat(group.name);
  await bo.expectTexts(["I have to go", "又來了"]);
  await bo.send("Hello");
  await mei.expectTexts(["I have to go", "他走了", "又來了", "Hello"]);
});

test("a transferred group is dissolved by its new owner: nobody can write, and its messages stay", async ({
  team: { group, lin, bo, mei },
  cast,
}) => {
  await lin.send("最后一句");
  for (const person of [bo, mei]) await person.expectMessage("最后一句");
  await openMembers(lin, group.name);
  await lin.runMemberAction(cast.bo.nickName, "groups.transfer");
  await lin.answerDialog("groups.transferConfirm");
  const names = mei.t("names.quoted", { name: cast.bo.nickName });
  await mei.expectTip("tip.group.transferred", { name: cast.lin.nickName, names });
  await bo.expectTip("tip.group.transferred", { name: cast.lin.nickName, names: bo.t("names.you") });
  await lin.page.goBack();
  await expect(lin.button("groups.quit")).toBeVisible();
  await expect(lin.button("groups.dissolve")).toHaveCount(0);

  // The new owner transfers it again, with the member picker.
  await bo.openGroup(group.name);
  await bo.button("groups.transfer").click();
  await bo.page.getByRole("option", { name: cast.lin.nickName }).click();
  await bo.page.getByRole("option", { name: cast.mei.nickName }).click();
  await expect(bo.page.getByRole("option", { selected: true })).toHaveCount(1);
  await bo.answerDialog("groups.confirm.next");
  await bo.answerDialog("groups.transferConfirm");
  await expect(bo.button("groups.dissolve")).toHaveCount(0);

  await mei.openGroup(group.name);
  await mei.button("groups.dissolve").click();
  await mei.answerDialog("groups.dissolveConfirm");
  await bo.link("nav.chats").click();
  await bo.openChat(group.name);
  await expect(
    bo.page.getByRole("main").getByText(bo.t("error.group.dissolved", { name: group.name })),
  ).toBeVisible();
  await bo.expectTip("tip.group.dissolved", { name: cast.mei.nickName });
  await mei.link("nav.chats").click();
  await mei.openChat(group.name);
  await mei.expectTexts(["最后一句"]);
  await expect(lin.row(group.name)).toHaveCount(0);
  await lin.link("nav.chats").click();
  await lin.openChat(group.name);
  await lin.expectTexts(["最后一句"]);
  await expect(
    lin.page.getByRole("main").getByText(lin.t("error.group.dissolved", { name: group.name })),
  ).toBeVisible();
});

test("an admin recalls a member's message, and loses the right with the role", async ({
  team: { group, lin, bo, mei },
  cast,
}) => {
  await mei.send("太早說了");
  await mei.send("先不說");
  await bo.expectTexts(["太早說了", "先不說"]);
  await bo.openMessageMenu("先不說");
  await expect(bo.menuItem("act.copy")).toBeVisible();
  await expect(bo.menuItem("act.recall")).toHaveCount(0);
  await bo.page.keyboard.press("Escape");

  await openMembers(lin, group.name);
  await lin.runMemberAction(cast.bo.nickName, "groups.makeAdmin");
  const { nickName: name } = cast.lin;
  const names = mei.t("names.quoted", { name: cast.bo.nickName });
  await mei.expectTip("tip.group.adminAdded", { name, names });
  await bo.expectTip("tip.group.adminAdded", { name, names: bo.t("names.you") });
  await bo.runMessageAction("太早說了", "act.recall");
  await bo.answerDialog("act.recall");
  await mei.expectTexts(["先不說"]);
  await mei.expectTip("tip.recalledBy", { name: cast.bo.nickName, of: "me" });
  await expect(mei.button("chat.writeAgain")).toHaveCount(0);

  await lin.runMemberAction(cast.bo.nickName, "groups.takeAdmin");
  await bo.expectTip("tip.group.adminRemoved", { name, names: bo.t("names.you") });
  await bo.openMessageMenu("先不說");
  await expect(bo.menuItem("act.copy")).toBeVisible();
  await expect(bo.menuItem("act.recall")).toHaveCount(0);
});

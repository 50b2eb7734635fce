import type { Locator } from "@playwright/test";
import { MessageType } from "@parley/protocol/codes";
import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { expectAccessible } from "../src/expect-accessible.ts";
import { type Account, befriend, createAccount } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { createGroup, sendToGroup } from "../src/groups.ts";
import type { Person } from "../src/person.ts";

const panel = (person: Person): Locator => person.page.getByRole("complementary");
const noticeBar = (person: Person): Locator => person.page.locator("[data-notice]");
const memberRow = (person: Person, account: Account): Locator =>
  panel(person)
    .getByRole("listitem")
    .filter({ has: person.page.locator(`[data-member="${account.id}"]`) });

async function openPanel(person: Person): Promise<void> {
  await person.button("chat.groupInfo").click();
  await expect(panel(person)).toBeVisible();
}

test("a group conversation shows senders, their roles and the last sender in the list", async ({
  friends: { lin, bo },
  cast,
  server,
  openSignedIn,
}) => {
  const owen = await createAccount(server.url, cast.other("owen").userName, cast.other("owen").nickName);
  await befriend(lin, owen);
  const group = await createGroup(lin, "Tilework", [bo, owen]);
  await sendToGroup(lin, group.id, "first");
  await sendToGroup(lin, group.id, "second");
  await sendToGroup(owen, group.id, "third");
  const reader = await openSignedIn(cast.bo);
  await expect(reader.row("Tilework")).toHaveAccessibleName(
    new RegExp(reader.t("chat.announce", { name: owen.nickName, text: "third" })),
  );
  await reader.openChat("Tilework");
  // A run of messages shows the sender's name once, with the role beside it.
  const run = reader.messages().filter({ hasText: lin.nickName });
  await expect(run).toHaveCount(1);
  await expect(run).toContainText(reader.t("role.owner"));
  await expect(reader.messages().filter({ hasText: owen.nickName })).toHaveCount(1);
  await expect(reader.page.getByRole("log")).toContainText(
    reader.t("tip.group.invited", {
      name: lin.nickName,
      names: reader.t("names.youAnd", {
        names: reader.t("names.quoted", { name: owen.nickName }),
        count: 1,
      }),
    }),
  );
  await reader.send("mine");
  await sendToGroup(lin, group.id, "@", { atUserIds: [bo.id] });
  await reader.expectMessage("mine");
  await reader.page.goto(`${reader.url}/home/chat`);
  await sendToGroup(lin, group.id, `@${bo.nickName} look`, { atUserIds: [bo.id] });
  await expect(reader.row("Tilework")).toHaveAccessibleName(new RegExp(reader.t("chat.atMeLabel")));
});

test("the panel shows notice and members, and saves own group settings", async ({
  friends: { lin, bo },
  cast,
  server,
  openSignedIn,
}) => {
  const owen = await createAccount(server.url, cast.other("owen").userName, cast.other("owen").nickName);
  await befriend(lin, owen);
  const group = await createGroup(lin, "Tilework", [bo, owen]);
  await lin.call(ENDPOINTS.modifyGroup, { body: { id: group.id, notice: "Freeze on Friday" } });
  const reader = await openSignedIn({ ...cast.bo, viewport: { width: 1440, height: 900 } });
  await reader.openChat("Tilework");
  await expect(noticeBar(reader)).toContainText("Freeze on Friday");
  await openPanel(reader);
  await expect(panel(reader)).toContainText("Freeze on Friday");
  await expect(memberRow(reader, lin)).toContainText(reader.t("role.owner"));
  await expect(memberRow(reader, bo)).toContainText(reader.t("chat.me"));
  await expect(memberRow(reader, owen)).toHaveCount(1);
  await expectAccessible(reader, "the panel of a group");
  // The notice in the panel counts as read.
  await expect(noticeBar(reader)).toHaveCount(0);

  await reader.button("groupInfo.findMember").click();
  await reader.page.getByRole("searchbox", { name: reader.t("groupInfo.findMember") }).fill(owen.nickName);
  await expect(panel(reader).getByRole("listitem")).toHaveCount(1);

  await panel(reader)
    .getByRole("switch", { name: reader.t("groupInfo.top") })
    .click();
  await expect(reader.row("Tilework")).toHaveAccessibleName(new RegExp(reader.t("chat.pinned")));
  await panel(reader)
    .getByRole("combobox", { name: reader.t("remind.label") })
    .selectOption("2");
  await expect(reader.row("Tilework")).toHaveAccessibleName(new RegExp(reader.t("chat.muted")));
  await panel(reader)
    .getByRole("button", { name: new RegExp(`^${reader.t("groupInfo.myName")}`) })
    .click();
  const name = panel(reader).getByRole("textbox", { name: reader.t("groupInfo.myName") });
  await name.fill("Bo the builder");
  await name.press("Enter");
  await expect(name).toHaveCount(0);
  await expect(panel(reader)).toContainText("Bo the builder");
  const shownName = async () => {
    const members = await lin.call(ENDPOINTS.listGroupMembers, { params: { id: group.id } });
    return members.find(({ userId }) => userId === bo.id)?.showNickName;
  };
  await expect.poll(shownName).toBe("Bo the builder");
});

test("on a phone the panel is a page of its own, and Back leads to the conversation", async ({
  friends: { lin, bo },
  cast,
  openSignedIn,
}) => {
  await createGroup(lin, "Tilework", [bo]);
  const reader = await openSignedIn({ ...cast.bo, viewport: { width: 390, height: 844 }, isTouch: true });
  await reader.openChat("Tilework");
  await openPanel(reader);
  await expectAccessible(reader, "the panel of a group on a phone");
  // The covered conversation cannot get the focus.
  await expect(reader.page.getByRole("main")).toHaveJSProperty("inert", true);
  await reader.page.goBack();
  await expect(panel(reader)).toHaveCount(0);
  await expect(reader.page.getByRole("main")).toHaveJSProperty("inert", false);
  await openPanel(reader);
  await panel(reader)
    .getByRole("button", { name: reader.t("chat.backToChat") })
    .click();
  await expect(panel(reader)).toHaveCount(0);
  await expect(reader.composer()).toBeVisible();
});

test("a notice is shown above the messages until it is read, and again after it changes", async ({
  friends: { lin, bo },
  cast,
  openSignedIn,
}) => {
  const group = await createGroup(lin, "Tilework", [bo]);
  const reader = await openSignedIn(cast.bo);
  await reader.openChat("Tilework");
  await expect(reader.composer()).toBeVisible();
  await expect(noticeBar(reader)).toHaveCount(0);
  await lin.call(ENDPOINTS.modifyGroup, { body: { id: group.id, notice: "Freeze on Friday" } });
  await expect(noticeBar(reader)).toContainText("Freeze on Friday");
  await expectAccessible(reader, "a notice above a group");
  await reader.button("groupInfo.noticeRead").click();
  await expect(noticeBar(reader)).toHaveCount(0);
  await reader.page.reload();
  await expect(reader.composer()).toBeVisible();
  await expect(reader.page.getByRole("log")).toContainText(
    reader.t("tip.group.noticeChanged", { name: lin.nickName }),
  );
  await expect(noticeBar(reader)).toHaveCount(0);
  await lin.call(ENDPOINTS.modifyGroup, { body: { id: group.id, notice: "Freeze on Monday" } });
  await expect(noticeBar(reader)).toContainText("Freeze on Monday");
});

test("the composer says at once why nothing can be sent, and returns with the draft", async ({
  friends: { lin, bo },
  cast,
  openSignedIn,
}) => {
  const group = await createGroup(lin, "Tilework", [bo]);
  const reader = await openSignedIn(cast.bo);
  await reader.openChat("Tilework");
  await reader.composer().fill("half a sentence");
  const mute = (isMuted: boolean) =>
    lin.call(ENDPOINTS.muteGroupMembers, { body: { groupId: group.id, userIds: [bo.id], isMuted } });
  await mute(true);
  await expect(reader.blockedReason("error.message.muted")).toBeVisible();
  await expectAccessible(reader, "a group where one is muted");
  await expect(reader.composer()).toHaveCount(0);
  await mute(false);
  await expect(reader.composer()).toHaveValue("half a sentence");

  await lin.call(ENDPOINTS.muteGroup, { body: { id: group.id, isMuted: true } });
  await expect(reader.blockedReason("error.message.allMuted")).toBeVisible();
  await lin.call(ENDPOINTS.muteGroup, { body: { id: group.id, isMuted: false } });
  await expect(reader.composer()).toHaveValue("half a sentence");

  await lin.call(ENDPOINTS.removeGroupMembers, { body: { groupId: group.id, userIds: [bo.id] } });
  await expect(reader.blockedReason("error.message.notInGroup")).toBeVisible();
  await expect(reader.row("Tilework")).toHaveAccessibleName(new RegExp(reader.t("chat.left")));
  await lin.call(ENDPOINTS.inviteToGroup, { body: { groupId: group.id, friendIds: [bo.id] } });
  await expect(reader.composer()).toBeVisible();

  await lin.call(ENDPOINTS.dissolveGroup, { params: { id: group.id } });
  await expect(
    reader.page.getByRole("main").getByText(reader.t("error.group.dissolved", { name: "Tilework" })),
  ).toBeVisible();
  await expect(reader.row("Tilework")).toHaveAccessibleName(new RegExp(reader.t("chat.dissolved")));
});

test("messages are forwarded to groups, the switcher finds groups, and a quote from before joining stays hidden", async ({
  friends: { lin, bo },
  cast,
  openSignedIn,
}) => {
  const group = await createGroup(lin, "Tilework", []);
  const secret = await sendToGroup(lin, group.id, "before your time");
  await lin.call(ENDPOINTS.inviteToGroup, { body: { groupId: group.id, friendIds: [bo.id] } });
  await sendToGroup(lin, group.id, "as I said", { quoteMessageId: secret });
  await lin.call(ENDPOINTS.sendPrivateMessage, {
    body: { recvId: bo.id, content: "pass it on", type: MessageType.TEXT },
  });
  const reader = await openSignedIn(cast.bo);
  await reader.openChat("Tilework");
  const message = await reader.expectMessage("as I said");
  await expect(message.locator("[data-quote]")).toHaveText(reader.t("chat.quoteHidden"));
  await expect(message.locator("[data-quote]")).toBeDisabled();

  await reader.openChat(lin.nickName);
  await reader.runMessageAction("pass it on", "act.forward");
  await reader.dialog().getByRole("checkbox", { name: "Tilework" }).click();
  await reader
    .dialog()
    .getByRole("button", { name: reader.t("compose.sendTo", { count: 1 }) })
    .click();
  await expect(reader.row("Tilework")).toHaveAccessibleName(/pass it on/);

  await reader.page.keyboard.press("Control+k");
  // Before it is loaded, letters go to the composer.
  await expect(reader.dialog().getByRole("combobox")).toBeFocused();
  await reader.page.keyboard.type("tilew");
  await expect(reader.dialog().getByRole("option").first()).toContainText("Tilework");
  await reader.page.keyboard.press("Enter");
  await reader.expectMessage("pass it on");
});

import { expect, test } from "../src/fixtures.ts";
import { sendToGroup } from "../src/groups.ts";
import { InputMethod } from "../src/input-method.ts";
import type { Person } from "../src/person.ts";

/** The list of members that an `@` offers. */
const memberList = (person: Person) => person.page.getByRole("listbox", { name: person.t("naming.who") });

/** The mentions in the composer. */
const composerMentions = (person: Person) => person.page.locator("form mark");

/** Leaves the conversation, so that its new messages stay unread. */
async function goAway(person: Person): Promise<void> {
  await person.link("nav.friends").click();
  await expect(person.page.getByRole("log")).toHaveCount(0);
}

async function comeBack(person: Person, group: string): Promise<void> {
  await person.link("nav.chats").click();
  await person.openChat(group);
}

test("mentions of a user and of everyone, typed by keyboard, are shown in the chat list and the messages", async ({
  team: { group, lin, bo, mei },
  cast,
}) => {
  await goAway(bo);
  await bo.link("nav.chats").click();
  const field = lin.composer();

  await field.pressSequentially("在吗@");
  const options = memberList(lin).getByRole("option");
  await expect(options).toHaveCount(3);
  await expect(options.first()).toContainText(lin.t("naming.everyone"));
  await expect(options.first()).toHaveAttribute("aria-selected", "true");
  await field.press("ArrowDown");
  const active = await options.nth(1).getAttribute("id");
  await expect(field).toHaveAttribute("aria-activedescendant", active ?? "");
  await field.press("Escape");
  await expect(memberList(lin)).toHaveCount(0);
  await expect(field).toHaveValue("在吗@");

  await field.fill("");
  await field.pressSequentially("@ml");
  await expect(options).toHaveText(new RegExp(cast.mei.nickName));
  await field.press("Tab");
  await expect(field).toHaveValue(`@${cast.mei.nickName} `);
  await expect(composerMentions(lin)).toHaveText([`@${cast.mei.nickName}`]);
  await field.press("Backspace");
  await expect(field).toHaveValue("");
  await field.press("Control+z");
  await expect(composerMentions(lin)).toHaveText([`@${cast.mei.nickName}`]);
  await field.press("Backspace");

  await field.pressSequentially("@bo");
  await expect(options).toHaveCount(1);
  await field.press("Enter");
  await field.pressSequentially("看一下");
  await field.press("Enter");
  const text = `@${cast.bo.nickName} 看一下`;
  await mei.expectTexts([text]);
  await expect(mei.messages().locator("[data-mention]")).toHaveText(`@${cast.bo.nickName}`);
  await expect(mei.messages().locator("[data-names-me]")).toHaveCount(0);
  await expect(bo.row(group.name)).toContainText(bo.t("chat.atMe"));
  await bo.openChat(group.name);
  await expect(bo.messages().locator("[data-names-me] [data-mention]")).toHaveText(`@${cast.bo.nickName}`);
  await expect(bo.row(group.name)).not.toContainText(bo.t("chat.atMe"));

  await goAway(bo);
  await bo.link("nav.chats").click();
  await field.pressSequentially("@");
  await expect(options).toHaveCount(3);
  await field.press("Enter");
  await field.press("Enter");
  await expect(bo.row(group.name)).toContainText(bo.t("chat.atAll"));

  // A member who is neither owner nor admin cannot mention everyone.
  await mei.composer().pressSequentially("@");
  await expect(memberList(mei).getByRole("option")).toHaveCount(2);
  await expect(memberList(mei)).not.toContainText(mei.t("naming.everyone"));
});

test("UI10 an input method writes the @, and text directly after a mention keeps it whole", async ({
  team: { lin, bo },
  cast,
}) => {
  const field = lin.composer();
  await field.focus();
  const ime = await InputMethod.of(lin.page);
  await ime.write("@", "＠");
  await expect(memberList(lin)).toBeVisible();
  await ime.compose("bo");
  await field.press("ArrowDown");
  await ime.commit("Bo");
  await expect(memberList(lin).getByRole("option")).toHaveCount(1);
  await field.press("Enter");
  await expect(field).toHaveValue(`@${cast.bo.nickName} `);
  await field.press("ArrowLeft");
  await ime.write("nihao", "你好");
  await expect(field).toHaveValue(`@${cast.bo.nickName}你好 `);
  await expect(composerMentions(lin)).toHaveText([`@${cast.bo.nickName}`]);
  await field.press("ArrowLeft");
  await field.press("ArrowLeft");
  await field.press("ArrowLeft");
  await ime.write("hei", "嘿");
  await expect(field).toHaveValue(`嘿@${cast.bo.nickName}你好 `);
  await expect(composerMentions(lin)).toHaveText([`@${cast.bo.nickName}`]);
  await field.press("Enter");
  await bo.expectTexts([`嘿@${cast.bo.nickName}你好`]);
  await expect(bo.messages().locator("[data-mention]")).toHaveText(`@${cast.bo.nickName}`);
});

test("a button jumps to unread mentions one by one and disappears when all are seen", async ({
  team: { group, accounts, bo },
}) => {
  await goAway(bo);
  for (let number = 0; number < 60; number++) {
    const hasMention = number === 25 || number === 45;
    const content = `No ${number}${hasMention ? ` @${accounts.bo.nickName}` : ""}`;
    await sendToGroup(accounts.lin, group.id, content, hasMention ? { atUserIds: [accounts.bo.id] } : {});
  }
  await comeBack(bo, group.name);
  await bo.button("naming.next", { count: 2 }).click();
  await expect(bo.messages().filter({ hasText: "No 25" })).toBeInViewport();
  await bo.button("naming.next", { count: 1 }).press("Enter");
  await expect(bo.messages().filter({ hasText: "No 45" })).toBeInViewport();
  await expect(bo.button("naming.next", { count: 1 })).toHaveCount(0);
});

test("a message with a receipt request shows who has read it, and updates while others read", async ({
  team: { group, lin, bo, mei },
  cast,
}) => {
  await goAway(mei);
  await goAway(bo);
  await lin.button("readers.ask").click();
  await lin.send("请大家看一下");
  await expect(lin.button("readers.ask")).toHaveAttribute("aria-pressed", "false");
  const tab = (id: string, count: number) =>
    lin.dialog().getByRole("tab", { name: lin.t(id, { count }), exact: true });
  // While nobody has read it, the dialog opens at those who have not, and stays there.
  await lin.button("receipt.byMany", { count: 0 }).click();
  await expect(tab("readers.unread", 2)).toHaveAttribute("aria-selected", "true");
  await comeBack(bo, group.name);
  await bo.expectTexts(["请大家看一下"]);
  await expect(tab("readers.unread", 1)).toHaveAttribute("aria-selected", "true");
  await lin.page.keyboard.press("Escape");

  await lin.button("receipt.byMany", { count: 1 }).click();
  await expect(tab("readers.read", 1)).toHaveAttribute("aria-selected", "true");
  await expect(lin.dialog().getByRole("listitem")).toHaveText(new RegExp(cast.bo.nickName));
  await tab("readers.unread", 1).click();
  await expect(lin.dialog().getByRole("listitem")).toHaveText(new RegExp(cast.mei.nickName));
  await lin.answerDialog("readers.remind");
  await expect(lin.composer()).toBeFocused();
  await expect(composerMentions(lin)).toHaveText([`@${cast.mei.nickName}`]);

  await lin.button("receipt.byMany", { count: 1 }).click();
  await expect(tab("readers.unread", 1)).toBeVisible();
  await comeBack(mei, group.name);
  await expect(tab("readers.read", 2)).toBeVisible();
  await expect(tab("readers.unread", 0)).toBeVisible();
  await lin.page.keyboard.press("Escape");
  await expect(lin.button("receipt.byAll")).toBeVisible();
});

test("the owner recalls a member's message, and mentions users by their avatar", async ({
  team: { lin, bo, mei },
  cast,
}) => {
  await bo.send("too much");
  await bo.send("enough");
  await lin.expectTexts(["too much", "enough"]);
  const picture = lin.page.getByRole("log").getByRole("button", {
    name: lin.t("card.open", { name: cast.bo.nickName }),
    exact: true,
  });
  await picture.click({ button: "right" });
  await lin.menuItem("groups.mute").waitFor();
  await lin.page
    .getByRole("menuitem", { name: lin.t("moderate.mention", { name: cast.bo.nickName }) })
    .click();
  await expect(composerMentions(lin)).toHaveText([`@${cast.bo.nickName}`]);

  await lin.runMessageAction("too much", "act.recall");
  await lin.answerDialog("act.recall");
  const params = { name: cast.lin.nickName, author: cast.bo.nickName };
  await mei.expectTip("tip.recalledBy", params);
  await bo.expectTip("tip.recalledBy", { ...params, of: "me" });
  await mei.expectTexts(["enough"]);
  await mei.openMessageMenu("enough");
  await expect(mei.menuItem("act.copy")).toBeVisible();
  await expect(mei.menuItem("act.recall")).toHaveCount(0);
});

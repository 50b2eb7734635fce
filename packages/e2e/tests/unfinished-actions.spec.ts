import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { takeToasts } from "../src/toasts.ts";

test("UI13 an unfinished edit survives a chat switch and a reload beside the draft, and ends with saving", async ({
  friends,
  lin,
  cast,
}) => {
  await sendText(friends.bo, friends.lin, "When?");
  await lin.openChat(cast.bo.nickName);
  await lin.send("周伍");
  await lin.composer().fill("草稿");
  await lin.runMessageAction("周伍", "act.edit");
  const field = lin.field("chat.editing");
  await field.fill("周五下");
  await lin.link("nav.friends").click();
  await lin.link("nav.chats").click();
  await expect(lin.row(cast.bo.nickName)).toContainText(`${lin.t("chat.draft")} 草稿`);
  await lin.openChat(cast.bo.nickName);
  await expect(field).toHaveValue("周五下");
  await expect(field).toBeFocused();
  await lin.page.reload();
  await expect(field).toHaveValue("周五下");
  await field.fill("周五下午");
  await field.press("Enter");
  await expect(lin.composer()).toHaveValue("草稿");
  await lin.expectTexts(["When?", "周五下午"]);
  await lin.page.reload();
  await expect(lin.composer()).toHaveValue("草稿");
  await expect(field).toHaveCount(0);
});

test("an unfinished edit is shown as a draft in the chat list until it is cancelled", async ({
  friends,
  lin,
  cast,
}) => {
  await sendText(friends.bo, friends.lin, "hello");
  await lin.openChat(cast.bo.nickName);
  await lin.send("first");
  const field = lin.field("chat.editing");
  await lin.runMessageAction("first", "act.edit");
  await field.fill("furst");
  await lin.link("nav.friends").click();
  await lin.link("nav.chats").click();
  await expect(lin.row(cast.bo.nickName)).toContainText(`${lin.t("chat.draft")} furst`);

  // The question before deleting the chat says that the draft is deleted too.
  await lin.row(cast.bo.nickName).click({ button: "right" });
  await lin.menuItem("chatMenu.delete").click();
  await expect(lin.dialog()).toContainText(lin.t("chatMenu.deleteDraftBody"));
  await lin.page.keyboard.press("Escape");

  await lin.openChat(cast.bo.nickName);
  await expect(field).toHaveValue("furst");
  await field.press("Escape");
  await expect(lin.composer()).toHaveValue("");
  await lin.link("nav.friends").click();
  await lin.link("nav.chats").click();
  await expect(lin.row(cast.bo.nickName)).not.toContainText(lin.t("chat.draft"));
});

test("a recalled message that is written again keeps its quote", async ({ friends, lin, cast }) => {
  await sendText(friends.bo, friends.lin, "When?");
  await lin.openChat(cast.bo.nickName);
  await lin.runMessageAction("When?", "act.quote");
  await lin.send("周四");
  await lin.runMessageAction("周四", "act.recall");
  await lin.button("chat.writeAgain").click();
  await expect(lin.composer()).toHaveValue("周四");
  await expect(lin.text("chat.replyTo", { name: cast.bo.nickName })).toBeVisible();
  await lin.composer().press("Enter");
  await expect(lin.button("chat.quoted", { name: cast.bo.nickName, text: "When?" })).toBeVisible();
});

test("without a network an edit and a recall say why they fail and change nothing", async ({
  friends,
  bo,
  cast,
}) => {
  bo.console.allow(/ERR_INTERNET_DISCONNECTED/);
  await sendText(friends.lin, friends.bo, "hello");
  await bo.openChat(cast.lin.nickName);
  await bo.send("mine");
  await expect(bo.messages().filter({ hasText: "mine" })).toHaveCount(1);
  await bo.runMessageAction("mine", "act.edit");
  const field = bo.field("chat.editing");
  await field.fill("not mine");
  await bo.context.setOffline(true);
  await field.press("Enter");
  await bo.expectToast(bo.t("failure.offline"), "alert");
  await expect(field).toHaveValue("not mine");
  await field.press("Escape");
  // Else one that was shown twice would count for the next failure.
  expect(await takeToasts(bo.page)).toEqual([]);
  await bo.runMessageAction("mine", "act.recall");
  await bo.expectToast(bo.t("failure.offline"), "alert");
  await bo.expectTexts(["hello", "mine"]);
  await bo.context.setOffline(false);
});

test("a message recalled while recipients are chosen is not forwarded, and an error says so", async ({
  friends,
  bo,
  cast,
}) => {
  const id = await sendText(friends.lin, friends.bo, "a secret");
  await bo.openChat(cast.lin.nickName);
  await bo.runMessageAction("a secret", "act.forward");
  await bo
    .dialog()
    .getByRole("checkbox", { name: bo.t("chat.self") })
    .click();
  await friends.lin.call(ENDPOINTS.recallPrivateMessage, { params: { id } });
  await expect(bo.messages().filter({ hasText: "a secret" })).toHaveCount(0);
  await bo
    .dialog()
    .getByRole("button", { name: bo.t("compose.sendTo", { count: 1 }) })
    .click();
  await bo.expectToast(bo.t("error.message.notFound"), "alert");
});

import { expect, test } from "../src/fixtures.ts";

test("two users register, become friends and chat, each in their own language", async ({
  openLogin,
  cast,
}) => {
  const lin = await openLogin({ ...cast.lin, isNewHere: true });
  const bo = await openLogin({ ...cast.bo, isNewHere: true });
  await test.step("both register and see their chats", async () => {
    await lin.register();
    await bo.register();
  });
  await test.step("Bo sends a friend request, Lin approves it", async () => {
    await bo.page.getByRole("link", { name: bo.t("nav.friends") }).click();
    await bo.addFriendButton().click();
    const dialog = bo.page.getByRole("dialog");
    await dialog.getByRole("searchbox", { name: bo.t("friend.findLabel") }).fill(cast.lin.nickName);
    await dialog.getByRole("button", { name: bo.t("friend.find"), exact: true }).click();
    await dialog.getByRole("button", { name: new RegExp(bo.t("friend.addShort")) }).click();
    await bo.page.getByRole("textbox", { name: bo.t("friend.applyRemark") }).fill("Bo here");
    await bo.button("friend.apply").click();
    await bo.expectToast(bo.t("friend.asked"));
    await bo.page.keyboard.press("Escape");

    await lin.page.getByRole("option", { name: new RegExp(lin.t("chat.system")) }).click();
    await expect(lin.page.getByText("Bo here")).toBeVisible();
    await lin.button("request.approve").click();
    await expect(lin.page.getByText(lin.t("request.approved"))).toBeVisible();
  });
  await test.step("each receives the other's messages", async () => {
    await lin.openChat(cast.bo.nickName);
    await lin.send("你好，Bo！");
    await bo.page.getByRole("link", { name: new RegExp(`^${bo.t("nav.chats")}`) }).click();
    await bo.openChat(cast.lin.nickName);
    await bo.expectMessage("你好，Bo！");
    await bo.send("Hello 林晓 😀");
    await lin.expectMessage("Hello 林晓 😀");
  });
});

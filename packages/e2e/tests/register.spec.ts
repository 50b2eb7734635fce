import { createAccount, PASSWORD } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { createPng } from "../src/png.ts";
import type { Person } from "../src/person.ts";
import { LANGUAGES } from "../src/product-texts.ts";

const MEGABYTE = 1024 * 1024;

/** Fills a field and moves the focus away from it. */
async function fillAndBlur(person: Person, id: string, value: string): Promise<void> {
  const field = person.byLabel(id);
  await field.fill(value);
  await field.blur();
}

for (const language of LANGUAGES) {
  test(`the register form validates each field when it loses the focus, in ${language}`, async ({
    cast,
    openLogin,
  }) => {
    const bo = await openLogin({ ...cast.bo, language });
    await bo.open("/register");
    const wrong = [
      ["login.username", "", "register.usernameRequired"],
      ["login.username", "bo madsen", "register.usernameFormat"],
      ["login.username", "b".repeat(21), "register.usernameTooLong"],
      ["login.username", "b", null],
      ["register.nickname", "  ", "register.nicknameRequired"],
      ["register.nickname", "名".repeat(21), "register.nicknameTooLong"],
      ["login.password", "", "register.passwordRequired"],
      ["login.password", "seven 7", "register.passwordLength"],
      ["register.confirm", "", "register.confirmRequired"],
      ["register.confirm", "something else", "register.confirmMismatch"],
    ] as const;
    for (const [field, value, message] of wrong) {
      await fillAndBlur(bo, field, value);
      if (message === null) await expect(bo.byLabel(field)).not.toHaveAttribute("aria-invalid");
      else await expect(bo.text(message)).toBeVisible();
    }
    await bo.button("register.submit").click();
    // The focus goes to the first invalid field.
    await expect(bo.byLabel("register.nickname")).toBeFocused();
    await expect(bo.page).toHaveURL(/\/register$/);
  });

  test(`a taken username shows its error at the field, in ${language}`, async ({
    cast,
    server,
    openLogin,
  }) => {
    await createAccount(server.url, cast.lin.userName, cast.lin.nickName);
    const bo = await openLogin({ ...cast.bo, language });
    await bo.open("/register");
    await bo.field("login.username").fill(cast.lin.userName);
    await bo.field("register.nickname").fill(cast.bo.nickName);
    await bo.byLabel("login.password").fill(PASSWORD);
    await bo.byLabel("register.confirm").fill(PASSWORD);
    await bo.button("register.submit").click();
    await expect(bo.byLabel("login.username")).toHaveAttribute("aria-invalid", "true");
    await expect(bo.page.locator("form").getByText(bo.t("error.register.userNameTaken"))).toBeVisible();
    await expect(bo.byLabel("login.username")).toBeFocused();
  });
}

test("an avatar can be chosen; wrong types and sizes are refused with the texts of the spec", async ({
  cast,
  openLogin,
}) => {
  const bo = await openLogin(cast.bo);
  await bo.open("/register");
  const input = bo.page.locator('input[type="file"]');
  await input.setInputFiles({ name: "a.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") });
  const types = bo.t("upload.type", { types: "jpeg, png, jpg, webp" });
  await expect(bo.page.locator("form").getByText(types)).toBeVisible();
  await expect(bo.page.getByRole("alert").filter({ hasText: types })).toBeVisible();
  await input.setInputFiles({ name: "b.png", mimeType: "image/png", buffer: Buffer.alloc(5 * MEGABYTE + 1) });
  await expect(bo.page.locator("form").getByText(bo.t("upload.tooLarge", { max: "5 MB" }))).toBeVisible();
  await input.setInputFiles({
    name: "c.png",
    mimeType: "image/png",
    buffer: Buffer.from("no picture at all"),
  });
  await expect(bo.page.locator("form").getByText(/file format error|damaged/)).toBeVisible();
  await input.setInputFiles({ name: "d.png", mimeType: "image/png", buffer: createPng(64) });
  await expect(bo.button("register.changeAvatar")).toBeVisible();
  const picture = bo.page.locator("form img").first();
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  bo.console.allow(/status of 4\d\d/);

  await bo.field("login.username").fill(cast.bo.userName);
  await bo.field("register.nickname").fill(cast.bo.nickName);
  await bo.byLabel("login.password").fill(PASSWORD);
  await bo.byLabel("register.confirm").fill(PASSWORD);
  await bo.button("register.submit").click();
  await expect(bo.page.getByRole("status").filter({ hasText: bo.t("register.done") })).toBeVisible();
  await bo.expectHome();
  await expect(bo.button("nav.profile", { name: cast.bo.nickName }).locator("img")).toBeVisible();
});

test.describe("on a server that requires an invite code and an avatar", () => {
  test.use({ ownServer: { INVITE_CODE_REQUIRED: "on", AVATAR_REQUIRED: "on" } });

  test("the form shows the code field, requires both, and says when the code is wrong", async ({
    cast,
    openLogin,
  }) => {
    const bo = await openLogin(cast.bo);
    await bo.open("/register");
    const code = bo.field("register.inviteCode");
    await expect(code).toBeVisible();
    await bo.field("login.username").fill(cast.bo.userName);
    await bo.field("register.nickname").fill(cast.bo.nickName);
    await bo.byLabel("login.password").fill(PASSWORD);
    await bo.byLabel("register.confirm").fill(PASSWORD);
    await bo.button("register.submit").click();
    await expect(bo.text("register.inviteCodeRequired")).toBeVisible();
    await expect(bo.text("register.avatarRequired")).toBeVisible();
    await code.fill("not a code");
    await bo.page
      .locator('input[type="file"]')
      .setInputFiles({ name: "me.png", mimeType: "image/png", buffer: createPng(64) });
    await expect(bo.button("register.changeAvatar")).toBeVisible();
    await bo.button("register.submit").click();
    await expect(bo.page.locator("form").getByText(bo.t("error.register.inviteCodeWrong"))).toBeVisible();
    await expect(code).toBeFocused();
    await expect(bo.page).toHaveURL(/\/register$/);
  });
});

test("by default neither an invite code nor an avatar is required", async ({ cast, openLogin }) => {
  const bo = await openLogin(cast.bo);
  await bo.open("/register");
  await expect(bo.field("register.nickname")).toBeVisible();
  await expect(bo.field("register.inviteCode")).toHaveCount(0);
  await bo.button("register.submit").click();
  await expect(bo.text("register.usernameRequired")).toBeVisible();
  await expect(bo.text("register.avatarRequired")).toHaveCount(0);
});

import { createAccount } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import { inLanguages } from "../src/full-run.ts";

for (const language of inLanguages("en-US")) {
  test(`login validates fields when they lose the focus and shows the server's error, in ${language}`, async ({
    cast,
    server,
    openLogin,
  }) => {
    await createAccount(server.url, cast.bo.userName, cast.bo.nickName);
    const bo = await openLogin({ ...cast.bo, language });
    await expect(bo.page.locator("html")).toHaveAttribute("lang", language);
    const name = bo.byLabel("login.username");
    const password = bo.byLabel("login.password");
    await expect(name).toBeFocused();
    await expect(bo.text("login.usernameRequired")).toHaveCount(0);
    await name.blur();
    await expect(bo.text("login.usernameRequired")).toBeVisible();
    await expect(bo.text("login.passwordRequired")).toHaveCount(0);
    await password.focus();
    await password.blur();
    await expect(bo.text("login.passwordRequired")).toBeVisible();
    await expect(password).toHaveAttribute("aria-invalid", "true");

    await bo.button("login.submit").click();
    await expect(name).toBeFocused();
    await name.fill(cast.bo.userName);
    await expect(bo.text("login.usernameRequired")).toHaveCount(0);
    await password.fill("not my password");
    await bo.button("login.submit").click();
    const message = bo.t("error.login.wrongPassword");
    await expect(bo.page.locator("form").getByText(message, { exact: true })).toBeVisible();
    // It is announced once, by the toast.
    await bo.expectToast(message, "alert");
    await expect(bo.page.locator("form").getByRole("alert")).toHaveCount(0);
    await expect(password).toBeFocused();
    await bo.logIn();
  });
}

test("the language of the login screen changes at once and survives a reload", async ({
  cast,
  openLogin,
}) => {
  const bo = await openLogin(cast.bo);
  await bo.byLabel("login.username").fill("half typed");
  await bo.page.getByRole("combobox", { name: bo.t("app.language") }).selectOption("zh-TW");
  await expect(bo.page.locator("html")).toHaveAttribute("lang", "zh-TW");
  await expect(bo.page.locator("#root input").first()).toHaveValue("half typed");
  await bo.page.reload();
  await expect(bo.page.locator("html")).toHaveAttribute("lang", "zh-TW");
});

test("the typed password can be shown and hidden", async ({ cast, openLogin }) => {
  const bo = await openLogin(cast.bo);
  const password = bo.byLabel("login.password");
  await password.fill("secret words");
  await expect(password).toHaveAttribute("type", "password");
  await bo.button("field.showPassword").click();
  await expect(password).toHaveAttribute("type", "text");
  await bo.button("field.hidePassword").click();
  await expect(password).toHaveAttribute("type", "password");
});

test("without a session every URL leads to the login; with a session login and unknown URLs lead to the chats", async ({
  friends: _,
  cast,
  openLogin,
}) => {
  const bo = await openLogin(cast.bo);
  for (const path of ["/home/chat", "/home/friend", "/home", "/home/nowhere", "/"]) {
    await bo.open(path);
    await expect(bo.page).toHaveURL(/\/login$/);
  }
  await bo.logIn();
  for (const path of ["/login", "/"]) {
    await bo.open(path);
    await expect(bo.page).toHaveURL(/\/home\/chat$/);
  }
  for (const path of ["/home", "/home/me", "/home/nowhere"]) {
    await bo.open(path);
    await expect(bo.page).toHaveURL(/\/home\/chat$/);
  }
});

import { PASSWORD } from "../src/api.ts";
import { desktopInputs, setDesktopAnswer, useFakeDesktop } from "../src/desktop-bridge.ts";
import { expect, test } from "../src/fixtures.ts";

test("a remembered password is sealed by the main process, and a new start signs in with it", async ({
  friends: _,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await useFakeDesktop(bo.context, { answers: { sealSecret: "sealed by the system", openSecret: PASSWORD } });
  await bo.open();
  await bo.byLabel("server.address").fill(bo.url);
  await bo.byLabel("login.rememberPassword").check();
  await bo.logIn();
  expect(await desktopInputs(bo.page, "sealSecret")).toEqual([PASSWORD]);
  const stored = await bo.page.evaluate(() => JSON.stringify(localStorage));
  expect(stored).toContain("sealed by the system");
  expect(stored).not.toContain(PASSWORD);

  const next = await bo.openTab();
  await next.expectHome();
  await expect(next.row(cast.lin.nickName)).toBeVisible();
  expect(await desktopInputs(next.page, "openSecret")).toContain("sealed by the system");
});

test("without a key store the password is not remembered, the person is told and is signed in", async ({
  friends: _,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await useFakeDesktop(bo.context);
  await bo.open();
  await setDesktopAnswer(bo.page, "sealSecret", null);
  await bo.byLabel("server.address").fill(bo.url);
  await bo.byLabel("login.rememberPassword").check();
  await bo.logIn();
  await expect(bo.text("login.notKept")).toBeVisible();
  await bo.logOut();
  await expect(bo.byLabel("login.rememberPassword")).not.toBeChecked();
  await expect(bo.byLabel("login.password")).toHaveValue("");
});

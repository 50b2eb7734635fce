import { PASSWORD } from "../src/api.ts";
import { desktopInputs, setDesktopAnswer } from "../src/desktop-bridge.ts";
import { expect, test } from "../src/desktop-fixtures.ts";

test("DT11 a remembered password is sealed by the main process, and a new start signs in with it", async ({
  friends: _,
  cast,
  openDesktop,
}) => {
  const bo = await openDesktop(cast.bo, {
    answers: { sealSecret: "sealed by the system", openSecret: PASSWORD },
  });
  await bo.byLabel("server.address").fill(bo.url);
  await bo.byLabel("login.rememberPassword").check();
  await bo.logIn();
  await expect.poll(() => desktopInputs(bo.page, "sealSecret")).toEqual([PASSWORD]);
  const storedValues = () => bo.page.evaluate(() => JSON.stringify(localStorage));
  await expect.poll(storedValues).toContain("sealed by the system");
  const stored = await storedValues();
  expect(stored).not.toContain(PASSWORD);

  const next = await bo.openTab();
  await next.expectHome();
  await expect(next.row(cast.lin.nickName)).toBeVisible();
  await expect.poll(() => desktopInputs(next.page, "openSecret")).toContain("sealed by the system");
});

test("DT11 S13 without a key store the password is not remembered, the person is told and is signed in", async ({
  friends: _,
  cast,
  openDesktop,
}) => {
  const bo = await openDesktop(cast.bo);
  await setDesktopAnswer(bo.page, "sealSecret", null);
  await bo.byLabel("server.address").fill(bo.url);
  await bo.byLabel("login.rememberPassword").check();
  await bo.logIn();
  await expect(bo.text("login.notKept")).toBeVisible();
  await bo.logOut();
  await expect(bo.byLabel("login.rememberPassword")).not.toBeChecked();
  await expect(bo.byLabel("login.password")).toHaveValue("");
});

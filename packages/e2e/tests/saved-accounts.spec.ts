import { createAccount, PASSWORD } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

/** Everything that this origin stores in the browser, as one text. */
function allStoredValues(person: Person): Promise<string> {
  return person.page.evaluate(async () => {
    const stored: unknown[] = [{ ...localStorage }, { ...sessionStorage }];
    for (const { name } of await indexedDB.databases()) {
      if (name === undefined) continue;
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(new Error(`cannot open the database ${name}`)));
      });
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).getAll();
        stored.push(
          await new Promise((resolve) => request.addEventListener("success", () => resolve(request.result))),
        );
      }
      database.close();
    }
    return JSON.stringify(stored, (_, value: unknown) =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? new TextDecoder().decode(value) : value,
    );
  });
}

test("a remembered password is not stored in clear text, fills the form, and logs new tabs in", async ({
  friends: _,
  cast,
  openLogin,
}) => {
  const bo = await openLogin(cast.bo);
  await bo.byLabel("login.rememberPassword").check();
  await bo.logIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await expect.poll(() => allStoredValues(bo)).toMatch(/sealed[\\":]+[A-Za-z0-9+/]{40}/);
  const stored = await allStoredValues(bo);
  expect(stored).toContain(cast.bo.userName);
  expect(stored).not.toContain(PASSWORD);
  expect(stored).not.toContain(Buffer.from(PASSWORD).toString("base64"));

  const tab = await bo.openTab();
  await tab.expectHome();
  await tab.openChat(cast.lin.nickName);
  await tab.send("from the new tab");
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage("from the new tab");

  await bo.logOut();
  await expect(bo.byLabel("login.username")).toHaveValue(cast.bo.userName);
  await expect(bo.byLabel("login.password")).toHaveValue(PASSWORD);
  await expect(bo.byLabel("login.rememberPassword")).toBeChecked();
  const another = await bo.openTab();
  await expect(another.button("login.submit")).toBeVisible();
  await another.page.reload();
  await expect(another.page).toHaveURL(/\/login$/);
  await another.button("login.submit").click();
  await another.expectHome();
  const last = await bo.openTab();
  await last.expectHome();
});

test("saved accounts are offered, newest first, and can be chosen and forgotten", async ({
  server,
  cast,
  openLogin,
}) => {
  const people = [cast.lin, cast.bo];
  for (const { userName, nickName } of people) await createAccount(server.url, userName, nickName);
  const bo = await openLogin(cast.bo);
  await expect(bo.button("login.savedAccounts")).toHaveCount(0);
  for (const { userName } of people) {
    await bo.byLabel("login.username").fill(userName);
    await bo.byLabel("login.password").fill(PASSWORD);
    await bo.button("login.submit").click();
    await bo.expectHome();
    await bo.logOut();
  }
  await expect(bo.byLabel("login.username")).toHaveValue(cast.bo.userName);
  await bo.button("login.savedAccounts").click();
  const list = bo.page.getByRole("listbox", { name: bo.t("login.savedAccounts") });
  const rows = list.getByRole("option");
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(cast.bo.userName);
  await rows.filter({ hasText: cast.lin.userName }).click();
  await expect(bo.byLabel("login.username")).toHaveValue(cast.lin.userName);
  await expect(bo.byLabel("login.password")).toHaveValue("");
  await expect(bo.byLabel("login.password")).toBeFocused();

  await bo.button("login.savedAccounts").click();
  await bo.button("login.forget", { name: cast.lin.userName }).click();
  await expect(rows).toHaveCount(1);
  await bo.page.reload();
  await bo.button("login.savedAccounts").click();
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(cast.bo.userName);
});

test("an account is not saved unless the user asks for it", async ({ friends: _, cast, openLogin }) => {
  const bo = await openLogin(cast.bo);
  await bo.byLabel("login.rememberName").uncheck();
  await bo.logIn();
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await bo.logOut();
  await bo.page.reload();
  await expect(bo.byLabel("login.username")).toHaveValue("");
  await expect(bo.byLabel("login.rememberName")).not.toBeChecked();
  await expect(bo.button("login.savedAccounts")).toHaveCount(0);
});

test("choosing to remember the password also remembers the name; not remembering the name unchecks the password", async ({
  cast,
  openLogin,
}) => {
  const bo = await openLogin(cast.bo);
  const [name, password] = [bo.byLabel("login.rememberName"), bo.byLabel("login.rememberPassword")];
  await name.uncheck();
  await password.check();
  await expect(name).toBeChecked();
  await name.uncheck();
  await expect(password).not.toBeChecked();
});

import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

/** What a browser with blocked site data does. */
async function refuse(person: Person, what: "database" | "everything"): Promise<void> {
  await person.page.addInitScript((kind) => {
    const refused = () => {
      throw new DOMException("refused", "SecurityError");
    };
    IDBFactory.prototype.open = refused;
    if (kind === "database") return;
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get: refused });
  }, what);
}

for (const what of ["database", "everything"] as const) {
  test(`a browser that refuses its ${what}: the page says so, and people talk all the same`, async ({
    friends: _,
    cast,
    sit,
    visit,
  }) => {
    const lin = await visit(cast.lin);
    await lin.logIn();
    await lin.openChat(cast.bo.nickName);
    const bo = await sit(cast.bo);
    await refuse(bo, what);
    await bo.open();
    await bo.logIn();
    await expect(bo.page.getByRole("status").filter({ hasText: bo.t("app.storageRefused") })).toBeVisible();
    await bo.openChat(cast.lin.nickName);
    await bo.send("hello from memory");
    await lin.expectMessage("hello from memory");
    await lin.send("收到");
    await bo.expectTexts(["hello from memory", "收到"]);
    await bo.composer().fill("half a thought");
    await bo.link("nav.friends").click();
    await bo.link("nav.chats").click();
    await bo.openChat(cast.lin.nickName);
    await expect(bo.composer()).toHaveValue("half a thought");
    await bo.expectTexts(["hello from memory", "收到"]);
  });
}

test("without a database a reload brings the chats back from the server", async ({
  friends: _,
  cast,
  sit,
  visit,
}) => {
  const lin = await visit(cast.lin);
  await lin.logIn();
  await lin.openChat(cast.bo.nickName);
  await lin.send("还在吗");
  const bo = await sit(cast.bo);
  await refuse(bo, "database");
  await bo.open();
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  await bo.send("yes");
  await lin.expectMessage("yes");
  await bo.page.reload();
  await bo.expectTexts(["还在吗", "yes"]);
});

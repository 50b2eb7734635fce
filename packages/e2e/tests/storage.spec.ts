import { receivedTexts, sendText, sendTexts } from "../src/api.ts";
import {
  prepareWriteLoss,
  corruptDatabase,
  evictDatabase,
  limitStorage,
  loseWrites,
  storedOutbox,
  upgradeInOtherTab,
} from "../src/browser-faults.ts";
import { expect, test } from "../src/fixtures.ts";
import { testInFullRun } from "../src/full-run.ts";
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
  test(`a browser that refuses its ${what}: the page says so, and chatting still works`, async ({
    friends: _,
    cast,
    openBrowser,
    openLogin,
  }) => {
    const lin = await openLogin(cast.lin);
    await lin.logIn();
    await lin.openChat(cast.bo.nickName);
    const bo = await openBrowser(cast.bo);
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
  openBrowser,
  openLogin,
}) => {
  const lin = await openLogin(cast.lin);
  await lin.logIn();
  await lin.openChat(cast.bo.nickName);
  await lin.send("还在吗");
  const bo = await openBrowser(cast.bo);
  await refuse(bo, "database");
  await bo.open();
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  await bo.send("yes");
  await lin.expectMessage("yes");
  await bo.page.reload();
  await bo.expectTexts(["还在吗", "yes"]);
});

/** Fault K29: what happens to a database that is in use. */

const TOLD = "app.storageRefused";
const notice = (person: Person) => person.page.getByRole("status").filter({ hasText: person.t(TOLD) });

test("K29: failed writes, an evicted database and one upgraded by a newer version: shown, nothing lost or sent twice, and repaired by a reload", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await prepareWriteLoss(bo);
  await bo.open();
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  const all: string[] = [];
  const talk = async (text: string) => {
    await sendText(friends.lin, friends.bo, `${text}?`);
    all.push(`${text}?`);
    await bo.expectTexts(all);
    await bo.send(`${text}!`);
    all.push(`${text}!`);
    await bo.expectTexts(all);
    await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toEqual(all);
  };
  await talk("on the disk");
  await expect(notice(bo)).toHaveCount(0);

  await loseWrites(bo);
  await talk("full");
  await expect(notice(bo)).toBeVisible();
  await bo.page.reload();
  await bo.expectTexts(all);
  await expect(notice(bo)).toHaveCount(0);

  await bo.context.setOffline(true);
  await bo.send("thrown away while it waits");
  await evictDatabase(bo);
  await expect(notice(bo)).toBeVisible();
  await bo.context.setOffline(false);
  all.push("thrown away while it waits");
  await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toEqual(all);
  await bo.page.reload();
  await bo.expectTexts(all);
  await talk("new");
  await expect(notice(bo)).toHaveCount(0);

  await upgradeInOtherTab(bo);
  await expect(notice(bo)).toBeVisible();
  await talk("with an old version");
  await bo.page.reload();
  await bo.expectTexts(all);
  await expect(notice(bo)).toBeVisible();
});

test("K29: a browser with a full disk chats from memory and says so, also after a reload", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await limitStorage(bo, 1);
  await bo.open();
  await bo.logIn();
  await bo.openChat(cast.lin.nickName);
  await bo.send("from memory");
  await expect(notice(bo)).toBeVisible();
  await bo.page.reload();
  await bo.expectTexts(["from memory"]);
  await bo.send("still");
  await expect(notice(bo)).toBeVisible();
  await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toEqual(["from memory", "still"]);
});

testInFullRun(
  "K29: an old tab that does not let go of the database is waited for, and then done without",
  async ({ friends, cast, openBrowser }) => {
    const bo = await openBrowser(cast.bo);
    await bo.open("/readyz");
    await bo.page.evaluate(async (name) => {
      const opening = indexedDB.open(name, 1);
      await new Promise((resolve) => opening.addEventListener("success", resolve));
      Object.assign(window, { kept: opening.result });
    }, `parley:${bo.url}:${friends.bo.id}`);
    const tab = await bo.openTab();
    await tab.logIn();
    await expect(notice(tab)).toBeVisible();
    await tab.openChat(cast.lin.nickName);
    await tab.send("from memory");
    await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toEqual(["from memory"]);
  },
);

test("K29: corrupt local data: a reload shows the server's state, and the next one finds a valid database", async ({
  friends,
  cast,
  bo,
}) => {
  const all = ["one", "two"];
  await sendTexts(friends.lin, friends.bo, all);
  await bo.openChat(cast.lin.nickName);
  for (const part of ["messages", "chats", "outbox", "values"] as const) {
    const send = async (text: string) => {
      await bo.send(text);
      all.push(text);
      await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toEqual(all);
      await expect.poll(() => storedOutbox(bo)).toEqual([]);
    };
    await send(`before nonsense among the ${part}`);
    await corruptDatabase(bo, part);
    await bo.page.reload();
    await bo.openChat(cast.lin.nickName);
    await bo.expectTexts(all);
    await send("after it");
    await bo.page.reload();
    await bo.expectTexts(all);
    await expect(notice(bo)).toHaveCount(0);
  }
});

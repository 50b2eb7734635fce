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
import type { Person } from "../src/person.ts";

/** Makes the page behave as in a browser with blocked site data. */
async function refuseStorage(person: Person, refused: "database" | "everything"): Promise<void> {
  await person.page.addInitScript((scope) => {
    const throwRefused = () => {
      throw new DOMException("refused", "SecurityError");
    };
    IDBFactory.prototype.open = throwRefused;
    if (scope === "database") return;
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get: throwRefused });
  }, refused);
}

for (const refused of ["database", "everything"] as const) {
  test(`a browser that refuses ${refused === "database" ? "its database" : "all storage"}: the page says so, and chatting works`, async ({
    friends: _,
    cast,
    openBrowser,
    openSignedIn,
  }) => {
    const lin = await openSignedIn(cast.lin);
    await lin.openChat(cast.bo.nickName);
    const bo = await openBrowser(cast.bo);
    await refuseStorage(bo, refused);
    await bo.openAndLogIn();
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
  openSignedIn,
}) => {
  const lin = await openSignedIn(cast.lin);
  await lin.openChat(cast.bo.nickName);
  await lin.send("还在吗");
  const bo = await openBrowser(cast.bo);
  await refuseStorage(bo, "database");
  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  await bo.send("yes");
  await lin.expectMessage("yes");
  await bo.page.reload();
  await bo.expectTexts(["还在吗", "yes"]);
});

test("chatting works with a database that neither opens nor fails, and in a browser that reports no network over one that works", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await bo.page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
    Object.defineProperty(Navigator.prototype, "onLine", { get: () => false });
  });
  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  await bo.send("hello");
  await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toEqual(["hello"]);
  await sendText(friends.lin, friends.bo, "hi");
  await bo.expectTexts(["hello", "hi"]);
  await expect(bo.text("connection.offline")).toHaveCount(0);
  await expect(storageNotice(bo)).toBeVisible();
});

/** Fault K29: a database that fails while it is in use. */

const STORAGE_REFUSED = "app.storageRefused";
const storageNotice = (person: Person) =>
  person.page.getByRole("status").filter({ hasText: person.t(STORAGE_REFUSED) });

test("K29: failed writes, an evicted database and an upgrade by a newer version are reported; nothing is lost or sent twice, and a reload repairs what it can", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await prepareWriteLoss(bo);
  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  const all: string[] = [];
  const exchangeMessages = async (text: string) => {
    await sendText(friends.lin, friends.bo, `${text}?`);
    all.push(`${text}?`);
    await bo.expectTexts(all);
    await bo.send(`${text}!`);
    all.push(`${text}!`);
    await bo.expectTexts(all);
    await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toEqual(all);
  };
  await exchangeMessages("on the disk");
  await expect(storageNotice(bo)).toHaveCount(0);

  await loseWrites(bo);
  await exchangeMessages("full");
  await expect(storageNotice(bo)).toBeVisible();
  await bo.page.reload();
  await bo.expectTexts(all);
  await expect(storageNotice(bo)).toHaveCount(0);

  await bo.context.setOffline(true);
  await bo.send("thrown away while it waits");
  await evictDatabase(bo);
  await expect(storageNotice(bo)).toBeVisible();
  await bo.context.setOffline(false);
  all.push("thrown away while it waits");
  await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toEqual(all);
  await bo.page.reload();
  await bo.expectTexts(all);
  await exchangeMessages("new");
  await expect(storageNotice(bo)).toHaveCount(0);

  await upgradeInOtherTab(bo);
  await expect(storageNotice(bo)).toBeVisible();
  await exchangeMessages("with an old version");
  await bo.page.reload();
  await bo.expectTexts(all);
  await expect(storageNotice(bo)).toBeVisible();
});

test("K29: with a full disk the page says so and chatting works from memory, also after a reload", async ({
  friends,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await limitStorage(bo, 1);
  await bo.openAndLogIn();
  await bo.openChat(cast.lin.nickName);
  await bo.send("from memory");
  await expect(storageNotice(bo)).toBeVisible();
  await bo.page.reload();
  await bo.expectTexts(["from memory"]);
  await bo.send("still");
  await expect(storageNotice(bo)).toBeVisible();
  await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toEqual(["from memory", "still"]);
});

test("K29: with corrupt local data a reload shows the server's state, and the next reload finds a valid database", async ({
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
    await expect(storageNotice(bo)).toHaveCount(0);
  }
});

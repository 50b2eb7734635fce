import { writeFile } from "node:fs/promises";
import { choose, expectWaiting, png, stored, waiting } from "../src/attachments.ts";
import { expect, test } from "../src/fixtures.ts";

test("E10 U52 two tabs have the same waiting files: what one removes the other does not send", async ({
  friends,
  lin,
  cast,
}) => {
  await lin.openChat(cast.bo.nickName);
  const tab = await lin.openSignedInTab();
  await tab.openChat(cast.bo.nickName);
  await choose(lin, "attach.pickPicture", [png("one.png", 40), png("two.png", 50), png("three.png", 60)]);
  for (const person of [lin, tab]) await expectWaiting(person, ["one.png", "two.png", "three.png"]);
  await lin.button("attach.remove", { name: "two.png" }).click();
  await expectWaiting(tab, ["one.png", "three.png"]);
  await tab.button("chat.send").click();
  await expect(waiting(lin)).toHaveCount(0);
  await expect.poll(async () => (await stored(friends.lin)).length).toBe(2);
  const sizes = (await stored(friends.lin)).map(
    ({ content }) => (JSON.parse(content) as { width: number }).width,
  );
  expect(sizes).toEqual([40, 60]);
  // Neither tab sends them again.
  await lin.send("that is all");
  await expect.poll(async () => (await stored(friends.lin)).length).toBe(3);
  for (const person of [lin, tab]) await expect(person.messages()).toHaveCount(3);
});

test("U55 a file that does not fit into the browser's storage waits with a sentence, and is sent, also by another tab", async ({
  friends,
  openBrowser,
  cast,
}, testInfo) => {
  // A file of the disk, as people choose them: browsers let other tabs do less with one.
  const path = testInfo.outputPath("large.txt");
  await writeFile(path, "x".repeat(8_000_000));
  const lin = await openBrowser(cast.lin);
  const storage = await lin.context.newCDPSession(lin.page);
  // Before the first use: the browser remembers for a while how much is free.
  await storage.send("Storage.overrideQuotaForOrigin", { origin: lin.url, quotaSize: 3_000_000 });
  await lin.openAndLogIn();
  await lin.openChat(cast.bo.nickName);
  await choose(lin, "attach.pickFile", path);
  await expectWaiting(lin, ["large.txt"]);
  await lin.expectToast(lin.t("attach.notStored"));
  // Another tab gets it from this one.
  const tab = await lin.openSignedInTab();
  await tab.openChat(cast.bo.nickName);
  await expectWaiting(tab, ["large.txt"]);
  await tab.button("chat.send").click();
  await expect.poll(async () => (await stored(friends.lin)).length).toBe(1);
  const [message] = await stored(friends.lin);
  expect(JSON.parse(message?.content ?? "")).toMatchObject({ name: "large.txt", size: 8_000_000 });
  await expect(waiting(lin)).toHaveCount(0);
});

import { receivedTexts, sendText, sendTexts } from "../src/api.ts";
import { freeze } from "../src/browser-faults.ts";
import { expect, test } from "../src/fixtures.ts";
import { testInFullRun } from "../src/full-run.ts";

/** Faults K34 (restore from a backup) and K30 (a frozen tab) with a killed server. */
test.use({ ownServer: {} });

test("K34: after a restore from backup a client with newer data shows the server's state and sends its outbox", async ({
  friends,
  cast,
  server,
  bo,
}) => {
  test.slow();
  // A server that is stopping answers late requests with 503.
  bo.console.allow(/status of 503/);
  await sendTexts(friends.lin, friends.bo, ["one", "two"]);
  await bo.openChat(cast.lin.nickName);
  await bo.expectTexts(["one", "two"]);
  await server.stop();
  const restoreBackup = await server.backUp();
  await server.start();
  await bo.retryNow();
  await sendTexts(friends.lin, friends.bo, ["lost", "lost too"]);
  await bo.send("my own that is lost");
  const lost = ["lost", "lost too", "my own that is lost"];
  await bo.expectTexts(["one", "two", ...lost]);
  await expect.poll(() => receivedTexts(friends.lin, friends.bo)).toEqual(["one", "two", ...lost]);

  await server.stop();
  await bo.send("waits");
  await bo.composer().fill("half a thought");
  await restoreBackup();
  await server.admin("restored");
  await server.start();
  await bo.retryNow();
  await bo.expectTexts(["one", "two", "waits"]);
  await expect(bo.composer()).toHaveValue("half a thought");
  // The new message gets the id of a lost one.
  await sendText(friends.lin, friends.bo, "new");
  const all = ["one", "two", "waits", "new"];
  await bo.expectTexts(all);
  expect(await receivedTexts(friends.lin, friends.bo)).toEqual(all);
  await bo.page.reload();
  await bo.expectTexts(all);
});

testInFullRun(
  "K30: a tab that was frozen while the server was killed and restarted catches up completely",
  async ({ friends, cast, server, bo }) => {
    await bo.openChat(cast.lin.nickName);
    await bo.send("good night");
    await bo.expectTexts(["good night"]);
    const wake = await freeze(bo);
    await server.kill();
    await server.start();
    const news = Array.from({ length: 30 }, (_, index) => `news ${index}`);
    await sendTexts(friends.lin, friends.bo, news);
    await wake();
    await bo.retryNow();
    await bo.expectMessage("news 29");
    await bo.page.reload();
    await bo.expectMessage("news 29");
    expect(await receivedTexts(friends.bo, friends.lin)).toEqual(["good night", ...news]);
  },
);

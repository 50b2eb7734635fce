import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

test.use({ ownServer: {} });

for (const [event, method] of [
  ["stops", "stop"],
  ["is killed", "kill"],
] as const) {
  test(`UI14 the server ${event} during a conversation: the bar says so, and after a restart all messages arrive once`, async ({
    server,
    pair: { lin, bo },
    cast,
  }) => {
    // A server that is stopping answers late requests with 503.
    for (const person of [lin, bo]) person.console.allow(/status of 503/);
    await lin.openChat(cast.bo.nickName);
    await bo.openChat(cast.lin.nickName);
    await lin.send("one");
    await bo.expectMessage("one");
    await bo.send("two");
    await lin.expectMessage("two");

    await server[method]();
    // Of both at the same time, because after the next attempt the bar says something else.
    const expectBar = async (person: Person) => {
      await expect(person.connectionBar()).toBeVisible();
      await expect(
        person.page.locator("output", { hasText: person.t("connection.reconnecting") }),
      ).toBeVisible();
      await expect(person.page.getByText(countdown(person))).toBeVisible();
    };
    await Promise.all([lin, bo].map(expectBar));
    await lin.send("three, while it is down");
    await lin.send("four");
    await expect(lin.page.getByRole("img", { name: lin.t("chat.sending") })).toHaveCount(2);
    await expect(lin.text("chat.waitingNetwork", { count: 2 })).toHaveCount(0);

    await server.start();
    await lin.retryNow();
    await bo.retryNow();
    await bo.expectMessage("four");
    await bo.send("five");
    const all = ["one", "two", "three, while it is down", "four", "five"];
    await lin.expectTexts(all);
    await bo.expectTexts(all);
    await bo.page.reload();
    await bo.expectTexts(all);
  });
}

/** Matches a countdown of at most 15 seconds, the limit of the spec. */
function countdown(person: Person): RegExp {
  return new RegExp(person.t("connection.retryIn", { seconds: "(1[0-5]|[0-9])" }).replace("+", "\\+"));
}

test('"retry now" while the server is down: the bar stays until the server is back', async ({
  server,
  bo,
  cast,
}) => {
  await expect(bo.row(cast.lin.nickName)).toBeVisible();
  await server.kill();
  await bo.connectionBar().click();
  await expect(bo.connectionBar()).toBeVisible();
  await server.start();
  await bo.retryNow();
});

test("without user action the next connection attempt comes exactly 15,000 ms after the close", async ({
  server,
  friends: _,
  cast,
  openBrowser,
}) => {
  const bo = await openBrowser(cast.bo);
  await bo.page.clock.install();
  await bo.openAndLogIn();
  await expect(bo.page.getByRole("option")).not.toHaveCount(0);
  await bo.page.clock.pauseAt(new Date(Date.now() + 60_000));
  await server.kill();
  await expect(bo.page.getByText(bo.t("connection.retryIn", { seconds: 15 }))).toBeVisible();
  let attempts = 0;
  bo.page.on("websocket", () => (attempts += 1));
  await server.start();
  await bo.page.clock.runFor(14_999);
  await expect(bo.page.getByText(bo.t("connection.retryIn", { seconds: 1 }))).toBeVisible();
  expect(attempts).toBe(0);
  await bo.page.clock.runFor(1);
  await expect.poll(() => attempts).toBe(1);
  await expect(bo.connectionBar()).toHaveCount(0);
});

test("a reload during a conversation returns to the same chat, which continues", async ({
  chatting: { lin, bo },
}) => {
  await lin.send("one");
  await bo.expectMessage("one");
  await bo.page.reload();
  await bo.expectTexts(["one"]);
  await bo.send("two");
  await lin.expectTexts(["one", "two"]);
  await lin.page.reload();
  await lin.expectTexts(["one", "two"]);
});

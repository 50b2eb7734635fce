import { Code } from "@parley/protocol/codes";
import type { Route } from "@playwright/test";
import { receivedTexts } from "../src/api.ts";
import { prepareWriteLoss, TAB_ENDINGS, loseWrites, storedOutbox } from "../src/browser-faults.ts";
import { expect, test } from "../src/fixtures.ts";
import { testInFullRun, isFullRun, seededRandom } from "../src/full-run.ts";
import type { Person } from "../src/person.ts";

/** Fault K28: a tab is closed or crashes while it sends. */

const SEND_URL = "**/message/private/send";

/** Sends a text and waits until `handle` has handled its request. */
async function sendWith(tab: Person, text: string, handle: (route: Route) => Promise<void>): Promise<void> {
  const { promise: handled, resolve, reject } = Promise.withResolvers<void>();
  await tab.page.route(SEND_URL, (route) => handle(route).then(resolve, reject));
  await tab.send(text);
  await handled;
}

/** The icons of the own messages that the server has stored. */
function storedIcons(tab: Person) {
  return tab.page.getByRole("img", { name: new RegExp(`^(${tab.t("chat.sent")}|${tab.t("chat.read")})$`) });
}

/** How far a message has come when the tab ends. */
const STEPS = {
  async "before its request leaves"(tab, text) {
    await tab.context.setOffline(true);
    await tab.send(text);
    await tab.expectMessage(text);
  },
  "while its request is under way": (tab, text) => sendWith(tab, text, () => Promise.resolve()),
  "when the server has it and has not answered": (tab, text) =>
    sendWith(tab, text, async (route) => void (await route.fetch())),
  async "when the answer is here and not on the disk"(tab, text) {
    const before = await storedIcons(tab).count();
    await sendWith(tab, text, async (route) => {
      const response = await route.fetch();
      await loseWrites(tab);
      await route.fulfill({ response });
    });
    await expect(storedIcons(tab)).toHaveCount(before + 1);
  },
  async "when the server has refused it"(tab, text) {
    const json = { code: Code.REFUSED, message: "not today", data: null };
    await sendWith(tab, text, (route) => route.fulfill({ json }));
    await expect.poll(() => storedOutbox(tab)).toEqual([{ content: text, failed: true }]);
  },
} satisfies Record<string, (tab: Person, text: string) => Promise<void>>;

/** Opens a new tab after the only tab of the browser has ended. It logs in by itself. */
async function reopenTab(
  tab: Person,
  prepare: (tab: Person) => Promise<unknown> = async () => {},
): Promise<Person> {
  await tab.context.setOffline(false);
  const next = await tab.openTab(true);
  await prepare(next);
  await next.open();
  return next;
}

test("K28: at whatever step of sending a tab ends, the message is sent once and shown once to both users", async ({
  friends,
  cast,
  openBrowser,
  openSignedIn,
}) => {
  test.slow();
  let tab = await openBrowser(cast.bo);
  await prepareWriteLoss(tab);
  await tab.open();
  await tab.byLabel("login.rememberPassword").check();
  await tab.logIn();
  await tab.openChat(cast.lin.nickName);
  const all: string[] = [];
  const endings = Object.entries(TAB_ENDINGS);
  for (const [index, [step, reach]] of Object.entries(STEPS).entries()) {
    for (const [ending, end] of isFullRun ? endings : endings.slice(index % 2, (index % 2) + 1)) {
      const text = `${ending} ${step}`;
      await reach(tab, text);
      await end(tab.page);
      tab = await reopenTab(tab);
      await tab.openChat(cast.lin.nickName);
      all.push(text);
      await tab.expectTexts(all);
      if (step === "when the server has refused it") {
        expect(await receivedTexts(friends.lin, friends.bo)).not.toContain(text);
        await tab.button("chat.resend").click();
      }
      await expect(storedIcons(tab)).toHaveCount(all.length);
      expect(await receivedTexts(friends.lin, friends.bo)).toEqual(all);
      await expect.poll(() => storedOutbox(tab)).toEqual([]);
    }
  }
  const lin = await openSignedIn(cast.lin);
  await lin.openChat(cast.bo.nickName);
  await lin.expectTexts(all);
  await tab.expectTexts(all);
  test.info().annotations.push({ type: "done", description: `${all.length} tabs dead at named steps` });

  // Prove that this test notices a second message: a client that sends again with another tmpId sends the message twice.
  await STEPS["when the server has it and has not answered"](tab, "twice");
  await TAB_ENDINGS.crashed(tab.page);
  tab = await reopenTab(tab, (next) =>
    next.page.route(SEND_URL, (route) => {
      const body = route.request().postDataJSON() as object;
      return route.continue({ postData: JSON.stringify({ ...body, tmpId: "another number" }) });
    }),
  );
  await tab.openChat(cast.lin.nickName);
  const doubled = [...all, "twice", "twice"];
  await tab.expectTexts(doubled);
  await lin.expectTexts(doubled);
  expect(await receivedTexts(friends.lin, friends.bo)).toEqual(doubled);
});

test("K28 U23 while another tab is open, it sends at once what a crashed tab has not sent", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const first = await openSignedIn(cast.bo);
  await first.openChat(cast.lin.nickName);
  const second = await first.openSignedInTab();
  await second.openChat(cast.lin.nickName);
  await sendWith(first, "from a tab that crashes", () => Promise.resolve());
  await expect.poll(() => storedOutbox(second)).toHaveLength(1);
  await TAB_ENDINGS.crashed(first.page);
  await second.expectMessage("from a tab that crashes");
  await second.expectSent();
  expect(await receivedTexts(friends.lin, friends.bo)).toEqual(["from a tab that crashes"]);
  await expect.poll(() => storedOutbox(second)).toEqual([]);
});

testInFullRun(
  "K28: tabs that end at fifty random moments lose no message and send none twice",
  async ({ pair: { lin }, friends, cast, openBrowser }) => {
    test.setTimeout(600_000);
    const random = seededRandom();
    await lin.openChat(cast.bo.nickName);
    let tab = await openBrowser(cast.bo);
    await tab.open();
    await tab.byLabel("login.rememberPassword").check();
    await tab.logIn();
    const all: string[] = [];
    const deaths = 50;
    for (let death = 1; death <= deaths; death++) {
      await tab.openChat(cast.lin.nickName);
      const texts = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, index) => `${death}.${index}`);
      for (const text of texts) await tab.send(text);
      all.push(...texts);
      await runEventLoop(tab, Math.floor(random() * 60));
      await TAB_ENDINGS[random() < 0.5 ? "closed" : "crashed"](tab.page);
      tab = await reopenTab(tab);
    }
    await tab.openChat(cast.lin.nickName);
    await expect.poll(() => storedOutbox(tab)).toEqual([]);
    expect(await receivedTexts(friends.lin, friends.bo)).toEqual(all);
    expect(await receivedTexts(friends.bo, friends.lin)).toEqual(all);
    await lin.expectMessage(all.at(-1) ?? "");
    test.info().annotations.push({ type: "done", description: `${deaths} tabs dead at random` });
  },
);

/** Lets the page handle so many events. */
function runEventLoop(tab: Person, count: number): Promise<void> {
  return tab.page.evaluate(async (turns) => {
    const { port1, port2 } = new MessageChannel();
    port1.start();
    for (let turn = 0; turn < turns; turn++) {
      const next = new Promise((resolve) => port1.addEventListener("message", resolve, { once: true }));
      port2.postMessage(null);
      await next;
    }
  }, count);
}

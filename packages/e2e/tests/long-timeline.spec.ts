import { chooseDay } from "../src/choose-day.ts";
import { watchFlashes } from "../src/flashes.ts";
import { countRenderWork, readRenderWork } from "../src/render-work.ts";
import { expect, test } from "../src/fixtures.ts";
import { isFullRun } from "../src/full-run.ts";
import type { PersonOptions } from "../src/person.ts";
import { TimelineView } from "../src/timeline-view.ts";

const COUNT = 100_000;
/** How far up UI5 scrolls. */
const FAR = isFullRun ? 10_000 : 3_000;
const ROWS_MAX = 120;
const MINUTE_MS = 60_000;
/** A text that only one message contains. */
const SEARCHED = "No 40001";
const BO: PersonOptions = { language: "en-US", userName: "bo", nickName: "Bo" };

// The tests share a server that is filled with conversations.
test.describe.configure({ mode: "default" });

/** One message a minute for about ten weeks. */
test.use({
  conversations: {
    people: [
      { userName: "bo", nickName: "Bo" },
      { userName: "lin", nickName: "Lin" },
      { userName: "may", nickName: "May" },
    ],
    conversations: [
      { between: [0, 1], count: COUNT, everyMs: MINUTE_MS, unread: 0 },
      { between: [0, 2], count: 5, everyMs: MINUTE_MS, unread: 0 },
    ],
  },
});

test("UI5 of 100,000 messages few are mounted at every step of scrolling thousands up and back", async ({
  openSignedIn,
}) => {
  test.slow();
  const bo = await openSignedIn(BO);
  await bo.openChat("Lin");
  const view = new TimelineView(bo);
  await expect.poll(async () => (await view.numbers()).at(-1)).toBe(COUNT - 1);
  await view.waitUntilStable();
  const nodes = await bo.page.evaluate(() => document.querySelectorAll("*").length);
  const up = await view.scrollUntil(-1, COUNT - FAR);
  expect(up.most).toBeLessThanOrEqual(ROWS_MAX);
  expect(up.gaps).toEqual([]);
  const down = await view.scrollUntil(1, COUNT - 1);
  expect(down.most).toBeLessThanOrEqual(ROWS_MAX);
  expect(down.gaps).toEqual([]);
  // The last message is mounted before it is in view, so scroll on to the end.
  await view.wheel(2_000);
  await view.expectRestsAtEnd();
  expect(await bo.page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThanOrEqual(
    nodes * 1.2,
  );
});

test("UI9 a chat of 100,000 messages opens again in one commit, with few rows and no sign of loading", async ({
  openLogin,
}) => {
  const bo = await openLogin(BO);
  await countRenderWork(bo.page);
  await bo.page.reload();
  await bo.logIn();
  await bo.openChat("Lin");
  const view = new TimelineView(bo);
  await view.waitUntilStable();
  await bo.openChat("May");
  await expect(bo.messages()).toHaveCount(5);
  // Wait until all earlier work is rendered: older messages are loaded only after the local database has stored the pull of the login.
  await expect(view.log.locator("[data-spinner]")).toHaveCount(0);
  await expect
    .poll(async () => {
      await readRenderWork(bo.page);
      await view.waitUntilStable();
      return (await readRenderWork(bo.page)).commits;
    })
    .toBe(0);
  await bo.row("Lin").click();
  await expect(bo.messages().last()).toContainText(`No ${COUNT - 1}`);
  await view.waitUntilStable();
  const { inMain, wasBusy } = await readRenderWork(bo.page);
  expect(inMain).toBe(1);
  expect(wasBusy).toBe(false);
  expect((await view.measure()).rows).toBeLessThanOrEqual(ROWS_MAX);
});

test("UI1 a loaded page does not move the text, whether the user scrolls by keys, touch or scrollbar", async ({
  openSignedIn,
}) => {
  test.slow();
  const bo = await openSignedIn(BO);
  await bo.openChat("Lin");
  const view = new TimelineView(bo);
  await view.waitUntilStable();
  const scrollWays = {
    keys: async () => {
      await view.log.focus();
      await bo.page.keyboard.press("PageUp");
    },
    touch: () => view.flick(),
    scrollbar: () => view.log.evaluate((log) => (log.scrollTop = Math.max(0, log.scrollTop - 700))),
  };
  for (const [name, scroll] of Object.entries(scrollWays)) {
    let pages = 0;
    for (let turn = 0; turn < 60 && pages < 3; turn++) {
      await view.watchForJumps();
      await scroll();
      await view.waitUntilStable();
      const { jumps, grown } = await view.stopWatching();
      expect(jumps, name).toEqual([]);
      if (grown) pages += 1;
    }
    expect(pages, name).toBe(3);
  }
});

/** Scrolls both ways from the target of a jump: no message is missing, and the view does not return to the end by itself. */
async function expectNoGapAround(view: TimelineView): Promise<void> {
  await view.waitUntilStable();
  const start = (await view.numbers())[0] ?? 0;
  const up = await view.scrollUntil(-1, start - 500);
  expect(up.gaps).toEqual([]);
  const down = await view.scrollUntil(1, start + 500);
  expect(down.gaps).toEqual([]);
  const numbers = await view.numbers();
  expect(Math.max(...numbers)).toBeLessThan(COUNT - 10_000);
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
}

// This test must be the last one of the file, since it sends a message in the shared conversation.
test("UI6 a jump 50,000 messages back to a date, search result or quote loads both directions without a gap", async ({
  openSignedIn,
}) => {
  test.slow();
  const bo = await openSignedIn(BO);
  await bo.openChat("Lin");
  const view = new TimelineView(bo);
  await view.waitUntilStable();
  const day = new Date(Date.now() - 50_000 * MINUTE_MS);
  day.setHours(0, 0, 0, 0);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  await view.wheel(-300);
  const flashes = await watchFlashes(bo);
  // By key, because on a slow machine the button may have faded before it is clicked.
  await bo.page.getByRole("button", { name: bo.t("chat.goToDate") }).press("Enter");
  await chooseDay(bo, `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`);

  /** Only approximate: the times of the messages were computed a moment earlier. */
  const expectedNumber = COUNT - (Date.now() - day.getTime()) / MINUTE_MS;
  await expect
    .poll(async () => Math.min(...(await view.numbers()).map((number) => Math.abs(number - expectedNumber))))
    .toBeLessThan(10);
  await expect.poll(async () => (await flashes()).length).toBe(1);
  await view.waitUntilStable();
  await expect(bo.button("chat.down")).toBeVisible();

  await expectNoGapAround(view);
  await bo.button("chat.down").click();
  await expect.poll(async () => (await view.numbers()).at(-1)).toBe(COUNT - 1);
  await view.expectAtEnd();

  await bo.page.keyboard.press("Control+f");
  await bo.page.getByRole("searchbox", { name: bo.t("find.title") }).fill(SEARCHED);
  const found = bo.messages().filter({ hasText: SEARCHED });
  await expect(found).toBeInViewport({ ratio: 1 });
  await bo.page.keyboard.press("Escape");
  await expectNoGapAround(view);

  await bo.page.keyboard.press("Control+f");
  await bo.page.getByRole("searchbox", { name: bo.t("find.title") }).fill(SEARCHED);
  await expect(found).toBeInViewport({ ratio: 1 });
  await bo.page.keyboard.press("Escape");
  await bo.runMessageAction(SEARCHED, "act.quote");
  await bo.send("as was said");
  const answer = bo.messages().filter({ hasText: "as was said" });
  await expect(answer).toBeInViewport({ ratio: 1 });
  await view.waitUntilStable();
  await answer.locator("[data-quote]").click();
  await expect(found).toBeInViewport({ ratio: 1 });
  await expect(answer).toHaveCount(0);
  await expectNoGapAround(view);
});

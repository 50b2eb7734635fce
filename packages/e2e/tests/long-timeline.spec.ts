import { chooseDay } from "../src/choose-day.ts";
import { countRenderWork, readRenderWork } from "../src/render-work.ts";
import { expect, test } from "../src/fixtures.ts";
import type { PersonOptions } from "../src/person.ts";
import { TimelineView } from "../src/timeline-view.ts";

const COUNT = 100_000;
const FAR = 10_000;
const ROWS_MAX = 120;
const MINUTE_MS = 60_000;
/** What one message alone says. */
const FOUND = "No 40001";
const BO: PersonOptions = { language: "en-US", userName: "bo", nickName: "Bo" };

/** One message a minute for some ten weeks. */
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

test("row 5: of 100,000 messages few are mounted, at every step of the way 10,000 up and back", async ({
  openLogin,
}) => {
  test.slow();
  const bo = await openLogin(BO);
  await bo.logIn();
  await bo.openChat("Lin");
  const view = new TimelineView(bo);
  await view.waitUntilStable();
  expect((await view.numbers()).at(-1)).toBe(COUNT - 1);
  const nodes = await bo.page.evaluate(() => document.querySelectorAll("*").length);
  const up = await view.scrollUntil(-1, COUNT - FAR);
  expect(up.most).toBeLessThanOrEqual(ROWS_MAX);
  expect(up.gaps).toEqual([]);
  const down = await view.scrollUntil(1, COUNT - 1);
  expect(down.most).toBeLessThanOrEqual(ROWS_MAX);
  expect(down.gaps).toEqual([]);
  // The last one is mounted a little before it is in view.
  await view.wheel(2_000);
  await view.waitUntilStable();
  expect((await view.measure()).below).toBeLessThanOrEqual(1);
  expect(await bo.page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThanOrEqual(
    nodes * 1.2,
  );
});

test("row 9: a chat of 100,000 messages opens again in one commit, with few rows and no sign of loading", async ({
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
  // Nothing of what went before is left to draw: older messages wait until the disk has all that the login brought.
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

test("row 1: no loaded page moves the text, whatever way the user scrolled", async ({ openLogin }) => {
  test.slow();
  const bo = await openLogin(BO);
  await bo.logIn();
  await bo.openChat("Lin");
  const view = new TimelineView(bo);
  await view.waitUntilStable();
  const hands = {
    keys: async () => {
      await view.log.focus();
      await bo.page.keyboard.press("PageUp");
    },
    touch: () => view.flick(),
    scrollbar: () => view.log.evaluate((log) => (log.scrollTop = Math.max(0, log.scrollTop - 700))),
  };
  for (const [name, scroll] of Object.entries(hands)) {
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

/** From where a jump led: on both ways there is one message after the other, and the view does not go back by itself. */
async function goOnBothWays(view: TimelineView): Promise<void> {
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

// The last one, since it says something in the conversation.
test("row 6: a jump 50,000 messages back to a date, search result or quote loads both directions without a gap", async ({
  openLogin,
}) => {
  test.slow();
  const bo = await openLogin(BO);
  await bo.logIn();
  await bo.openChat("Lin");
  const view = new TimelineView(bo);
  await view.waitUntilStable();
  const day = new Date(Date.now() - 50_000 * MINUTE_MS);
  day.setHours(0, 0, 0, 0);
  const two = (value: number) => String(value).padStart(2, "0");
  await view.wheel(-300);
  await bo.button("chat.goToDate").click();
  await chooseDay(bo, `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`);

  /** About: the seed counts back from a moment before. */
  const wanted = COUNT - (Date.now() - day.getTime()) / MINUTE_MS;
  await expect
    .poll(async () => Math.min(...(await view.numbers()).map((number) => Math.abs(number - wanted))))
    .toBeLessThan(10);
  await expect(view.log.locator("[data-flash]")).toHaveCount(1);
  await view.waitUntilStable();
  await expect(bo.button("chat.down")).toBeVisible();

  await goOnBothWays(view);
  await bo.button("chat.down").click();
  await expect.poll(async () => (await view.numbers()).at(-1)).toBe(COUNT - 1);
  await expect.poll(async () => (await view.measure()).below).toBeLessThanOrEqual(1);

  await bo.page.keyboard.press("Control+f");
  await bo.page.getByRole("searchbox", { name: bo.t("find.title") }).fill(FOUND);
  const found = bo.messages().filter({ hasText: FOUND });
  await expect(found).toBeInViewport({ ratio: 1 });
  await bo.page.keyboard.press("Escape");
  await goOnBothWays(view);

  await bo.page.keyboard.press("Control+f");
  await bo.page.getByRole("searchbox", { name: bo.t("find.title") }).fill(FOUND);
  await expect(found).toBeInViewport({ ratio: 1 });
  await bo.page.keyboard.press("Escape");
  await bo.runMessageAction(FOUND, "act.quote");
  await bo.send("as was said");
  const answer = bo.messages().filter({ hasText: "as was said" });
  await expect(answer).toBeInViewport({ ratio: 1 });
  await view.waitUntilStable();
  await answer.locator("[data-quote]").click();
  await expect(found).toBeInViewport({ ratio: 1 });
  await expect(answer).toHaveCount(0);
  await goOnBothWays(view);
});

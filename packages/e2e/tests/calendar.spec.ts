import type { Locator } from "@playwright/test";
import { expectAccessible } from "../src/expect-accessible.ts";
import { chooseDay } from "../src/choose-day.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person, PersonOptions } from "../src/person.ts";

const DAY_MS = 86_400_000;
const COUNT = 60;
const BO: PersonOptions = { language: "en-US", userName: "bo", nickName: "Bo" };

// The tests share a server that is filled with conversations.
test.describe.configure({ mode: "default" });

/** A message every second day, the last one two days ago. */
test.use({
  conversations: {
    people: [
      { userName: "bo", nickName: "Bo" },
      { userName: "lin", nickName: "Lin" },
    ],
    conversations: [{ between: [0, 1], count: COUNT, everyMs: 2 * DAY_MS, unread: 0 }],
  },
});

const calendar = (person: Person): Locator =>
  person.page.getByRole("dialog", { name: person.t("chat.goToDate") });
const focusedDay = (person: Person): Promise<string | null> =>
  person.page.evaluate(() => document.activeElement?.getAttribute("data-day") ?? null);

function isoDay(date: Date): string {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}

const daysAgo = (count: number) => new Date(Date.now() - count * DAY_MS);

test("R161 R162 the day pill opens a calendar: days with messages are marked, keys move through it, Enter jumps to the day", async ({
  openSignedIn,
}) => {
  const bo = await openSignedIn(BO);
  await bo.openChat("Lin");
  await expect(bo.messages().last()).toBeVisible();
  const pill = bo.page.getByRole("button", { name: bo.t("chat.goToDate") });
  await pill.focus();
  await pill.press("Enter");
  await expect(calendar(bo)).toBeVisible();
  const today = isoDay(new Date());
  await expect.poll(() => focusedDay(bo)).not.toBeNull();
  await expectAccessible(bo, "the calendar of a chat");
  const { keyboard } = bo.page;
  await keyboard.press("PageDown");
  await expect.poll(() => focusedDay(bo)).toBe(today);

  // The previous month contains no future days.
  await keyboard.press("PageUp");
  await expect.poll(async () => ((await focusedDay(bo)) ?? today) < today.slice(0, 7)).toBe(true);
  const month = (await focusedDay(bo))?.slice(0, 7) ?? "";
  const cells = calendar(bo).locator("[data-day]");
  const marked = calendar(bo).getByRole("gridcell", { name: /has messages$/ });
  const expectedDays = Array.from({ length: COUNT }, (_, n) => isoDay(daysAgo(2 * n + 2)))
    .filter((day) => day.startsWith(month))
    .toReversed();
  await expect(marked).toHaveCount(expectedDays.length);
  expect(
    await marked.evaluateAll((gridcells) => gridcells.map((day) => day.getAttribute("data-day"))),
  ).toEqual(expectedDays);
  await expect(calendar(bo).getByRole("columnheader").first()).toHaveAccessibleName("Sunday");

  // Keys do not go beyond today, and Tab stays inside the dialog.
  await keyboard.press("PageDown");
  await keyboard.press("PageDown");
  await expect.poll(() => focusedDay(bo)).toBe(today);
  await keyboard.press("ArrowRight");
  await expect.poll(() => focusedDay(bo)).toBe(today);
  await expect(calendar(bo).getByRole("button", { name: bo.t("calendar.nextMonth") })).toBeDisabled();
  await keyboard.press("Tab");
  await expect(calendar(bo).getByRole("button", { name: bo.t("calendar.previousYear") })).toBeFocused();
  await keyboard.press("Shift+Tab");
  await expect.poll(() => focusedDay(bo)).toBe(today);
  await keyboard.press("ArrowUp");
  await expect.poll(() => focusedDay(bo)).toBe(isoDay(daysAgo(7)));
  await keyboard.press("Escape");
  await expect(calendar(bo)).toHaveCount(0);
  await expect(pill).toBeFocused();

  await pill.press("Enter");
  await expect.poll(() => focusedDay(bo)).not.toBeNull();
  await keyboard.press("PageDown");
  for (let day = 0; day < 40; day++) await keyboard.press("ArrowLeft");
  await expect.poll(() => focusedDay(bo)).toBe(isoDay(daysAgo(40)));
  await expect(cells.first()).toBeVisible();
  await keyboard.press("Enter");
  await expect(calendar(bo)).toHaveCount(0);
  await expect(bo.messages().filter({ hasText: `No ${COUNT - 20} ` })).toBeInViewport();
});

test("R161 R162 the search in a chat chooses its day from the same calendar, in the user's language", async ({
  openSignedIn,
}) => {
  const bo = await openSignedIn({
    ...BO,
    language: "zh-CN",
    viewport: { width: 390, height: 844 },
    isTouch: true,
  });
  await bo.openChat("Lin");
  await bo.button("chat.find").tap();
  await bo.button("find.pickDay").tap();
  const picker = bo.page.getByRole("dialog", { name: bo.t("find.pickDay") });
  await expect(picker.getByRole("columnheader").first()).toHaveAccessibleName("星期一");
  await expect(picker.getByRole("heading")).toHaveText(/^\d{4}年\d{1,2}月$/);
  // At the start of a month only the previous one has messages.
  await picker.getByRole("button", { name: bo.t("calendar.previousMonth") }).tap();
  await expect(picker.getByRole("gridcell", { name: /有消息$/ }).first()).toBeVisible();
  const box = await picker.boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  await expectAccessible(bo, "the calendar of a search on a phone");
  const day = isoDay(daysAgo(40));
  await chooseDay(bo, day);
  await expect(bo.byLabel("find.day")).toHaveValue(day);
  await expect(bo.messages().filter({ hasText: `No ${COUNT - 20} ` })).toBeInViewport();
});

import { countRenderWork, readRenderWork } from "../src/render-work.ts";
import { expect, test } from "../src/fixtures.ts";
import type { PersonOptions } from "../src/person.ts";
import { TimelineView } from "../src/timeline-view.ts";

const CHATS = 50;
const BO: PersonOptions = { language: "en-US", userName: "bo", nickName: "Bo" };

// The tests share a server that is filled with conversations.
test.describe.configure({ mode: "default" });

/** Bo has fifty friends and has exchanged some messages with each of them. */
test.use({
  conversations: {
    people: [
      { userName: "bo", nickName: "Bo" },
      ...Array.from({ length: CHATS }, (_, index) => ({
        userName: `friend${index}`,
        nickName: `Friend ${index}`,
      })),
    ],
    conversations: Array.from({ length: CHATS }, (_, index) => ({
      between: [0, index + 1] as const,
      count: 60,
      everyMs: 60_000,
      unread: 0,
    })),
  },
});

test("UI9 each of fifty chats in memory opens in at most two commits, without a sign of loading", async ({
  openLogin,
}) => {
  const bo = await openLogin(BO);
  await countRenderWork(bo.page);
  await bo.page.reload();
  await bo.logIn();
  const heading = bo.page.getByRole("heading", { level: 1 });
  const view = new TimelineView(bo);
  await expect(bo.page.getByRole("option", { name: /^Friend/ }).first()).toBeVisible();
  await bo.page.keyboard.press("Alt+ArrowDown");
  await expect(bo.messages().last()).toBeVisible();
  await view.waitUntilStable();

  const seen = new Set([await heading.textContent()]);
  const commitsInMain: number[] = [];
  const allCommits: number[] = [];
  for (let turn = 1; turn < CHATS; turn++) {
    const before = (await heading.textContent()) ?? "";
    await readRenderWork(bo.page);
    await bo.page.keyboard.press("Alt+ArrowDown");
    await expect(heading).not.toHaveText(before);
    await view.waitUntilStable();
    const { commits, inMain, wasBusy } = await readRenderWork(bo.page);
    commitsInMain.push(inMain);
    allCommits.push(commits);
    expect(wasBusy).toBe(false);
    expect((await view.measure()).below).toBeLessThanOrEqual(1);
    seen.add(await heading.textContent());
  }
  expect(seen.size).toBe(CHATS);
  expect(
    Math.max(...commitsInMain),
    `commits of each switch: ${commitsInMain.join(" ")}`,
  ).toBeLessThanOrEqual(2);
  // As long as the chat list does not scroll, nothing else is rendered.
  expect(Math.max(...allCommits.slice(0, 8)), `all commits: ${allCommits.join(" ")}`).toBeLessThanOrEqual(2);
});

test("UI20 nothing shifts while a chat opens", async ({ openLogin }) => {
  const bo = await openLogin(BO);
  await bo.page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { parleyShifts: shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  const shifts = () =>
    bo.page.evaluate(() => (window as unknown as { parleyShifts: number[] }).parleyShifts.splice(0));
  await bo.page.reload();
  await bo.logIn();
  const rows = bo.page.getByRole("option", { name: /^Friend/ });
  await expect(rows.nth(8)).toBeVisible();
  const view = new TimelineView(bo);
  await bo.page.evaluate(async () => void (await document.fonts.ready));
  await shifts();
  for (const index of [7, 3, 7]) {
    await rows.nth(index).click();
    await expect(bo.messages().last()).toBeVisible();
    await view.waitUntilStable();
    expect(await shifts()).toEqual([]);
  }
  await bo.page.reload();
  await expect(bo.messages().last()).toBeVisible();
  await view.waitUntilStable();
  expect(await shifts()).toEqual([]);
});

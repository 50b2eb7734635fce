import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText, sendTexts } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

/** Collects the requests with which the page reports a read position, newest last. */
function recordReadReports(person: Person): string[] {
  const reports: string[] = [];
  person.page.on("request", (request) => {
    if (request.url().includes(`/api${ENDPOINTS.readPrivateMessages.path}`)) reports.push(request.url());
  });
  return reports;
}

/** Lets the page render for long enough that a message in view counts as seen. */
async function stayForFrames(person: Person): Promise<void> {
  await person.page.evaluate(async () => {
    const until = performance.now() + 1_200;
    while (performance.now() < until) await new Promise(requestAnimationFrame);
  });
}

const ABSENCES = {
  "the window has no focus": () => {
    document.hasFocus = () => false;
    return Promise.resolve();
  },
  "the tab is hidden": () => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
    return Promise.resolve();
  },
  "the user does nothing for a minute": () => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 61_000;
    return Promise.resolve();
  },
} as const;

for (const [situation, leave] of Object.entries(ABSENCES)) {
  test(`UI16 no message is read while ${situation}; afterwards all are read at once`, async ({
    friends,
    cast,
    openSignedIn,
  }) => {
    await sendText(friends.lin, friends.bo, "before");
    const bo = await openSignedIn(cast.bo);
    const reports = recordReadReports(bo);
    await bo.openChat(cast.lin.nickName);
    await expect(bo.page).toHaveTitle(cast.bo.nickName);
    await expect.poll(() => reports.splice(0).length).toBe(1);
    await bo.page.evaluate(leave);
    await sendTexts(friends.lin, friends.bo, ["one", "two"]);
    await bo.expectMessage("two");
    await stayForFrames(bo);
    await expect(bo.page).toHaveTitle(`(2) ${cast.bo.nickName}`);
    expect(reports).toEqual([]);

    await bo.page.evaluate(() => {
      document.hasFocus = () => true;
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "visible" });
    });
    await bo.page.mouse.move(700, 300);
    await bo.page.mouse.move(710, 310);
    await expect(bo.page).toHaveTitle(cast.bo.nickName);
    await expect.poll(() => reports.length).toBe(1);
    await stayForFrames(bo);
    expect(reports).toHaveLength(1);
  });
}

test("unseen messages above the view show a button with their count, which jumps to the first of them", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  await sendText(friends.lin, friends.bo, "before");
  const bo = await openSignedIn(cast.bo);
  await bo.openChat(cast.lin.nickName);
  await bo.expectMessage("before");
  await expect(bo.page).toHaveTitle(cast.bo.nickName);
  await bo.page.evaluate(ABSENCES["the window has no focus"]);
  const news = Array.from({ length: 30 }, (_, index) => `news ${index + 1}.`);
  await sendTexts(friends.lin, friends.bo, news);
  await expect(bo.messages().filter({ hasText: "news 30." })).toBeInViewport();
  const divider = bo.page.locator("[data-unread-divider]");
  await expect(divider).not.toBeInViewport();
  const above = bo.button("chat.newAbove", { count: news.length });
  await above.click();
  await expect(divider).toBeInViewport();
  await expect(bo.messages().filter({ hasText: "news 1." })).toBeInViewport();
  await expect(above).toHaveCount(0);
});

test("a chat opens at its first unread message, or at the newest one for people who choose that in the settings", async ({
  friends,
  cast,
  openSignedIn,
}) => {
  const texts = Array.from({ length: 60 }, (_, index) => `news ${index + 1}.`);
  await sendTexts(friends.lin, friends.bo, texts);
  const bo = await openSignedIn(cast.bo);
  await bo.page.evaluate(ABSENCES["the window has no focus"]);
  const message = (text: string) => bo.messages().filter({ hasText: text });
  await bo.openChat(cast.lin.nickName);
  await expect(message("news 1.")).toBeInViewport();
  await bo.openSettings("general");
  await bo.page.getByText(bo.t("settings.openAtNewest"), { exact: true }).click();
  await bo.page.keyboard.press("Escape");
  await bo.openChat(bo.t("chat.system"));
  await bo.openChat(cast.lin.nickName);
  await expect(message("news 60.")).toBeInViewport();
  await expect(bo.button("chat.newAbove", { count: texts.length })).toBeVisible();
});

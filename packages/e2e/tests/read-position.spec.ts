import { ENDPOINTS } from "@parley/protocol/endpoints/all";
import { sendText, sendTexts } from "../src/api.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";

/** What the page tells the server that it has read, newest last. */
function reports(person: Person): string[] {
  const sent: string[] = [];
  person.page.on("request", (request) => {
    if (request.url().includes(`/api${ENDPOINTS.readPrivateMessages.path}`)) sent.push(request.url());
  });
  return sent;
}

/** Long enough for a message in view to count as seen: the page's own frames tell, no clock. */
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
  "nobody touched anything for a minute": () => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 61_000;
    return Promise.resolve();
  },
} as const;

for (const [what, leave] of Object.entries(ABSENCES)) {
  test(`row 16: nothing is read while ${what}, then all of it at once`, async ({
    friends,
    cast,
    openLogin,
  }) => {
    await sendText(friends.lin, friends.bo, "before");
    const bo = await openLogin(cast.bo);
    await bo.logIn();
    const sent = reports(bo);
    await bo.openChat(cast.lin.nickName);
    await expect(bo.page).toHaveTitle(cast.bo.nickName);
    await expect.poll(() => sent.splice(0).length).toBe(1);
    await bo.page.evaluate(leave);
    await sendTexts(friends.lin, friends.bo, ["one", "two"]);
    await bo.expectMessage("two");
    await stayForFrames(bo);
    await expect(bo.page).toHaveTitle(`(2) ${cast.bo.nickName}`);
    expect(sent).toEqual([]);

    await bo.page.evaluate(() => {
      document.hasFocus = () => true;
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "visible" });
    });
    await bo.page.mouse.move(700, 300);
    await bo.page.mouse.move(710, 310);
    await expect(bo.page).toHaveTitle(cast.bo.nickName);
    await expect.poll(() => sent.length).toBe(1);
    await stayForFrames(bo);
    expect(sent).toHaveLength(1);
  });
}

test("messages that arrived unwatched show a count above the view, and the button jumps to the first", async ({
  friends,
  cast,
  openLogin,
}) => {
  await sendText(friends.lin, friends.bo, "before");
  const bo = await openLogin(cast.bo);
  await bo.logIn();
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

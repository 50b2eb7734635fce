import { answerAsSamples } from "../src/admin-answers.ts";
import { visitAdminScreens } from "../src/admin-screens.ts";
import { prompt } from "../src/calls.ts";
import { expectLegible, setTextWindow, type TextWindow } from "../src/expect-legible.ts";
import { expect, test } from "../src/fixtures.ts";
import type { Person } from "../src/person.ts";
import { createScreenData, visitScreens, visitScreensBeforeLogin } from "../src/screens.ts";

/** A phone whose browser has letters of twice the size: the least room that there is for words. */
const PHONE: TextWindow = { width: 390, height: 844, fontPx: 32 };
/** A window of 1280 x 1024 px at a zoom of 400 %. */
const ZOOMED: TextWindow = { width: 320, height: 256, fontPx: 16 };

/** Windows in which people walk through the screens, and those that each screen must fit as well. */
const WALKS: readonly { at: TextWindow; also: readonly TextWindow[] }[] = [
  {
    at: PHONE,
    also: [
      { ...PHONE, fontPx: 24 },
      { ...PHONE, fontPx: 48 },
      { width: 1024, height: 768, fontPx: 48 },
      { width: 1440, height: 900, fontPx: 32 },
      ZOOMED,
    ],
  },
  {
    at: { width: 1440, height: 900, fontPx: 24 },
    also: [
      { width: 1440, height: 900, fontPx: 16 },
      { width: 1024, height: 768, fontPx: 16 },
    ],
  },
];

/** Returns a check of the current screen in each of these windows. The first one is that of the walk. */
function checkIn(person: Person, windows: readonly TextWindow[]): (screen: string) => Promise<void> {
  return async (screen) => {
    // A tooltip under the pointer would stay where it is when the window changes.
    await person.page.mouse.move(0, 0);
    for (const [index, window] of windows.entries()) {
      if (index > 0) await setTextWindow(person, window);
      await expectLegible(person, screen);
    }
    const [first] = windows;
    if (first !== undefined) await setTextWindow(person, first);
  };
}

for (const { at, also } of WALKS) {
  const { width, height, fontPx } = at;
  test(`SC6 every screen has room for its words: ${width} px, letters of ${fontPx} px`, async ({
    friends,
    cast,
    server,
    openLogin,
  }) => {
    test.slow();
    const data = await createScreenData(server.url, friends, cast.other("WWWWWWWW"));
    const isTouch = at === PHONE;
    const person = await openLogin({ ...cast.bo, viewport: { width, height }, fontPx, isTouch });
    await person.page.emulateMedia({ reducedMotion: "reduce" });
    const check = checkIn(person, [at, ...also]);
    for await (const screen of visitScreensBeforeLogin(person)) await check(screen);
    await person.logIn();
    for await (const screen of visitScreens(person, data)) await check(screen);
  });
}

test("SC6 the administration has room for its words in large letters", async ({
  friends: _,
  cast,
  openLogin,
}) => {
  test.slow();
  const { width, height, fontPx } = PHONE;
  const person = await openLogin({ ...cast.bo, viewport: { width, height }, fontPx });
  await person.page.emulateMedia({ reducedMotion: "reduce" });
  await person.logIn();
  await answerAsSamples(person);
  const check = checkIn(person, [PHONE, { width: 1440, height: 900, fontPx: 32 }, ZOOMED]);
  for await (const screen of visitAdminScreens(person)) await check(screen);
});

test("SC6 a call that rings has room for its words in large letters", async ({
  friends: _,
  cast,
  openSignedIn,
}) => {
  const lin = await openSignedIn(cast.lin);
  const { width, height, fontPx } = PHONE;
  const bo = await openSignedIn({ ...cast.bo, viewport: { width, height }, fontPx });
  await lin.openChat(cast.bo.nickName);
  await lin.button("call.video").click();
  await expect(prompt(bo)).toBeVisible();
  const windows = [PHONE, { ...PHONE, fontPx: 48 }, ZOOMED, { width: 1440, height: 900, fontPx: 24 }];
  await checkIn(bo, windows)("a call that rings");
});

test("SC6 the day of the messages covers nothing in a window that has no room for them", async ({
  openConversation,
}) => {
  const { bo } = await openConversation(40, { viewport: { width: 320, height: 512 } });
  await bo.button("chat.find").click();
  await bo.page.getByRole("searchbox", { name: bo.t("find.title") }).fill("message");
  await expect(bo.page.getByRole("main").getByRole("search").getByRole("status")).not.toHaveText("");
  // It is shown while it has the focus, as it is for a moment after each scroll.
  await bo.page.getByRole("button", { name: bo.t("chat.goToDate") }).focus();
  await setTextWindow(bo, ZOOMED);
  await expectLegible(bo, "search in a low window");
});

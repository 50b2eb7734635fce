import { type TextWindow, expectRoom, setTextWindow } from "../src/expect-room.ts";
import { test } from "../src/fixtures.ts";
import { createScreenData, visitScreens, visitScreensBeforeLogin } from "../src/screens.ts";

/** Windows in which people walk through the screens, and those that each screen must fit as well. */
const WALKS: readonly { at: TextWindow; also: readonly TextWindow[] }[] = [
  {
    at: { width: 390, height: 844, fontPx: 32 },
    also: [
      { width: 390, height: 844, fontPx: 24 },
      { width: 390, height: 844, fontPx: 48 },
      { width: 1024, height: 768, fontPx: 32 },
      { width: 1024, height: 768, fontPx: 48 },
      { width: 1440, height: 900, fontPx: 32 },
      { width: 1440, height: 900, fontPx: 48 },
      // A window of 1280 x 1024 px at 400 %.
      { width: 320, height: 256, fontPx: 16 },
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

for (const { at, also } of WALKS) {
  test(`SC6 every screen has room for its words in the font size of the browser: ${at.width} px, ${at.fontPx} px`, async ({
    friends,
    cast,
    server,
    openLogin,
  }) => {
    test.setTimeout(1400_000);
    const data = await createScreenData(server.url, friends, cast.other("WWWWWWWW"));
    const { width, height, fontPx } = at;
    const language = (process.env["PROBE_LANG"] ?? "en-US") as "en-US";
    const person = await openLogin({
      ...cast.bo,
      language,
      viewport: { width, height },
      fontPx,
      isTouch: width < 500,
    });
    await setTextWindow(person, at);
    await person.page.emulateMedia({ reducedMotion: "reduce" });
    const check = async (screen: string) => {
      await person.page.mouse.move(0, 0);
      for (const size of [at, ...also]) {
        if (size !== at) await setTextWindow(person, size);
        await expectRoom(person, screen);
        const dir = process.env["PROBE_SHOTS"];
        if (dir !== undefined && (size === at || process.env["PROBE_ALL"]))
          await person.page.screenshot({
            path: `${dir}/${size.width}-${size.fontPx}-${screen.replaceAll(/\W+/g, "-")}.png`,
          });
      }
      await setTextWindow(person, at);
    };
    for await (const screen of visitScreensBeforeLogin(person)) await check(screen);
    await person.logIn();
    for await (const screen of visitScreens(person, data)) await check(screen);
  });
}

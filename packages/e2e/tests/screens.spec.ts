import { expectAccessible } from "../src/expect-accessible.ts";
import { expectFits, expectTouchable } from "../src/expect-fits.ts";
import { expect, test } from "../src/fixtures.ts";
import { inLanguages } from "../src/full-run.ts";
import { productTexts } from "../src/product-texts.ts";
import { createScreenData, switchLanguage, visitScreens, visitScreensBeforeLogin } from "../src/screens.ts";
import { takePictures } from "../src/shots.ts";

/** How wide windows are in which people walk through the screens, and the sizes that each screen must fit as well. */
const WINDOWS = [
  {
    name: "wide window",
    languages: inLanguages("en-US", "zh-TW"),
    viewport: { width: 1440, height: 900 },
    also: [{ width: 1024, height: 768 }],
  },
  {
    name: "phone",
    languages: inLanguages("en-US", "zh-CN"),
    viewport: { width: 390, height: 844 },
    // The second one is a window of 1440 x 900 px at 200 %.
    also: [
      { width: 320, height: 568 },
      { width: 720, height: 450 },
    ],
  },
] as const;

for (const { name, languages, viewport, also } of WINDOWS) {
  for (const language of languages) {
    test(`SC1 SC2 SC5 every screen fits, is accessible and in one language: ${name}, ${language}`, async ({
      friends,
      cast,
      server,
      openLogin,
      openSignedIn,
    }) => {
      test.slow();
      const data = await createScreenData(server.url, friends, cast.other("WWWWWWWW"));
      const person = await openLogin({ ...cast.bo, viewport, language, isTouch: name === "phone" });
      await person.page.emulateMedia({ reducedMotion: "reduce" });
      const check = async (screen: string) => {
        // A tooltip under the pointer would stay where it is when the window changes.
        await person.page.mouse.move(0, 0);
        // What axe looks at is the same in every language.
        if (language === "en-US") await expectAccessible(person, screen, "all");
        if (language === "en-US" && name === "phone") await expectTouchable(person, screen);
        await takePictures(person, screen);
        await expectFits(person, screen);
        // Last, because a popover closes when the window changes.
        for (const size of also) {
          await person.page.setViewportSize(size);
          await expectFits(person, screen);
        }
        await person.page.setViewportSize(viewport);
      };
      for await (const screen of visitScreensBeforeLogin(person)) await check(screen);
      await person.logIn();
      if (language === "zh-TW" && name !== "phone") {
        await switchLanguage(person, "English", person.t);
        await switchLanguage(person, "繁體中文", productTexts("en-US"));
      }
      for await (const screen of visitScreens(person, data)) await check(screen);
      await openSignedIn(cast.bo);
      await expect(person.page.getByRole("alertdialog", { name: person.t("end.kickedTitle") })).toBeVisible();
      await check("forced logout");
    });
  }
}

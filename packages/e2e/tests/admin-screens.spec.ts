import { answerAsSamples } from "../src/admin-answers.ts";
import { englishSentences, openAdminPage, visitAdminScreens } from "../src/admin-screens.ts";
import { expectAccessible, WIDTHS } from "../src/expect-accessible.ts";
import { expectFits, expectTouchable } from "../src/expect-fits.ts";
import { expect, test } from "../src/fixtures.ts";
import { inLanguages } from "../src/full-run.ts";
import { takePictures } from "../src/shots.ts";

for (const [width, viewport] of WIDTHS) {
  const isPhone = viewport.width < 768;
  for (const language of inLanguages("en-US", isPhone ? "zh-CN" : "zh-TW")) {
    test(`every page of the administration fits, is accessible and in one language: ${width}, ${language}`, async ({
      friends: _,
      cast,
      openLogin,
    }) => {
      test.slow();
      const person = await openLogin({ ...cast.bo, viewport, language, isTouch: isPhone });
      await person.page.emulateMedia({ reducedMotion: "reduce" });
      const check = async (screen: string) => {
        await person.page.mouse.move(0, 0);
        // What axe looks at is the same in every language.
        if (language === "en-US") await expectAccessible(person, screen, "all");
        if (language === "en-US" && isPhone) await expectTouchable(person, screen);
        await takePictures(person, `admin ${screen}`);
        await expectFits(person, screen);
        if (language !== "en-US") expect(await englishSentences(person), screen).toEqual([]);
      };
      await person.open("/admin/setup");
      await expect(person.text("admin.setup.noToken")).toBeVisible();
      await check("setup without its token");
      await person.open("/admin/setup#token");
      await person.button("admin.setup.submit").click();
      await expect(person.page).toHaveURL(/\/admin\/setup$/);
      await check("setup with errors");
      await person.open();
      await person.logIn();
      await person.open("/admin");
      await expect(person.text("admin.noAccess")).toBeVisible();
      await check("without the role");

      await answerAsSamples(person);
      for await (const screen of visitAdminScreens(person)) await check(screen);
      person.console.allow(/503/);
      await person.context.route("**/api/admin/people**", (route) =>
        route.fulfill({ status: 503, body: "" }),
      );
      await openAdminPage(person, "people");
      await expect(person.button("app.retry")).toBeVisible();
      await check("people that could not be loaded");
    });
  }
}

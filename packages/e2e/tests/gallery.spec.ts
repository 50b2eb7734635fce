import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { ConsoleGuard } from "../src/console-guard.ts";
import { LANGUAGES, type Language } from "../src/product-texts.ts";
import { freePort } from "../src/server.ts";

const GALLERY = fileURLToPath(new URL("../../../tools/gallery.ts", import.meta.url));

/** What a page of the gallery offers. */
interface GalleryWindow {
  readonly gallery: {
    setLanguage(language: Language): Promise<void>;
    /** The parts that no call has found on the page so far. */
    missingParts(): readonly string[];
  };
}

// Each half is wide enough for the layout of a desktop.
test.use({ viewport: { width: 2_000, height: 900 } });

test("the gallery shows every part without errors, in every language and theme", async ({
  context,
  page,
}) => {
  const port = await freePort();
  const gallery = spawn(process.execPath, [GALLERY, "--port", String(port)], { stdio: "ignore" });
  const guard = new ConsoleGuard(context);
  try {
    const url = `http://127.0.0.1:${port}`;
    await expect(async () => expect((await fetch(url)).ok).toBe(true)).toPass();
    await page.goto(url);
    for (const theme of ["light", "dark"]) {
      const half = page.frameLocator(`iframe[title=${theme}]`);
      await expect(half.locator("[data-section]").last()).toBeVisible({ timeout: 60_000 });
      const root = half.locator("html");
      await expect(root).toHaveAttribute("data-theme", theme);
      const missingParts = () =>
        root.evaluate(() => (window as unknown as GalleryWindow).gallery.missingParts());
      for (const opener of await half.locator("[data-opener]").all()) {
        await opener.click();
        await missingParts();
        await page.keyboard.press("Escape");
      }
      await expect.poll(missingParts).toEqual([]);
      for (const language of LANGUAGES) {
        await root.evaluate(
          (_, chosen) => (window as unknown as GalleryWindow).gallery.setLanguage(chosen),
          language,
        );
        await expect(root).toHaveAttribute("lang", language);
      }
    }
    expect(guard.unexpectedErrors()).toEqual([]);
  } finally {
    gallery.kill("SIGTERM");
    await once(gallery, "exit");
  }
});

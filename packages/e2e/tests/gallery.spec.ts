import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test, type Locator } from "@playwright/test";
import { ConsoleGuard } from "../src/console-guard.ts";
import { LANGUAGES, type Language } from "../src/product-texts.ts";
import { freePort } from "@parley/server/testing/local-programs";

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

const galleryTest = test.extend<{ url: string }>({
  /** The address of a gallery that is running. */
  url: async ({}, use) => {
    const port = await freePort();
    const gallery = spawn(process.execPath, [GALLERY, "--port", String(port)], { stdio: "ignore" });
    const url = `http://127.0.0.1:${port}`;
    try {
      await expect(async () => expect((await fetch(url)).ok).toBe(true)).toPass();
      await use(url);
    } finally {
      gallery.kill("SIGTERM");
      await once(gallery, "exit");
    }
  },
});

galleryTest(
  "the gallery shows every part without errors, in both themes and every language",
  async ({ context, page, url }) => {
    test.slow();
    // Every animated part of the product is on this page, and drawing them all takes a slow machine minutes.
    await page.emulateMedia({ reducedMotion: "reduce" });
    const guard = new ConsoleGuard(context);
    await page.goto(url);
    for (const theme of ["light", "dark"]) {
      const half = page.frameLocator(`iframe[title=${theme}]`);
      await expect(half.locator("[data-section]").last()).toBeVisible({ timeout: 240_000 });
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
      // Texts are the same in both themes.
      for (const language of theme === "light" ? LANGUAGES : []) {
        await root.evaluate(
          (_, chosen) => (window as unknown as GalleryWindow).gallery.setLanguage(chosen),
          language,
        );
        await expect(root).toHaveAttribute("lang", language);
      }
    }
    expect(guard.unexpectedErrors()).toEqual([]);
  },
);

/** How a control looks, and how it would look if it were disabled. */
function looksOf(control: Locator) {
  return control.evaluate((element) => {
    if (!("disabled" in element)) throw new Error("this element cannot be disabled");
    // The fill and the border of a text field are those of the box around it.
    const { parentElement: parent } = element;
    const frame = element.matches("input:not([type=checkbox]), textarea") && parent ? parent : element;
    const look = () => {
      const { backgroundColor, borderColor, boxShadow, opacity } = getComputedStyle(frame);
      return {
        text: getComputedStyle(element).color,
        fill: backgroundColor,
        border: borderColor,
        outline: boxShadow,
        opacity,
      };
    };
    const enabled = look();
    element.disabled = true;
    const disabled = look();
    element.disabled = false;
    return { enabled, disabled };
  });
}

galleryTest(
  "a disabled control looks disabled in both themes, and an outline stays an outline",
  async ({ page, url }) => {
    test.slow();
    await page.emulateMedia({ reducedMotion: "reduce" });
    for (const theme of ["light", "dark"]) {
      await page.goto(`${url}/?theme=${theme}&section=controls`);
      // The server of the gallery compiles what the page loads first, which takes long on a busy machine.
      await page.getByText("button, primary", { exact: true }).waitFor({ timeout: 240_000 });
      const controls = (sample: string) =>
        page.getByText(sample, { exact: true }).locator("+ *").locator("button, input, textarea");
      for (const variant of ["primary", "secondary", "ghost", "danger", "dangerFill"]) {
        const { enabled, disabled } = await looksOf(controls(`button, ${variant}`).first());
        expect(disabled.text, variant).not.toBe(enabled.text);
        const isFilled = enabled.fill !== "rgba(0, 0, 0, 0)";
        expect(disabled.fill !== enabled.fill, `${variant} changes its fill`).toBe(isFilled);
        const hasOutline = enabled.outline !== "none";
        expect(disabled.outline !== enabled.outline, `${variant} changes its outline`).toBe(hasOutline);
        expect(disabled.outline !== "none", `${variant} keeps its outline`).toBe(hasOutline);
      }
      const iconButtons = controls("icon button, 40 px: plain, on, danger, disabled, disabled danger");
      for (const index of [0, 1, 2]) {
        const { enabled, disabled } = await looksOf(iconButtons.nth(index));
        expect(disabled.text, `icon button ${index}`).not.toBe(enabled.text);
      }
      for (const sample of ["text field, hint", "text area"]) {
        const { enabled, disabled } = await looksOf(controls(sample).first());
        for (const part of ["text", "fill", "border"] as const)
          expect(disabled[part], `${part} of ${sample}`).not.toBe(enabled[part]);
      }
      const checkboxes = controls("check box: off, on, disabled");
      for (const index of [0, 1]) {
        const { enabled, disabled } = await looksOf(checkboxes.nth(index));
        expect(disabled, `check box ${index}`).toEqual({ ...enabled, opacity: "0.5" });
      }
    }
  },
);

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Person } from "./person.ts";

/** Where pictures of the screens go; without it none are taken. `npm run shots` sets it. */
const folder = process.env["PARLEY_SHOTS"];

/** Whether this run takes pictures. */
export const takesPictures = folder !== undefined;

/** Takes a picture of the current screen in both themes, if pictures are wanted. */
export async function takePictures({ page, options }: Person, screen: string): Promise<void> {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const { width } = page.viewportSize() ?? { width: 0 };
  const name = screen.replaceAll(/[^\w]+/g, "-");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(folder, `${name}.${options.language}.${width}.${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
}

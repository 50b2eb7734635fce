import type { Locator } from "@playwright/test";
import type { ImageUpload } from "@parley/protocol/entities";
import type { Person } from "./person.ts";
import { expect } from "./fixtures.ts";
import type { Colour } from "./png.ts";

/** The dialog that chooses the part of a picture. */
export const cropDialog = ({ page, t }: Person): Locator =>
  page.getByRole("dialog", { name: t("crop.title") });

/** Takes the part that the open dialog shows, and returns what the server answers to its upload. */
export async function useCrop(person: Person): Promise<ImageUpload> {
  const answer = person.page.waitForResponse((response) => response.url().endsWith("/image/upload"));
  await cropDialog(person)
    .getByRole("button", { name: person.t("crop.use") })
    .click();
  const { data } = (await (await answer).json()) as { data: ImageUpload };
  await expect(cropDialog(person)).toHaveCount(0);
  return data;
}

/** A stored picture: its size, and the colours at these fractions of its width and height. */
export function storedPicture({ page }: Person, url: string, points: readonly (readonly [number, number])[]) {
  return page.evaluate(
    async ([path, places]) => {
      const picture = await createImageBitmap(await (await fetch(path)).blob());
      const { width, height } = picture;
      const context = new OffscreenCanvas(width, height).getContext("2d");
      if (context === null) throw new Error("no canvas");
      context.drawImage(picture, 0, 0);
      const colours = places.map(
        ([x, y]) =>
          [...context.getImageData(x * width, y * height, 1, 1).data].slice(0, 3) as unknown as Colour,
      );
      return { width, height, colours };
    },
    [url, points] as const,
  );
}

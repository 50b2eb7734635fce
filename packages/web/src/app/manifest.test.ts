import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("../../public", import.meta.url));

interface Picture {
  readonly src: string;
  readonly sizes: string;
  readonly type: string;
  readonly purpose?: string;
}

const manifest = JSON.parse(readFileSync(`${folder}/manifest.webmanifest`, "utf8")) as {
  icons: Picture[];
  screenshots: Picture[];
  shortcuts: { url: string; icons: Picture[] }[];
};

/** Width and height of a PNG, from its first block. */
function pngSize(file: string): string {
  const bytes = readFileSync(file);
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

test("every picture that the manifest names exists and has the size that it names", () => {
  const pictures = [
    ...manifest.icons,
    ...manifest.screenshots,
    ...manifest.shortcuts.flatMap(({ icons }) => icons),
  ];
  expect(pictures.length).toBeGreaterThan(5);
  for (const { src, sizes, type } of pictures) {
    expect([src, existsSync(folder + src)]).toEqual([src, true]);
    if (type === "image/png") expect([src, pngSize(folder + src)]).toEqual([src, sizes]);
  }
});

test("browsers offer to install it: icons of 192 and 512 px, and one for each shape of the system", () => {
  const sizesOf = (purpose: string) =>
    manifest.icons.filter((icon) => icon.purpose === purpose).map(({ sizes }) => sizes);
  expect(sizesOf("any")).toEqual(expect.arrayContaining(["192x192", "512x512"]));
  expect(sizesOf("maskable")).toEqual(["512x512"]);
  expect(sizesOf("monochrome")).toEqual(["512x512"]);
});

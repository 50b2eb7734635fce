import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { manifestTexts, webManifest } from "../../web-manifest.ts";
import { LOCALES } from "../kit/i18n/locale.ts";

const web = fileURLToPath(new URL("../..", import.meta.url));
const texts = manifestTexts(web);

function manifestIn(locale: string) {
  const t = texts.get(locale);
  if (t === undefined) throw new Error(`no texts in ${locale}`);
  return webManifest(locale, t);
}

/** Width and height of a PNG, from its first block. */
function pngSize(file: string): string {
  const bytes = readFileSync(file);
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}

test("every picture that the manifest names exists and has the size that it names", () => {
  const { icons, screenshots, shortcuts } = manifestIn("en-US");
  const pictures = [...icons, ...screenshots, ...shortcuts.flatMap((shortcut) => shortcut.icons)];
  expect(pictures.length).toBeGreaterThan(5);
  for (const { src, sizes, type } of pictures) {
    const file = `${web}public${src}`;
    expect([src, existsSync(file)]).toEqual([src, true]);
    if (type === "image/png") expect([src, pngSize(file)]).toEqual([src, sizes]);
  }
});

test("browsers offer to install it: icons of 192 and 512 px, and one for each shape of the system", () => {
  const sizesOf = (purpose: string) =>
    manifestIn("en-US")
      .icons.filter((icon) => icon.purpose === purpose)
      .map(({ sizes }) => sizes);
  expect(sizesOf("any")).toEqual(expect.arrayContaining(["192x192", "512x512"]));
  expect(sizesOf("maskable")).toEqual(["512x512"]);
  expect(sizesOf("monochrome")).toEqual(["512x512"]);
});

describe("the language of the manifest", () => {
  test("every language of the client has one", () => {
    expect([...texts.keys()].sort()).toEqual([...LOCALES].sort());
  });

  test.each([
    ["en-US", "An instant messenger that you host yourself", ["Chats", "Friends", "Groups"]],
    ["zh-CN", "可自行部署的即时通讯工具", ["消息", "好友", "群聊"]],
    ["zh-TW", "可自行架設的即時通訊軟體", ["訊息", "好友", "群組"]],
  ])("in %s, description and shortcuts are in that language", (locale, description, names) => {
    const manifest = manifestIn(locale);
    expect(manifest).toMatchObject({ lang: locale, name: "Parley", short_name: "Parley", description });
    expect(manifest.shortcuts.map(({ name }) => name)).toEqual(names);
  });

  test("only texts differ, so that all are the same app", () => {
    const bare = (locale: string) => webManifest(locale, (id) => id);
    const { lang: _, ...english } = bare("en-US");
    for (const locale of LOCALES) expect(bare(locale)).toEqual({ ...english, lang: locale });
    expect(english).toMatchObject({ id: "/", start_url: "/", scope: "/" });
  });

  test("a text that a language does not have stops the build", () => {
    const t = texts.get("en-US");
    expect(() => t?.("manifest.unknown")).toThrow("en-US.json has no text manifest.unknown");
  });
});

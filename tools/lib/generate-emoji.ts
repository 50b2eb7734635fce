import { createRequire } from "node:module";
import { join } from "node:path";
import { repository } from "./files.ts";

interface SourceEmoji {
  readonly emoji: string;
  readonly label: string;
  readonly tags?: readonly string[];
  readonly version: number;
  readonly order?: number;
  readonly group?: number;
  readonly skins?: readonly { readonly tone: number | readonly number[]; readonly version: number }[];
}

// No imports: TypeScript would make a type of each of these megabytes.
const require = createRequire(import.meta.url);

/** The data for each language of the client. */
const SOURCES = {
  "zh-CN": require("emojibase-data/zh/data.json"),
  "en-US": require("emojibase-data/en/data.json"),
  "zh-TW": require("emojibase-data/zh-hant/data.json"),
} as Readonly<Record<string, readonly SourceEmoji[]>>;

/** Fonts of systems that are two years old have the emoji of this version. */
const NEWEST_VERSION = 15;
/** The groups of Unicode by their numbers; 2 has parts of emoji. */
const GROUPS = {
  smileys: 0,
  people: 1,
  animals: 3,
  food: 4,
  travel: 5,
  activities: 6,
  objects: 7,
  symbols: 8,
  flags: 9,
} as const;

/** As Unicode recommends it: the data has a variation selector also where an emoji is none without one. */
function interchangeForm(emoji: string): string {
  const plain = emoji.replaceAll("\uFE0F", "");
  return /^\p{RGI_Emoji}$/v.test(plain) ? plain : emoji;
}

/** One emoji: itself, `~` if it has skin tones, a space, its name, and words by which it is found, separated by `|`. */
function lineOf({ emoji, label, tags = [], skins = [] }: SourceEmoji): string {
  const hasTones = skins.some(({ tone, version }) => !Array.isArray(tone) && version <= NEWEST_VERSION);
  // A word that the name contains finds it anyway.
  const words = tags.map((tag) => tag.toLowerCase()).filter((tag) => !label.toLowerCase().includes(tag));
  return `${interchangeForm(emoji)}${hasTones ? "~" : ""} ${[label, ...words].join("|")}`;
}

/** The paths of the committed lists of emoji, one for each language, and the texts that they must have. */
export function generateEmoji(): { file: string; text: string }[] {
  return Object.entries(SOURCES).map(([locale, source]) => {
    const emoji = source
      .filter(({ version }) => version <= NEWEST_VERSION)
      .sort((a, b) => (a.order ?? 0) - (b.order ?? 0));
    const groups = Object.entries(GROUPS).map(([name, number]) => [
      name,
      emoji.filter(({ group }) => group === number).map(lineOf),
    ]);
    const text = `${JSON.stringify(Object.fromEntries(groups), null, 2)}\n`;
    return { file: join(repository, `packages/web/src/kit/emoji/data/emoji-${locale}.json`), text };
  });
}

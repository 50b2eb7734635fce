import { useEffect, useState } from "react";
import type { Locale } from "../i18n/locale.ts";
import englishUrl from "./data/emoji-en-US.json?url";
import simplifiedUrl from "./data/emoji-zh-CN.json?url";
import traditionalUrl from "./data/emoji-zh-TW.json?url";

/** The groups of emoji, in the order of Unicode. */
export const EMOJI_GROUPS = [
  "smileys",
  "people",
  "animals",
  "food",
  "travel",
  "activities",
  "objects",
  "symbols",
  "flags",
] as const;
export type EmojiGroup = (typeof EMOJI_GROUPS)[number];

/** An emoji that people can choose. */
export interface Emoji {
  readonly emoji: string;
  readonly hasTones: boolean;
  readonly name: string;
  /** Words by which it is found, besides its name. */
  readonly words: readonly string[];
}

export type EmojiList = Readonly<Record<EmojiGroup, readonly Emoji[]>>;

/** The skin tones, from light to dark. */
export const TONES = ["🏻", "🏼", "🏽", "🏾", "🏿"] as const;

/** The files are written by: node tools/emoji.ts */
const URLS: Readonly<Record<Locale, string>> = {
  "zh-CN": simplifiedUrl,
  "en-US": englishUrl,
  "zh-TW": traditionalUrl,
};

const loading = new Map<Locale, Promise<EmojiList>>();

/** Reads a file of emoji. A line has the emoji, `~` if it has skin tones, a space, its name, and further words, separated by `|`. */
export function readEmojiList(lines: Readonly<Record<EmojiGroup, readonly string[]>>): EmojiList {
  const read = (line: string): Emoji => {
    const end = line.indexOf(" ");
    const [name = "", ...words] = line.slice(end + 1).split("|");
    const hasTones = line[end - 1] === "~";
    return { emoji: line.slice(0, hasTones ? end - 1 : end), hasTones, name, words };
  };
  const groups = EMOJI_GROUPS.map((group) => [group, lines[group].map(read)]);
  return Object.fromEntries(groups) as EmojiList;
}

/** The emoji with their names in a language; null until they are loaded. `hasFailed`: the next picker tries again. */
export function useEmojiList(locale: Locale): { list: EmojiList | null; hasFailed: boolean } {
  const [loaded, setLoaded] = useState<{ locale: Locale; list: EmojiList | null } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const settle = (list: EmojiList | null) => {
      if (isCurrent) setLoaded({ locale, list });
    };
    loadEmojiList(locale).then(settle, () => settle(null));
    return () => {
      isCurrent = false;
    };
  }, [locale]);
  const list = loaded?.locale === locale ? loaded.list : null;
  return { list, hasFailed: loaded?.locale === locale && list === null };
}

function loadEmojiList(locale: Locale): Promise<EmojiList> {
  let list = loading.get(locale);
  if (list === undefined) {
    list = fetchEmojiList(URLS[locale]);
    loading.set(locale, list);
    list.catch(() => loading.delete(locale));
  }
  return list;
}

async function fetchEmojiList(url: string): Promise<EmojiList> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the emoji could not be loaded: ${answer.status}`);
  return readEmojiList((await answer.json()) as Parameters<typeof readEmojiList>[0]);
}

/** The emoji in a skin tone; null is the yellow one. Of two people who touch each other, both get it. */
export function withTone({ emoji, hasTones }: Emoji, tone: string | null): string {
  if (!hasTones || tone === null) return emoji;
  return emoji.replace(/^(.)\uFE0F?/u, `$1${tone}`).replace(/(\u200D[👨👩🧑])$/u, `$1${tone}`);
}

/** The emoji without its skin tones, to look up what is known of it. */
export function withoutTone(emoji: string): string {
  return emoji.replaceAll(/\p{Emoji_Modifier}|\uFE0F/gu, "");
}

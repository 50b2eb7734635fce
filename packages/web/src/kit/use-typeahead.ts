import { useRef } from "react";
import type { KeyboardEvent } from "react";
import { loadSounds, nameRanges } from "./pinyin.ts";

/** Letters that follow each other within this time belong together. */
const TOGETHER_MS = 700;

/**
 * Letters typed in a list go to the next row whose name begins with them, by pinyin too (interface §12). Answers the row, or null when the key is
 * none of these or nothing fits.
 */
export function useTypeahead<Key>(keys: readonly Key[], nameOf: (key: Key) => string) {
  const typed = useRef({ letters: "", at: 0 });
  return (event: KeyboardEvent, from: Key): Key | null => {
    const isLetter = [...event.key].length === 1 && event.key !== " ";
    if (!isLetter || event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing)
      return null;
    // Until the table is here, and without a network, names go by their characters.
    loadSounds().catch(() => undefined);
    const isOn = event.timeStamp - typed.current.at < TOGETHER_MS;
    const letters = (isOn ? typed.current.letters : "") + event.key;
    typed.current = { letters, at: event.timeStamp };
    const begins = (key: Key) => nameRanges(nameOf(key), letters)?.[0]?.[0] === 0;
    // The first letter goes on from the row, further ones may stay there.
    const start = keys.indexOf(from) + (letters.length > 1 ? 0 : 1);
    const round = [...keys.slice(start), ...keys.slice(0, start)];
    return round.find(begins) ?? null;
  };
}

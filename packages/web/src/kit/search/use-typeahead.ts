import { useRef } from "react";
import type { KeyboardEvent } from "react";
import { loadSounds, nameRanges } from "./pinyin.ts";

/** Letters typed within this time belong to one search. */
const SEARCH_PAUSE_MS = 700;

/**
 * Typed letters go to the next row whose name begins with them, by pinyin too (interface §12). Returns the row, or null if the key is not a
 * letter or no row matches.
 */
export function useTypeahead<Key>(keys: readonly Key[], nameOf: (key: Key) => string) {
  const typed = useRef({ letters: "", at: 0 });
  return (event: KeyboardEvent, from: Key): Key | null => {
    const isLetter = [...event.key].length === 1 && event.key !== " ";
    if (!isLetter || event.altKey || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing)
      return null;
    // Until the pinyin table is loaded, and without a network, names are compared by characters.
    loadSounds().catch(() => undefined);
    const isContinued = event.timeStamp - typed.current.at < SEARCH_PAUSE_MS;
    const letters = (isContinued ? typed.current.letters : "") + event.key;
    typed.current = { letters, at: event.timeStamp };
    const startsWithLetters = (key: Key) => nameRanges(nameOf(key), letters)?.[0]?.[0] === 0;
    // The first letter searches from the next row on; further letters may stay on the row.
    const start = keys.indexOf(from) + (letters.length > 1 ? 0 : 1);
    const rotated = [...keys.slice(start), ...keys.slice(0, start)];
    return rotated.find(startsWithLetters) ?? null;
  };
}

import { lazyHook } from "../../../../kit/lazy-hook.ts";
import type { TextPart } from "./link-parts.ts";

/** A text that does not match contains no link. */
const HINT = /[\p{L}\p{N}]\.\p{L}|:\/\/|@/u;

/** The code that finds links is large, and most first screens contain none. */
const useSplitLinks = lazyHook(() => import("./link-parts.ts").then((part) => part.splitLinks));

/** Splits a text into plain text and links. Everything is plain text until the code that finds links is loaded. */
export function useLinks(text: string): readonly TextPart[] {
  const mayHaveLinks = HINT.test(text);
  const split = useSplitLinks(mayHaveLinks);
  return mayHaveLinks && split !== null ? split(text) : [{ kind: "text", text }];
}

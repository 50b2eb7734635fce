import { lazyHook } from "../../../../kit/lazy-hook.ts";
import type { TextPart } from "./link-parts.ts";

/** A text without any of these holds no address. */
const HINT = /[\p{L}\p{N}]\.\p{L}|:\/\/|@/u;

/** What finds links is large, and most first screens show none. */
const useSplitLinks = lazyHook(() => import("./link-parts.ts").then((part) => part.splitLinks));

/** Text and links of a message, in order; all of it text until the part that finds links has come. */
export function useLinks(text: string): readonly TextPart[] {
  const isWanted = HINT.test(text);
  const split = useSplitLinks(isWanted);
  return isWanted && split !== null ? split(text) : [{ kind: "text", text }];
}

import { useEffect, useSyncExternalStore } from "react";
import { ChunkError, loadChunk } from "../../../kit/load-chunk.ts";
import type { TextPart, splitLinks } from "./link-parts.ts";

/** A text without any of these holds no address. */
const HINT = /[\p{L}\p{N}]\.\p{L}|:\/\/|@/u;

let split: typeof splitLinks | null = null;
let isAsked = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What finds links is large, and most first screens show none: it comes once a text may hold one, behind the first paint. */
async function ask(): Promise<void> {
  if (isAsked) return;
  isAsked = true;
  try {
    split = await loadChunk(() => import("./link-parts.ts").then((part) => part.splitLinks));
    for (const listener of listeners) listener();
  } catch (error) {
    // The words stand there all the same; the next text asks again.
    isAsked = false;
    if (!(error instanceof ChunkError)) reportError(error);
  }
}

/** Text and links of a message, in order; all of it text until the part that finds links has come. */
export function useLinks(text: string): readonly TextPart[] {
  const known = useSyncExternalStore(subscribe, () => split);
  const isWanted = HINT.test(text);
  const isMissing = isWanted && known === null;
  useEffect(() => {
    if (!isMissing) return;
    const timer = setTimeout(() => void ask(), 0);
    return () => clearTimeout(timer);
  }, [isMissing]);
  return isWanted && known !== null ? known(text) : [{ kind: "text", text }];
}

import { withinTime } from "../platform/time-limit.ts";

/** How long a cache of the browser may take. Some never answer, and then a page would never be shown. */
export const CACHE_LIMIT_MS = 3_000;

/** An answer that is made with a cache; that of the network if the cache has none or says nothing for three seconds. */
export function savedOrFetched(saved: Promise<Response | undefined>, request: Request): Promise<Response> {
  return withinTime(saved, CACHE_LIMIT_MS, () => undefined).then((answer) => answer ?? fetch(request));
}

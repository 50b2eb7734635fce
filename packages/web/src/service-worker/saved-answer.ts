import { withinTime } from "../platform/time-limit.ts";

/** How long a cache of the browser may take. Some never answer, and then a page would never be shown. */
export const CACHE_LIMIT_MS = 3_000;

/** An answer that is made with a cache; that of the network if the cache has none or says nothing for three seconds. */
export function savedOrFetched(saved: Promise<Response | undefined>, request: Request): Promise<Response> {
  return withinTime(saved, CACHE_LIMIT_MS, () => undefined).then((answer) => answer ?? fetch(request));
}

/** How long the work of an event may take. The browser lets no new version take over before every event of this one has ended. */
export const EVENT_LIMIT_MS = 20_000;

/** Keeps the worker running until the work is done or takes too long. What fails makes the event fail. */
export function finishWithEvent(event: Pick<ExtendableEvent, "waitUntil">, work: Promise<unknown>): void {
  event.waitUntil(withinTime(work, EVENT_LIMIT_MS, () => undefined));
}

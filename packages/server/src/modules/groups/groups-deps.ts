import type { Delivery } from "../../delivery.ts";
import type { RateLimiter } from "../../ports/call.ts";
import type { Language } from "../../ports/language.ts";
import type { Presence } from "../../ports/presence.ts";
import type { Store } from "../../ports/store.ts";

/** What the handlers of groups need. */
export interface GroupsDeps {
  store: Store;
  presence: Presence;
  delivery: Delivery;
  rateLimiter: RateLimiter;
  /** The language of stored tips. */
  defaultLanguage: Language;
}

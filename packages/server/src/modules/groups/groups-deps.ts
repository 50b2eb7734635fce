import type { Delivery } from "../../delivery/delivery.ts";
import type { Language } from "../../api/language.ts";
import type { RateLimiter } from "../../ports/rate-limiter.ts";
import type { Presence } from "../../ports/presence.ts";
import type { GroupsStore } from "./groups-store.ts";

/** What the handlers of groups need. */
export interface GroupsDeps {
  store: GroupsStore;
  presence: Presence;
  delivery: Delivery;
  rateLimiter: RateLimiter;
  /** The language of stored tips. */
  defaultLanguage: Language;
}

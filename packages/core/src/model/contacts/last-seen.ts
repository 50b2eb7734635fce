import { dayOf } from "../chats/timeline.ts";
import type { State } from "../state.ts";
import { isOnline } from "./contacts-state.ts";

/** Whether the server is asked when this person was last seen: a friend who is offline, unless I have switched it off or it is of a version before. */
export function asksLastSeen(
  { connection, contacts, me }: Pick<State, "connection" | "contacts" | "me">,
  id: number,
): boolean {
  if (connection.kind !== "online" || me?.lastSeenShown !== true) return false;
  return contacts.friends[id]?.isDeleted === false && !isOnline(contacts, id);
}

/** How long ago somebody was last seen: `longAgo` says no more than that. */
export type LastSeenAge =
  | { readonly kind: "now" | "today" | "yesterday" | "date" | "longAgo" }
  | { readonly kind: "minutes"; readonly count: number };

const MINUTE_MS = 60_000;
/** The time is told to the minute, and stored once a minute. */
const NOW_MINUTES = 2;
const HOUR_MINUTES = 60;
const LONG_AGO_DAYS = 30;

/** The age of a time in words that a screen has texts for. `utcOffsetMinutes`: minutes east of UTC at that time. */
export function lastSeenAge(time: number, now: number, utcOffsetMinutes: number): LastSeenAge {
  const minutes = Math.floor((now - time) / MINUTE_MS);
  if (minutes < NOW_MINUTES) return { kind: "now" };
  if (minutes < HOUR_MINUTES) return { kind: "minutes", count: minutes };
  const days = dayOf(now, utcOffsetMinutes) - dayOf(time, utcOffsetMinutes);
  if (days <= 0) return { kind: "today" };
  if (days === 1) return { kind: "yesterday" };
  return { kind: days < LONG_AGO_DAYS ? "date" : "longAgo" };
}

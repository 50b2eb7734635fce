import type { Tip } from "./message.ts";
import { joinNames, splitNames } from "./tip-names.ts";

/** Where a tip has the id of who its sentence names: it is the message's sender, or a parameter. */
interface NamedPeople {
  /** Who did it, named by `params.name`. */
  readonly name?: "sender" | "nameId";
  /** Whose it was, named by `params.author`. */
  readonly author?: "sender";
  /** Whom it was done to, named by `params.names`: ids in the order of the names, joined by commas. */
  readonly names?: "ids";
}

/** Every tip a server may store, and who its sentence names. Tips of before version 8 have no `nameId` and no `ids`. */
export const TIPS = {
  "friend.nowFriends": {},
  "friend.ended": {},
  recalled: { name: "sender" },
  recalledBy: { name: "nameId", author: "sender" },
  "group.invited": { name: "sender", names: "ids" },
  "group.joined": { name: "sender" },
  "group.removed": {},
  "group.renamed": { name: "sender" },
  "group.noticeChanged": { name: "sender" },
  "group.muted": { name: "sender", names: "ids" },
  "group.unmuted": { name: "sender", names: "ids" },
  "group.allMuted": { name: "sender" },
  "group.allUnmuted": { name: "sender" },
  "group.adminAdded": { name: "sender", names: "ids" },
  "group.adminRemoved": { name: "sender", names: "ids" },
  "group.transferred": { name: "sender", names: "ids" },
  "group.ownerLeft": { name: "sender" },
  "group.dissolved": { name: "sender" },
  "group.banned": {},
  "group.unbanned": {},
} as const satisfies Record<string, NamedPeople>;
export type TipKey = keyof typeof TIPS;

/** The key of a tip; null for one that only a newer server knows. */
export function tipKeyOf({ key }: Tip): TipKey | null {
  return Object.hasOwn(TIPS, key) ? (key as TipKey) : null;
}

/** Whether `params.name` or `params.author` of a tip names this person. `sendId`: the sender of its message. */
export function isNamed(tip: Tip, param: "name" | "author", userId: number, sendId: number): boolean {
  const place = namedPeopleOf(tip)[param];
  if (place === undefined) return false;
  return (place === "sender" ? sendId : tip.params[place]) === userId;
}

/** The people of `params.names`; no id where the tip tells none. */
export function peopleNamedIn(tip: Tip): { name: string; id: number | null }[] {
  const { names, ids } = tip.params;
  const all = splitNames(typeof names === "string" ? names : "");
  const known = typeof ids === "string" ? ids.split(",").map(Number) : [];
  return all.map((name, i) => ({ name, id: known.length === all.length ? (known[i] ?? null) : null }));
}

/** The parameters that name these people. */
export function nameParams(people: readonly { id: number; name: string }[]): { names: string; ids: string } {
  return { names: joinNames(people.map(({ name }) => name)), ids: people.map(({ id }) => id).join(",") };
}

function namedPeopleOf(tip: Tip): NamedPeople {
  const key = tipKeyOf(tip);
  return key === null ? {} : TIPS[key];
}

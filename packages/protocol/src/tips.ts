import type { Tip } from "./message.ts";
import { joinNames, splitNames } from "./tip-names.ts";

/** Where a tip has the ids of the people in its sentence: the message's sender, or a parameter. */
interface NamedPeople {
  /** The id of the acting person, whose name is `params.name`. */
  readonly name?: "sender" | "nameId";
  /** The id of the author, whose name is `params.author`. */
  readonly author?: "sender";
  /** The ids of the affected people, whose names are `params.names`: in the same order, joined by commas. */
  readonly names?: "ids";
}

/** Every tip that a server may store, and where the ids of its people are. Tips from before version 8 have no `nameId` and no `ids`. */
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
  "group.callStarted": { name: "sender" },
  "group.callEnded": {},
} as const satisfies Record<string, NamedPeople>;
export type TipKey = keyof typeof TIPS;

/** The key of a tip; null for one that only a newer server knows. */
export function tipKeyOf({ key }: Tip): TipKey | null {
  return Object.hasOwn(TIPS, key) ? (key as TipKey) : null;
}

/** Whether `params.name` or `params.author` of a tip is this person. `sendId` is the sender of the tip's message. */
export function isNamed(tip: Tip, param: "name" | "author", userId: number, sendId: number): boolean {
  const idSource = namedPeopleOf(tip)[param];
  if (idSource === undefined) return false;
  return (idSource === "sender" ? sendId : tip.params[idSource]) === userId;
}

/** The people of `params.names`; `id` is null if the tip has no ids. */
export function peopleNamedIn(tip: Tip): { name: string; id: number | null }[] {
  const { names, ids } = tip.params;
  const nameList = splitNames(typeof names === "string" ? names : "");
  const idList = typeof ids === "string" ? ids.split(",").map(Number) : [];
  return nameList.map((name, i) => ({
    name,
    id: idList.length === nameList.length ? (idList[i] ?? null) : null,
  }));
}

/** The parameters `names` and `ids` for these people. */
export function nameParams(people: readonly { id: number; name: string }[]): { names: string; ids: string } {
  return { names: joinNames(people.map(({ name }) => name)), ids: people.map(({ id }) => id).join(",") };
}

function namedPeopleOf(tip: Tip): NamedPeople {
  const key = tipKeyOf(tip);
  return key === null ? {} : TIPS[key];
}

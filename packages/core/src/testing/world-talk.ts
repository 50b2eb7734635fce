import type { SendHow } from "../runtime/client-api.ts";
import type { Tables } from "./fake-server/tables.ts";
import type { Chance } from "./prng.ts";

export type HowDeed = "mentioned" | "askedReceipt";

/** Whom a text for a group names, and whether its sender wants to know who reads it; what that is to be counted as. */
export function pickHow(groupId: number, chance: Chance, tables: Tables): [SendHow, HowDeed[]] {
  const members = tables.groups.members.filter((member) => member.groupId === groupId);
  const isNaming = members.length > 0 && chance.isLuck(0.35);
  const userId = isNaming && chance.isLuck(0.8) ? chance.pick(members).userId : -1;
  const receipt = chance.isLuck(0.35);
  return [
    { mentions: isNaming ? [{ userId, from: 0, to: 1 }] : [], receipt },
    [...(isNaming ? (["mentioned"] as const) : []), ...(receipt ? (["askedReceipt"] as const) : [])],
  ];
}

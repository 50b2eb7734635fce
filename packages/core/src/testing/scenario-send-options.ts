import type { SendOptions } from "../client-api.ts";
import type { Tables } from "./fake-server/tables.ts";
import type { Prng } from "./prng.ts";

export type SendScenarioAction = "mentioned" | "askedReceipt";

/** Whom a text for a group names, and whether its sender wants to know who reads it; what that is to be counted as. */
export function pickSendOptions(
  groupId: number,
  random: Prng,
  tables: Tables,
): [SendOptions, SendScenarioAction[]] {
  const members = tables.groups.members.filter((member) => member.groupId === groupId);
  const isNaming = members.length > 0 && random.isTrueWithProbability(0.35);
  const userId = isNaming && random.isTrueWithProbability(0.8) ? random.pick(members).userId : -1;
  const receipt = random.isTrueWithProbability(0.35);
  return [
    { mentions: isNaming ? [{ userId, from: 0, to: 1 }] : [], receipt },
    [...(isNaming ? (["mentioned"] as const) : []), ...(receipt ? (["askedReceipt"] as const) : [])],
  ];
}

import type { SendOptions } from "../chats/send-actions.ts";
import type { Tables } from "./fake-server/tables.ts";
import type { Prng } from "./prng.ts";

/** What a send may contain besides its text. */
export const SEND_SCENARIO_ACTIONS = ["mentioned", "receiptRequested"] as const;
type SendScenarioAction = (typeof SEND_SCENARIO_ACTIONS)[number];

/** Random mentions of a group text and whether it asks for receipts, with the occurrences to count. */
export function pickSendOptions(
  groupId: number,
  random: Prng,
  tables: Tables,
): [SendOptions, SendScenarioAction[]] {
  const members = tables.groups.members.filter((member) => member.groupId === groupId);
  const hasMention = members.length > 0 && random.isTrueWithProbability(0.35);
  const userId = hasMention && random.isTrueWithProbability(0.8) ? random.pick(members).userId : -1;
  const receipt = random.isTrueWithProbability(0.35);
  return [
    { mentions: hasMention ? [{ userId, from: 0, to: 1 }] : [], receipt },
    [...(hasMention ? (["mentioned"] as const) : []), ...(receipt ? (["receiptRequested"] as const) : [])],
  ];
}

import { createMonologue, createConversation } from "./conversation.ts";
import { DEMO_LOGINS, GROUP_OUTLINES, type DemoPerson, type GroupOutline } from "./seed-data.ts";
import type { SeededRandom } from "./seeded-random.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const CONVERSATION_DAYS = 30;
const MESSAGES = 3_600;

/** A group to be written. People are indexes into the people of the plan. */
export interface PlannedGroup extends GroupOutline {
  /** Everybody except the owner and the admins. */
  members: readonly number[];
  /** Members who may not write. */
  muted: readonly number[];
  createdAt: number;
  /** Ascending by time. */
  messages: readonly PlannedGroupMessage[];
  requests: readonly { from: number; inviter: number | null; remark: string; at: number }[];
}

/** A message of a planned group. */
export interface PlannedGroupMessage {
  from: number;
  text: string;
  at: number;
}

/** Plans groups that show all features. The same random numbers and time give the same plan. */
export function planGroups(random: SeededRandom, now: number, people: readonly DemoPerson[]): PlannedGroup[] {
  const shares = GROUP_OUTLINES.reduce((sum, { share }) => sum + share, 0);
  return GROUP_OUTLINES.map((outline) =>
    planGroup(random, now, people, outline, Math.round((MESSAGES * outline.share) / shares)),
  );
}

function planGroup(
  random: SeededRandom,
  now: number,
  people: readonly DemoPerson[],
  outline: GroupOutline,
  count: number,
): PlannedGroup {
  const { owner, admins, logins, size, joinRemarks, invites, left } = outline;
  const chosen = new Set([owner, ...admins, ...logins, ...left]);
  const others = random.shuffle(
    [...people.keys()].filter((person) => person >= DEMO_LOGINS.length && !chosen.has(person)),
  );
  const members = [...logins, ...left, ...others.slice(0, size - chosen.size)];
  const nonMembers = others.slice(size);
  const created = now - (CONVERSATION_DAYS + 5) * DAY - random.below(DAY);
  const speakers = [owner, ...admins, ...members].filter((person) => !left.includes(person));
  const muted = size > 20 ? members.slice(-2) : [];
  return {
    ...outline,
    members,
    muted,
    createdAt: created,
    messages: planMessages(random, now, outline.isAllMuted ? [owner] : speakers, outline, count),
    requests: nonMembers.slice(0, joinRemarks.length + invites).map((from, n) => {
      const remark = joinRemarks[n];
      const at = now - (n + 1) * 40 * MINUTE;
      return remark === undefined
        ? { from, inviter: members[0] ?? owner, remark: "", at }
        : { from, inviter: null, remark, at };
    }),
  };
}

/** Plans conversations of a few members each, or monologues if only one person may write. */
function planMessages(
  random: SeededRandom,
  now: number,
  speakers: readonly number[],
  { chatLanguage, isDissolved }: GroupOutline,
  count: number,
): PlannedGroupMessage[] {
  // A dissolved group has had no messages for some days.
  const end = isDissolved ? now - 6 * DAY : now - 25 * MINUTE;
  const messages: PlannedGroupMessage[] = [];
  while (messages.length < count) {
    const day = new Date(end - random.below(CONVERSATION_DAYS) * DAY);
    let at = day.setHours(random.between(9, 21), random.below(60), random.below(60));
    if (at > end) continue;
    const writers = [0, 1, 2].map(() => random.pickSkewed(speakers));
    const lines =
      speakers.length === 1
        ? createMonologue(random, chatLanguage).map((text) => ({ isStarter: true, text }))
        : createConversation(random, chatLanguage);
    for (const { isStarter, text } of lines) {
      const from = isStarter ? writers[0] : random.percent(70) ? writers[1] : writers[2];
      if (at > end || from === undefined) break;
      messages.push({ from, text, at });
      at += random.between(5_000, 120_000);
    }
  }
  return messages.slice(0, count).sort((a, b) => a.at - b.at);
}

import { DEMO_LOGINS, type DemoPerson, type DemoLanguage } from "./demo-people.ts";
import { pickSkewed } from "./pick-skewed.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { createMonologue, createConversation } from "./conversation.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const CONVERSATION_DAYS = 30;
const MESSAGES = 3_600;

/** A group to be written. People are indexes into the people of the plan. */
export interface PlannedGroup {
  name: string;
  chatLanguage: DemoLanguage;
  owner: number;
  admins: readonly number[];
  /** Everybody else. */
  members: readonly number[];
  /** Members who may not write. */
  muted: readonly number[];
  createdAt: number;
  notice: string | null;
  attributes: Record<string, string>;
  isAllMuted: boolean;
  joinApproval: boolean;
  /** 1 everyone, 2 owner and admins. */
  inviteRole: number;
  isDissolved: boolean;
  /** Ends with a message of every kind. */
  hasDemoChat: boolean;
  /** Ascending by time. */
  messages: readonly PlannedGroupMessage[];
  requests: readonly { from: number; inviter: number | null; remark: string; at: number }[];
  /** Members who have left since. */
  left: readonly number[];
  notes: readonly PlannedPreferences[];
}

/** A message of a planned group. */
export interface PlannedGroupMessage {
  from: number;
  text: string;
  at: number;
}

/** The settings of one member for the group. */
interface PlannedPreferences {
  person: number;
  isTop?: boolean;
  msgRemind?: number;
  remarkNickName?: string;
  remarkGroupName?: string;
}

type GroupOutline = Pick<PlannedGroup, "name" | "chatLanguage"> &
  Partial<
    Pick<
      PlannedGroup,
      | "notice"
      | "attributes"
      | "isAllMuted"
      | "joinApproval"
      | "inviteRole"
      | "isDissolved"
      | "hasDemoChat"
      | "notes"
      | "left"
    >
  > & {
    /** The members with a role; other members are chosen at random. */
    owner: number;
    admins: readonly number[];
    /** Logins who are ordinary members. */
    logins: readonly number[];
    size: number;
    /** The group's share of all group messages, relative to the other groups. */
    share: number;
    /** Texts of requests to join. */
    joinRemarks?: readonly string[];
    /** Number of pending invitations. */
    invites?: number;
  };

const [LIN, EMMA, CHEN] = [0, 1, 2];

const OUTLINES: readonly GroupOutline[] = [
  {
    name: "周五评审",
    chatLanguage: "zh",
    owner: LIN,
    admins: [CHEN],
    logins: [EMMA],
    size: 12,
    share: 24,
    hasDemoChat: true,
    notice: "周五下午两点，三楼会议室。材料请周四晚上之前发到群里，谢谢大家。",
    attributes: { 地点: "三楼会议室", 时间: "周五 14:00", 主持: "林晓" },
    notes: [{ person: LIN, isTop: true }],
  },
  {
    name: "Book club",
    chatLanguage: "en",
    owner: EMMA,
    admins: [],
    logins: [LIN, CHEN],
    size: 9,
    share: 18,
    hasDemoChat: true,
    notice: "This month: The Three-Body Problem. We meet on the last Sunday at three.",
    attributes: { Book: "The Three-Body Problem", Next: "Sunday, 15:00" },
    notes: [
      { person: LIN, remarkNickName: "Xiao", remarkGroupName: "读书会" },
      { person: CHEN, msgRemind: 2 },
    ],
  },
  {
    name: "江边夜跑",
    chatLanguage: "zh",
    owner: 7,
    admins: [LIN],
    logins: [CHEN],
    size: 26,
    share: 16,
    joinApproval: true,
    inviteRole: 2,
    notice: "每周二、四晚上八点，滨江步道东门集合。下雨顺延。",
    joinRemarks: ["我也想一起跑", "同事推荐的，五公里水平", "Can beginners join?"],
    invites: 1,
  },
  {
    name: "小区邻居",
    chatLanguage: "zh",
    owner: CHEN,
    admins: [11, 12, 13],
    logins: [LIN, EMMA],
    size: 340,
    share: 30,
    notice: "请大家友好交流，禁止广告。停水停电通知会在这里发布，物业电话见群属性。",
    attributes: { 物业: "021-5555 0101", 快递柜: "2 号楼东侧" },
    notes: [
      { person: LIN, msgRemind: 2 },
      { person: EMMA, msgRemind: 1 },
    ],
    left: [20, 21],
  },
  {
    name: "放假通知",
    chatLanguage: "zh",
    owner: 9,
    admins: [10],
    logins: [LIN, CHEN],
    size: 48,
    share: 3,
    isAllMuted: true,
    notice: "本群只发通知，有问题请私聊管理员。",
  },
  {
    name: "Weekend hikes",
    chatLanguage: "en",
    owner: 14,
    admins: [EMMA],
    logins: [LIN],
    size: 18,
    share: 9,
    notes: [{ person: LIN, isTop: false, msgRemind: 1 }],
  },
  {
    name: "去年年会",
    chatLanguage: "zh",
    owner: LIN,
    admins: [],
    logins: [EMMA, CHEN],
    size: 15,
    share: 4,
    isDissolved: true,
  },
];

/** Plans groups that show all features. The same random numbers and time give the same plan. */
export function planGroups(random: SeededRandom, now: number, people: readonly DemoPerson[]): PlannedGroup[] {
  const shares = OUTLINES.reduce((sum, { share }) => sum + share, 0);
  return OUTLINES.map((outline) =>
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
  const { owner, admins, logins, size, joinRemarks = [], invites = 0, left = [], notes = [] } = outline;
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
    name: outline.name,
    chatLanguage: outline.chatLanguage,
    owner,
    admins,
    members,
    muted,
    createdAt: created,
    notice: outline.notice ?? null,
    attributes: outline.attributes ?? {},
    isAllMuted: outline.isAllMuted ?? false,
    joinApproval: outline.joinApproval ?? false,
    inviteRole: outline.inviteRole ?? 1,
    isDissolved: outline.isDissolved ?? false,
    hasDemoChat: outline.hasDemoChat ?? false,
    messages: planMessages(random, now, outline.isAllMuted ? [owner] : speakers, outline, count),
    requests: nonMembers.slice(0, joinRemarks.length + invites).map((from, n) => {
      const remark = joinRemarks[n];
      const at = now - (n + 1) * 40 * MINUTE;
      return remark === undefined
        ? { from, inviter: members[0] ?? owner, remark: "", at }
        : { from, inviter: null, remark, at };
    }),
    left,
    notes,
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
    const writers = [
      pickSkewed(random, speakers),
      pickSkewed(random, speakers),
      pickSkewed(random, speakers),
    ];
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

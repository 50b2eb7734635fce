import { DEMO_LOGINS, type DemoPerson, type DemoLanguage } from "./demo-people.ts";
import { pickSkewed } from "./pick-skewed.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { createMonologue, createConversation } from "./conversation.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const CONVERSATION_DAYS = 30;
const MESSAGES = 3_600;

/** People are named by their place among the plan's people. */
export interface PlannedGroup {
  name: string;
  chatLanguage: DemoLanguage;
  owner: number;
  admins: readonly number[];
  /** The others. */
  members: readonly number[];
  /** In the group, but not allowed to speak. */
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

export interface PlannedGroupMessage {
  from: number;
  text: string;
  at: number;
}

/** How one member has the group. */
interface PlannedPreferences {
  person: number;
  isTop?: boolean;
  msgRemind?: number;
  remarkNickName?: string;
  remarkGroupName?: string;
}

type Shape = Pick<PlannedGroup, "name" | "chatLanguage"> &
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
    /** The logins and others who have a part in it; everybody else is drawn by lot. */
    owner: number;
    admins: readonly number[];
    /** Logins who are ordinary members. */
    logins: readonly number[];
    size: number;
    /** How much is said there, beside the other groups. */
    share: number;
    asks?: readonly string[];
    /** What the first admin's friends are invited with. */
    invites?: number;
  };

const [LIN, EMMA, CHEN] = [0, 1, 2];

const SHAPES: readonly Shape[] = [
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
    asks: ["我也想一起跑", "同事推荐的，五公里水平", "Can beginners join?"],
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

/** Groups that show what groups are; the same chance and time give the same ones. */
export function planGroups(random: SeededRandom, now: number, people: readonly DemoPerson[]): PlannedGroup[] {
  const shares = SHAPES.reduce((sum, { share }) => sum + share, 0);
  return SHAPES.map((shape) =>
    planGroup(random, now, people, shape, Math.round((MESSAGES * shape.share) / shares)),
  );
}

function planGroup(
  random: SeededRandom,
  now: number,
  people: readonly DemoPerson[],
  shape: Shape,
  count: number,
): PlannedGroup {
  const { owner, admins, logins, size, asks = [], invites = 0, left = [], notes = [] } = shape;
  const known = new Set([owner, ...admins, ...logins, ...left]);
  const others = random.shuffle(
    [...people.keys()].filter((one) => one >= DEMO_LOGINS.length && !known.has(one)),
  );
  const members = [...logins, ...left, ...others.slice(0, size - known.size)];
  const strangers = others.slice(size);
  const created = now - (CONVERSATION_DAYS + 5) * DAY - random.below(DAY);
  const speakers = [owner, ...admins, ...members].filter((one) => !left.includes(one));
  const muted = size > 20 ? members.slice(-2) : [];
  return {
    name: shape.name,
    chatLanguage: shape.chatLanguage,
    owner,
    admins,
    members,
    muted,
    createdAt: created,
    notice: shape.notice ?? null,
    attributes: shape.attributes ?? {},
    isAllMuted: shape.isAllMuted ?? false,
    joinApproval: shape.joinApproval ?? false,
    inviteRole: shape.inviteRole ?? 1,
    isDissolved: shape.isDissolved ?? false,
    hasDemoChat: shape.hasDemoChat ?? false,
    messages: planMessages(random, now, shape.isAllMuted ? [owner] : speakers, shape, count),
    requests: strangers.slice(0, asks.length + invites).map((from, n) => {
      const remark = asks[n];
      const at = now - (n + 1) * 40 * MINUTE;
      return remark === undefined
        ? { from, inviter: members[0] ?? owner, remark: "", at }
        : { from, inviter: null, remark, at };
    }),
    left,
    notes,
  };
}

/** Conversations one after the other, each of a few members; where one alone speaks, monologues. */
function planMessages(
  random: SeededRandom,
  now: number,
  speakers: readonly number[],
  { chatLanguage, isDissolved }: Shape,
  count: number,
): PlannedGroupMessage[] {
  // What is dissolved has been quiet for some days.
  const end = isDissolved ? now - 6 * DAY : now - 25 * MINUTE;
  const messages: PlannedGroupMessage[] = [];
  while (messages.length < count) {
    const day = new Date(end - random.below(CONVERSATION_DAYS) * DAY);
    let at = day.setHours(random.between(9, 21), random.below(60), random.below(60));
    if (at > end) continue;
    const voices = [pickSkewed(random, speakers), pickSkewed(random, speakers), pickSkewed(random, speakers)];
    const lines =
      speakers.length === 1
        ? createMonologue(random, chatLanguage).map((text) => ({ isStarter: true, text }))
        : createConversation(random, chatLanguage);
    for (const { isStarter, text } of lines) {
      const from = isStarter ? voices[0] : random.percent(70) ? voices[1] : voices[2];
      if (at > end || from === undefined) break;
      messages.push({ from, text, at });
      at += random.between(5_000, 120_000);
    }
  }
  return messages.slice(0, count).sort((a, b) => a.at - b.at);
}

import type { Route } from "@playwright/test";
import type {
  AdminGroup,
  AdminNotice,
  AdminOverview,
  AdminPerson,
  AdminReport,
  AdminSession,
  AdminSettings,
  AuditEntry,
} from "@parley/protocol/admin-entities";
import { type Finding, finding, findingSentence } from "@parley/protocol/findings";
import type { Person } from "./person.ts";

/*
 * Answers of the server to the calls of administrators, for looking at pages with every kind of content. What the pages do with a real server
 * is in `admin.spec.ts`.
 */

const DAY_MS = 86_400_000;
const now = Date.now();
const LONG = "Wolfeschlegelsteinhausenbergerdorff";

/** No account of a test has such an id: the pages offer administrators other acts for themselves. */
const sampleId = (index: number): number => 1_000_000 + index;

const person = (index: number, part: Partial<AdminPerson> = {}): AdminPerson => ({
  id: sampleId(index),
  userName: `person${index}`,
  nickName: index % 2 === 0 ? `林晓${index}` : `Bo ${index}`,
  headImage: null,
  headImageThumb: null,
  createdTime: now - index * DAY_MS,
  lastSeenTime: now - index * 3_600_000,
  isBanned: false,
  reason: null,
  isUnregistered: false,
  isAdmin: false,
  online: false,
  ...part,
});

const PEOPLE: readonly AdminPerson[] = [
  person(1, { isAdmin: true, online: true }),
  person(2, { isBanned: true, reason: "Sends advertisements in every group, again and again 广告" }),
  person(3, { nickName: LONG, userName: LONG.toLowerCase() }),
  person(4, { isUnregistered: true, lastSeenTime: null }),
  ...Array.from({ length: 46 }, (_, index) => person(index + 5)),
];

const ref = (index: number) => ({
  id: sampleId(index),
  userName: `person${index}`,
  nickName: `Bo ${index}`,
});

const SESSIONS: readonly AdminSession[] = ["Chrome 156", "Firefox 148"].map((browser, index) => ({
  id: `s${index}`,
  terminal: 2,
  device: "Linux",
  os: "Linux",
  browser,
  createdTime: now - DAY_MS,
  lastSeen: now - index * DAY_MS,
  address: index === 0 ? "203.0.113.7" : "2001:db8:85a3:8d3:1319:8a2e:370:7348",
}));

const group = (id: number, part: Partial<AdminGroup> = {}): AdminGroup => ({
  id,
  name: `读书会 Readers ${id}`,
  headImage: null,
  headImageThumb: null,
  owner: ref(1),
  membersCount: 12,
  maxMembers: 500,
  createdTime: now - id * DAY_MS,
  isBanned: false,
  reason: null,
  isDissolved: false,
  ...part,
});

const NOTICE: AdminNotice = {
  id: 1,
  createdTime: now - DAY_MS,
  title: "Maintenance on Sunday",
  intro: "The server will be away for an hour.",
  richText:
    "<p>The server will be away for <b>an hour</b>.</p><ul><li>Calls end</li><li>Messages wait</li></ul>",
  externLink: "https://status.example.org/",
  isForAll: true,
  isSending: true,
  receivedCount: 1,
  readCount: 0,
};

const REPORTS: readonly AdminReport[] = [
  {
    id: 1,
    createdTime: now - 600_000,
    reporter: ref(5),
    person: ref(2),
    message: {
      chatType: "GROUP",
      id: 7,
      groupId: 3,
      type: 0,
      content: "Buy now, cheap! 现在购买",
      sendTime: now - 900_000,
    },
    reason: "spam",
    text: "The third time today",
    closed: null,
  },
  {
    id: 2,
    createdTime: now,
    reporter: ref(5),
    person: ref(9),
    message: null,
    reason: "other",
    text: "",
    closed: null,
  },
];

const set = <Value>(value: Value, fallback = value) => ({ value, fallback, isSet: value !== fallback });
const SETTINGS: AdminSettings = {
  isRegistrationOpen: set<boolean>(false, true),
  isInviteCodeRequired: set(false),
  isAvatarRequired: set(false),
  newGroupJoinMode: set<number>(3, 2),
  recallSeconds: set(300),
  editSeconds: set(600, 3_600),
  uploadMaxMb: set(100),
  uploadDailyMb: set(2_000),
};

/** Why the Redis of the samples cannot be used. */
export const REDIS_REASON = "connect ECONNREFUSED 127.0.0.1:6379";
const found = (one: Finding) => ({ sentence: findingSentence(one), findings: [{ ...one }] });

const OVERVIEW: AdminOverview = {
  people: { all: 102_345, banned: 12, unregistered: 340, online: 1_204 },
  messages: 98_765_432,
  files: { count: 51_234, bytes: 123_456_789_012 },
  databaseBytes: 9_876_543_210,
  openReports: 2,
  nodes: [
    {
      id: "node-a",
      roles: ["api", "gateway", "jobs"],
      version: 22,
      startedTime: now - 9 * DAY_MS,
      seenTime: now,
      isAlive: true,
      sockets: 640,
    },
    {
      id: "node-b",
      roles: ["gateway"],
      version: 22,
      startedTime: now - DAY_MS,
      seenTime: now - 90_000,
      isAlive: false,
      sockets: 1,
    },
  ],
  health: [
    { name: "database", ok: true, sentence: "", findings: [] },
    { name: "https", ok: false, ...found(finding("noHttps")) },
    {
      name: "redis",
      ok: false,
      ...found(finding("redisUnusable", { reason: REDIS_REASON })),
    },
  ],
};

const AUDIT: readonly AuditEntry[] = [
  {
    id: 3,
    time: now,
    actor: ref(1),
    action: "banPerson",
    target: { kind: "person", id: sampleId(2), name: "person2" },
    address: "203.0.113.9",
    outcome: "done",
  },
  {
    id: 2,
    time: now - DAY_MS,
    actor: ref(1),
    action: "revokeAdmin",
    target: { kind: "person", id: 1, name: "person1" },
    address: "2001:db8::1",
    outcome: "admin.lastStays",
  },
  {
    id: 1,
    time: now - 2 * DAY_MS,
    actor: null,
    action: "makeSetupLink",
    target: null,
    address: null,
    outcome: "done",
  },
];

const page = <Row>(rows: readonly Row[], total = rows.length) => ({ total, rows });

/** What each call answers, by its method and its path below `/admin`. */
const ANSWERS: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
  "GET /overview": () => OVERVIEW,
  "GET /people": (query) => (query.get("state") === "banned" ? page([]) : page(PEOPLE, 102_345)),
  "GET /people/sessions": () => SESSIONS,
  "POST /people": () => ({ userId: 99, password: "vivid-otter-42" }),
  "POST /people/password": () => ({ password: "vivid-otter-42" }),
  "GET /groups": () =>
    page([
      group(1),
      group(2, { isBanned: true, reason: "Spam", maxMembers: 3_000 }),
      group(3, { isDissolved: true, owner: null }),
    ]),
  "GET /groups/members": () =>
    page(
      [3, 2, 1].map((role) => ({
        ...ref(role),
        headImage: null,
        headImageThumb: null,
        role,
        isMuted: role === 1,
      })),
    ),
  "GET /invite-codes": () =>
    page([
      { code: "WELCOME7", usesLeft: 20, expiresTime: null },
      { code: "K3J9X2", usesLeft: 0, expiresTime: now - DAY_MS },
    ]),
  "POST /invite-codes": () => ({ code: "N3W-C0DE" }),
  "GET /notices": () =>
    page([NOTICE, { ...NOTICE, id: 2, isForAll: false, isSending: false, receivedCount: 3, readCount: 2 }]),
  "POST /notices/preview": () => NOTICE,
  "GET /reports": (query) => (query.get("state") === "closed" ? page([]) : page(REPORTS)),
  "GET /settings": () => SETTINGS,
  "GET /audit": () => page(AUDIT),
};

/** Makes the server answer with these samples, and this person an administrator. */
export async function answerAsSamples({ context }: Person): Promise<void> {
  await context.route("**/api/user/self", async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { data: object };
    await route.fulfill({ response, json: { ...body, data: { ...body.data, isAdmin: true } } });
  });
  await context.route("**/api/admin/**", answerSample);
}

function answerSample(route: Route): Promise<void> {
  const { pathname, searchParams } = new URL(route.request().url());
  const answer = ANSWERS[`${route.request().method()} ${pathname.replace("/api/admin", "")}`];
  if (answer === undefined) throw new Error(`no sample for ${pathname}`);
  return route.fulfill({ json: { code: 200, message: "ok", data: answer(searchParams) } });
}

/** Whether a text of a page comes from these samples. */
export function isSampleText(text: string): boolean {
  const samples = JSON.stringify(Object.values(ANSWERS).map((answer) => answer(new URLSearchParams())));
  // What the server says in English beside its findings is no sample: a page shows the findings.
  const content = samples.replaceAll(/"sentence":"[^"]*"/g, "");
  return content.includes(JSON.stringify(text.trim()).slice(1, -1));
}

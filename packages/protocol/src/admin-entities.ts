/** What administrators see, as the calls below `/admin` answer it. Times are in epoch ms. */
import * as z from "zod/mini";
import { anyText, id, time } from "./text.ts";

const nullableText = () => z.nullable(anyText());

/** Which people a list has. `all` includes banned and deregistered people. */
export const PEOPLE_STATES = ["all", "banned", "unregistered", "admin"] as const;
export type PeopleState = (typeof PEOPLE_STATES)[number];

/** One person of the list. */
export const adminPerson = z.object({
  id: id(),
  userName: z.string(),
  nickName: z.string(),
  headImage: nullableText(),
  headImageThumb: nullableText(),
  createdTime: time(),
  /** The last sign of life of a session; null if there is no session. */
  lastSeenTime: z.nullable(time()),
  isBanned: z.boolean(),
  /** Why the person is banned. */
  reason: nullableText(),
  isUnregistered: z.boolean(),
  isAdmin: z.boolean(),
  online: z.boolean(),
});
export type AdminPerson = z.output<typeof adminPerson>;

/** A person that something else refers to. */
export const personRef = z.object({ id: id(), userName: z.string(), nickName: z.string() });
export type PersonRef = z.output<typeof personRef>;

/** One session of a person. */
export const adminSession = z.object({
  id: z.string(),
  terminal: z.number(),
  device: nullableText(),
  os: nullableText(),
  browser: nullableText(),
  createdTime: time(),
  lastSeen: time(),
  /** The network address of the newest login, refresh or socket; null if unknown. */
  address: nullableText(),
});
export type AdminSession = z.output<typeof adminSession>;

/** One group of the list. */
export const adminGroup = z.object({
  id: id(),
  name: z.string(),
  headImage: nullableText(),
  headImageThumb: nullableText(),
  owner: z.nullable(personRef),
  membersCount: z.number(),
  maxMembers: z.number(),
  createdTime: time(),
  isBanned: z.boolean(),
  reason: nullableText(),
  isDissolved: z.boolean(),
});
export type AdminGroup = z.output<typeof adminGroup>;

/** One member of a group. */
export const adminGroupMember = z.object({
  id: id(),
  userName: z.string(),
  nickName: z.string(),
  headImage: nullableText(),
  headImageThumb: nullableText(),
  /** `GroupRole`. */
  role: z.number(),
  isMuted: z.boolean(),
});
export type AdminGroupMember = z.output<typeof adminGroupMember>;

/** An invite code that may still be used, or was not deleted yet. */
export const adminInviteCode = z.object({
  code: z.string(),
  usesLeft: z.number(),
  /** Null: valid for ever. */
  expiresTime: z.nullable(time()),
});
export type AdminInviteCode = z.output<typeof adminInviteCode>;

/** A notice as receivers will see it. */
export const noticePreview = z.object({
  title: z.string(),
  /** The beginning of the text, as the list of chats shows it. */
  intro: z.string(),
  /** HTML without anything that could run; null if the notice is only a link. */
  richText: nullableText(),
  externLink: nullableText(),
});
export type NoticePreview = z.output<typeof noticePreview>;

/** A published notice. */
export const adminNotice = z.extend(noticePreview, {
  id: id(),
  createdTime: time(),
  isForAll: z.boolean(),
  /** Whether it still goes out. */
  isSending: z.boolean(),
  /** In how many people's system chats it is. */
  receivedCount: z.number(),
  /** How many of them have read it. */
  readCount: z.number(),
});
export type AdminNotice = z.output<typeof adminNotice>;

/** Why a person reports something. */
export const REPORT_REASONS = ["spam", "harassment", "fraud", "illegal", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** What came of a report. `dismissed`: nothing was wrong. */
export const REPORT_OUTCOMES = ["dismissed", "acted"] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];

/** A report of abuse. */
export const adminReport = z.object({
  id: id(),
  createdTime: time(),
  reporter: z.nullable(personRef),
  /** The reported person, or the sender of the reported message. */
  person: z.nullable(personRef),
  /** The reported message as it was when it was reported; null if a person was reported. */
  message: z.nullable(
    z.object({
      chatType: z.enum(["PRIVATE", "GROUP"]),
      id: id(),
      groupId: z.nullable(id()),
      /** `MessageType`. */
      type: z.number(),
      content: z.string(),
      sendTime: time(),
    }),
  ),
  reason: z.enum(REPORT_REASONS),
  text: z.string(),
  /** Null while the report is open. */
  closed: z.nullable(
    z.object({
      time: time(),
      /** Null: it was closed on the command line. */
      by: z.nullable(personRef),
      outcome: z.enum(REPORT_OUTCOMES),
      note: z.string(),
    }),
  ),
});
export type AdminReport = z.output<typeof adminReport>;

const setting = <S extends z.ZodMiniType>(schema: S) =>
  z.object({
    value: schema,
    /** What the environment of the server says; it holds as long as nobody has set the value. */
    fallback: schema,
    isSet: z.boolean(),
  });

/** The settings that need no restart. */
export const adminSettings = z.object({
  isRegistrationOpen: setting(z.boolean()),
  isInviteCodeRequired: setting(z.boolean()),
  isAvatarRequired: setting(z.boolean()),
  /** The `JoinMode` of new groups. */
  newGroupJoinMode: setting(z.number()),
  recallSeconds: setting(z.number()),
  editSeconds: setting(z.number()),
  /** MiB of one file. */
  uploadMaxMb: setting(z.number()),
  /** MiB that one person may upload in a day. */
  uploadDailyMb: setting(z.number()),
});
export type AdminSettings = z.output<typeof adminSettings>;
export type SettingName = keyof AdminSettings;

/** One process of the server. */
export const adminNode = z.object({
  /** Its name, which answers name too, and a part that is another one at each start. */
  id: z.string(),
  roles: z.array(z.string()),
  /** `PROTOCOL_VERSION` of the node. */
  version: z.number(),
  startedTime: time(),
  /** The last sign of life. */
  seenTime: time(),
  /** Whether the last sign of life is recent. */
  isAlive: z.boolean(),
  sockets: z.number(),
});
export type AdminNode = z.output<typeof adminNode>;

/** What is checked for the overview. */
export const HEALTH_CHECKS = ["database", "files", "redis", "nodes", "https"] as const;
export type HealthCheck = (typeof HEALTH_CHECKS)[number];

/** What a check has found; the keys that this version knows are in `findings.ts`. */
const adminFinding = z.object({
  key: z.string(),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});

/** How the server is. */
export const adminOverview = z.object({
  people: z.object({ all: z.number(), banned: z.number(), unregistered: z.number(), online: z.number() }),
  messages: z.number(),
  files: z.object({ count: z.number(), bytes: z.number() }),
  databaseBytes: z.number(),
  openReports: z.number(),
  nodes: z.array(adminNode),
  /**
   * One entry for each check that makes sense here. `findings` is what is wrong; a server of version 22 does not have it. `sentence` says the
   * same in English; empty if all is well.
   */
  health: z.array(
    z.object({
      name: z.enum(HEALTH_CHECKS),
      ok: z.boolean(),
      sentence: z.string(),
      findings: z.optional(z.array(adminFinding)),
    }),
  ),
});
export type AdminOverview = z.output<typeof adminOverview>;

/** What an act was done to. */
export const AUDIT_TARGETS = ["person", "group", "inviteCode", "notice", "report", "settings"] as const;
export type AuditTarget = (typeof AUDIT_TARGETS)[number];

/** Acts of administrators that are no call which needs the role. */
export const OTHER_AUDIT_ACTIONS = [
  "setUpAdmin",
  "unregister",
  "makeSetupLink",
  "renewEpoch",
  "correctTimes",
  "exportPerson",
] as const;

/** One act of an administrator. */
export const auditEntry = z.object({
  id: id(),
  time: time(),
  /** Null: the command line on the server's machine. */
  actor: z.nullable(personRef),
  /** The name of the call, such as `banPerson`, or one of `OTHER_AUDIT_ACTIONS`. */
  action: z.string(),
  target: z.nullable(
    z.object({
      /** One of `AUDIT_TARGETS`. */
      kind: z.string(),
      id: z.nullable(id()),
      /** A name by which people know it, such as a user name. */
      name: nullableText(),
    }),
  ),
  /** The address of the administrator; null for the command line. */
  address: nullableText(),
  /** `done`, or the key of the refusal. */
  outcome: z.string(),
});
export type AuditEntry = z.output<typeof auditEntry>;

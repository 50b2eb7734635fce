/** The texts, people and groups of the demo data, read from the folder `data`. */
import { readFileSync } from "node:fs";
import { z } from "zod";

const text = z.string().min(1);
const texts = z.array(text).nonempty();
const flag = z.boolean().default(false);
/** An index into the people of the plan, where the logins are the first. */
const person = z.int().nonnegative();
const language = z.enum(["zh", "en"]);

/** A language in which demo people write. */
export type DemoLanguage = z.infer<typeof language>;

const demoPerson = z.strictObject({
  userName: text,
  nickName: text,
  /** The language in which the person writes. */
  chatLanguage: language,
  sex: z.int(),
  signature: text.nullable(),
  birthday: z.iso.date().nullable(),
});

/** A person of the demo data. */
export type DemoPerson = z.infer<typeof demoPerson>;

const namesBySex = z.strictObject({ male: texts, female: texts });

const people = z.strictObject({
  logins: z.array(demoPerson),
  /** Family and given names in Chinese with their pronunciation, from which user names are made. */
  familyNames: texts,
  givenNames: namesBySex,
  petNames: texts,
  firstNames: namesBySex,
  lastNames: texts,
});

const place = z.strictObject({ name: text, address: text, latitude: z.number(), longitude: z.number() });
const linesOf = <const Names extends readonly string[]>(names: Names) => z.record(z.enum(names), text);

const textsOfLanguage = z.strictObject({
  signatures: texts,
  requestRemarks: texts,
  privateChat: z.strictObject({
    place,
    lines: linesOf(["ask", "answer", "mistake", "correction", "card", "recalled", "thanks"]),
  }),
  groupChat: linesOf([
    "all",
    "call",
    "ask",
    "answer",
    "mistake",
    "correction",
    "poll",
    "advert",
    "thanks",
    "nudge",
    "note",
    "tag",
  ]),
  media: linesOf(["pictures", "answer", "list", "thanks"]),
  /** The words for each `[name]` in a conversation, which stays the same for all of it. `{x|y}` is a random choice. */
  placeholders: z.record(z.string(), texts),
  /** Each line begins with its writer: "a" started the conversation. */
  conversations: z.array(z.array(z.string().regex(/^[ab]./su))),
  /** Messages of one person that the other has not answered yet. */
  monologues: z.array(texts),
});

const groupOutline = z.strictObject({
  name: text,
  chatLanguage: language,
  owner: person,
  admins: z.array(person),
  /** Logins who are ordinary members. Other members are chosen at random. */
  logins: z.array(person),
  size: z.int(),
  /** The group's share of all group messages, relative to the other groups. */
  share: z.int(),
  notice: text.nullable().default(null),
  attributes: z.record(z.string(), text).default({}),
  isAllMuted: flag,
  joinApproval: flag,
  /** 1 everyone, 2 owner and admins. */
  inviteRole: z.int().default(1),
  isDissolved: flag,
  /** Ends with a message of every kind. */
  hasDemoChat: flag,
  /** Texts of requests to join. */
  joinRemarks: z.array(text).default([]),
  /** Number of pending invitations. */
  invites: z.int().default(0),
  /** Members who have left since. */
  left: z.array(person).default([]),
  /** The settings of members for the group. */
  notes: z
    .array(
      z.strictObject({
        person,
        isTop: z.boolean().exactOptional(),
        msgRemind: z.int().exactOptional(),
        remarkNickName: text.exactOptional(),
        remarkGroupName: text.exactOptional(),
      }),
    )
    .default([]),
});

/** What is decided about a group of the demo data. */
export type GroupOutline = z.infer<typeof groupOutline>;

function read<Schema extends z.ZodType>(name: string, schema: Schema): z.infer<Schema> {
  return schema.parse(JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), "utf8")));
}

/** The names of people. The logins are the first people, and can log in. */
export const { logins: DEMO_LOGINS, ...DEMO_NAMES } = read("people", people);

/** What people write, by language. */
export const DEMO_TEXTS = {
  zh: read("texts-zh", textsOfLanguage),
  en: read("texts-en", textsOfLanguage),
} satisfies Record<DemoLanguage, unknown>;

/** The groups, which show all features. */
export const GROUP_OUTLINES = read("groups", z.array(groupOutline));

import { makeGroups, type PlannedGroup } from "./groups-plan.ts";
import { LOGINS, makePeople, type Person, type Tongue } from "./names.ts";
import { pickOften } from "./pick.ts";
import type { Chance } from "./random.ts";
import { makeMonologue, makeTalk } from "./talk.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Conversations lie in this many days before now; people became friends before. */
const TALK_DAYS = 42;
const FRIENDS_DAYS = 30;

/** People are named by their place in `people`. */
export interface Plan {
  people: Person[];
  now: number;
  /** When everybody registered. */
  startedAt: number;
  friendships: Friendship[];
  /** Ascending by time. */
  messages: PlannedMessage[];
  requests: PlannedRequest[];
  groups: PlannedGroup[];
}

export interface Friendship {
  asker: number;
  asked: number;
  since: number;
  /** The side that has not read the other's last lines. */
  isBehind: "asker" | "asked" | "nobody";
  /** Whether those last lines are several, not answered yet. */
  isWaiting: boolean;
}

export interface PlannedMessage {
  from: number;
  to: number;
  text: string;
  at: number;
}

export interface PlannedRequest {
  from: number;
  to: number;
  remark: string;
  at: number;
  isRejected: boolean;
}

/** What the demo world holds. The same chance and time give the same world. */
export function makePlan(chance: Chance, now: number, peopleCount: number, messageCount: number): Plan {
  const people = makePeople(chance, peopleCount);
  const friendships = makeFriendships(chance, now, peopleCount);
  return {
    people,
    now,
    startedAt: now - (TALK_DAYS + FRIENDS_DAYS) * DAY,
    friendships,
    messages: makeMessages(chance, now, people, friendships, messageCount),
    requests: makeRequests(chance, now, people, friendships),
    groups: makeGroups(chance, now, people),
  };
}

/** The logins know each other and many others; everybody knows some of those who come next. */
function makeFriendships(chance: Chance, now: number, peopleCount: number): Friendship[] {
  const pairs = new Map<string, Friendship>();
  const befriend = (one: number, other: number) => {
    const key = pairKey(one, other);
    if (one === other || pairs.has(key)) return;
    const [asker, asked] = chance.percent(50) ? [one, other] : [other, one];
    const behind = chance.below(100);
    pairs.set(key, {
      asker,
      asked,
      since: now - TALK_DAYS * DAY - chance.between(MINUTE, FRIENDS_DAYS * DAY),
      isBehind: behind < 20 ? "asker" : behind < 40 ? "asked" : "nobody",
      isWaiting: behind < 40 && chance.percent(40),
    });
  };
  const logins = Math.min(LOGINS.length, peopleCount);
  for (let login = 0; login < logins; login++) {
    for (let other = login + 1; other < logins; other++) befriend(login, other);
    for (let n = Math.min(50, Math.floor(peopleCount / 4)); n > 0; n--) {
      befriend(login, chance.below(peopleCount));
    }
  }
  for (let person = logins; person < peopleCount; person++) {
    for (let n = chance.between(3, 7); n > 0; n--)
      befriend(person, (person + chance.between(1, 25)) % peopleCount);
  }
  return [...pairs.values()];
}

export function pairKey(one: number, other: number): string {
  return one < other ? `${one}:${other}` : `${other}:${one}`;
}

function makeMessages(
  chance: Chance,
  now: number,
  people: readonly Person[],
  friendships: readonly Friendship[],
  count: number,
): PlannedMessage[] {
  const ofLogins = friendships.filter(({ asker, asked }) => Math.min(asker, asked) < LOGINS.length);
  const messages: PlannedMessage[] = [];
  const talkTimes = new Map<Friendship, [start: number, end: number][]>();
  for (const friendship of friendships) {
    if (!friendship.isWaiting || messages.length > count / 2) continue;
    const { asker, asked, isBehind } = friendship;
    const [from, to] = isBehind === "asked" ? [asker, asked] : [asked, asker];
    const start = now - chance.between(10 * MINUTE, 2 * DAY);
    talkTimes.set(friendship, [[start, now]]);
    let at = start;
    for (const text of makeMonologue(chance, talkTongue(chance, people[from], people[to]))) {
      messages.push({ from, to, text, at });
      at += chance.between(3_000, 60_000);
    }
  }
  while (messages.length < count) {
    const friendship = pickOften(chance, chance.percent(45) ? ofLogins : friendships);
    const { asker, asked } = friendship;
    const [starter, other] = chance.percent(50) ? [asker, asked] : [asked, asker];
    const start = talkStart(chance, now);
    const talk: PlannedMessage[] = [];
    let at = start;
    for (const { isStarter, text } of makeTalk(chance, talkTongue(chance, people[starter], people[other]))) {
      const [from, to] = isStarter ? [starter, other] : [other, starter];
      talk.push({ from, to, text, at });
      at += chance.percent(4) ? chance.between(5 * MINUTE, 40 * MINUTE) : chance.between(4_000, 95_000);
    }
    // Two talks of the same people do not run into each other, and none runs past now.
    const known = talkTimes.get(friendship) ?? [];
    if (at > now || known.some(([from, to]) => start < to + MINUTE && from < at + MINUTE)) continue;
    talkTimes.set(friendship, [...known, [start, at]]);
    messages.push(...talk.slice(0, count - messages.length));
  }
  return messages.sort((a, b) => a.at - b.at);
}

/** A waking hour in the past weeks, in this machine's time zone. */
function talkStart(chance: Chance, now: number): number {
  const day = new Date(now - chance.below(TALK_DAYS) * DAY);
  const hour = chance.percent(60) ? chance.between(17, 22) : chance.between(8, 16);
  return day.setHours(hour, chance.below(60), chance.below(60), chance.below(1_000));
}

function talkTongue(chance: Chance, starter: Person | undefined, other: Person | undefined): Tongue {
  if (starter?.tongue === other?.tongue) return starter?.tongue ?? "en";
  return chance.percent(75) ? "en" : "zh";
}

const REMARKS: Record<Tongue, readonly string[]> = {
  zh: [
    "你好，我是隔壁组的",
    "羽毛球群里加的",
    "老同学，还记得我吗？",
    "朋友介绍的，加一下",
    "我是上次一起吃饭的",
  ],
  en: [
    "We met on Friday",
    "From the book club",
    "Hi, it's me from work",
    "Your neighbour upstairs",
    "Nina gave me this",
  ],
};

/** Each login is asked by some people (one of whom it turned down) and asks some. */
function makeRequests(
  chance: Chance,
  now: number,
  people: readonly Person[],
  friendships: readonly Friendship[],
): PlannedRequest[] {
  const known = new Set(friendships.map(({ asker, asked }) => pairKey(asker, asked)));
  const requests: PlannedRequest[] = [];
  for (let login = 0; login < Math.min(LOGINS.length, people.length); login++) {
    const strangers = chance
      .shuffle([...people.keys()])
      .filter((person) => person >= LOGINS.length && !known.has(pairKey(login, person)))
      .slice(0, 6);
    for (const [n, stranger] of strangers.entries()) {
      const [from, to] = n < 4 ? [stranger, login] : [login, stranger];
      requests.push({
        from,
        to,
        remark: chance.pick(REMARKS[people[from]?.tongue ?? "en"]),
        at: now - chance.between(5 * MINUTE, 5 * DAY),
        isRejected: n === 0,
      });
    }
  }
  return requests.sort((a, b) => a.at - b.at);
}

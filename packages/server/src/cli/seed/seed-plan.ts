import { createMonologue, createConversation } from "./conversation.ts";
import { createDemoPeople } from "./demo-people.ts";
import { planGroups, type PlannedGroup } from "./group-plan.ts";
import { DEMO_LOGINS, DEMO_TEXTS, type DemoPerson, type DemoLanguage } from "./seed-data.ts";
import type { SeededRandom } from "./seeded-random.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Conversations took place in these last days; people became friends before. */
const CONVERSATION_DAYS = 42;
const FRIENDS_DAYS = 30;

/** The demo data to be written. People are indexes into `people`. */
export interface SeedPlan {
  people: DemoPerson[];
  now: number;
  /** When everybody registered. */
  startedAt: number;
  friendships: Friendship[];
  /** Ascending by time. */
  messages: PlannedMessage[];
  requests: PlannedRequest[];
  groups: PlannedGroup[];
}

/** A planned friendship. */
export interface Friendship {
  asker: number;
  asked: number;
  since: number;
  /** The side that has not read the other's last messages. */
  isBehind: "asker" | "asked" | "nobody";
  /** Whether those last messages are a monologue that was not answered yet. */
  isWaiting: boolean;
}

/** A planned private message. */
export interface PlannedMessage {
  from: number;
  to: number;
  text: string;
  at: number;
}

/** A planned friend request. */
export interface PlannedRequest {
  from: number;
  to: number;
  remark: string;
  at: number;
  isRejected: boolean;
}

/** Plans the demo data. The same random numbers and time give the same plan. */
export function createSeedPlan(
  random: SeededRandom,
  now: number,
  peopleCount: number,
  messageCount: number,
): SeedPlan {
  const people = createDemoPeople(random, peopleCount);
  const friendships = planFriendships(random, now, peopleCount);
  return {
    people,
    now,
    startedAt: now - (CONVERSATION_DAYS + FRIENDS_DAYS) * DAY,
    friendships,
    messages: planMessages(random, now, people, friendships, messageCount),
    requests: planRequests(random, now, people, friendships),
    groups: planGroups(random, now, people),
  };
}

/** The logins are friends with each other and many others; everybody else with some of the next people in the list. */
function planFriendships(random: SeededRandom, now: number, peopleCount: number): Friendship[] {
  const pairs = new Map<string, Friendship>();
  const befriend = (one: number, other: number) => {
    const key = pairKey(one, other);
    if (one === other || pairs.has(key)) return;
    const [asker, asked] = random.percent(50) ? [one, other] : [other, one];
    const behind = random.below(100);
    pairs.set(key, {
      asker,
      asked,
      since: now - CONVERSATION_DAYS * DAY - random.between(MINUTE, FRIENDS_DAYS * DAY),
      isBehind: behind < 20 ? "asker" : behind < 40 ? "asked" : "nobody",
      isWaiting: behind < 40 && random.percent(40),
    });
  };
  const logins = Math.min(DEMO_LOGINS.length, peopleCount);
  for (let login = 0; login < logins; login++) {
    for (let other = login + 1; other < logins; other++) befriend(login, other);
    for (let n = Math.min(50, Math.floor(peopleCount / 4)); n > 0; n--) {
      befriend(login, random.below(peopleCount));
    }
  }
  for (let person = logins; person < peopleCount; person++) {
    for (let n = random.between(3, 7); n > 0; n--)
      befriend(person, (person + random.between(1, 25)) % peopleCount);
  }
  return [...pairs.values()];
}

/** A key of two people in any order. */
export function pairKey(one: number, other: number): string {
  return one < other ? `${one}:${other}` : `${other}:${one}`;
}

/** Returns the entry of a person by their index in the plan. */
export function at<T>(values: readonly T[], index: number): T {
  const value = values[index];
  if (value === undefined) throw new Error(`the plan refers to person ${index}, who is not in it`);
  return value;
}

function planMessages(
  random: SeededRandom,
  now: number,
  people: readonly DemoPerson[],
  friendships: readonly Friendship[],
  count: number,
): PlannedMessage[] {
  const friendshipsOfLogins = friendships.filter(
    ({ asker, asked }) => Math.min(asker, asked) < DEMO_LOGINS.length,
  );
  const messages: PlannedMessage[] = [];
  const conversationTimes = new Map<Friendship, [start: number, end: number][]>();
  for (const friendship of friendships) {
    if (!friendship.isWaiting || messages.length > count / 2) continue;
    const { asker, asked, isBehind } = friendship;
    const [from, to] = isBehind === "asked" ? [asker, asked] : [asked, asker];
    const start = now - random.between(10 * MINUTE, 2 * DAY);
    conversationTimes.set(friendship, [[start, now]]);
    let at = start;
    for (const text of createMonologue(random, conversationLanguage(random, people[from], people[to]))) {
      messages.push({ from, to, text, at });
      at += random.between(3_000, 60_000);
    }
  }
  while (messages.length < count) {
    const friendship = random.pickSkewed(random.percent(45) ? friendshipsOfLogins : friendships);
    const { asker, asked } = friendship;
    const [starter, other] = random.percent(50) ? [asker, asked] : [asked, asker];
    const start = conversationStart(random, now);
    const conversation: PlannedMessage[] = [];
    let at = start;
    for (const { isStarter, text } of createConversation(
      random,
      conversationLanguage(random, people[starter], people[other]),
    )) {
      const [from, to] = isStarter ? [starter, other] : [other, starter];
      conversation.push({ from, to, text, at });
      at += random.percent(4) ? random.between(5 * MINUTE, 40 * MINUTE) : random.between(4_000, 95_000);
    }
    // Conversations of the same people do not overlap, and none ends after now.
    const earlier = conversationTimes.get(friendship) ?? [];
    if (at > now || earlier.some(([from, to]) => start < to + MINUTE && from < at + MINUTE)) continue;
    conversationTimes.set(friendship, [...earlier, [start, at]]);
    messages.push(...conversation.slice(0, count - messages.length));
  }
  return messages.sort((a, b) => a.at - b.at);
}

/** A random time of day in the past weeks, in this machine's time zone. */
function conversationStart(random: SeededRandom, now: number): number {
  const day = new Date(now - random.below(CONVERSATION_DAYS) * DAY);
  const hour = random.percent(60) ? random.between(17, 22) : random.between(8, 16);
  return day.setHours(hour, random.below(60), random.below(60), random.below(1_000));
}

function conversationLanguage(
  random: SeededRandom,
  starter: DemoPerson | undefined,
  other: DemoPerson | undefined,
): DemoLanguage {
  if (starter?.chatLanguage === other?.chatLanguage) return starter?.chatLanguage ?? "en";
  return random.percent(75) ? "en" : "zh";
}

/** Each login gets some friend requests, of which one is rejected, and sends some. */
function planRequests(
  random: SeededRandom,
  now: number,
  people: readonly DemoPerson[],
  friendships: readonly Friendship[],
): PlannedRequest[] {
  const friendPairs = new Set(friendships.map(({ asker, asked }) => pairKey(asker, asked)));
  const requests: PlannedRequest[] = [];
  for (let login = 0; login < Math.min(DEMO_LOGINS.length, people.length); login++) {
    const strangers = random
      .shuffle([...people.keys()])
      .filter((person) => person >= DEMO_LOGINS.length && !friendPairs.has(pairKey(login, person)))
      .slice(0, 6);
    for (const [n, stranger] of strangers.entries()) {
      const [from, to] = n < 4 ? [stranger, login] : [login, stranger];
      requests.push({
        from,
        to,
        remark: random.pick(DEMO_TEXTS[people[from]?.chatLanguage ?? "en"].requestRemarks),
        at: now - random.between(5 * MINUTE, 5 * DAY),
        isRejected: n === 0,
      });
    }
  }
  return requests.sort((a, b) => a.at - b.at);
}

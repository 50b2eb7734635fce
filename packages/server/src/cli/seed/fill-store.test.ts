import { TEXT_MAX, USER_NAME_MAX } from "@parley/protocol/limits";
import { MessageType } from "@parley/protocol/codes";
import { isUserName } from "@parley/protocol/fields";
import { countCodePoints } from "@parley/protocol/text";
import { expect, test } from "vitest";
import { openTestStore } from "../../testing/paused-store.ts";
import { fillStore, isEmpty } from "./fill-store.ts";
import { DEMO_LOGINS } from "./seed-data.ts";
import { createSeedPlan, pairKey } from "./seed-plan.ts";
import { createSeededRandom } from "./seeded-random.ts";

const NOW = 1_700_000_000_000;
const plan = (people: number, messages: number) =>
  createSeedPlan(createSeededRandom(1), NOW, people, messages);

test("the same seed gives the same plan", () => {
  expect(plan(30, 300)).toEqual(plan(30, 300));
});

test("people of both languages have unique user names that registration would accept", () => {
  const { people } = plan(200, 0);
  expect(people).toHaveLength(200);
  expect(new Set(people.map((person) => person.userName)).size).toBe(200);
  for (const { userName, nickName } of people) {
    expect(isUserName(userName) && userName.length <= USER_NAME_MAX, userName).toBe(true);
    expect(countCodePoints(nickName)).toBeLessThanOrEqual(20);
  }
  expect(new Set(people.map((person) => person.chatLanguage))).toEqual(new Set(["zh", "en"]));
});

test("messages are between friends, in order of time, in the past, and contain no template syntax", () => {
  const { messages, friendships } = plan(40, 2_000);
  expect(messages).toHaveLength(2_000);
  const since = new Map(
    friendships.map((friendship) => [pairKey(friendship.asker, friendship.asked), friendship.since]),
  );
  let last = 0;
  for (const { from, to, text, at } of messages) {
    expect(at).toBeGreaterThan(since.get(pairKey(from, to)) ?? Infinity);
    expect(at).toBeGreaterThanOrEqual(last);
    expect(at).toBeLessThanOrEqual(NOW);
    expect(text).not.toMatch(/[[\]{}|]/);
    expect(text.length > 0 && countCodePoints(text) <= TEXT_MAX).toBe(true);
    last = at;
  }
  expect(messages.some(({ text }) => /\p{Script=Han}/u.test(text))).toBe(true);
  expect(messages.some(({ text }) => /^[\x20-\x7e]+$/.test(text))).toBe(true);
});

test("the store contains logins, chats with unread messages, and pending requests with their system messages", async () => {
  const store = await openTestStore();
  expect(await isEmpty(store)).toBe(true);
  await fillStore(store, plan(60, 1_500), {
    language: "en",
    loginHashes: ["a", "b", "c"],
    closedHash: "closed",
  });
  expect(await isEmpty(store)).toBe(false);

  const hashes = new Map<string, string>();
  for (let id = 1; id <= 60; id++) {
    const user = await store.findUser(id);
    if (user !== undefined) hashes.set(user.userName, user.passwordHash);
  }
  expect(hashes.size).toBe(60);
  expect(DEMO_LOGINS.map(({ userName }) => hashes.get(userName))).toEqual(["a", "b", "c"]);
  expect([...hashes.values()].filter((hash) => hash === "closed")).toHaveLength(57);

  const privateIds = await store.listIdsAfter("PRIVATE", 0, 10_000);
  // Each pair of the three logins has a demo chat of 12 rows.
  expect(privateIds).toHaveLength(1_500 + plan(60, 1_500).friendships.length + 3 * 12);
  const demoChat = await store.listHistory("PRIVATE", 1, 2, { from: "newest", size: 12 });
  expect(new Set(demoChat.map((row) => row.type))).toEqual(new Set([0, 7, 10, 21, 88, 92, 93]));
  expect(demoChat.filter((row) => row.editedAt !== null || row.quote !== null).length).toBeGreaterThan(2);
  const pinned = (await store.listPins("PRIVATE", 1, 2)).rows.map(({ type }) => type);
  expect(pinned).toEqual([MessageType.LOCATION]);
  const extras = await store.listExtras(
    1,
    demoChat.map(({ id }) => id),
  );
  expect([...extras.values()].flatMap(({ reactions }) => reactions ?? [])).toHaveLength(1);
  const states = new Set<boolean>();
  for (const { targetId, mine } of await store.privateReadPositions(1)) {
    states.add(mine < (await store.newestVisibleId("PRIVATE", 1, targetId)));
  }
  expect(states).toEqual(new Set([true, false]));

  const prefs = await store.listChatPrefs(1);
  expect(prefs).toEqual([
    { type: "PRIVATE", targetId: expect.any(Number), prefs: { archived: expect.any(Number) } },
  ]);

  const pending = await store.listPendingRequests(1);
  expect(pending.filter((request) => request.recvId === 1)).toHaveLength(3);
  expect(pending.filter((request) => request.sendId === 1)).toHaveLength(2);
  const waiting = (await store.listPendingGroupRequests(1)).length;
  expect(waiting).toBe(4);
  expect(await store.newestSystemSeqNo(1)).toBe(4 + waiting);
  for (const request of pending) {
    const message = await store.findSystemByRequest(request.id);
    expect(JSON.parse(message?.content ?? "null")).toMatchObject({ id: request.id, status: request.status });
  }
});

test("the store contains groups with all roles, notices, mentions and receipts, one large and one dissolved", async () => {
  const store = await openTestStore();
  const { groups } = plan(420, 300);
  await fillStore(store, plan(420, 300), {
    language: "en",
    loginHashes: ["a", "b", "c"],
    closedHash: "closed",
  });
  const ids = (await store.listMembershipsOf(1)).map(({ groupId }) => groupId);
  const rows = [...(await store.findGroups(ids)).values()];
  expect(rows).toHaveLength(groups.length);
  expect(rows.filter(({ dissolvedAt }) => dissolvedAt !== null)).toHaveLength(1);
  expect(rows.filter(({ isAllMuted }) => isAllMuted)).toHaveLength(1);
  expect(rows.some(({ attributes }) => Object.keys(attributes).length > 0)).toBe(true);
  const counts = await store.countGroupMembers(ids);
  expect(Math.max(...counts.values())).toBeGreaterThan(300);
  const roles = new Set((await store.listMembershipsOf(1)).map(({ role }) => role));
  expect(roles).toEqual(new Set([1, 2, 3]));

  const [first = 0] = ids;
  const history = await store.listHistory("GROUP", 1, first, { from: "newest", size: 50 });
  expect(history.some(({ atUserIds }) => atUserIds.includes(-1))).toBe(true);
  expect(history.some(({ receipt }) => receipt)).toBe(true);
  expect(history.some(({ noticeId }) => noticeId !== null)).toBe(true);
  const times = history.map(({ sendTime }) => sendTime);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";
import type { SharedValue } from "../model/shared-value.ts";
import { SHARED_VALUES } from "../model/shared-values.ts";
import { INITIAL_STATE } from "../state-store.ts";
import { ME } from "../testing/builders.ts";
import { createFakeTabs } from "../testing/fake-tabs.ts";
import {
  advanceTime,
  createLoggedInClient,
  createSingleClient,
  NO_CHANGES,
  type SingleClient,
} from "../testing/single-client.ts";

/** A value of the change feed. */
const clearedIds: SharedValue<readonly number[], number, "cleared"> = {
  initial: [],
  schema: z.array(z.number()),
  changeSchema: z.number(),
  reduce: (ids, id) => (ids.includes(id) ? ids : [...ids, id]),
  changesOf: ({ cleared }) => cleared.map(({ upTo }) => upTo),
};
const NAME = "clearedIds";
beforeEach(() => {
  Object.assign(SHARED_VALUES, { [NAME]: clearedIds });
  Object.assign(INITIAL_STATE, { [NAME]: clearedIds.initial });
});
afterEach(() => {
  for (const values of [SHARED_VALUES, INITIAL_STATE]) Reflect.deleteProperty(values, NAME);
});

const DATABASE = "parley-chats:https://im.example:1";
const idsOf = ({ client }: SingleClient) => (client.getState() as unknown as Record<string, unknown>)[NAME];
const feedOf = (next: string, ...ids: number[]) => ({
  ...NO_CHANGES,
  next,
  cleared: ids.map((upTo) => ({ type: "SYSTEM", upTo })),
});

async function receiveFeed(single: SingleClient, feed: object): Promise<void> {
  await single.push({ cmd: 3, data: { type: 82, sendId: ME, recvId: ME, content: "" } });
  await single.respond("/user/changes", feed);
  await advanceTime(single, 200);
}

async function reload(single: SingleClient, name: string): Promise<SingleClient> {
  const again = createSingleClient({ storage: single.ports.storage.tab(true), name });
  await again.client.session.resume();
  await again.goOnline();
  return again;
}
const feedRequests = (single: SingleClient) =>
  single.waiting().filter((path) => path.startsWith("/user/changes"));

test("I112 a value of the change feed is shown, and kept after a reload", async () => {
  const single = await createLoggedInClient();
  await receiveFeed(single, feedOf("2", 4, 5));
  await receiveFeed(single, feedOf("3", 5));
  expect(idsOf(single)).toEqual([4, 5]);
  const again = await reload(single, "again");
  expect(idsOf(again)).toEqual([4, 5]);
  expect(feedRequests(again)).toEqual(["/user/changes?since=3"]);
});

test("I112 a value that the database does not have, or has damaged, is loaded from the beginning of the feed", async () => {
  const single = await createLoggedInClient();
  await receiveFeed(single, feedOf("2", 4));
  const database = await single.ports.storage.open(DATABASE);
  await database.write({ values: { [NAME]: "damaged" } });
  const again = await reload(single, "again");
  expect(feedRequests(again)).toEqual(["/user/changes"]);
  await again.respond("/user/changes", feedOf("2"));
  await again.endPulls();
  await advanceTime(again, 200);
  // Also without a change the value is stored now, so that the next start needs only what is new.
  expect(feedRequests(await reload(again, "third"))).toEqual(["/user/changes?since=2"]);
});

test("I112 a value of the change feed begins anew with its token", async () => {
  const single = await createLoggedInClient();
  await receiveFeed(single, feedOf("2", 4));
  single.ports.sockets.last().close(1006);
  await advanceTime(single, 15_000);
  await single.goOnline("epoch 2");
  expect(idsOf(single)).toEqual([]);
  expect(feedRequests(single)).toEqual(["/user/changes"]);
});

test("U61 a change of another tab that does not fit its value is left out", async () => {
  const device = createFakeTabs();
  const single = await createLoggedInClient({ device });
  const before = single.client.getState();
  const tab = device.tab();
  for (const [name, change] of [
    ["played", { key: "no chat", id: 5 }],
    ["readNotices", null],
    ["unknown", { id: 1 }],
  ])
    tab.broadcast({ kind: "sharedValue", userId: ME, name, change });
  tab.broadcast({ kind: "sharedValue", userId: ME + 1, name: NAME, change: 1 });
  expect(single.client.getState()).toBe(before);
  tab.broadcast({ kind: "sharedValue", userId: ME, name: NAME, change: 1 });
  expect(idsOf(single)).toEqual([1]);
});

test("G24 after a logout the texts of notices are not kept on the device", async () => {
  const single = await createLoggedInClient();
  const database = await single.ports.storage.open(DATABASE);
  await database.write({ values: { readNotices: { 9: "Hi" }, played: {} } });
  await single.client.session.logout();
  await advanceTime(single, 200);
  expect(await database.value("readNotices")).toEqual({});
});

test("U61 G24 values are stored under the names and in the form that databases have had from the beginning", async () => {
  const single = await createLoggedInClient();
  const stored = { readNotices: { 9: "Hi" }, played: { "PRIVATE:2": { upTo: 3, ids: [5] } } };
  const database = await single.ports.storage.open(DATABASE);
  await database.write({ values: stored });
  expect((await reload(single, "again")).client.getState()).toMatchObject(stored);
  await database.write({ values: { ...stored, played: "damaged" } });
  expect((await reload(single, "third")).client.getState()).toMatchObject({ ...stored, played: {} });
});

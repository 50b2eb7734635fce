import { expect, test } from "vitest";
import type { NodeRow } from "../../ports/server-state-store.ts";
import { NOON } from "../../testing/contracts/store-fixtures.ts";
import { createOverview } from "./overview.ts";

const nodeOf = (id: string, people: number, seenAt = NOON): NodeRow => ({
  id,
  roles: ["gateway"],
  version: 22,
  startedAt: NOON,
  seenAt,
  sockets: people,
  people,
});

async function onlineOf(nodes: NodeRow[], counted: number | undefined): Promise<number> {
  const { loadOverview } = createOverview({
    store: {
      countUsers: async () => ({ all: 9, banned: 0, unregistered: 0 }),
      countFiles: async () => ({ count: 0, bytes: 0 }),
      listReports: async () => ({ total: 0, rows: [] }),
      newestIdOf: async () => 0,
      listSettings: async () => new Map(),
      listNodes: async () => nodes,
    },
    presence: { countOnline: async () => counted },
    databaseBytes: async () => 0,
    ownNode: undefined,
    checks: [],
  });
  const act = { at: NOON } as Parameters<typeof loadOverview>[0];
  return (await loadOverview(act, {} as Parameters<typeof loadOverview>[1])).people.online;
}

test("the people of several nodes are counted once; while that is impossible, the nodes' own numbers are added", async () => {
  const [two, dead] = [[nodeOf("a", 3), nodeOf("b", 2)], nodeOf("c", 7, NOON - 60_000)];
  expect(await onlineOf(two, 4)).toBe(4);
  expect(await onlineOf([...two, dead], undefined)).toBe(5);
  expect(await onlineOf([nodeOf("a", 3), dead], 4)).toBe(3);
  expect(await onlineOf([], undefined)).toBe(0);
});

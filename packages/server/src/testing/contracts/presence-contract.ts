import { afterEach, beforeEach, expect, test } from "vitest";
import type { Presence } from "../../ports/presence.ts";

const NOON = 1_700_000_000_000;

const socketOf = (userId: number, terminal: number, device = `device of ${userId}`) => ({
  userId,
  terminal,
  device,
});

/** Tests of all rules of `ports/presence.ts`. The test of each adapter calls it inside a `describe`. */
export function presenceContract(createPresence: () => Promise<Presence>): void {
  let presence: Presence;
  beforeEach(async () => {
    presence = await createPresence();
  });
  afterEach(() => presence.close());
  const online = async (...userIds: number[]) =>
    [...(await presence.online(userIds))].sort(([a], [b]) => a - b);

  test("online returns only people who are online, each with their terminals once in ascending order", async () => {
    presence.connected(socketOf(2, 2), NOON);
    presence.connected(socketOf(2, 1), NOON);
    presence.connected(socketOf(3, 2), NOON);
    presence.connected(socketOf(9, 2), NOON);
    expect(await online(1, 2, 3)).toEqual([
      [2, [1, 2]],
      [3, [2]],
    ]);
    expect(await online()).toEqual([]);
    expect(await presence.countOnline()).toBe(3);
  });

  test("a terminal is offline when its last socket has closed", async () => {
    presence.connected(socketOf(1, 2), NOON);
    presence.connected(socketOf(1, 2), NOON);
    presence.disconnected(socketOf(1, 2));
    expect(await online(1)).toEqual([[1, [2]]]);
    expect(await presence.countOnline()).toBe(1);
    presence.disconnected(socketOf(1, 2));
    expect(await online(1)).toEqual([]);
    expect(await presence.countOnline()).toBe(0);
  });

  test("a disconnect without a connect is ignored", async () => {
    presence.disconnected(socketOf(1, 2));
    presence.connected(socketOf(1, 2), NOON);
    presence.disconnected(socketOf(1, 1));
    expect(await online(1)).toEqual([[1, [2]]]);
  });

  test("a device is heard when it connects and with each sign of life, until its last socket has closed", async () => {
    const heard = async () => [...(await presence.lastHeard(["a", "b", "c"]))];
    presence.heard("a", NOON);
    expect(await heard()).toEqual([]);
    presence.connected(socketOf(1, 2, "a"), NOON);
    presence.connected(socketOf(1, 2, "a"), NOON + 1);
    presence.connected(socketOf(1, 0, "b"), NOON + 2);
    presence.heard("b", NOON + 3);
    expect(await heard()).toEqual([
      ["a", NOON + 1],
      ["b", NOON + 3],
    ]);
    presence.disconnected(socketOf(1, 2, "a"));
    expect((await heard()).length).toBe(2);
    presence.disconnected(socketOf(1, 2, "a"));
    expect(await heard()).toEqual([["b", NOON + 3]]);
    expect(await presence.lastHeard([])).toEqual(new Map());
  });
}

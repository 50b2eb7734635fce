import { afterEach, beforeEach, expect, test } from "vitest";
import type { Presence } from "../../ports/presence.ts";

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
    presence.connected(2, 2);
    presence.connected(2, 1);
    presence.connected(3, 2);
    presence.connected(9, 2);
    expect(await online(1, 2, 3)).toEqual([
      [2, [1, 2]],
      [3, [2]],
    ]);
    expect(await online()).toEqual([]);
  });

  test("a terminal is offline when its last socket has closed", async () => {
    presence.connected(1, 2);
    presence.connected(1, 2);
    presence.disconnected(1, 2);
    expect(await online(1)).toEqual([[1, [2]]]);
    presence.disconnected(1, 2);
    expect(await online(1)).toEqual([]);
  });

  test("a disconnect without a connect is ignored", async () => {
    presence.disconnected(1, 2);
    presence.connected(1, 2);
    presence.disconnected(1, 1);
    expect(await online(1)).toEqual([[1, [2]]]);
  });
}

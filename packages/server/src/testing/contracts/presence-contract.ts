import { afterEach, beforeEach, expect, test } from "vitest";
import type { Presence } from "../../ports/presence.ts";

/** Every rule of `ports/presence.ts`, to be run against each adapter inside a `describe`. */
export function presenceContract(make: () => Promise<Presence>): void {
  let presence: Presence;
  beforeEach(async () => {
    presence = await make();
  });
  afterEach(() => presence.close());
  const online = async (...userIds: number[]) =>
    [...(await presence.online(userIds))].sort(([a], [b]) => a - b);

  test("only those online are answered, with each of their terminals once, ascending", async () => {
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

  test("sockets are counted: a terminal is offline when its last one is gone", async () => {
    presence.connected(1, 2);
    presence.connected(1, 2);
    presence.disconnected(1, 2);
    expect(await online(1)).toEqual([[1, [2]]]);
    presence.disconnected(1, 2);
    expect(await online(1)).toEqual([]);
  });

  test("a disconnect without a connect does not count", async () => {
    presence.disconnected(1, 2);
    presence.connected(1, 2);
    presence.disconnected(1, 1);
    expect(await online(1)).toEqual([[1, [2]]]);
  });
}

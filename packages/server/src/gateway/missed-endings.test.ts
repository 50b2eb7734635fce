import { describe, expect, test } from "vitest";
import type { LogoutReason } from "@parley/protocol/envelope";
import { createMemoryBus } from "../adapters/bus/memory-bus.ts";
import { createMemoryPresence } from "../adapters/presence/memory-presence.ts";
import type { Tx } from "../ports/store.ts";
import { createTestApp } from "../testing/test-app.ts";
import { registerPerson } from "../testing/test-person.ts";

describe("sessions whose end was not heard of", () => {
  test("are closed with their reasons when the bus comes back, and the others stay open", async () => {
    const bus = createMemoryBus((error) => {
      throw error;
    });
    const shared = { bus, presence: createMemoryPresence() };
    await using server = await createTestApp({ env: { RATE_LIMITS: "off" }, shared });
    const { store } = server.app;
    const cases: [LogoutReason, (tx: Tx, userId: number) => Promise<unknown>][] = [
      ["sessionEnded", (tx, id) => tx.endSessions(id, null, "sessionEnded", server.clock.now())],
      ["kicked", (tx, id) => tx.endSessions(id, null, "kicked", server.clock.now())],
      ["passwordChanged", (tx, id) => tx.endSessions(id, null, "passwordChanged", server.clock.now())],
      ["banned", (tx, id) => tx.setBanReason(id, "spam")],
      ["unregistered", (tx, id) => tx.setUnregistered(id, server.clock.now())],
    ];
    const staying = await registerPerson(server.url);
    const stayingSocket = await staying.connect();
    const people = await Promise.all(cases.map(() => registerPerson(server.url)));
    const sockets = await Promise.all(people.map((person) => person.connect()));

    // As another node does it, whose events do not arrive.
    await store.write(async (tx) => {
      for (const [n, [, end]] of cases.entries()) await end(tx, people[n]?.id ?? 0);
    });
    bus.publish({ kind: "interrupted", gapMs: 1 });

    for (const [n, [reason]] of cases.entries()) {
      expect(await sockets[n]?.next()).toMatchObject({ cmd: 2, reason });
    }
    server.clock.advance(5_000);
    server.app.sweep();
    for (const socket of sockets) expect(await socket.closed).toBe(4001);
    for (const person of people) expect((await person.call("self")).envelope.code).toBe(401);
    expect((await stayingSocket.flush()).some((frame) => frame.cmd === 2)).toBe(false);
    expect((await staying.ok("self")).id).toBe(staying.id);
    stayingSocket.close();
  });
});

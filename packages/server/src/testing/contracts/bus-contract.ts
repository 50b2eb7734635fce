import { afterEach, beforeEach, expect, test } from "vitest";
import type { Bus, BusEvent, PublishedEvent } from "../../ports/bus.ts";

/** A new bus for one test. */
export interface BusSubject {
  bus: Bus;
  /** Resolves when all published events have arrived. */
  delivered(): Promise<void>;
  /** The errors that listeners threw. */
  errors: unknown[];
}

/** Tests of all rules of `ports/bus.ts`. The test of each adapter calls it inside a `describe`. */
export function busContract(createSubject: () => Promise<BusSubject>): void {
  let subject: BusSubject;
  beforeEach(async () => {
    subject = await createSubject();
  });
  afterEach(() => subject.bus.close());

  const stale = (userId: number): PublishedEvent => ({ kind: "stale", userIds: [userId] });
  const listen = (): BusEvent[] => {
    const received: BusEvent[] = [];
    subject.bus.subscribe((event) => received.push(event));
    return received;
  };

  test("every listener gets every complete event once, in the order of publishing", async () => {
    const [first, second] = [listen(), listen()];
    const events: PublishedEvent[] = [
      {
        kind: "push",
        audience: { userIds: [1, 2], except: { userId: 1, clientId: null, sessionId: "s" } },
        frame: "{}",
      },
      { kind: "endSessions", userId: 1, sessionIds: ["s"], reason: "passwordChanged" },
      {
        kind: "kick",
        userId: 1,
        terminal: 2,
        deviceNo: null,
        sessionId: "s",
        exceptSocketId: "x",
        loginOrder: 5,
      },
      ...Array.from({ length: 50 }, (_, n) => stale(n)),
    ];
    for (const event of events) subject.bus.publish(event);
    await subject.delivered();
    expect(first).toEqual(events);
    expect(second).toEqual(events);
  });

  test("a listener gets no event after its subscription has ended, and ending it twice does nothing", async () => {
    const received: BusEvent[] = [];
    const staying = listen();
    const end = subject.bus.subscribe((event) => received.push(event));
    subject.bus.publish(stale(1));
    await subject.delivered();
    end();
    end();
    subject.bus.publish(stale(2));
    await subject.delivered();
    expect(received).toEqual([stale(1)]);
    expect(staying).toEqual([stale(1), stale(2)]);
  });

  test("a function that is subscribed twice gets each event twice, and each subscription ends by itself", async () => {
    const received: BusEvent[] = [];
    const listener = (event: BusEvent) => void received.push(event);
    subject.bus.subscribe(listener);
    const end = subject.bus.subscribe(listener);
    subject.bus.publish(stale(1));
    await subject.delivered();
    end();
    subject.bus.publish(stale(2));
    await subject.delivered();
    expect(received).toEqual([stale(1), stale(1), stale(2)]);
  });

  test("an error of a listener does not stop the publisher or the other listeners", async () => {
    subject.bus.subscribe(() => {
      throw new Error("listener failed");
    });
    const received = listen();
    subject.bus.publish(stale(1));
    subject.bus.publish(stale(2));
    await subject.delivered();
    expect(received).toEqual([stale(1), stale(2)]);
    expect(subject.errors).toEqual([new Error("listener failed"), new Error("listener failed")]);
  });

  test("an event that a listener publishes arrives after the current event at every listener", async () => {
    subject.bus.subscribe((event) => {
      if (event.kind === "stale" && event.userIds[0] === 1) subject.bus.publish(stale(2));
    });
    const received = listen();
    subject.bus.publish(stale(1));
    await subject.delivered();
    expect(received).toEqual([stale(1), stale(2)]);
  });

  test("an event that is published after closing is dropped", async () => {
    const received = listen();
    await subject.bus.close();
    subject.bus.publish(stale(1));
    await subject.delivered();
    expect(received).toEqual([]);
  });
}

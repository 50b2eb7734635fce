import { afterEach, beforeEach, expect, test } from "vitest";
import type { Bus, BusEvent } from "../../ports/bus.ts";

/**
 * A fresh bus, and how to wait until what was published has arrived (at once, where it is a function call).
 */
export interface BusSubject {
  bus: Bus;
  delivered(): Promise<void>;
  /** What listeners threw. */
  errors: unknown[];
}

/** Every rule of `ports/bus.ts`, to be run against each adapter inside a `describe`. */
export function busContract(make: () => Promise<BusSubject>): void {
  let subject: BusSubject;
  beforeEach(async () => {
    subject = await make();
  });
  afterEach(() => subject.bus.close());

  const stale = (userId: number): BusEvent => ({ kind: "stale", userIds: [userId] });
  const listen = (): BusEvent[] => {
    const heard: BusEvent[] = [];
    subject.bus.subscribe((event) => heard.push(event));
    return heard;
  };

  test("every listener hears every event, whole, once and in the order of publishing", async () => {
    const [first, second] = [listen(), listen()];
    const events: BusEvent[] = [
      {
        kind: "push",
        audience: { userIds: [1, 2], except: { userId: 1, clientId: null, sessionId: "s" } },
        frame: "{}",
      },
      { kind: "endSessions", userId: 1, sessionIds: ["s"], reason: "passwordChanged" },
      { kind: "kick", userId: 1, terminal: 2, deviceNo: null, sessionId: "s", exceptSocketId: "x" },
      ...Array.from({ length: 50 }, (_, n) => stale(n)),
    ];
    for (const event of events) subject.bus.publish(event);
    await subject.delivered();
    expect(first).toEqual(events);
    expect(second).toEqual(events);
  });

  test("a listener that ended its subscription hears nothing more, and ending twice does no harm", async () => {
    const heard: BusEvent[] = [];
    const stay = listen();
    const end = subject.bus.subscribe((event) => heard.push(event));
    subject.bus.publish(stale(1));
    await subject.delivered();
    end();
    end();
    subject.bus.publish(stale(2));
    await subject.delivered();
    expect(heard).toEqual([stale(1)]);
    expect(stay).toEqual([stale(1), stale(2)]);
  });

  test("one function subscribed twice hears twice and ends each by itself", async () => {
    const heard: BusEvent[] = [];
    const listener = (event: BusEvent) => void heard.push(event);
    subject.bus.subscribe(listener);
    const end = subject.bus.subscribe(listener);
    subject.bus.publish(stale(1));
    await subject.delivered();
    end();
    subject.bus.publish(stale(2));
    await subject.delivered();
    expect(heard).toEqual([stale(1), stale(1), stale(2)]);
  });

  test("a listener that throws stops neither the publisher nor the others", async () => {
    subject.bus.subscribe(() => {
      throw new Error("deaf");
    });
    const heard = listen();
    subject.bus.publish(stale(1));
    subject.bus.publish(stale(2));
    await subject.delivered();
    expect(heard).toEqual([stale(1), stale(2)]);
    expect(subject.errors).toEqual([new Error("deaf"), new Error("deaf")]);
  });

  test("what a listener publishes comes after the event it heard, for everybody", async () => {
    subject.bus.subscribe((event) => {
      if (event.kind === "stale" && event.userIds[0] === 1) subject.bus.publish(stale(2));
    });
    const heard = listen();
    subject.bus.publish(stale(1));
    await subject.delivered();
    expect(heard).toEqual([stale(1), stale(2)]);
  });

  test("publishing after closing does nothing", async () => {
    const heard = listen();
    await subject.bus.close();
    subject.bus.publish(stale(1));
    await subject.delivered();
    expect(heard).toEqual([]);
  });
}

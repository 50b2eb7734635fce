import type { Device } from "./device.ts";
import type { FakeClock } from "./fake-clock.ts";
import type { HttpExchange } from "./fake-http.ts";
import type { FakeServer } from "./fake-server/fake-server.ts";
import type { FakeSocket } from "./fake-sockets.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";

/** A possible next event between devices and server. */
export type NetworkEvent =
  | { kind: "accept"; device: Device; socket: FakeSocket }
  | { kind: "up"; socket: FakeSocket }
  | { kind: "down"; socket: FakeSocket }
  | { kind: "request"; exchange: HttpExchange }
  | { kind: "answer"; device: Device; exchange: HttpExchange }
  | { kind: "pull"; index: number };

/** All events that are possible now. */
export function pendingEvents(devices: readonly Device[], server: FakeServer): NetworkEvent[] {
  const events: NetworkEvent[] = server.pulls.map((_, index) => ({ kind: "pull", index }));
  for (const device of devices) {
    for (const socket of device.ports.sockets.all) {
      if (socket.state === "connecting") events.push({ kind: "accept", device, socket });
      if (socket.state !== "open") continue;
      if (socket.up.length > 0) events.push({ kind: "up", socket });
      if (socket.down.length > 0) events.push({ kind: "down", socket });
    }
    for (const exchange of device.ports.http.waiting) {
      if (exchange.answer === null) events.push({ kind: "request", exchange });
      else events.push({ kind: "answer", device, exchange });
    }
  }
  return events;
}

/** Performs an event. `rows`: how many rows a pull pushes at once. */
export function runEvent(event: NetworkEvent, server: FakeServer, rows: number): void {
  switch (event.kind) {
    case "accept":
      if (event.device.isOffline) event.socket.close(1006);
      else event.socket.accept();
      return;
    case "up":
      server.gateway.read(event.socket);
      return;
    case "down":
      event.socket.deliver();
      return;
    case "request":
      event.exchange.answer = server.handle(event.exchange.request);
      return;
    case "answer":
      if (event.exchange.answer !== null)
        event.device.ports.http.finish(event.exchange, event.exchange.answer);
      return;
    case "pull": {
      const pull = server.pulls[event.index];
      if (pull !== undefined) server.stepPull(pull, rows);
      return;
    }
    default:
      event satisfies never;
  }
}

const ROUNDS_MAX = 2_000;
const ROWS_AT_ONCE = 50;

/** Performs all events in order until none is left; time stands still. */
export async function flushNetwork(
  devices: readonly Device[],
  server: FakeServer,
  clock: FakeClock,
): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await flushMicrotasks();
    while (clock.runSoon()) await flushMicrotasks();
    const events = pendingEvents(devices, server);
    if (events.length === 0) return;
    for (const event of events) runEvent(event, server, ROWS_AT_ONCE);
  }
  const remaining = pendingEvents(devices, server).map(describeEvent);
  throw new Error(`the network does not come to rest; still pending: ${remaining.join(", ") || "timers"}`);
}

function describeEvent(event: NetworkEvent): string {
  switch (event.kind) {
    case "accept":
      return `a connection of ${event.device.name}`;
    case "up":
      return `a frame to the server: ${String(event.socket.up[0])}`;
    case "down":
      return `a frame to a device: ${String(event.socket.down[0])}`;
    case "request":
    case "answer":
      return `${event.kind} ${event.exchange.request.url}`;
    case "pull":
      return "a pull";
  }
}

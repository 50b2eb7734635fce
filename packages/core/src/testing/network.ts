import type { Device } from "./device.ts";
import type { FakeClock } from "./fake-clock.ts";
import type { HttpExchange } from "./fake-http.ts";
import type { FakeServer } from "./fake-server/fake-server.ts";
import type { FakeWire } from "./fake-sockets.ts";
import { flushMicrotasks } from "./flush-microtasks.ts";

/** One thing that may happen next on the way between devices and server. */
export type NetworkEvent =
  | { kind: "accept"; device: Device; wire: FakeWire }
  | { kind: "up"; wire: FakeWire }
  | { kind: "down"; wire: FakeWire }
  | { kind: "ask"; exchange: HttpExchange }
  | { kind: "answer"; device: Device; exchange: HttpExchange }
  | { kind: "pull"; index: number };

/** Everything that could move at this moment. */
export function pendingEvents(devices: readonly Device[], server: FakeServer): NetworkEvent[] {
  const moves: NetworkEvent[] = server.pulls.map((_, index) => ({ kind: "pull", index }));
  for (const device of devices) {
    for (const wire of device.ports.sockets.wires) {
      if (wire.state === "connecting") moves.push({ kind: "accept", device, wire });
      if (wire.state !== "open") continue;
      if (wire.up.length > 0) moves.push({ kind: "up", wire });
      if (wire.down.length > 0) moves.push({ kind: "down", wire });
    }
    for (const exchange of device.ports.http.waiting) {
      if (exchange.answer === null) moves.push({ kind: "ask", exchange });
      else moves.push({ kind: "answer", device, exchange });
    }
  }
  return moves;
}

/** `rows`: how many rows a pull pushes in this move. */
export function runEvent(event: NetworkEvent, server: FakeServer, rows: number): void {
  switch (event.kind) {
    case "accept":
      if (event.device.isOffline) event.wire.close(1006);
      else event.wire.accept();
      return;
    case "up":
      server.gateway.read(event.wire);
      return;
    case "down":
      event.wire.deliver();
      return;
    case "ask":
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

/** Moves everything there is to move, in order, until nothing is left; time stands still. */
export async function flushNetwork(
  devices: readonly Device[],
  server: FakeServer,
  clock: FakeClock,
): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await flushMicrotasks();
    while (clock.runSoon()) await flushMicrotasks();
    const moves = pendingEvents(devices, server);
    if (moves.length === 0) return;
    for (const event of moves) runEvent(event, server, ROWS_AT_ONCE);
  }
  const left = pendingEvents(devices, server).map(nameOf);
  throw new Error(`the world does not come to rest; still under way: ${left.join(", ") || "timers"}`);
}

function nameOf(event: NetworkEvent): string {
  switch (event.kind) {
    case "accept":
      return `a connection of ${event.device.name}`;
    case "up":
      return `a frame to the server: ${String(event.wire.up[0])}`;
    case "down":
      return `a frame to a device: ${String(event.wire.down[0])}`;
    case "ask":
    case "answer":
      return `${event.kind} ${event.exchange.request.url}`;
    case "pull":
      return "a pull";
  }
}

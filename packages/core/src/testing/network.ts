import type { Device } from "./device.ts";
import type { FakeClock } from "./fake-clock.ts";
import type { HttpExchange } from "./fake-http.ts";
import type { FakeServer } from "./fake-server/server.ts";
import type { FakeWire } from "./fake-sockets.ts";
import { settle } from "./settle.ts";

/** One thing that may happen next on the way between devices and server. */
export type Move =
  | { kind: "accept"; device: Device; wire: FakeWire }
  | { kind: "up"; wire: FakeWire }
  | { kind: "down"; wire: FakeWire }
  | { kind: "ask"; exchange: HttpExchange }
  | { kind: "answer"; device: Device; exchange: HttpExchange }
  | { kind: "pull"; index: number };

/** Everything that could move at this moment. */
export function movesOf(devices: readonly Device[], server: FakeServer): Move[] {
  const moves: Move[] = server.pulls.map((_, index) => ({ kind: "pull", index }));
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
export function makeMove(move: Move, server: FakeServer, rows: number): void {
  switch (move.kind) {
    case "accept":
      if (move.device.isCut) move.wire.close(1006);
      else move.wire.accept();
      return;
    case "up":
      server.gateway.read(move.wire);
      return;
    case "down":
      move.wire.deliver();
      return;
    case "ask":
      move.exchange.answer = server.handle(move.exchange.request);
      return;
    case "answer":
      if (move.exchange.answer !== null) move.device.ports.http.finish(move.exchange, move.exchange.answer);
      return;
    case "pull": {
      const pull = server.pulls[move.index];
      if (pull !== undefined) server.stepPull(pull, rows);
      return;
    }
    default:
      move satisfies never;
  }
}

const ROUNDS_MAX = 2_000;
const ROWS_AT_ONCE = 50;

/** Moves everything there is to move, in order, until nothing is left; time stands still. */
export async function flush(devices: readonly Device[], server: FakeServer, clock: FakeClock): Promise<void> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await settle();
    while (clock.runSoon()) await settle();
    const moves = movesOf(devices, server);
    if (moves.length === 0) return;
    for (const move of moves) makeMove(move, server, ROWS_AT_ONCE);
  }
  const left = movesOf(devices, server).map(nameOf);
  throw new Error(`the world does not come to rest; still under way: ${left.join(", ") || "timers"}`);
}

function nameOf(move: Move): string {
  switch (move.kind) {
    case "accept":
      return `a connection of ${move.device.name}`;
    case "up":
      return `a frame to the server: ${String(move.wire.up[0])}`;
    case "down":
      return `a frame to a device: ${String(move.wire.down[0])}`;
    case "ask":
    case "answer":
      return `${move.kind} ${move.exchange.request.url}`;
    case "pull":
      return "a pull";
  }
}

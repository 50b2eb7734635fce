/** The moves of the simulated network: deliveries between clients, nodes and store, one by one or until nothing is left. */
import type { HttpExchange } from "@parley/core/testing/fake-http";
import type { FakeSocket } from "@parley/core/testing/fake-sockets";
import type { HttpRequest } from "@parley/core/ports";
import { MessageType } from "@parley/protocol/codes";
import { isStoredRow } from "@parley/protocol/received-frame";
import { WRITE_METHODS } from "./delayed-store.ts";
import { openSimulatedSocket } from "./simulated-socket.ts";
import { type SimulatedDevice, type SimulatedNode, type Simulation, nodeOf } from "./simulation.ts";

/** Delivers, accepts or closes one thing. */
export type NetworkMove = () => void;

const LOST_CODE = 1_006;

/** Everything that could happen next. */
export function possibleMoves(simulation: Simulation): NetworkMove[] {
  const moves: NetworkMove[] = [];
  for (const device of simulation.devices) {
    if (device.isDown) continue;
    for (const wire of device.ports.sockets.all) {
      if (wire.state === "connecting") moves.push(() => accept(simulation, device, wire));
      if (wire.state !== "open") continue;
      const open = simulation.sockets.get(wire);
      if (open === undefined) moves.push(() => wire.close(LOST_CODE));
      else if (wire.up.length > 0) moves.push(() => open.socket.deliverUp());
      if (wire.down.length > 0) moves.push(() => receive(simulation, device, wire));
      else if (open !== undefined && open.socket.closeCode !== null)
        moves.push(() => closeByServer(simulation, wire));
    }
    for (const exchange of device.ports.http.waiting) {
      if (exchange.answer !== null) moves.push(() => deliverResponse(simulation, device, exchange));
      else if (!simulation.requests.has(exchange))
        moves.push(() => sendRequest(simulation, device, exchange));
    }
  }
  for (const queue of simulation.bus.queues)
    if (queue.events.length > 0) moves.push(() => deliverBusEvent(simulation, queue));
  for (const delayed of simulation.delays.delayed) moves.push(() => releaseResult(simulation, delayed));
  return moves;
}

function accept(simulation: Simulation, device: SimulatedDevice, wire: FakeSocket): void {
  const node = nodeOf(simulation, device);
  if (node === null || device.isOffline) return wire.close(LOST_CODE);
  const socket = openSimulatedSocket(wire, node.app.gateway, (text) => {
    simulation.delays.activity++;
    simulation.onPush(device, wire, text);
  });
  simulation.sockets.set(wire, { socket, node });
  if (
    simulation.delays.inFlight > 0 ||
    simulation.delays.delayed.some(({ method }) => WRITE_METHODS.has(method))
  )
    simulation.coverage["a reconnect within one commit"]++;
  wire.accept();
}

function receive(simulation: Simulation, device: SimulatedDevice, wire: FakeSocket): void {
  const text = wire.down[0] ?? "";
  simulation.isChanged = true;
  device.isTouched = true;
  recordFrame(device, text);
  wire.deliver();
}

function closeByServer(simulation: Simulation, wire: FakeSocket): void {
  const code = simulation.sockets.get(wire)?.socket.closeCode ?? LOST_CODE;
  simulation.sockets.delete(wire);
  wire.close(code);
}

const CMD_OF: Record<number, "PRIVATE" | "GROUP"> = { 3: "PRIVATE", 4: "GROUP" };

function recordFrame(device: SimulatedDevice, text: string): void {
  const { cmd, data } = JSON.parse(text) as { cmd: number; data?: { id: number } | null };
  const kind = CMD_OF[cmd];
  // A receipt has the id of its message but is not a message.
  if (kind !== undefined && data != null && isStoredRow(data)) device.received[kind].add(data.id);
}

/** Sends a request to the node of the device, or fails it. */
export function sendRequest(simulation: Simulation, device: SimulatedDevice, exchange: HttpExchange): void {
  const node = nodeOf(simulation, device);
  if (node === null || device.isOffline) return failRequest(device, exchange);
  simulation.requests.set(exchange, node);
  recordRequest(simulation, exchange.request);
  simulation.delays.activity++;
  void node.app.answer(exchange.request).then((answered) => {
    if (node.isDead) return;
    simulation.delays.activity++;
    exchange.answer = answered.answer;
    simulation.onAnswer(device, answered);
  });
}

function recordRequest({ rawDb, coverage, onEdit }: Simulation, { url, body }: HttpRequest): void {
  if (!url.endsWith("/send") || typeof body !== "string") return;
  const { type, content, quoteMessageId } = JSON.parse(body) as {
    type: number;
    content: string;
    quoteMessageId?: number | null;
  };
  if (type !== MessageType.EDIT) return;
  onEdit(content);
  const row = rawDb
    .prepare<[number | null], number>("select 1 from message where id = ? and noticeId is not null")
    .pluck()
    .get(quoteMessageId ?? null);
  if (row !== undefined) coverage["an edit after a recall"]++;
}

function deliverResponse(simulation: Simulation, device: SimulatedDevice, exchange: HttpExchange): void {
  simulation.requests.delete(exchange);
  simulation.isChanged = true;
  device.isTouched = true;
  if (exchange.answer?.kind === "answer") recordResponse(device, exchange.request.url, exchange.answer.text);
  if (exchange.answer !== null) device.ports.http.finish(exchange, exchange.answer);
}

/** Counts the rows of an answer as received. */
function recordResponse(device: SimulatedDevice, url: string, text: string): void {
  const kind = url.includes("/message/private/")
    ? "PRIVATE"
    : url.includes("/message/group/")
      ? "GROUP"
      : null;
  if (kind === null) return;
  const { data } = JSON.parse(text) as { data: unknown };
  const rows = Array.isArray(data) ? data : [data];
  for (const row of rows as ({ id?: unknown } | null)[])
    if (typeof row?.id === "number") device.received[kind].add(row.id);
}

/** Fails a request like a broken network. */
export function failRequest(device: SimulatedDevice, exchange: HttpExchange): void {
  device.ports.http.finish(exchange, { kind: "failed", reason: "offline" });
}

/** Fails all requests that a dead node has not answered. */
export function failRequestsTo(simulation: Simulation, node: SimulatedNode): void {
  for (const device of simulation.devices)
    for (const exchange of device.ports.http.waiting.filter((one) => simulation.requests.get(one) === node))
      if (exchange.answer === null) {
        simulation.requests.delete(exchange);
        failRequest(device, exchange);
      }
}

function deliverBusEvent(simulation: Simulation, queue: Simulation["bus"]["queues"][number]): void {
  const next = queue.events.shift();
  const node = simulation.nodes[queue.to];
  if (next === undefined || !node || node.disconnectedSince !== null) return;
  node.bus.receive(next.event);
}

/** Delivers results and bus events that have been under way since before this time. */
export function deliverOlderThan(simulation: Simulation, since: number): void {
  for (const delayed of simulation.delays.delayed.filter(({ at }) => at < since))
    releaseResult(simulation, delayed);
  for (const queue of simulation.bus.queues)
    while (queue.events[0] !== undefined && queue.events[0].at < since) deliverBusEvent(simulation, queue);
}

/** Whether anything has been under way since before this time. */
export function hasUndeliveredSince({ delays, bus }: Simulation, since: number): boolean {
  return (
    delays.delayed.some(({ at }) => at < since) ||
    bus.queues.some(({ events: [first] }) => first && first.at < since)
  );
}

function releaseResult(simulation: Simulation, delayed: Simulation["delays"]["delayed"][number]): void {
  const index = simulation.delays.delayed.indexOf(delayed);
  if (index < 0) return;
  simulation.delays.delayed.splice(index, 1);
  simulation.delays.activity++;
  delayed.release();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Waits until nodes and clients do nothing more by themselves: a whole turn of the event loop without activity, and no call of the store
 * under way. The virtual clock does not advance.
 */
export async function runUntilIdle(simulation: Simulation): Promise<void> {
  const { delays, clock } = simulation;
  let before: number;
  do {
    before = delays.activity;
    await nextTurn();
    if (clock.runSoon()) delays.activity++;
  } while (delays.activity !== before || delays.inFlight > 0);
}

const ROUNDS_MAX = 3_000;

/** Makes all possible moves in order until none is left, without advancing the clock. Returns false if it does not end. */
export async function deliverEverything(simulation: Simulation): Promise<boolean> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await runUntilIdle(simulation);
    const moves = possibleMoves(simulation);
    if (moves.length === 0) return true;
    for (const move of moves) move();
  }
  return false;
}

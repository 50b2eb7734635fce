/** What may move next between clients, nodes and store, and letting all of it come to rest. */
import type { HttpExchange } from "@parley/core/testing/fake-http";
import type { FakeWire } from "@parley/core/testing/fake-sockets";
import type { HttpRequest } from "@parley/core/runtime/ports";
import { MessageType } from "@parley/protocol/codes";
import { isRow } from "@parley/protocol/frame";
import { WRITES } from "./gates.ts";
import { openLine } from "./line.ts";
import { type SimDevice, type SimNode, type World, nodeOf } from "./world.ts";

export type Move = () => void;

const LOST_CODE = 1_006;

export function movesOf(world: World): Move[] {
  const moves: Move[] = [];
  for (const device of world.devices) {
    if (device.isDown) continue;
    for (const wire of device.ports.sockets.wires) {
      if (wire.state === "connecting") moves.push(() => accept(world, device, wire));
      if (wire.state !== "open") continue;
      const open = world.lines.get(wire);
      if (open === undefined) moves.push(() => wire.close(LOST_CODE));
      else if (wire.up.length > 0) moves.push(() => open.line.deliverUp());
      if (wire.down.length > 0) moves.push(() => receive(world, device, wire));
      else if (open !== undefined && open.line.endsWith !== null) moves.push(() => end(world, wire));
    }
    for (const exchange of device.ports.http.waiting) {
      if (exchange.answer !== null) moves.push(() => answer(world, device, exchange));
      else if (!world.asked.has(exchange)) moves.push(() => ask(world, device, exchange));
    }
  }
  for (const queue of world.hub.queues) if (queue.events.length > 0) moves.push(() => carry(world, queue));
  for (const held of world.gates.held) moves.push(() => release(world, held));
  return moves;
}

function accept(world: World, device: SimDevice, wire: FakeWire): void {
  const node = nodeOf(world, device);
  if (node === null || device.isCut) return wire.close(LOST_CODE);
  const line = openLine(wire, node.app.gateway, (text) => {
    world.gates.activity++;
    world.onPush(device, wire, text);
  });
  world.lines.set(wire, { line, node });
  if (world.gates.underWay > 0 || world.gates.held.some(({ method }) => WRITES.has(method)))
    world.met["reconnect within one commit"]++;
  wire.accept();
}

function receive(world: World, device: SimDevice, wire: FakeWire): void {
  const text = wire.down[0] ?? "";
  world.isChanged = true;
  device.isTouched = true;
  noteFrame(device, text);
  wire.deliver();
}

function end(world: World, wire: FakeWire): void {
  const code = world.lines.get(wire)?.line.endsWith ?? LOST_CODE;
  world.lines.delete(wire);
  wire.close(code);
}

const CMD_OF: Record<number, "PRIVATE" | "GROUP"> = { 3: "PRIVATE", 4: "GROUP" };

function noteFrame(device: SimDevice, text: string): void {
  const { cmd, data } = JSON.parse(text) as { cmd: number; data?: { id: number } | null };
  const kind = CMD_OF[cmd];
  // A receipt names its message, and is none.
  if (kind !== undefined && data != null && isRow(data)) device.received[kind].add(data.id);
}

export function ask(world: World, device: SimDevice, exchange: HttpExchange): void {
  const node = nodeOf(world, device);
  if (node === null || device.isCut) return fail(device, exchange);
  world.asked.set(exchange, node);
  noteAsked(world, exchange.request);
  world.gates.activity++;
  void node.app.answer(exchange.request).then((answered) => {
    if (node.isDead) return;
    world.gates.activity++;
    exchange.answer = answered.answer;
    world.onAnswer(device, answered);
  });
}

function noteAsked({ probe, met, onEdit }: World, { url, body }: HttpRequest): void {
  if (!url.endsWith("/send") || typeof body !== "string") return;
  const { type, content, quoteMessageId } = JSON.parse(body) as {
    type: number;
    content: string;
    quoteMessageId?: number | null;
  };
  if (type !== MessageType.EDIT) return;
  onEdit(content);
  const table = url.includes("/group/") ? "groupMessage" : "privateMessage";
  const row = probe
    .prepare<[number | null], number>(`select 1 from ${table} where id = ? and noticeId is not null`)
    .pluck()
    .get(quoteMessageId ?? null);
  if (row !== undefined) met["edit after recall"]++;
}

function answer(world: World, device: SimDevice, exchange: HttpExchange): void {
  world.asked.delete(exchange);
  world.isChanged = true;
  device.isTouched = true;
  if (exchange.answer?.kind === "answer") noteAnswer(device, exchange.request.url, exchange.answer.text);
  if (exchange.answer !== null) device.ports.http.finish(exchange, exchange.answer);
}

/** Rows that an answer brings count as received as well. */
function noteAnswer(device: SimDevice, url: string, text: string): void {
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

export function fail(device: SimDevice, exchange: HttpExchange): void {
  device.ports.http.finish(exchange, { kind: "failed", reason: "offline" });
}

/** Requests at a node that died are answered by nobody. */
export function failAskedAt(world: World, node: SimNode): void {
  for (const device of world.devices)
    for (const exchange of device.ports.http.waiting.filter((one) => world.asked.get(one) === node))
      if (exchange.answer === null) {
        world.asked.delete(exchange);
        fail(device, exchange);
      }
}

function carry(world: World, queue: World["hub"]["queues"][number]): void {
  const next = queue.events.shift();
  const node = world.nodes[queue.to];
  if (next === undefined || !node || node.deafSince !== null) return;
  node.bus.hear(next.event);
}

/** Carries over, and lets through, what has been on its way since before this time. */
export function hurry(world: World, since: number): void {
  for (const held of world.gates.held.filter(({ at }) => at < since)) release(world, held);
  for (const queue of world.hub.queues)
    while (queue.events[0] !== undefined && queue.events[0].at < since) carry(world, queue);
}

/** Whether anything has been on its way since before this time. */
export function isWaiting({ gates, hub }: World, since: number): boolean {
  return (
    gates.held.some(({ at }) => at < since) ||
    hub.queues.some(({ events: [first] }) => first && first.at < since)
  );
}

function release(world: World, held: World["gates"]["held"][number]): void {
  const index = world.gates.held.indexOf(held);
  if (index < 0) return;
  world.gates.held.splice(index, 1);
  world.gates.activity++;
  held.release();
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Until nothing moves by itself any more: neither in the nodes, whose commits take a turn of the event loop each, nor in the clients. No
 * time is waited for; a whole turn without activity, with no answer of the store outstanding, is rest.
 */
export async function settle(world: World): Promise<void> {
  const { gates, clock } = world;
  let seen: number;
  do {
    seen = gates.activity;
    await turn();
    if (clock.runSoon()) gates.activity++;
  } while (gates.activity !== seen || gates.underWay > 0);
}

const ROUNDS_MAX = 3_000;

/** Moves everything there is to move, in order, until nothing is left; time stands still. Answers whether it came to rest. */
export async function flush(world: World): Promise<boolean> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    await settle(world);
    const moves = movesOf(world);
    if (moves.length === 0) return true;
    for (const move of moves) move();
  }
  return false;
}

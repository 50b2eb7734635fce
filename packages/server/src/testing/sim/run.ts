/** Plays a world from a seed: steps with all faults on, then rest. A run that fails is made smaller by leaving steps out. */
import { type Chance, createChance } from "@parley/core/testing/prng";
import type { FakeWire } from "@parley/core/testing/fake-sockets";
import { act, endDeafness, logIn, passTime, reload } from "./actions.ts";
import type { Answered } from "./calls.ts";
import { flush, movesOf, settle } from "./network.ts";
import { bringToRest, checkRest } from "./rest.ts";
import { type Safety, createSafety, isPulling } from "./safety.ts";
import { type SimDevice, type SimOptions, type Sometimes, type World, createWorld } from "./world.ts";

export interface SimResult {
  readonly problems: readonly string[];
  readonly met: Readonly<Record<Sometimes, number>>;
  /** The same for the same seed. */
  readonly trace: number;
  readonly acknowledged: number;
  /** Step at which the first problem was seen; `steps`: at rest. */
  readonly failedAt: number | null;
}

export async function runSim(options: SimOptions, template: string): Promise<SimResult> {
  const world = await createWorld(options, template);
  let failedAt: number | null = null;
  try {
    const safety = createSafety(world);
    const pulls = watchPulls(world);
    listen(world, safety, pulls);
    await begin(world);
    for (let index = 0; index < options.steps && world.problems.length === 0; index++) {
      await step(world, index);
      await safety.check();
      failedAt = index;
    }
    if (world.problems.length === 0) {
      failedAt = options.steps;
      world.chance = chanceOf(options.seed, options.steps, 0);
      await bringToRest(world);
      pulls.checkEnded();
      await safety.check();
      if (world.problems.length === 0) await checkRest(world);
    }
  } catch (error) {
    world.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await world.close();
  }
  const { problems, met, trace, acks } = world;
  return { problems, met, trace, acknowledged: acks.length, failedAt: problems.length > 0 ? failedAt : null };
}

/** Each step has chances of its own, so that one that is left out changes no other. */
function chanceOf(seed: number, index: number, part: number): Chance {
  return createChance(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b) ^ part);
}

const CMD_LOADING = /^{"cmd":(\d),"data":{"type":30,"content":"(true|false)"/;

/** INV7: how many pulls of each kind are under way on each connection, by what their beginnings and ends told. */
function watchPulls(world: World) {
  const running = new WeakMap<FakeWire, Map<string, number>>();
  return {
    note(wire: FakeWire, text: string): void {
      const [, cmd, isOn] = CMD_LOADING.exec(text) ?? [];
      if (cmd === undefined) return;
      const kinds = running.get(wire) ?? new Map<string, number>();
      running.set(wire, kinds);
      // A pull that brings nothing only ends.
      kinds.set(cmd, Math.max(0, (kinds.get(cmd) ?? 0) + (isOn === "true" ? 1 : -1)));
    },
    checkEnded(): void {
      for (const wire of world.lines.keys())
        for (const [cmd, count] of running.get(wire) ?? [])
          if (count > 0) world.problems.push(`INV7 the end of ${count} pulls of ${cmd} was never told`);
    },
  };
}

function listen(world: World, { registry }: Safety, pulls: ReturnType<typeof watchPulls>): void {
  const mix = (text: string) => {
    for (let i = 0; i < text.length; i++)
      world.trace = (Math.imul(world.trace, 31) + text.charCodeAt(i)) >>> 0;
  };
  world.onWritten = () => void world.problems.push(...registry.sync());
  world.onEdit = registry.noteEdit;
  world.onPush = (device, wire, text) => {
    mix(text);
    pulls.note(wire, text);
    world.problems.push(...registry.strays(device.userId, text));
  };
  world.onAnswer = (device, answered) => {
    world.isChanged = true;
    const { answer, actor } = answered;
    if (answer.kind !== "answer") return;
    mix(answer.text);
    if (actor !== null) world.problems.push(...registry.strays(actor.userId, answer.text));
    noteSend(world, device, answered);
  };
}

function noteSend(world: World, device: SimDevice, { name, answer }: Answered): void {
  if (name !== "sendPrivateMessage" && name !== "sendGroupMessage") return;
  const { code, data } = JSON.parse(answer.kind === "answer" ? answer.text : "{}") as {
    code: number;
    data: { id: number; sendId: number; recvId?: number; groupId?: number; type: number; content: string };
  };
  if (code !== 200 || data.type !== 0) return;
  const isGroup = name === "sendGroupMessage";
  const target = (isGroup ? data.groupId : data.recvId) ?? 0;
  if (world.acks.some((ack) => ack.isGroup === isGroup && ack.id === data.id)) {
    world.met["retry hit existing tmpId"]++;
    return;
  }
  world.acks.push({ isGroup, id: data.id, sendId: data.sendId, target, content: data.content });
  const isHeard = (other: SimDevice) =>
    other !== device && !other.isDown && isPulling(other.client.getState());
  if (world.devices.some(isHeard)) world.met["pull overlapped push"]++;
}

/** All log in. */
async function begin(world: World): Promise<void> {
  const { holding } = world;
  world.holding = 0;
  for (const device of world.devices) logIn(device);
  await flush(world);
  world.holding = holding;
}

const TIMES_MS = [0, 0, 0, 50, 600, 600, 1_000, 5_000];

async function step(world: World, index: number): Promise<void> {
  const { options } = world;
  world.chance = chanceOf(options.seed, index, 1);
  if (options.skip?.has(index) !== true) await act(world);
  world.chance = chanceOf(options.seed, index, 2);
  const { chance } = world;
  for (const [number, node] of world.nodes.entries()) {
    if (node === null && chance.isLuck(0.2)) world.startNode(number);
    else if (node?.deafSince != null && chance.isLuck(0.3)) endDeafness(world, number);
  }
  for (const device of world.devices) {
    if (device.isDown && chance.isLuck(0.15)) reload(device, false);
    if (chance.isLuck(0.3)) logIn(device);
    if (device.isCut && chance.isLuck(0.1)) device.isCut = false;
  }
  noteReaders(world);
  const rounds = chance.below(8);
  for (let i = 0; i < rounds; i++) {
    const moves = movesOf(world);
    if (moves.length === 0) break;
    for (let n = 1 + chance.below(4); n > 0 && moves.length > 0; n--) {
      const [move] = moves.splice(chance.below(moves.length), 1);
      move?.();
    }
    await settle(world);
  }
  await settle(world);
  await passTime(world, chance.pick(TIMES_MS));
  await settle(world);
}

function noteReaders({ people, devices, met }: World): void {
  for (const { id } of people) {
    const reading = devices.filter(
      ({ userId, ports }) =>
        userId === id && ports.http.waiting.some(({ request }) => request.url.includes("/readed")),
    );
    if (reading.length > 1) met["two devices read concurrently"]++;
  }
}

/** The fewest steps that still show a problem: halves, then quarters and so on are left out. Bounded, since each try is a run. */
export async function shrink(options: SimOptions, template: string, triesMax = 60): Promise<SimOptions> {
  let best = options;
  const first = await runSim(options, template);
  if (first.failedAt === null) return options;
  best = { ...options, steps: Math.min(options.steps, first.failedAt + 1) };
  if ((await runSim(best, template)).problems.length === 0) best = options;
  let tries = 0;
  for (
    let size = Math.ceil(best.steps / 2);
    size >= 1 && tries < triesMax;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < best.steps && tries < triesMax; from += size) {
      const skip = new Set(best.skip);
      for (let index = from; index < from + size; index++) skip.add(index);
      if (skip.size === (best.skip?.size ?? 0)) continue;
      tries++;
      const smaller = { ...best, skip };
      if ((await runSim(smaller, template)).problems.length > 0) best = smaller;
    }
  }
  return best;
}

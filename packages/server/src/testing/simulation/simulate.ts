/** Plays a world from a seed: steps with all faults on, then rest. A run that fails is made smaller by leaving steps out. */
import { type Prng, createPrng } from "@parley/core/testing/prng";
import type { FakeSocket } from "@parley/core/testing/fake-sockets";
import { performRandomAction, reconnectToBus, logIn, passTime, reload } from "./random-actions.ts";
import type { AnsweredRequest } from "./answer-request.ts";
import { deliverEverything, possibleMoves, runUntilIdle } from "./simulated-network.ts";
import { runToConvergence, checkConvergence } from "./convergence.ts";
import { type Invariants, createInvariants, isPulling } from "./invariants.ts";
import {
  type SimulatedDevice,
  type SimulationOptions,
  type CoverageGoal,
  type Simulation,
  createSimulation,
} from "./simulation.ts";

export interface SimulationResult {
  readonly problems: readonly string[];
  readonly coverage: Readonly<Record<CoverageGoal, number>>;
  /** The same for the same seed. */
  readonly trace: number;
  readonly acknowledged: number;
  /** Step at which the first problem was seen; `steps`: at rest. */
  readonly failedAt: number | null;
}

export async function simulate(options: SimulationOptions, template: string): Promise<SimulationResult> {
  const simulation = await createSimulation(options, template);
  let failedAt: number | null = null;
  try {
    const invariants = createInvariants(simulation);
    const pulls = watchPulls(simulation);
    listen(simulation, invariants, pulls);
    await startSimulation(simulation);
    for (let index = 0; index < options.steps && simulation.problems.length === 0; index++) {
      await runStep(simulation, index);
      await invariants.check();
      failedAt = index;
    }
    if (simulation.problems.length === 0) {
      failedAt = options.steps;
      simulation.random = randomOf(options.seed, options.steps, 0);
      await runToConvergence(simulation);
      pulls.checkEnded();
      await invariants.check();
      if (simulation.problems.length === 0) await checkConvergence(simulation);
    }
  } catch (error) {
    simulation.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await simulation.close();
  }
  const { problems, coverage, trace, acknowledged } = simulation;
  return {
    problems,
    coverage,
    trace,
    acknowledged: acknowledged.length,
    failedAt: problems.length > 0 ? failedAt : null,
  };
}

/** Each step has chances of its own, so that one that is left out changes no other. */
function randomOf(seed: number, index: number, part: number): Prng {
  return createPrng(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b) ^ part);
}

const CMD_LOADING = /^{"cmd":(\d),"data":{"type":30,"content":"(true|false)"/;

/** INV7: how many pulls of each kind are under way on each connection, by what their beginnings and ends told. */
function watchPulls(simulation: Simulation) {
  const running = new WeakMap<FakeSocket, Map<string, number>>();
  return {
    note(wire: FakeSocket, text: string): void {
      const [, cmd, isOn] = CMD_LOADING.exec(text) ?? [];
      if (cmd === undefined) return;
      const kinds = running.get(wire) ?? new Map<string, number>();
      running.set(wire, kinds);
      // A pull that brings nothing only ends.
      kinds.set(cmd, Math.max(0, (kinds.get(cmd) ?? 0) + (isOn === "true" ? 1 : -1)));
    },
    checkEnded(): void {
      for (const wire of simulation.sockets.keys())
        for (const [cmd, count] of running.get(wire) ?? [])
          if (count > 0) simulation.problems.push(`INV7 the end of ${count} pulls of ${cmd} was never told`);
    },
  };
}

function listen(
  simulation: Simulation,
  { registry }: Invariants,
  pulls: ReturnType<typeof watchPulls>,
): void {
  const mix = (text: string) => {
    for (let i = 0; i < text.length; i++)
      simulation.trace = (Math.imul(simulation.trace, 31) + text.charCodeAt(i)) >>> 0;
  };
  simulation.onWritten = () => void simulation.problems.push(...registry.sync());
  simulation.onEdit = registry.noteEdit;
  simulation.onPush = (device, wire, text) => {
    mix(text);
    pulls.note(wire, text);
    simulation.problems.push(...registry.findMisplaced(device.userId, text));
  };
  simulation.onAnswer = (device, answered) => {
    simulation.isChanged = true;
    const { answer, actor } = answered;
    if (answer.kind !== "answer") return;
    mix(answer.text);
    if (actor !== null) simulation.problems.push(...registry.findMisplaced(actor.userId, answer.text));
    recordSend(simulation, device, answered);
  };
}

function recordSend(
  simulation: Simulation,
  device: SimulatedDevice,
  { name, answer }: AnsweredRequest,
): void {
  if (name !== "sendPrivateMessage" && name !== "sendGroupMessage") return;
  const { code, data } = JSON.parse(answer.kind === "answer" ? answer.text : "{}") as {
    code: number;
    data: { id: number; sendId: number; recvId?: number; groupId?: number; type: number; content: string };
  };
  if (code !== 200 || data.type !== 0) return;
  const isGroup = name === "sendGroupMessage";
  const target = (isGroup ? data.groupId : data.recvId) ?? 0;
  if (simulation.acknowledged.some((ack) => ack.isGroup === isGroup && ack.id === data.id)) {
    simulation.coverage["retry hit existing tmpId"]++;
    return;
  }
  simulation.acknowledged.push({ isGroup, id: data.id, sendId: data.sendId, target, content: data.content });
  const isHeard = (other: SimulatedDevice) =>
    other !== device && !other.isDown && isPulling(other.client.getState());
  if (simulation.devices.some(isHeard)) simulation.coverage["pull overlapped push"]++;
}

/** All log in. */
async function startSimulation(simulation: Simulation): Promise<void> {
  const { delayRate } = simulation;
  simulation.delayRate = 0;
  for (const device of simulation.devices) logIn(device);
  await deliverEverything(simulation);
  simulation.delayRate = delayRate;
}

const TIMES_MS = [0, 0, 0, 50, 600, 600, 1_000, 5_000];

async function runStep(simulation: Simulation, index: number): Promise<void> {
  const { options } = simulation;
  simulation.random = randomOf(options.seed, index, 1);
  if (options.skip?.has(index) !== true) await performRandomAction(simulation);
  simulation.random = randomOf(options.seed, index, 2);
  const { random } = simulation;
  for (const [number, node] of simulation.nodes.entries()) {
    if (node === null && random.isTrueWithProbability(0.2)) simulation.startNode(number);
    else if (node?.disconnectedSince != null && random.isTrueWithProbability(0.3))
      reconnectToBus(simulation, number);
  }
  for (const device of simulation.devices) {
    if (device.isDown && random.isTrueWithProbability(0.15)) reload(device, false);
    if (random.isTrueWithProbability(0.3)) logIn(device);
    if (device.isOffline && random.isTrueWithProbability(0.1)) device.isOffline = false;
  }
  recordReaders(simulation);
  const rounds = random.below(8);
  for (let i = 0; i < rounds; i++) {
    const moves = possibleMoves(simulation);
    if (moves.length === 0) break;
    for (let n = 1 + random.below(4); n > 0 && moves.length > 0; n--) {
      const [move] = moves.splice(random.below(moves.length), 1);
      move?.();
    }
    await runUntilIdle(simulation);
  }
  await runUntilIdle(simulation);
  await passTime(simulation, random.pick(TIMES_MS));
  await runUntilIdle(simulation);
}

function recordReaders({ people, devices, coverage }: Simulation): void {
  for (const { id } of people) {
    const reading = devices.filter(
      ({ userId, ports }) =>
        userId === id && ports.http.waiting.some(({ request }) => request.url.includes("/readed")),
    );
    if (reading.length > 1) coverage["two devices read concurrently"]++;
  }
}

/** The fewest steps that still show a problem: halves, then quarters and so on are left out. Bounded, since each try is a run. */
export async function shrinkFailure(
  options: SimulationOptions,
  template: string,
  triesMax = 60,
): Promise<SimulationOptions> {
  let best = options;
  const first = await simulate(options, template);
  if (first.failedAt === null) return options;
  best = { ...options, steps: Math.min(options.steps, first.failedAt + 1) };
  if ((await simulate(best, template)).problems.length === 0) best = options;
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
      if ((await simulate(smaller, template)).problems.length > 0) best = smaller;
    }
  }
  return best;
}

/** Runs a simulation from a seed: random steps with faults, then convergence. A failing run is shrunk by leaving steps out. */
import { type Prng, createPrng } from "@parley/core/testing/prng";
import type { FakeSocket } from "@parley/core/testing/fake-sockets";
import { sweepOrphans } from "@parley/server/modules/uploads/orphan-sweep";
import { performRandomAction, reconnectToBus, logIn, passTime, reload } from "./random-actions.ts";
import type { AnsweredRequest } from "./answer-request.ts";
import { deliverEverything, possibleMoves, runUntilIdle } from "./simulated-network.ts";
import { performReactions } from "./reaction-actions.ts";
import { runToConvergence, checkConvergence } from "./convergence.ts";
import { performFileAction } from "./file-actions.ts";
import { fileCount, flawsOfNamedFiles, flawsOfStoredFiles } from "./file-problems.ts";
import { type Invariants, createInvariants, isPulling } from "./invariants.ts";
import {
  type SimulatedDevice,
  type SimulationOptions,
  type CoverageGoal,
  type Simulation,
  createSimulation,
} from "./simulation.ts";

/** The result of a run. */
export interface SimulationResult {
  readonly problems: readonly string[];
  readonly coverage: Readonly<Record<CoverageGoal, number>>;
  /** A fingerprint of the run, equal for the same seed. */
  readonly trace: number;
  readonly acknowledged: number;
  /** How many messages with files are stored and not recalled. */
  readonly files: number;
  /** How many reactions and pins were made or taken back. */
  readonly reactions: number;
  /** The step of the first problem; `steps` if it was found at convergence. */
  readonly failedAt: number | null;
}

/** Runs one simulation. */
export async function simulate(options: SimulationOptions, template: string): Promise<SimulationResult> {
  const simulation = await createSimulation(options, template);
  let failedAt: number | null = null;
  let files = 0;
  try {
    const invariants = createInvariants(simulation);
    const pulls = watchPulls(simulation);
    observe(simulation, invariants, pulls);
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
      if (simulation.problems.length === 0) await checkFiles(simulation);
      files = fileCount(simulation.rawDb);
    }
  } catch (error) {
    simulation.problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await simulation.close();
  }
  const { problems, coverage, trace, acknowledged, reactions } = simulation;
  return {
    problems,
    coverage,
    trace,
    acknowledged: acknowledged.length,
    files,
    reactions,
    failedAt: problems.length > 0 ? failedAt : null,
  };
}

/** Each step has its own random numbers, so that leaving one out does not change the others. */
function randomOf(seed: number, index: number, part: number): Prng {
  return createPrng(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b) ^ part);
}

const DAY_MS = 24 * 3_600_000;

/** After the sweep of the next days, each file that is kept has its bytes, and nothing else is left. */
async function checkFiles({ blobs, store, rawDb, clock, devices, problems }: Simulation): Promise<void> {
  if (blobs === null) return;
  for (const { name, client } of devices) {
    const running = Object.keys(client.getState().uploads);
    if (running.length > 0) problems.push(`${name} is still uploading ${running.join()}`);
  }
  await sweepOrphans(store, blobs, {
    now: clock.now() + 2 * DAY_MS,
    startedAt: 0,
    nextTurn: () => Promise.resolve(),
  });
  problems.push(...flawsOfNamedFiles(rawDb), ...flawsOfStoredFiles(rawDb, blobs.bytes));
}

const CMD_LOADING = /^{"cmd":(\d),"data":{"type":30,"content":"(true|false)"/;

/** INV7: counts the pulls of each kind that are under way on each connection by their LOADING frames. */
function watchPulls(simulation: Simulation) {
  const running = new WeakMap<FakeSocket, Map<string, number>>();
  return {
    note(wire: FakeSocket, text: string): void {
      const [, cmd, isLoading] = CMD_LOADING.exec(text) ?? [];
      if (cmd === undefined) return;
      const kinds = running.get(wire) ?? new Map<string, number>();
      running.set(wire, kinds);
      // A pull without rows sends only the end.
      kinds.set(cmd, Math.max(0, (kinds.get(cmd) ?? 0) + (isLoading === "true" ? 1 : -1)));
    },
    checkEnded(): void {
      for (const wire of simulation.sockets.keys())
        for (const [cmd, count] of running.get(wire) ?? [])
          if (count > 0) simulation.problems.push(`INV7 ${count} pulls of cmd ${cmd} never ended`);
    },
  };
}

function observe(
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
    simulation.coverage["a retry found an existing tmpId"]++;
    return;
  }
  simulation.acknowledged.push({ isGroup, id: data.id, sendId: data.sendId, target, content: data.content });
  const isOtherPulling = (other: SimulatedDevice) =>
    other !== device && !other.isDown && isPulling(other.client.getState());
  if (simulation.devices.some(isOtherPulling)) simulation.coverage["a pull overlapped a push"]++;
}

/** Logs in all devices without faults. */
async function startSimulation(simulation: Simulation): Promise<void> {
  const { delayRate } = simulation;
  simulation.delayRate = 0;
  for (const device of simulation.devices) logIn(device);
  await deliverEverything(simulation);
  simulation.delayRate = delayRate;
}

const TIMES_MS = [0, 0, 0, 50, 600, 600, 1_000, 5_000];

/** How many of the actions are about files, if there are any. */
const FILES_PROBABILITY = 0.35;

/** How many of the actions are reactions, if people react. */
const REACTIONS_PROBABILITY = 0.4;

async function act(simulation: Simulation): Promise<void> {
  if (simulation.blobs !== null && simulation.random.isTrueWithProbability(FILES_PROBABILITY))
    return performFileAction(simulation);
  if (
    simulation.options.hasReactions === true &&
    simulation.random.isTrueWithProbability(REACTIONS_PROBABILITY)
  )
    return performReactions(simulation);
  await performRandomAction(simulation);
}

async function runStep(simulation: Simulation, index: number): Promise<void> {
  const { options } = simulation;
  simulation.random = randomOf(options.seed, index, 1);
  if (options.skip?.has(index) !== true) await act(simulation);
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
    if (reading.length > 1) coverage["two devices read at the same time"]++;
  }
}

/** Finds fewer steps that still fail, by leaving out halves, then quarters and so on. Limited, because each try is a run. */
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

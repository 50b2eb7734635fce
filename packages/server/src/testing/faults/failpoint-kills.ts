/**
 * Fault K2: the real server ends, as by kill -9, at each named point of each write; it starts again on the same folder, and the client
 * does again what it had no answer to. Before the commit nothing may be left of the write, after it all of it, and in the end everybody
 * must see what they see when nothing fails.
 */
import { join } from "node:path";
import { firstDifference } from "@parley/core/testing/first-difference";
import type { Envelope } from "@parley/protocol/envelope";
import { FAILPOINTS, type Failpoint } from "../../ports/failpoints.ts";
import type { TestPerson } from "../test-person.ts";
import { type FailpointServer, startFailpointServer } from "../server-process.ts";
import type { PassCounts, KillPoint } from "../failpoint-server.ts";
import type { TestSocket } from "../test-socket.ts";
import type { Operation } from "./operations.ts";
import type { Report } from "./report.ts";
import {
  SECOND_CLIENT,
  type Scenario,
  createScenario,
  onServerUrl,
  peopleOf,
  pull,
  viewOf,
} from "./scenario.ts";

export interface FailpointKillsOptions {
  dataDir: string;
  operations: readonly Operation[];
  /** At which points of an operation that passes them so often. */
  killsOf(operation: Operation, passCounts: PassCounts): readonly KillPoint[];
  /** Servers at a time. */
  workers?: number;
}

/** Up to here nothing of a write may be left when the process ends. */
const BEFORE_COMMIT: readonly Failpoint[] = FAILPOINTS.slice(0, FAILPOINTS.indexOf("afterCommit"));
const KILL_WITHIN_MS = 10_000;

/** Each pass of each point, so many passes of one at most. */
export function everyFailpoint(
  passCounts: PassCounts,
  passMax: number,
  points = FAILPOINTS as readonly Failpoint[],
): KillPoint[] {
  return points.flatMap((failpoint) =>
    Array.from({ length: Math.min(passCounts[failpoint] ?? 0, passMax) }, (_, index) => ({
      failpoint,
      pass: index + 1,
    })),
  );
}

export async function runFailpointKills({ workers = 2, ...options }: FailpointKillsOptions): Promise<Report> {
  const waiting = [...options.operations];
  const runs = Array.from({ length: workers }, (_, number) => new Worker(number, options));
  await Promise.all(runs.map((run) => run.work(() => waiting.shift())));
  const sum = (count: (run: Worker) => number) => runs.reduce((total, run) => total + count(run), 0);
  const violations = runs.flatMap((run) => run.violations);
  return {
    name: "K2 killed at stop points",
    done: `${options.operations.length} writes, ${sum((run) => run.kills)} kills, ${sum((run) => run.notPassed)} points that are not on the way`,
    violations,
  };
}

/** What an operation comes to when nothing fails. */
interface Expected {
  before: string;
  once: string;
  /** Done twice. */
  twice: string;
  passCounts: PassCounts;
}

class Worker {
  readonly violations: string[] = [];
  kills = 0;
  notPassed = 0;
  readonly #number: number;
  readonly #options: Omit<FailpointKillsOptions, "workers">;
  #server: FailpointServer | undefined;
  #scenes = 0;

  constructor(number: number, options: Omit<FailpointKillsOptions, "workers">) {
    this.#number = number;
    this.#options = options;
  }

  async work(next: () => Operation | undefined): Promise<void> {
    try {
      for (let operation = next(); operation !== undefined; operation = next()) await this.#play(operation);
    } finally {
      this.#server?.kill("SIGKILL");
      await this.#server?.exited;
    }
  }

  async #play(operation: Operation): Promise<void> {
    const expected = await this.#playWhole(operation);
    for (const killPoint of this.#options.killsOf(operation, expected.passCounts)) {
      const wrong = (what: string) =>
        this.violations.push(
          `${operation.name}, killed at ${killPoint.failpoint} ${killPoint.pass}: ${what}`,
        );
      try {
        await this.#playKilled(operation, killPoint, expected, wrong);
      } catch (error) {
        wrong(error instanceof Error ? error.message : String(error));
        this.#server?.kill("SIGKILL");
        await this.#server?.exited;
        this.#server = undefined;
      }
    }
  }

  async #running(): Promise<FailpointServer> {
    const dataDir = join(this.#options.dataDir, `worker-${this.#number}`);
    this.#server ??= await startFailpointServer({ DATA_DIR: dataDir, RATE_LIMITS: "off" });
    return this.#server;
  }

  async #open(operation: Operation): Promise<RunningScenario> {
    const { url } = await this.#running();
    const scenario = await createScenario(url, `T${this.#number}T${this.#scenes++}T`);
    const fact = (await operation.before?.(scenario)) ?? 0;
    // What is written for the search later is written now, so that the points are passed by the operation alone.
    await scenario.ann.ok("searchMessages", { query: { q: "from" } });
    return { scenario, fact };
  }

  /** Without a fault, and then again, as a client does whose answer was lost. */
  async #playWhole(operation: Operation): Promise<Expected> {
    const server = await this.#running();
    const { scenario, fact } = await this.#open(operation);
    const ears = await listen(scenario);
    const before = await viewOf(scenario);
    await server.watch();
    const answer = await operation.perform(scenario, fact);
    const counted = await server.passed();
    ears.close();
    const passCounts = lowestPasses(counted, await this.#count(operation));
    const wrong = (what: string) => this.violations.push(`${operation.name}: ${what}`);
    if (answer.code !== 200) wrong(`answered ${JSON.stringify(answer)}`);
    const isSeen = operation.check === undefined;
    const once = await viewOf(scenario);
    if (once === before && isSeen && operation.name !== "upload") wrong("nobody sees that it was done");
    for (const point of FAILPOINTS) {
      const isSkipped = operation.skippedFailpoints?.includes(point) ?? false;
      if (isSkipped) this.notPassed++;
      if (isSkipped === (passCounts[point] ?? 0) > 0) {
        wrong(`${isSkipped ? "passes" : "does not pass"} ${point}`);
      }
    }
    const again = await operation.perform(scenario, fact);
    if (!isAccepted(operation, again)) wrong(`done again it answered ${JSON.stringify(again)}`);
    const twice = await viewOf(scenario);
    if (operation.isNonIdempotent !== true && twice !== once) wrong(`done twice: ${difference(once, twice)}`);
    return { before, once, twice, passCounts };
  }

  async #count(operation: Operation): Promise<PassCounts> {
    const server = await this.#running();
    const { scenario, fact } = await this.#open(operation);
    const ears = await listen(scenario);
    await server.watch();
    await operation.perform(scenario, fact);
    const passCounts = await server.passed();
    ears.close();
    return passCounts;
  }

  async #playKilled(
    operation: Operation,
    killPoint: KillPoint,
    expected: Expected,
    wrong: (what: string) => void,
  ): Promise<void> {
    const server = await this.#running();
    const runningScenario = await this.#open(operation);
    const ears = await listen(runningScenario.scenario);
    await server.watch(killPoint);
    const answered = await operation
      .perform(runningScenario.scenario, runningScenario.fact)
      .catch(() => undefined);
    await endOf(server);
    this.#server = undefined;
    this.kills++;
    if ((answered?.code === 200) !== (killPoint.failpoint === "afterAnswer"))
      wrong("answered at the wrong time");
    const pushed = await ears.heard();

    const { url } = await this.#running();
    const scenario = onServerUrl(runningScenario.scenario, url);
    const found = await viewOf(scenario);
    const isFirst = killPoint.pass === 1;
    const mustBeUndone = isFirst && BEFORE_COMMIT.includes(killPoint.failpoint);
    const mustBeDone = !BEFORE_COMMIT.includes(killPoint.failpoint) && expected.passCounts.afterCommit === 1;
    if (mustBeUndone && found !== expected.before) wrong(`left half: ${difference(expected.before, found)}`);
    if (mustBeDone && found !== expected.once) wrong(`lost: ${difference(expected.once, found)}`);
    if (found !== expected.before && found !== expected.once) {
      wrong(`neither done nor undone: ${difference(expected.once, found)}`);
    }
    const isDone = mustBeDone || found !== expected.before;

    const sent = operation.isSend === true ? await sentOf(scenario) : [];
    const again = await operation.perform(scenario, runningScenario.fact);
    if (again.code !== 200 && !(isDone && isAccepted(operation, again))) {
      wrong(`the retry answered ${JSON.stringify(again)}`);
    }
    if (operation.isSend === true) {
      const repeated = await operation.perform(scenario, runningScenario.fact);
      const rows = await sentOf(scenario);
      if (rows.length !== 1) wrong(`${rows.length} rows of one tmpId`);
      const first = answered ?? (sent[0] === undefined ? again : { data: sent[0] });
      for (const answer of [again, repeated]) {
        if (identityOf(answer.data) !== identityOf(first.data)) {
          wrong(`a retry answered ${identityOf(answer.data)} instead of ${identityOf(first.data)}`);
        }
      }
    }
    const end = isDone && operation.isNonIdempotent === true ? expected.twice : expected.once;
    const final = await viewOf(scenario);
    if (final !== end) wrong(`ends otherwise: ${difference(end, final)}`);
    await operation.check?.(scenario, again.code === 200 ? again : (answered ?? again));
    await checkCatchUp(scenario, pushed, wrong);
  }
}

/** The index of words may write beside an operation, though hardly beside the same one twice. */
function lowestPasses(one: PassCounts, other: PassCounts): PassCounts {
  const count = (point: Failpoint) => Math.min(one[point] ?? 0, other[point] ?? 0);
  return Object.fromEntries(FAILPOINTS.map((point) => [point, count(point)]));
}

interface RunningScenario {
  scenario: Scenario;
  fact: number;
}

function isAccepted(operation: Operation, answer: Envelope): boolean {
  return answer.code === 200 ? operation.repeat === undefined : answer.key === operation.repeat;
}

/** Throws when it goes on. */
async function endOf(server: FailpointServer): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), KILL_WITHIN_MS)));
  const code = await Promise.race([server.exited, late]);
  clearTimeout(timer);
  if (code !== null)
    throw new Error(code === "late" ? "the server did not stop" : `the server ended with ${code}`);
}

/** The rows that ann has sent under a tmpId. */
async function sentOf({ ann, tag }: Scenario): Promise<{ id: number; sendTime: number }[]> {
  const rows = await pull(ann);
  return [...rows.private, ...rows.group].filter((row) => row.tmpId?.endsWith(` ${tag}`));
}

function identityOf(data: unknown): string {
  const { id, sendTime } = (data ?? {}) as { id?: number; sendTime?: number };
  return `${id} of ${sendTime}`;
}

type Ids = Record<"private" | "group", Set<number>>;

/** What one person had, and what was pushed on top of it. */
interface Heard {
  person: TestPerson;
  ids: Ids;
  pushed: Ids;
}

/** Everybody with a socket, ann with two: all frames until the end. */
async function listen(scenario: Scenario): Promise<{ heard(): Promise<Heard[]>; close(): void }> {
  const had: { person: TestPerson; ids: Ids; sockets: TestSocket[] }[] = [];
  for (const person of peopleOf(scenario)) {
    const rows = await pull(person);
    const ids = { private: idsOf(rows.private), group: idsOf(rows.group) };
    const sockets = [await person.connect({ caps: ["changes"] })];
    if (person === scenario.ann) sockets.push(await person.tab(SECOND_CLIENT).connect({ caps: ["changes"] }));
    had.push({ person, ids, sockets });
  }
  return {
    close: () => had.forEach(({ sockets }) => sockets.forEach((socket) => socket.close())),
    async heard() {
      const all: Heard[] = [];
      for (const { person, ids, sockets } of had) {
        await Promise.all(sockets.map((socket) => socket.closed));
        const rows = sockets.flatMap(({ frames }) => frames).filter(({ data }) => data?.tmpId !== undefined);
        const of = (cmd: number) =>
          new Set(rows.filter((row) => row.cmd === cmd).map((row) => row.data?.id ?? 0));
        all.push({ person, ids, pushed: { private: of(3), group: of(4) } });
      }
      return all;
    },
  };
}

/** Nothing was pushed that is not stored, and a client that asks for what is above the highest it has misses nothing. */
async function checkCatchUp(
  scenario: Scenario,
  heard: readonly Heard[],
  wrong: (what: string) => void,
): Promise<void> {
  for (const [index, person] of peopleOf(scenario).entries()) {
    const before = heard[index];
    if (before === undefined || (await person.call("self")).envelope.code !== 200) continue;
    const highest = (kind: keyof Ids) => Math.max(0, ...before.ids[kind], ...before.pushed[kind]);
    const all = await pull(person);
    const above = await pull(person, { private: highest("private"), group: highest("group") });
    for (const kind of ["private", "group"] as const) {
      const stored = idsOf(all[kind]);
      const known = new Set([...before.ids[kind], ...before.pushed[kind], ...idsOf(above[kind])]);
      if ([...before.pushed[kind]].some((id) => !stored.has(id))) {
        wrong(`${person.userName} was told of what is not stored`);
      }
      if ([...stored].some((id) => !known.has(id))) {
        wrong(`${person.userName} misses a message behind the cursor`);
      }
    }
  }
}

function idsOf(rows: readonly { id: number }[]): Set<number> {
  return new Set(rows.map((row) => row.id));
}

/** The first place in which two views differ. */
function difference(expected: string, found: string): string {
  return firstDifference(JSON.parse(expected), JSON.parse(found)) ?? "nothing";
}

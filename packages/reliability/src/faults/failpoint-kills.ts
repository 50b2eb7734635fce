/**
 * Fault K2: the real server is killed at each failpoint of each write, starts again on the same folder, and the client repeats the write
 * without an answer. Before the commit nothing of the write may be stored, after it everything, and in the end everybody must see the
 * same as without a fault.
 */
import { join } from "node:path";
import { firstDifference } from "@parley/core/testing/first-difference";
import type { Envelope } from "@parley/protocol/envelope";
import { FAILPOINTS, type Failpoint } from "@parley/server/ports/failpoints";
import type { TestPerson } from "@parley/server/testing/test-person";
import { type FailpointServer, startFailpointServer } from "../controlled-servers.ts";
import type { PassCounts, KillPoint } from "../failpoint-server.ts";
import type { TestSocket } from "@parley/server/testing/test-socket";
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

/** Which operations are killed, and where. */
export interface FailpointKillsOptions {
  dataDir: string;
  operations: readonly Operation[];
  /** The kills of an operation, given how often it passes each failpoint. */
  killsOf(operation: Operation, passCounts: PassCounts): readonly KillPoint[];
  /** The number of servers that run at the same time. */
  workers?: number;
}

/** At these failpoints a kill must leave nothing of the write. */
const BEFORE_COMMIT: readonly Failpoint[] = FAILPOINTS.slice(0, FAILPOINTS.indexOf("afterCommit"));
const KILL_WITHIN_MS = 10_000;
/** Where a developer of a write describes it. */
const IN_TABLE = "in its row of faults/writes.ts";

/** A kill at each pass of each failpoint, up to `passMax` passes of each. */
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

/** Runs the battery. */
export async function runFailpointKills({ workers = 2, ...options }: FailpointKillsOptions): Promise<Report> {
  const waiting = [...options.operations];
  const runs = Array.from({ length: workers }, (_, number) => new Worker(number, options));
  await Promise.all(runs.map((run) => run.work(() => waiting.shift())));
  const sum = (count: (run: Worker) => number) => runs.reduce((total, run) => total + count(run), 0);
  const violations = runs.flatMap((run) => run.violations);
  return {
    name: "K2 killed at failpoints",
    done: `${options.operations.length} writes, ${sum((run) => run.kills)} kills, ${sum((run) => run.notPassed)} failpoints that a write does not pass`,
    violations,
  };
}

/** What everybody sees without a fault. */
interface Expected {
  before: string;
  once: string;
  /** After doing it twice. */
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
  #scenarioCount = 0;

  constructor(number: number, options: Omit<FailpointKillsOptions, "workers">) {
    this.#number = number;
    this.#options = options;
  }

  async work(next: () => Operation | undefined): Promise<void> {
    try {
      for (let operation = next(); operation !== undefined; operation = next())
        await this.#runOperation(operation);
    } finally {
      this.#server?.kill("SIGKILL");
      await this.#server?.exited;
    }
  }

  async #runOperation(operation: Operation): Promise<void> {
    const expected = await this.#runWithoutFault(operation);
    for (const killPoint of this.#options.killsOf(operation, expected.passCounts)) {
      if (killPoint.pass > 1 && operation.goesOnAfterwards === true) continue;
      const addViolation = (what: string) =>
        this.violations.push(
          `${operation.name}, killed at ${killPoint.failpoint} ${killPoint.pass}: ${what}`,
        );
      try {
        await this.#runKilled(operation, killPoint, expected, addViolation);
      } catch (error) {
        addViolation(error instanceof Error ? error.message : String(error));
        this.#server?.kill("SIGKILL");
        await this.#server?.exited;
        this.#server = undefined;
      }
    }
  }

  async #runningServer(): Promise<FailpointServer> {
    const dataDir = join(this.#options.dataDir, `worker-${this.#number}`);
    this.#server ??= await startFailpointServer({ DATA_DIR: dataDir, RATE_LIMITS: "off" });
    return this.#server;
  }

  async #prepareScenario(operation: Operation): Promise<PreparedScenario> {
    const { url } = await this.#runningServer();
    const scenario = await createScenario(url, `T${this.#number}T${this.#scenarioCount++}T`);
    const preparedId = (await operation.before?.(scenario)) ?? 0;
    // A search makes the server index the messages now, so that only the operation passes failpoints.
    await scenario.ann.ok("searchMessages", { query: { q: "from" } });
    return { scenario, preparedId };
  }

  /** Does the operation without a fault, and then again, as a client does when the answer was lost. */
  async #runWithoutFault(operation: Operation): Promise<Expected> {
    const server = await this.#runningServer();
    const { scenario, preparedId } = await this.#prepareScenario(operation);
    const recorder = await recordPushes(scenario);
    const before = await viewOf(scenario);
    await server.watch();
    const answer = await operation.perform(scenario, preparedId);
    const firstCounts = await server.passed();
    recorder.close();
    const passCounts = lowestPasses(firstCounts, await this.#count(operation));
    const addViolation = (what: string) => this.violations.push(`${operation.name}: ${what}`);
    if (answer.code !== 200)
      addViolation(
        `answered ${JSON.stringify(answer)}; give it what it needs by \`before\` or \`input\` ${IN_TABLE}`,
      );
    const hasVisibleEffect = operation.check === undefined && operation.isInvisible !== true;
    const once = await viewOf(scenario);
    if (once === before && hasVisibleEffect && operation.name !== "upload")
      addViolation(`nobody sees an effect; look for it in a \`check\`, or say \`isInvisible\`, ${IN_TABLE}`);
    const { alternativeFailpoints } = operation;
    if (alternativeFailpoints.length > 0 && !alternativeFailpoints.some((point) => passCounts[point]))
      addViolation(`tells nobody; say \`tells\` as it is ${IN_TABLE}, or mend the handler`);
    for (const point of FAILPOINTS) {
      if (alternativeFailpoints.includes(point)) continue;
      const isSkipped = operation.skippedFailpoints.includes(point);
      if (isSkipped) this.notPassed++;
      if (isSkipped === (passCounts[point] ?? 0) > 0) {
        addViolation(
          `${isSkipped ? "passes" : "does not pass"} ${point}; say by \`tells\` who gets a push ${IN_TABLE}, or mend the handler`,
        );
      }
    }
    const again = await operation.perform(scenario, preparedId);
    if (!isAccepted(operation, again))
      addViolation(
        `the repetition answered ${JSON.stringify(again)}; a repeated call has to succeed, or name its error by \`repeat\` ${IN_TABLE}`,
      );
    const twice = await viewOf(scenario);
    if (operation.isNonIdempotent !== true && twice !== once)
      addViolation(
        `done twice: ${difference(once, twice)}; a repeated call has to change nothing, or say \`isNonIdempotent\` ${IN_TABLE}`,
      );
    return { before, once, twice, passCounts };
  }

  async #count(operation: Operation): Promise<PassCounts> {
    const server = await this.#runningServer();
    const { scenario, preparedId } = await this.#prepareScenario(operation);
    const recorder = await recordPushes(scenario);
    await server.watch();
    await operation.perform(scenario, preparedId);
    const passCounts = await server.passed();
    recorder.close();
    return passCounts;
  }

  async #runKilled(
    operation: Operation,
    killPoint: KillPoint,
    expected: Expected,
    addViolation: (what: string) => void,
  ): Promise<void> {
    const server = await this.#runningServer();
    const prepared = await this.#prepareScenario(operation);
    const recorder = await recordPushes(prepared.scenario);
    await server.watch(killPoint);
    const answered = await operation.perform(prepared.scenario, prepared.preparedId).catch(() => undefined);
    await endOf(server);
    this.#server = undefined;
    this.kills++;
    if ((answered?.code === 200) !== (killPoint.failpoint === "afterAnswer"))
      addViolation("answered at the wrong time");
    const pushed = await recorder.received();

    const { url } = await this.#runningServer();
    const scenario = onServerUrl(prepared.scenario, url);
    const afterRestart = await viewOf(scenario);
    const isFirst = killPoint.pass === 1;
    const mustBeUndone = isFirst && BEFORE_COMMIT.includes(killPoint.failpoint);
    const mustBeDone = !BEFORE_COMMIT.includes(killPoint.failpoint) && expected.passCounts.afterCommit === 1;
    if (mustBeUndone && afterRestart !== expected.before)
      addViolation(`partly stored before the commit: ${difference(expected.before, afterRestart)}`);
    if (mustBeDone && afterRestart !== expected.once)
      addViolation(`lost: ${difference(expected.once, afterRestart)}`);
    if (afterRestart !== expected.before && afterRestart !== expected.once) {
      addViolation(`neither done nor undone: ${difference(expected.once, afterRestart)}`);
    }
    const isDone = mustBeDone || afterRestart !== expected.before;

    const sent = operation.isSend ? await sentOf(scenario) : [];
    const again = await operation.perform(scenario, prepared.preparedId);
    if (again.code !== 200 && !(isDone && isAccepted(operation, again))) {
      addViolation(`the retry answered ${JSON.stringify(again)}`);
    }
    if (operation.isSend) {
      const repeated = await operation.perform(scenario, prepared.preparedId);
      const rows = await sentOf(scenario);
      if (rows.length !== 1) addViolation(`${rows.length} rows have the same tmpId`);
      const first = answered ?? (sent[0] === undefined ? again : { data: sent[0] });
      for (const answer of [again, repeated]) {
        if (identityOf(answer.data) !== identityOf(first.data)) {
          addViolation(`a retry answered ${identityOf(answer.data)} instead of ${identityOf(first.data)}`);
        }
      }
    }
    const end = isDone && operation.isNonIdempotent === true ? expected.twice : expected.once;
    const final = await viewOf(scenario);
    if (final !== end) addViolation(`the final state differs: ${difference(end, final)}`);
    await operation.check?.(scenario, again.code === 200 ? again : (answered ?? again));
    await checkCatchUp(scenario, pushed, addViolation);
  }
}

/** The lower count of each failpoint: the search indexer may write at the same time, but hardly in both runs. */
function lowestPasses(one: PassCounts, other: PassCounts): PassCounts {
  const count = (point: Failpoint) => Math.min(one[point] ?? 0, other[point] ?? 0);
  return Object.fromEntries(FAILPOINTS.map((point) => [point, count(point)]));
}

/** A scenario with what the operation needs. */
interface PreparedScenario {
  scenario: Scenario;
  preparedId: number;
}

function isAccepted(operation: Operation, answer: Envelope): boolean {
  return answer.code === 200 ? operation.repeat === undefined : answer.key === operation.repeat;
}

/** Waits until the server has killed itself. Throws if it runs on. */
async function endOf(server: FailpointServer): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<"timeout">(
    (resolve) => (timer = setTimeout(() => resolve("timeout"), KILL_WITHIN_MS)),
  );
  const code = await Promise.race([server.exited, timeout]);
  clearTimeout(timer);
  if (code !== null)
    throw new Error(code === "timeout" ? "the server did not kill itself" : `the server ended with ${code}`);
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

/** The messages that one person had before, and those that were pushed. */
interface ReceivedPushes {
  person: TestPerson;
  ids: Ids;
  pushed: Ids;
}

/** Connects everybody, ann with two sockets, and collects all frames until the sockets close. */
async function recordPushes(
  scenario: Scenario,
): Promise<{ received(): Promise<ReceivedPushes[]>; close(): void }> {
  const connected: { person: TestPerson; ids: Ids; sockets: TestSocket[] }[] = [];
  for (const person of peopleOf(scenario)) {
    const rows = await pull(person);
    const ids = { private: idsOf(rows.private), group: idsOf(rows.group) };
    const sockets = [await person.connect({ caps: ["changes", "extras"] })];
    if (person === scenario.ann)
      sockets.push(await person.tab(SECOND_CLIENT).connect({ caps: ["changes", "extras"] }));
    connected.push({ person, ids, sockets });
  }
  return {
    close: () => connected.forEach(({ sockets }) => sockets.forEach((socket) => socket.close())),
    async received() {
      const all: ReceivedPushes[] = [];
      for (const { person, ids, sockets } of connected) {
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

/** Checks that every pushed message is stored, and that a pull above the highest known id returns everything that is missing. */
async function checkCatchUp(
  scenario: Scenario,
  received: readonly ReceivedPushes[],
  addViolation: (what: string) => void,
): Promise<void> {
  for (const [index, person] of peopleOf(scenario).entries()) {
    const before = received[index];
    if (before === undefined || (await person.call("self")).envelope.code !== 200) continue;
    const highest = (kind: keyof Ids) => Math.max(0, ...before.ids[kind], ...before.pushed[kind]);
    const all = await pull(person);
    const above = await pull(person, { private: highest("private"), group: highest("group") });
    for (const kind of ["private", "group"] as const) {
      const stored = idsOf(all[kind]);
      const known = new Set([...before.ids[kind], ...before.pushed[kind], ...idsOf(above[kind])]);
      if ([...before.pushed[kind]].some((id) => !stored.has(id))) {
        addViolation(`${person.userName} got a push of a message that is not stored`);
      }
      if ([...stored].some((id) => !known.has(id))) {
        addViolation(`${person.userName} misses a message below the cursor`);
      }
    }
  }
}

function idsOf(rows: readonly { id: number }[]): Set<number> {
  return new Set(rows.map((row) => row.id));
}

/** The first difference of two views. */
function difference(expected: string, actual: string): string {
  return firstDifference(JSON.parse(expected), JSON.parse(actual)) ?? "nothing";
}

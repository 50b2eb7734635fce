/**
 * Fault K2: the real server ends, as by kill -9, at each named point of each write; it starts again on the same folder, and the client
 * does again what it had no answer to. Before the commit nothing may be left of the write, after it all of it, and in the end everybody
 * must see what they see when nothing fails.
 */
import { join } from "node:path";
import { firstDifference } from "@parley/core/testing/first-difference";
import type { Envelope } from "@parley/protocol/envelope";
import { STOP_POINTS, type StopPoint } from "../../ports/stops.ts";
import type { Person } from "../people.ts";
import { type StoppableServer, startStoppable } from "../server-process.ts";
import type { Passes, Stop } from "../stoppable-server.ts";
import type { TestSocket } from "../test-socket.ts";
import type { Operation } from "./operations.ts";
import type { Report } from "./report.ts";
import { OTHER_WINDOW, type Scene, makeScene, movedTo, peopleOf, pull, viewOf } from "./scene.ts";

export interface StopsOptions {
  dataDir: string;
  operations: readonly Operation[];
  /** At which points of an operation that passes them so often. */
  stopsOf(operation: Operation, passes: Passes): readonly Stop[];
  /** Servers at a time. */
  workers?: number;
}

/** Up to here nothing of a write may be left when the process ends. */
const BEFORE_COMMIT: readonly StopPoint[] = STOP_POINTS.slice(0, STOP_POINTS.indexOf("afterCommit"));
const STOP_WITHIN_MS = 10_000;

/** Each pass of each point, so many passes of one at most. */
export function everyStop(
  passes: Passes,
  passMax: number,
  points = STOP_POINTS as readonly StopPoint[],
): Stop[] {
  return points.flatMap((point) =>
    Array.from({ length: Math.min(passes[point] ?? 0, passMax) }, (_, index) => ({ point, pass: index + 1 })),
  );
}

export async function runStops({ workers = 2, ...options }: StopsOptions): Promise<Report> {
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
  passes: Passes;
}

class Worker {
  readonly violations: string[] = [];
  kills = 0;
  notPassed = 0;
  readonly #number: number;
  readonly #options: Omit<StopsOptions, "workers">;
  #server: StoppableServer | undefined;
  #scenes = 0;

  constructor(number: number, options: Omit<StopsOptions, "workers">) {
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
    for (const stop of this.#options.stopsOf(operation, expected.passes)) {
      const wrong = (what: string) =>
        this.violations.push(`${operation.name}, killed at ${stop.point} ${stop.pass}: ${what}`);
      try {
        await this.#playStopped(operation, stop, expected, wrong);
      } catch (error) {
        wrong(error instanceof Error ? error.message : String(error));
        this.#server?.kill("SIGKILL");
        await this.#server?.exited;
        this.#server = undefined;
      }
    }
  }

  async #running(): Promise<StoppableServer> {
    const dataDir = join(this.#options.dataDir, `worker-${this.#number}`);
    this.#server ??= await startStoppable({ DATA_DIR: dataDir, RATE_LIMITS: "off" });
    return this.#server;
  }

  async #open(operation: Operation): Promise<Opened> {
    const { url } = await this.#running();
    const scene = await makeScene(url, `T${this.#number}T${this.#scenes++}T`);
    const fact = (await operation.before?.(scene)) ?? 0;
    // What is written for the search later is written now, so that the points are passed by the operation alone.
    await scene.ann.ok("searchMessages", { query: { q: "from" } });
    return { scene, fact };
  }

  /** Without a fault, and then again, as a client does whose answer was lost. */
  async #playWhole(operation: Operation): Promise<Expected> {
    const server = await this.#running();
    const { scene, fact } = await this.#open(operation);
    const ears = await listen(scene);
    const before = await viewOf(scene);
    await server.watch();
    const answer = await operation.act(scene, fact);
    const counted = await server.passed();
    ears.close();
    const passes = fewest(counted, await this.#count(operation));
    const wrong = (what: string) => this.violations.push(`${operation.name}: ${what}`);
    if (answer.code !== 200) wrong(`answered ${JSON.stringify(answer)}`);
    const isSeen = operation.check === undefined;
    const once = await viewOf(scene);
    if (once === before && isSeen && operation.name !== "upload") wrong("nobody sees that it was done");
    for (const point of STOP_POINTS) {
      const isSkipped = operation.skips?.includes(point) ?? false;
      if (isSkipped) this.notPassed++;
      if (isSkipped === (passes[point] ?? 0) > 0) {
        wrong(`${isSkipped ? "passes" : "does not pass"} ${point}`);
      }
    }
    const again = await operation.act(scene, fact);
    if (!isAccepted(operation, again)) wrong(`done again it answered ${JSON.stringify(again)}`);
    const twice = await viewOf(scene);
    if (operation.isTwice !== true && twice !== once) wrong(`done twice: ${difference(once, twice)}`);
    return { before, once, twice, passes };
  }

  async #count(operation: Operation): Promise<Passes> {
    const server = await this.#running();
    const { scene, fact } = await this.#open(operation);
    const ears = await listen(scene);
    await server.watch();
    await operation.act(scene, fact);
    const passes = await server.passed();
    ears.close();
    return passes;
  }

  async #playStopped(
    operation: Operation,
    stop: Stop,
    expected: Expected,
    wrong: (what: string) => void,
  ): Promise<void> {
    const server = await this.#running();
    const opened = await this.#open(operation);
    const ears = await listen(opened.scene);
    await server.watch(stop);
    const answered = await operation.act(opened.scene, opened.fact).catch(() => undefined);
    await endOf(server);
    this.#server = undefined;
    this.kills++;
    if ((answered?.code === 200) !== (stop.point === "afterAnswer")) wrong("answered at the wrong time");
    const pushed = await ears.heard();

    const { url } = await this.#running();
    const scene = movedTo(opened.scene, url);
    const found = await viewOf(scene);
    const isFirst = stop.pass === 1;
    const mustBeUndone = isFirst && BEFORE_COMMIT.includes(stop.point);
    const mustBeDone = !BEFORE_COMMIT.includes(stop.point) && expected.passes.afterCommit === 1;
    if (mustBeUndone && found !== expected.before) wrong(`left half: ${difference(expected.before, found)}`);
    if (mustBeDone && found !== expected.once) wrong(`lost: ${difference(expected.once, found)}`);
    if (found !== expected.before && found !== expected.once) {
      wrong(`neither done nor undone: ${difference(expected.once, found)}`);
    }
    const isDone = mustBeDone || found !== expected.before;

    const sent = operation.isSend === true ? await sentOf(scene) : [];
    const again = await operation.act(scene, opened.fact);
    if (again.code !== 200 && !(isDone && isAccepted(operation, again))) {
      wrong(`the retry answered ${JSON.stringify(again)}`);
    }
    if (operation.isSend === true) {
      const repeated = await operation.act(scene, opened.fact);
      const rows = await sentOf(scene);
      if (rows.length !== 1) wrong(`${rows.length} rows of one tmpId`);
      const first = answered ?? (sent[0] === undefined ? again : { data: sent[0] });
      for (const answer of [again, repeated]) {
        if (identityOf(answer.data) !== identityOf(first.data)) {
          wrong(`a retry answered ${identityOf(answer.data)} instead of ${identityOf(first.data)}`);
        }
      }
    }
    const end = isDone && operation.isTwice === true ? expected.twice : expected.once;
    const final = await viewOf(scene);
    if (final !== end) wrong(`ends otherwise: ${difference(end, final)}`);
    await operation.check?.(scene, again.code === 200 ? again : (answered ?? again));
    await checkCatchingUp(scene, pushed, wrong);
  }
}

/** The index of words may write beside an operation, though hardly beside the same one twice. */
function fewest(one: Passes, other: Passes): Passes {
  const count = (point: StopPoint) => Math.min(one[point] ?? 0, other[point] ?? 0);
  return Object.fromEntries(STOP_POINTS.map((point) => [point, count(point)]));
}

interface Opened {
  scene: Scene;
  fact: number;
}

function isAccepted(operation: Operation, answer: Envelope): boolean {
  return answer.code === 200 ? operation.repeat === undefined : answer.key === operation.repeat;
}

/** Throws when it goes on. */
async function endOf(server: StoppableServer): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), STOP_WITHIN_MS)));
  const code = await Promise.race([server.exited, late]);
  clearTimeout(timer);
  if (code !== null)
    throw new Error(code === "late" ? "the server did not stop" : `the server ended with ${code}`);
}

/** The rows that ann has sent under a tmpId. */
async function sentOf({ ann, tag }: Scene): Promise<{ id: number; sendTime: number }[]> {
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
  person: Person;
  ids: Ids;
  pushed: Ids;
}

/** Everybody with a socket, ann with two: all frames until the end. */
async function listen(scene: Scene): Promise<{ heard(): Promise<Heard[]>; close(): void }> {
  const had: { person: Person; ids: Ids; sockets: TestSocket[] }[] = [];
  for (const person of peopleOf(scene)) {
    const rows = await pull(person);
    const ids = { private: idsOf(rows.private), group: idsOf(rows.group) };
    const sockets = [await person.connect({ caps: ["changes"] })];
    if (person === scene.ann) sockets.push(await person.tab(OTHER_WINDOW).connect({ caps: ["changes"] }));
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
async function checkCatchingUp(
  scene: Scene,
  heard: readonly Heard[],
  wrong: (what: string) => void,
): Promise<void> {
  for (const [index, person] of peopleOf(scene).entries()) {
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

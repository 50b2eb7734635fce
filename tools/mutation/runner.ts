// Runs tests in a worker, like Vitest's own runner. Each test first runs without mutants, and then once more with each mutant that it has
// reached, until one of its runs fails. So a file is loaded once for all mutants in it. Mutants that are reached outside of tests are only
// noted.
import { TestRunner } from "vitest";
import { addNote, readNotes, readTask } from "./worker-files.ts";

/** The clock is read once in so many turns of loops and switches. */
const CLOCK_EVERY = 64;
/** A test that takes longer with a mutant than this many times its duration, plus the extra time, hangs. */
const SLOWDOWN_MAX = 8;
const EXTRA_MS = 3_000;
/** A test that takes longer is not repeated with mutants; shorter tests that are closer to the mutant do that. */
const REPEATED_MS_MAX = 4_000;
/** The total duration of the tests that try one mutant. */
const TRIED_MS_MAX = 30_000;

const folder = process.env["PARLEY_MUTATION"] ?? "";
const { mutant, alive, suspects } = readTask(folder);
const isAlive = new Set(alive);
const isSuspect = new Set(suspects);
// Tests may replace timers and clock.
const { setTimeout: startTimer, clearTimeout: stopTimer, performance: clock } = globalThis;

let active = mutant;
let turns = 0;
let deadline = Infinity;
let reached = new Set<number>();
const outside = new Set<number>();
let isSpoilt = false;

/** Throws when a test has run for too long. A timer could not end code that blocks the thread. */
function checkDeadline(): void {
  if (active !== 0 && ++turns % CLOCK_EVERY === 0 && clock.now() > deadline)
    throw new Error("the test takes too long with this mutant");
}

Object.assign(globalThis, {
  __mutant(id: number): boolean {
    reached.add(id);
    checkDeadline();
    return id === active;
  },
  __turn: checkDeadline,
});

type Work = () => unknown;

/** How long the work took; undefined if it failed or hung. */
async function tryOnce(work: Work, limit: number): Promise<number | undefined> {
  const startedAt = clock.now();
  deadline = startedAt + limit;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => (timer = startTimer(() => resolve(false), limit)));
  try {
    const done = Promise.resolve(work()).then(() => true);
    return (await Promise.race([done, timeout])) ? clock.now() - startedAt : undefined;
  } catch {
    return undefined;
  } finally {
    stopTimer(timer);
  }
}

/** Those of these mutants that survive so far and have not been tried for too long. */
function selectUntried(ids: readonly number[]): number[] {
  const tried = new Map<number, number>();
  for (const note of readNotes(folder)) {
    if (note.kind === "noticed") tried.set(note.id, Infinity);
    if (note.kind === "tried") for (const id of note.ids) tried.set(id, (tried.get(id) ?? 0) + note.ms);
  }
  return ids.filter((id) => isAlive.has(id) && (tried.get(id) ?? 0) < TRIED_MS_MAX);
}

async function tryMutants(work: Work, file: string): Promise<void> {
  for (const id of reached) outside.add(id);
  reached = new Set();
  const startedAt = clock.now();
  await work();
  const duration = clock.now() - startedAt;
  const untried = selectUntried([...reached]);
  reached = new Set();
  if (untried.length === 0) return;
  if (duration > REPEATED_MS_MAX) return addNote(folder, { kind: "tried", ids: untried, ms: duration });
  const limit = duration * SLOWDOWN_MAX + EXTRA_MS;
  const passes = async () => (await tryOnce(work, limit)) !== undefined;
  if (!(await passes())) return addNote(folder, { kind: "once", file, ids: untried });
  untried.sort((a, b) => Number(isSuspect.has(b)) - Number(isSuspect.has(a)));
  addNote(folder, { kind: "tried", ids: untried, ms: duration });
  let hasJustPassed = true;
  for (const id of untried) {
    active = id;
    const isNoticed = (await tryOnce(work, limit)) === undefined;
    active = 0;
    if (!isNoticed) {
      hasJustPassed = false;
      continue;
    }
    const hadJustPassed = hasJustPassed;
    hasJustPassed = await passes();
    // If the run before this mutant had no mutant and passed, the failure is due to this mutant even if the test is broken now.
    if (hasJustPassed || hadJustPassed) addNote(folder, { kind: "noticed", id });
    if (hasJustPassed) continue;
    isSpoilt = true;
    return addNote(folder, { kind: "spoilt", file, id });
  }
  reached = new Set();
}

type Runner = InstanceType<typeof TestRunner>;
type Test = Parameters<Runner["onAfterTryTask"]>[0];
type File = Parameters<Runner["onCollectStart"]>[0];

/** The test runner. Vitest expects it as the default export. */
export default class MutationRunner extends TestRunner {
  async runTask(test: Test): Promise<void> {
    const work: Work = TestRunner.getTestFn(test);
    if (mutant !== 0) await work();
    else if (!isSpoilt) await tryMutants(work, test.file.filepath);
  }

  override onAfterRunFiles(files: File[]): void {
    super.onAfterRunFiles(files);
    for (const id of reached) outside.add(id);
    const ids = [...outside].filter((id) => isAlive.has(id));
    for (const { filepath } of files) addNote(folder, { kind: "outside", file: filepath, ids });
  }
}

// Runs tests in a worker, as Vitest's own runner does, but each test runs once as it is, and then once more with each mutant that it has reached, until one of its
// runs fails. So a file is loaded once for all mutants in it. What is reached outside of tests is only noted.
import { TestRunner } from "vitest";
import { addNote, readNotes, readTask } from "./worker-files.ts";

/** So often what runs looks at the clock, once in so many turns of loops and switches. */
const LOOK_EVERY = 64;
/** A test that takes so much longer than without the mutant hangs. */
const SLOWER = 8;
const PATIENCE_MS = 3_000;
/** A test that takes longer is not repeated: others, which are closer to the mutant, are there for that. */
const REPEATED_MS = 4_000;
/** Tests that take so long together try one mutant. */
const TRIED_MS = 30_000;

const folder = process.env["PARLEY_MUTATION"] ?? "";
const { mutant, alive, suspects } = readTask(folder);
const isAlive = new Set(alive);
const isSuspect = new Set(suspects);
// Tests may put other clocks in their place.
const { setTimeout: startTimer, clearTimeout: stopTimer, performance: clock } = globalThis;

let active = mutant;
let turns = 0;
let deadline = Infinity;
let reached = new Set<number>();
const outside = new Set<number>();
let isSpoilt = false;

/** No timer can end what never lets go of the thread: it ends itself. */
function lookAtClock(): void {
  if (active !== 0 && ++turns % LOOK_EVERY === 0 && clock.now() > deadline)
    throw new Error("no end in sight");
}

Object.assign(globalThis, {
  __mutant(id: number): boolean {
    reached.add(id);
    lookAtClock();
    return id === active;
  },
  __turn: lookAtClock,
});

type Work = () => unknown;

/** How long it took; undefined when it failed or hung. */
async function tryOnce(work: Work, longest: number): Promise<number | undefined> {
  const began = clock.now();
  deadline = began + longest;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = startTimer(() => resolve(false), longest)));
  try {
    const done = Promise.resolve(work()).then(() => true);
    return (await Promise.race([done, late])) ? clock.now() - began : undefined;
  } catch {
    return undefined;
  } finally {
    stopTimer(timer);
  }
}

/** Of these, those that live and have not been tried for long. */
function openOf(ids: readonly number[]): number[] {
  const tried = new Map<number, number>();
  for (const note of readNotes(folder)) {
    if (note.kind === "noticed") tried.set(note.id, Infinity);
    if (note.kind === "tried") for (const id of note.ids) tried.set(id, (tried.get(id) ?? 0) + note.ms);
  }
  return ids.filter((id) => isAlive.has(id) && (tried.get(id) ?? 0) < TRIED_MS);
}

async function tryMutants(work: Work, file: string): Promise<void> {
  for (const id of reached) outside.add(id);
  reached = new Set();
  const began = clock.now();
  await work();
  const took = clock.now() - began;
  const open = openOf([...reached]);
  reached = new Set();
  if (open.length === 0) return;
  if (took > REPEATED_MS) return addNote(folder, { kind: "tried", ids: open, ms: took });
  const longest = took * SLOWER + PATIENCE_MS;
  const isGood = async () => (await tryOnce(work, longest)) !== undefined;
  if (!(await isGood())) return addNote(folder, { kind: "once", file, ids: open });
  open.sort((a, b) => Number(isSuspect.has(b)) - Number(isSuspect.has(a)));
  addNote(folder, { kind: "tried", ids: open, ms: took });
  let isFresh = true;
  for (const id of open) {
    active = id;
    const isNoticed = (await tryOnce(work, longest)) === undefined;
    active = 0;
    if (!isNoticed) {
      isFresh = false;
      continue;
    }
    const wasFresh = isFresh;
    isFresh = await isGood();
    // Failed right after a good run without any: whatever is broken now, this one has broken it.
    if (isFresh || wasFresh) addNote(folder, { kind: "noticed", id });
    if (isFresh) continue;
    isSpoilt = true;
    return addNote(folder, { kind: "spoilt", file, id });
  }
  reached = new Set();
}

type Runner = InstanceType<typeof TestRunner>;
type Test = Parameters<Runner["onAfterTryTask"]>[0];
type File = Parameters<Runner["onCollectStart"]>[0];

/** Vitest takes a file's default export. */
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

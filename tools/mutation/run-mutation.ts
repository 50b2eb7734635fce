import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TestCase, type TestModule, type Vitest, createVitest } from "vitest/node";
import { type Mutant, withSwitches } from "./mutants.ts";
import { readNotes, writeTask } from "./worker-files.ts";

const RUNNER = fileURLToPath(new URL("runner.ts", import.meta.url));
const MUTATION_FOLDER = dirname(RUNNER);
/** How often test files are restarted at most, after mutants have left them in a broken state. */
const ROUNDS_MAX = 40;
const WORKERS = 2;
/** How often test files that fail without any mutant are tried again. */
const FAILURES_MAX = 2;
/** Our tests take seconds on a busy machine. A test that takes longer hangs because of the mutant. */
const TEST_TIMEOUT_MS = 20_000;

/** The mutants of an area, their tests, and where to report progress. */
export interface Mutation {
  root: string;
  mutants: readonly Mutant[];
  /** Absolute paths of test files, those that most likely notice the mutant first. */
  testsOf(mutant: Mutant): readonly string[];
  report(message: string): void;
}

/** The ids of the mutants that tests have noticed, and of those that no test reaches. */
export interface MutationResult {
  noticed: ReadonlySet<number>;
  unreached: ReadonlySet<number>;
}

/** Runs the tests against every mutant. */
export async function runMutation(mutation: Mutation): Promise<MutationResult> {
  const folder = mkdtempSync(join(tmpdir(), "parley-mutation-"));
  writeTask(folder, { mutant: 0, alive: [], suspects: [] });
  const session = new MutationSession(mutation, folder);
  try {
    await session.open();
    await session.tryTests(0, NEAREST_TESTS);
    await session.tryTests(NEAREST_TESTS, Infinity);
    return session.result();
  } finally {
    await session.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class MutationSession {
  readonly #mutation: Mutation;
  readonly #folder: string;
  readonly #noticed = new Set<number>();
  #vitest: Vitest | undefined;
  /** Whether a run with one mutant from the start is in progress. Its first failure ends it. */
  #stopsAtFailure = false;
  #hasFailed = false;

  constructor(mutation: Mutation, folder: string) {
    this.#mutation = mutation;
    this.#folder = folder;
  }

  async open(): Promise<void> {
    const { root, mutants } = this.#mutation;
    const byFile = Map.groupBy(mutants, ({ file }) => join(root, file));
    this.#vitest = await createVitest(
      {
        root,
        config: false,
        watch: false,
        // Modules that were transformed for other mutants must not be reused.
        fsModuleCache: false,
        pool: "threads",
        maxWorkers: WORKERS,
        runner: RUNNER,
        env: { PARLEY_MUTATION: this.#folder },
        testTimeout: TEST_TIMEOUT_MS,
        hookTimeout: TEST_TIMEOUT_MS,
        include: ["**/*.test.ts"],
        reporters: [
          {
            onTestCaseResult: (test: TestCase) => this.#onResult(test.result().state === "failed"),
            onTestModuleEnd: (module: TestModule) => this.#onResult(module.state() === "failed"),
          },
        ],
      },
      {
        logLevel: "silent",
        plugins: [
          {
            name: "parley-mutants",
            enforce: "pre",
            transform(code, id) {
              const path = id.split("?", 1)[0] ?? "";
              if (!path.endsWith(".ts") || !path.startsWith(root) || path.startsWith(MUTATION_FOLDER))
                return undefined;
              return { code: withSwitches(path, code, byFile.get(path) ?? []), map: null };
            },
          },
        ],
      },
    );
  }

  async close(): Promise<void> {
    await this.#vitest?.close();
  }

  #onResult(isFailure: boolean): void {
    if (!this.#stopsAtFailure || !isFailure || this.#hasFailed) return;
    this.#hasFailed = true;
    void this.#vitest?.cancelCurrentRun("test-failure");
  }

  #alive(): Mutant[] {
    return this.#mutation.mutants.filter(({ id }) => !this.#noticed.has(id));
  }

  /** Runs test files and returns those that failed, with the reasons. A file that a busy machine failed to load proves nothing. */
  async #run(
    files: readonly string[],
    mutant: number,
    suspects: readonly number[] = [],
  ): Promise<Map<string, string>> {
    const vitest = this.#vitest;
    if (vitest === undefined) throw new Error("the session is not open");
    const alive = this.#alive().map(({ id }) => id);
    writeTask(this.#folder, { mutant, alive, suspects });
    const project = vitest.getRootProject();
    const specifications = files.map((file) => project.createSpecification(file));
    const { testModules } = await vitest.runTestSpecifications(specifications);
    for (const note of readNotes(this.#folder)) if (note.kind === "noticed") this.#noticed.add(note.id);
    const passed = new Set(testModules.flatMap((module) => (module.ok() ? [module.moduleId] : [])));
    const reasons = new Map(testModules.map((module) => [module.moduleId, whyFailed(module)]));
    return new Map(
      files.flatMap((file) => (passed.has(file) ? [] : [[file, reasons.get(file) ?? "did not run"]])),
    );
  }

  /** Tries the tests of each surviving mutant from the first to the second position in its list of tests. */
  async tryTests(from: number, to: number): Promise<void> {
    const { testsOf } = this.#mutation;
    const selectedTests = (mutant: Mutant) => testsOf(mutant).slice(from, to);
    await this.#tryWithinTests([...new Set(this.#alive().flatMap(selectedTests))]);
    await this.#tryFromTheStart(selectedTests);
  }

  /** Tries the mutants that are reached while tests run. */
  async #tryWithinTests(files: readonly string[]): Promise<void> {
    const { mutants, report } = this.#mutation;
    let remaining = files;
    let suspects: number[] = [];
    let failures = 0;
    for (let round = 0; remaining.length > 0 && round < ROUNDS_MAX; round++) {
      const before = readNotes(this.#folder).length;
      const failed = await this.#run(remaining, 0, suspects);
      for (const [file, why] of failed) report(`FAILED without any mutant: ${file}: ${why}`);
      if (failed.size > 0) failures++;
      const spoilt = readNotes(this.#folder)
        .slice(before)
        .flatMap((note) => (note.kind === "spoilt" ? [note] : []));
      const retried = failures <= FAILURES_MAX ? failed.keys() : [];
      remaining = [...new Set([...spoilt.map(({ file }) => file), ...retried])];
      suspects = spoilt.map(({ id }) => id);
      report(`${this.#noticed.size} of ${mutants.length} noticed, ${remaining.length} files to restart`);
    }
  }

  /** Tries the mutants in code that runs when a module is loaded or before tests: each is active from the start of a separate run. */
  async #tryFromTheStart(selectedTests: (mutant: Mutant) => readonly string[]): Promise<void> {
    const files = new Map<number, Set<string>>();
    for (const note of readNotes(this.#folder)) {
      if (note.kind !== "outside" && note.kind !== "once") continue;
      for (const id of note.ids) files.set(id, (files.get(id) ?? new Set()).add(note.file));
    }
    const work = this.#alive().flatMap((mutant) => {
      const tests = selectedTests(mutant).filter((file) => files.get(mutant.id)?.has(file));
      return tests.length > 0 ? [{ mutant, tests }] : [];
    });
    if (work.length > 0) this.#mutation.report(`${work.length} mutants are active from the start of a run`);
    for (const { mutant, tests } of work) {
      this.#stopsAtFailure = true;
      this.#hasFailed = false;
      await this.#run(tests, mutant.id);
      this.#stopsAtFailure = false;
      if (this.#hasFailed) this.#noticed.add(mutant.id);
      this.#mutation.report(
        `${this.#hasFailed ? "noticed " : "not yet "} ${mutant.file}:${mutant.line} ${mutant.change}`,
      );
    }
  }

  result(): MutationResult {
    const reached = new Set(readNotes(this.#folder).flatMap((note) => ("ids" in note ? note.ids : [])));
    const unreached = this.#alive().filter(({ id }) => !reached.has(id));
    return { noticed: this.#noticed, unreached: new Set(unreached.map(({ id }) => id)) };
  }
}

/** How many of a mutant's test files are tried first. */
const NEAREST_TESTS = 4;

function whyFailed(module: TestModule): string {
  const testErrors = [...module.children.allTests("failed")].flatMap((test) => test.result().errors ?? []);
  return [...module.errors(), ...testErrors].map(({ message }) => message.split("\n")[0]).join("; ");
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type TestCase, type TestModule, type Vitest, createVitest } from "vitest/node";
import { type Mutant, withSwitches } from "./mutants.ts";
import { readNotes, writeTask } from "./worker-files.ts";

const RUNNER = fileURLToPath(new URL("runner.ts", import.meta.url));
const OWN = dirname(RUNNER);
/** Files that mutants have spoilt are begun anew at most so often. */
const ROUNDS_MAX = 40;
const WORKERS = 2;
/** Files that fail without any mutant are tried again so often. */
const FAILURES_MAX = 2;
/** A test of ours takes seconds on a busy machine; longer, and the mutant has made it hang. */
const TEST_TIMEOUT_MS = 20_000;

export interface Mutation {
  root: string;
  mutants: readonly Mutant[];
  /** Absolute paths, the likeliest to notice anything first. */
  testsOf(mutant: Mutant): readonly string[];
  report(sentence: string): void;
}

/** Ids of the mutants that tests have noticed, and of those that no test reaches. */
export interface MutationResult {
  noticed: ReadonlySet<number>;
  unreached: ReadonlySet<number>;
}

/** Runs the tests against every mutant. */
export async function runMutation(mutation: Mutation): Promise<MutationResult> {
  const folder = mkdtempSync(join(tmpdir(), "parley-mutation-"));
  writeTask(folder, { mutant: 0, alive: [], suspects: [] });
  const mutationSession = new MutationSession(mutation, folder);
  try {
    await mutationSession.open();
    await mutationSession.tryTests(0, NEAR);
    await mutationSession.tryTests(NEAR, Infinity);
    return mutationSession.verdict();
  } finally {
    await mutationSession.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

class MutationSession {
  readonly #mutation: Mutation;
  readonly #folder: string;
  readonly #noticed = new Set<number>();
  #vitest: Vitest | undefined;
  /** One mutant is there from the start, and the first failure says it all. */
  #isWatching = false;
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
        // What was transformed for other mutants must not come again.
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
            onTestCaseResult: (test: TestCase) => this.#hear(test.result().state === "failed"),
            onTestModuleEnd: (module: TestModule) => this.#hear(module.state() === "failed"),
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
              if (!path.endsWith(".ts") || !path.startsWith(root) || path.startsWith(OWN)) return undefined;
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

  #hear(isFailure: boolean): void {
    if (!this.#isWatching || !isFailure || this.#hasFailed) return;
    this.#hasFailed = true;
    void this.#vitest?.cancelCurrentRun("test-failure");
  }

  #alive(): Mutant[] {
    return this.#mutation.mutants.filter(({ id }) => !this.#noticed.has(id));
  }

  /** Answers the files that have failed: a machine that is too busy to load one has proved nothing. */
  async #run(
    files: readonly string[],
    mutant: number,
    suspects: readonly number[] = [],
  ): Promise<Map<string, string>> {
    const vitest = this.#vitest;
    if (vitest === undefined) throw new Error("not open");
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

  /** Tries these of each mutant's tests, told by their places; what the nearest have noticed needs no others. */
  async tryTests(from: number, to: number): Promise<void> {
    const { testsOf } = this.#mutation;
    const testsHere = (mutant: Mutant) => testsOf(mutant).slice(from, to);
    await this.#tryWithinTests([...new Set(this.#alive().flatMap(testsHere))]);
    await this.#tryFromTheStart(testsHere);
  }

  /** Mutants that are reached while tests run. */
  async #tryWithinTests(files: readonly string[]): Promise<void> {
    const { mutants, report } = this.#mutation;
    let open = files;
    let suspects: number[] = [];
    let failures = 0;
    for (let round = 0; open.length > 0 && round < ROUNDS_MAX; round++) {
      const before = readNotes(this.#folder).length;
      const failed = await this.#run(open, 0, suspects);
      for (const [file, why] of failed) report(`FAILED without any mutant: ${file}: ${why}`);
      if (failed.size > 0) failures++;
      const spoilt = readNotes(this.#folder)
        .slice(before)
        .flatMap((note) => (note.kind === "spoilt" ? [note] : []));
      const again = failures <= FAILURES_MAX ? failed.keys() : [];
      open = [...new Set([...spoilt.map(({ file }) => file), ...again])];
      suspects = spoilt.map(({ id }) => id);
      report(`${this.#noticed.size} of ${mutants.length} noticed, ${open.length} files to begin anew`);
    }
  }

  /** Mutants in what runs when a module is loaded or before tests: each is there from the start of a run of its own. */
  async #tryFromTheStart(testsHere: (mutant: Mutant) => readonly string[]): Promise<void> {
    const files = new Map<number, Set<string>>();
    for (const note of readNotes(this.#folder)) {
      if (note.kind !== "outside" && note.kind !== "once") continue;
      for (const id of note.ids) files.set(id, (files.get(id) ?? new Set()).add(note.file));
    }
    const work = this.#alive().flatMap((mutant) => {
      const tests = testsHere(mutant).filter((file) => files.get(mutant.id)?.has(file));
      return tests.length > 0 ? [{ mutant, tests }] : [];
    });
    if (work.length > 0) this.#mutation.report(`${work.length} are there from the start`);
    for (const { mutant, tests } of work) {
      this.#isWatching = true;
      this.#hasFailed = false;
      await this.#run(tests, mutant.id);
      this.#isWatching = false;
      if (this.#hasFailed) this.#noticed.add(mutant.id);
      this.#mutation.report(
        `${this.#hasFailed ? "noticed " : "not yet "} ${mutant.file}:${mutant.line} ${mutant.change}`,
      );
    }
  }

  verdict(): MutationResult {
    const reached = new Set(readNotes(this.#folder).flatMap((note) => ("ids" in note ? note.ids : [])));
    const lost = this.#alive().filter(({ id }) => !reached.has(id));
    return { noticed: this.#noticed, unreached: new Set(lost.map(({ id }) => id)) };
  }
}

/** Files of tests that are asked first. */
const NEAR = 4;

function whyFailed(module: TestModule): string {
  const ofTests = [...module.children.allTests("failed")].flatMap((test) => test.result().errors ?? []);
  return [...module.errors(), ...ofTests].map(({ message }) => message.split("\n")[0]).join("; ");
}

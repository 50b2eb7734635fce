/** The files through which the driver and the test workers exchange tasks and results. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the driver asks the workers to do. */
export interface Task {
  /** The mutant that is active from the start. With 0, each test tries the mutants that it reaches. */
  mutant: number;
  /** The mutants that have survived so far. Only these are tried. */
  alive: readonly number[];
  /** Mutants for which the last run gave no clear result. A test that reaches them tries them first. */
  suspects: readonly number[];
}

/** A result that a worker has found. */
export type Note =
  /** A test failed because of this mutant. */
  | { kind: "noticed"; id: number }
  /** Mutants that were reached outside of tests: when modules were loaded, or before tests. */
  | { kind: "outside"; file: string; ids: readonly number[] }
  /** Mutants that were reached by a test that passes only once in a process. */
  | { kind: "once"; file: string; ids: readonly number[] }
  /** Mutants that were tried by a test of this duration. */
  | { kind: "tried"; ids: readonly number[]; ms: number }
  /** After this mutant the test fails without any mutant, so the file has to be restarted. */
  | { kind: "spoilt"; file: string; id: number };

const TASK = "task.json";
const NOTES = "notes.jsonl";

/** Writes the task for the workers of the next run. */
export function writeTask(folder: string, task: Task): void {
  writeFileSync(join(folder, TASK), JSON.stringify(task));
}

/** Reads the task of this run. */
export function readTask(folder: string): Task {
  return JSON.parse(readFileSync(join(folder, TASK), "utf8")) as Task;
}

/** Adds a result. */
export function addNote(folder: string, note: Note): void {
  appendFileSync(join(folder, NOTES), `${JSON.stringify(note)}\n`);
}

/** Reads the results of all runs. */
export function readNotes(folder: string): Note[] {
  const file = join(folder, NOTES);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Note);
}

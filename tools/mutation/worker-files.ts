/** What the driver and the workers that run tests tell each other, by files of one folder. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Task {
  /** Switched on from the beginning; 0: each test tries those that it reaches. */
  mutant: number;
  /** Only these are tried. */
  alive: readonly number[];
  /** Tried first by the test that reaches them: whether they were noticed could not be told before. */
  suspects: readonly number[];
}

/** One line of what workers have found. */
export type Note =
  /** A test failed with this mutant and passes without. */
  | { kind: "noticed"; id: number }
  /** Reached while no test ran: when modules were loaded, or before tests. */
  | { kind: "outside"; file: string; ids: readonly number[] }
  /** Reached by a test that passes only once in a process. */
  | { kind: "once"; file: string; ids: readonly number[] }
  /** Reached by a test that takes so long, and tried. */
  | { kind: "tried"; ids: readonly number[]; ms: number }
  /** After this mutant the test fails by itself: the file has to be run anew. */
  | { kind: "spoilt"; file: string; id: number };

const TASK = "task.json";
const NOTES = "notes.jsonl";

export function writeTask(folder: string, task: Task): void {
  writeFileSync(join(folder, TASK), JSON.stringify(task));
}

export function readTask(folder: string): Task {
  return JSON.parse(readFileSync(join(folder, TASK), "utf8")) as Task;
}

export function addNote(folder: string, note: Note): void {
  appendFileSync(join(folder, NOTES), `${JSON.stringify(note)}\n`);
}

export function readNotes(folder: string): Note[] {
  const file = join(folder, NOTES);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as Note);
}

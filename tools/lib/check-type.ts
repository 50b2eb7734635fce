/**
 * A check of the repository below `root`. It returns every problem; an empty list means that the check passes. A problem says what is wrong
 * where, and ends with what to do about it.
 */
export interface Check {
  name: string;
  run(root: string): Promise<string[]>;
  /** Does the same for some files of the repository, for a check that takes long for all. */
  runOn?(root: string, files: readonly string[]): Promise<string[]>;
  /** Takes too long to run for each change. */
  isLong?: true;
}

/** The problems that a finished program reports: its output and what to do about it, or none if it succeeded. */
export function problemsOf({ code, output }: { code: number; output: string }, remedy: string): string[] {
  if (code === 0) return [];
  return [output.trim() || `ended with code ${code} and without output`, `To do: ${remedy}.`];
}

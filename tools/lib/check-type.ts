/** A check of the repository below `root`. It returns every problem; an empty list means that the check passes. */
export interface Check {
  name: string;
  run(root: string): Promise<string[]>;
  /** Does the same for some files of the repository, for a check that takes long for all. */
  runOn?(root: string, files: readonly string[]): Promise<string[]>;
  /** Takes too long to run for each change. */
  isLong?: true;
}

/** The problems that a finished program reports: its output, or none if it succeeded. */
export function problemsOf({ code, output }: { code: number; output: string }): string[] {
  if (code === 0) return [];
  return [output.trim() || `ended with code ${code} and without output`];
}

/** A check of the repository below `root`. It returns every problem; an empty list means that the check passes. */
export interface Check {
  name: string;
  run(root: string): Promise<string[]>;
}

/** The problems that a finished program reports: its output, or none if it succeeded. */
export function problemsOf({ code, output }: { code: number; output: string }): string[] {
  if (code === 0) return [];
  return [output.trim() || `ended with code ${code} and without output`];
}

/** One guard rail. It looks at the tree under `root` and names every problem; an empty list means that it holds. */
export interface Check {
  name: string;
  run(root: string): Promise<string[]>;
}

/** What a finished program says against the tree: nothing when it ended well, else its output. */
export function problemsOf({ code, output }: { code: number; output: string }): string[] {
  if (code === 0) return [];
  return [output.trim() || `ended with code ${code} and said nothing`];
}

import { basename, dirname } from "node:path";

/**
 * How far a test is from a source file: 0 for the file's own test, 1 in its folder, 2 and 3 if `text` imports the file (2 if it names the
 * symbol as well), 4 for all others. Paths are absolute. `text`: that of the test, or of whatever it stands for.
 */
export function testDistance(test: { path: string; text: string }, source: string, symbol = ""): number {
  const withoutExtension = source.replace(/\.tsx?$/, "");
  if (test.path.replace(/\.test\.tsx?$/, "") === withoutExtension) return 0;
  if (dirname(test.path) === dirname(source)) return 1;
  const name = basename(source);
  const isImported = test.text.includes(`/${name}"`) || test.text.includes(`/${basename(withoutExtension)}"`);
  if (!isImported) return 4;
  return symbol !== "" && test.text.includes(symbol) ? 2 : 3;
}

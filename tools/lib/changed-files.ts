import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "./process.ts";

/** What a developer has changed and not pushed yet. */
export interface Changes {
  /** With what the files were compared, such as `origin/main`, or "the last commit" without a remote branch. */
  readonly since: string;
  /** The changed files that exist, relative to the root. */
  readonly files: readonly string[];
}

/** Finds the files that are changed since the remote branch: in commits, in the working tree, and new ones. Undefined without git or its history. */
export async function findChanges(root: string): Promise<Changes | undefined> {
  const git = async (...args: string[]): Promise<string | undefined> => {
    const finished = await run("git", args, { cwd: root }).catch(() => undefined);
    return finished?.code === 0 ? finished.stdout : undefined;
  };
  const revParse = (ref: string) => git("rev-parse", "--abbrev-ref", "--verify", "--quiet", ref);
  const upstream = ((await revParse("@{upstream}")) ?? (await revParse("origin/HEAD")))?.trim();
  const base = upstream && (await git("merge-base", "HEAD", upstream))?.trim();
  const changed = await git("diff", "--name-only", "-z", "--relative", base || "HEAD");
  const added = await git("ls-files", "--others", "--exclude-standard", "-z");
  if (changed === undefined || added === undefined) return undefined;
  const files = [...new Set(`${changed}${added}`.split("\0"))].filter((file) => file !== "");
  return {
    since: base ? (upstream ?? "") : "the last commit",
    files: files.filter((file) => existsSync(join(root, file))).sort(),
  };
}

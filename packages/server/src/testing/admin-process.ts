/** Runs `npm run admin -- ...` as a child process. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const ADMIN = fileURLToPath(new URL("../cli/admin.ts", import.meta.url));

/** What a command printed, without white space around it. */
export interface AdminResult {
  /** Null if a signal ended it. */
  code: number | null;
  out: string;
  err: string;
}

/** Runs a command with only these variables, and waits until it ends. */
export function runAdmin(env: Record<string, string>, ...args: string[]): Promise<AdminResult> {
  return startAdmin(env, ...args).ended;
}

/** Starts a command with only these variables. */
export function startAdmin(
  env: Record<string, string>,
  ...args: string[]
): { child: ChildProcess; ended: Promise<AdminResult> } {
  const child = spawn(process.execPath, [ADMIN, ...args], { env: { PASSWORD_COST: "low", ...env } });
  let [out, err] = ["", ""];
  child.stdout.on("data", (data: Buffer) => (out += data.toString()));
  child.stderr.on("data", (data: Buffer) => (err += data.toString()));
  const ended = new Promise<AdminResult>((resolve) =>
    child.on("close", (code) => resolve({ code, out: out.trim(), err: err.trim() })),
  );
  return { child, ended };
}

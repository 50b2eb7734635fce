import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { repository } from "./files.ts";

/** How a program ended. */
export interface Finished {
  /** The exit code; 128 if a signal ended the program. */
  code: number;
  /** The output to stdout and stderr, in order. */
  output: string;
  stdout: string;
}

/** A program that runs longer hangs: on a slow machine the browser tests take an hour. */
const TIMEOUT_MS = 70 * 60_000;

export interface RunOptions {
  cwd?: string;
  /** Added to the environment of this process. */
  env?: NodeJS.ProcessEnv;
  /** Called with every piece of output, to show the progress of long commands. */
  onOutput?: (text: string) => void;
}

const running = new Set<ChildProcess>();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(128 + constants.signals[signal]);
  });
}

/** Runs a program to its end and collects its output. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? repository,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
    let output = "";
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      output += text;
      options.onOutput?.(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      options.onOutput?.(text);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      running.delete(child);
      resolve({ code: code ?? 128, output: stripVTControlCharacters(output), stdout });
    });
  });
}

/** Runs a JavaScript file of an installed package with the Node of this process, independent of `PATH`. */
export function runTool(file: string, args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return run(process.execPath, [join(repository, "node_modules", file), ...args], options);
}

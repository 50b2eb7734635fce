import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The program of Debian's `pulseaudio`. */
export const LOUDSPEAKER_PATH = "/usr/bin/pulseaudio";

const TRY_EVERY_MS = 100;
const TRIES = 200;

/** A loudspeaker that nobody hears, for browsers that play nothing without one. */
export interface Loudspeaker {
  /** What the environment of programs needs that shall play on it. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/** Starts a loudspeaker. */
export async function startLoudspeaker(): Promise<Loudspeaker> {
  const folder = await mkdtemp(join(tmpdir(), "parley-loudspeaker-"));
  const socket = join(folder, "native");
  const modules = ["module-null-sink", `module-native-protocol-unix socket=${socket} auth-anonymous=1`];
  const program = spawn(
    LOUDSPEAKER_PATH,
    ["-n", "--daemonize=no", "--exit-idle-time=-1", ...modules.map((module) => `--load=${module}`)],
    { env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder }, stdio: "ignore" },
  );
  const close = async () => {
    program.kill();
    await rm(folder, { recursive: true, force: true });
  };
  for (let i = 0; i < TRIES; i++) {
    if (existsSync(socket)) return { env: { PULSE_SERVER: `unix:${socket}` }, close };
    await sleep(TRY_EVERY_MS);
  }
  await close();
  throw new Error("pulseaudio did not start");
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, isListening } from "@parley/server/testing/local-programs";

const PROGRAM = "/usr/bin/turnserver";
const START_TRIES = 600;
const TRY_EVERY_MS = 100;

/** A TURN server on a free loopback port. */
export interface TurnServer {
  readonly port: number;
  /** The value of `ICE_URLS`: STUN, and TURN over UDP and TCP. */
  readonly urls: string;
  stop(): Promise<void>;
}

/** Whether coturn is installed. `npm run e2e` and `npm test` install it where they can. */
export function hasTurnServer(): boolean {
  return existsSync(PROGRAM);
}

/**
 * Starts coturn with a secret that it shares with a server, as the documentation tells administrators; with null, everybody may use it. Relays reach
 * this computer only.
 */
export async function startTurnServer(secret: string | null): Promise<TurnServer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "parley-turn-"));
  const options = {
    "listening-ip": "127.0.0.1",
    "listening-port": port,
    "relay-ip": "127.0.0.1",
    ...(secret !== null && { "static-auth-secret": secret }),
    realm: "parley.test",
    userdb: join(folder, "turndb"),
    pidfile: join(folder, "turnserver.pid"),
    "log-file": "stdout",
  };
  const login = secret === null ? "no-auth" : "use-auth-secret";
  const flags = [login, "allow-loopback-peers", "no-cli", "no-tls", "no-dtls", "fingerprint"];
  const turnServer = spawn(
    PROGRAM,
    [
      "-n",
      ...flags.map((flag) => `--${flag}`),
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [turnServer.stdout, turnServer.stderr]) {
    stream.on("data", (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4_000)));
  }
  const stop = async () => {
    if (turnServer.exitCode === null && turnServer.signalCode === null) {
      const exited = once(turnServer, "exit");
      turnServer.kill("SIGKILL");
      await exited;
    }
    await rm(folder, { recursive: true, force: true });
  };
  for (let i = 0; i < START_TRIES && turnServer.exitCode === null; i++) {
    if (await isListening(port)) {
      const at = `127.0.0.1:${port}`;
      return { port, urls: `stun:${at},turn:${at}?transport=udp,turn:${at}?transport=tcp`, stop };
    }
    await sleep(TRY_EVERY_MS);
  }
  await stop();
  throw new Error(`coturn did not start:\n${output}`);
}

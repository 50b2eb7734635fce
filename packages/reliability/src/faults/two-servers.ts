/** Fault K10: several servers start on one data folder. Exactly one must serve, and the others must exit with a sentence. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { registerPerson as register, sendText, registerFriends } from "@parley/server/testing/test-person";
import { type ServerProcess, startServer } from "@parley/server/testing/server-process";
import type { Report } from "./report.ts";

/** How many servers. */
export interface TwoServersOptions {
  /** An empty folder. */
  dataDir: string;
  /** How often they are started. */
  rounds: number;
  /** How many start at once. Every second one uses a symbolic link to the folder. */
  servers: number;
  /** A planted fault: each server has its own folder. */
  usesOwnFolders?: boolean;
}

const SENTENCE = /the server ended with 1: The data folder .* is in use by another Parley server; .*\.\n$/;

/** Runs the battery. */
export async function runTwoServers(options: TwoServersOptions): Promise<Report> {
  const { dataDir, rounds, servers, usesOwnFolders = false } = options;
  const violations: string[] = [];
  const folder = join(dataDir, "data");
  const alias = join(dataDir, "alias");
  symlinkSync(folder, alias);
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    const starts = await Promise.allSettled(
      Array.from({ length: servers }, (_, index) => {
        const name = index % 2 === 1 && round > 0 ? alias : folder;
        return startServer({ DATA_DIR: usesOwnFolders ? `${folder}-${index}` : name, RATE_LIMITS: "off" });
      }),
    );
    const running: ServerProcess[] = [];
    for (const start of starts) {
      if (start.status === "fulfilled") running.push(start.value);
      else if (SENTENCE.test(String(start.reason))) refused++;
      else violations.push(`round ${round}: a server exited without the sentence: ${String(start.reason)}`);
    }
    if (running.length !== 1) violations.push(`round ${round}: ${running.length} servers serve one folder`);
    for (const server of running) {
      try {
        const [ann, bob] = await registerFriends(server.url);
        await sendText(ann, bob, "it serves");
        // A server that starts later must exit as well and must not disturb the first.
        const laterServer = await startServer({ DATA_DIR: usesOwnFolders ? `${folder}-late` : alias }).then(
          (other) => other,
          (error: unknown) => String(error),
        );
        if (typeof laterServer === "string") {
          if (SENTENCE.test(laterServer)) refused++;
          else violations.push(`round ${round}: the server that started later printed ${laterServer}`);
        } else {
          violations.push(`round ${round}: a server that starts later serves as well`);
          laterServer.kill("SIGKILL");
          await laterServer.exited;
        }
        await sendText(bob, ann, "it still does");
        await register(server.url);
      } finally {
        // Kill it, because the folder must be free at once after a crash.
        server.kill("SIGKILL");
        await server.exited;
      }
    }
  }
  const done = `${rounds} times ${servers} at once and one later, ${refused} refused`;
  return { name: "K10 servers on one folder", done, violations };
}

/** Fault K10: several servers on one data folder. One serves, whoever it is; the others end with a sentence. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { registerPerson as register, sendText, registerFriends } from "../test-person.ts";
import { type ServerProcess, startServer } from "../server-process.ts";
import type { Report } from "./report.ts";

export interface TwoServersOptions {
  /** An empty folder. */
  dataDir: string;
  /** How often all start at once. */
  rounds: number;
  /** So many start at once; every other by another name of the folder. */
  servers: number;
  /** Planted: each has a folder of its own. */
  isApart?: boolean;
}

const SENTENCE = /the server ended with 1: The data folder .* is in use by another Parley server; .*\.\n$/;

export async function runTwoServers(options: TwoServersOptions): Promise<Report> {
  const { dataDir, rounds, servers, isApart = false } = options;
  const violations: string[] = [];
  const folder = join(dataDir, "data");
  const alias = join(dataDir, "alias");
  symlinkSync(folder, alias);
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    const starts = await Promise.allSettled(
      Array.from({ length: servers }, (_, index) => {
        const name = index % 2 === 1 && round > 0 ? alias : folder;
        return startServer({ DATA_DIR: isApart ? `${folder}-${index}` : name, RATE_LIMITS: "off" });
      }),
    );
    const running: ServerProcess[] = [];
    for (const start of starts) {
      if (start.status === "fulfilled") running.push(start.value);
      else if (SENTENCE.test(String(start.reason))) refused++;
      else
        violations.push(`round ${round}: a server was refused without the sentence: ${String(start.reason)}`);
    }
    if (running.length !== 1) violations.push(`round ${round}: ${running.length} servers serve one folder`);
    for (const server of running) {
      try {
        const [ann, bob] = await registerFriends(server.url);
        await sendText(ann, bob, "it serves");
        // One that comes later ends as well, and takes nothing away from the first.
        const late = await startServer({ DATA_DIR: isApart ? `${folder}-late` : alias }).then(
          (other) => other,
          (error: unknown) => String(error),
        );
        if (typeof late === "string") {
          if (SENTENCE.test(late)) refused++;
          else violations.push(`round ${round}: the late one said ${late}`);
        } else {
          violations.push(`round ${round}: a late server serves as well`);
          late.kill("SIGKILL");
          await late.exited;
        }
        await sendText(bob, ann, "it still does");
        await register(server.url);
      } finally {
        // As by a crash: the folder must be free at once.
        server.kill("SIGKILL");
        await server.exited;
      }
    }
  }
  const done = `${rounds} times ${servers} at once and one later, ${refused} refused`;
  return { name: "K10 servers on one folder", done, violations };
}

/**
 * Fault K2 in a group commit: 50 sends are under way at once, so that many share a commit, and the server is killed during a commit.
 * Answered sends must be stored, nothing of an unfinished commit may be, and after the retry of all 50 with the same tmpIds there must
 * be 50 rows in the same order for everybody.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createPrng } from "@parley/core/testing/prng";
import type { Envelope } from "@parley/protocol/envelope";
import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import type { Failpoint } from "@parley/server/ports/failpoints";
import { type FailpointServer, startFailpointServer } from "../controlled-servers.ts";
import type { KillPoint } from "../failpoint-server.ts";
import type { Report } from "./report.ts";
import { type Scenario, createScenario, onServerUrl, pull } from "./scenario.ts";

/** How many kills. */
export interface GroupCommitKillsOptions {
  dataDir: string;
  seed: number;
  kills: number;
  /** A planted fault: the client retries with other tmpIds. */
  changesTmpIds?: boolean;
}

const SENDS = 50;
/** A kill at these failpoints must leave nothing of the current commit. */
const BEFORE_COMMIT: readonly Failpoint[] = ["beforeBegin", "afterInsert", "beforeCommit"];
const POINTS: readonly Failpoint[] = [...BEFORE_COMMIT, "afterCommit", "beforePublish", "afterAnswer"];

type Answer = Envelope<PrivateMessage | GroupMessage> | undefined;

/** Runs the battery. */
export async function runGroupCommitKills(options: GroupCommitKillsOptions): Promise<Report> {
  const { seed, kills, changesTmpIds = false } = options;
  const random = createPrng(seed);
  const env = { DATA_DIR: options.dataDir, RATE_LIMITS: "off" };
  const violations: string[] = [];
  let server: FailpointServer = await startFailpointServer(env);
  let [commits, killedBeforeCommit, answered, stored] = [0, 0, 0, 0];
  try {
    for (let kill = 0; kill < kills; kill++) {
      const tag = `G${kill}G`;
      const undisturbed = await createScenario(server.url, `${tag}W`);
      // Open the connections first, so that the requests of the next sends are read in one turn.
      await sendAll(undisturbed, "opening", server);
      await server.watch();
      await sendAll(undisturbed, "undisturbed", server);
      const { beforeCommit = 0, afterInsert = 0 } = await server.passed();
      commits += beforeCommit;

      const beforeKill = await createScenario(server.url, `${tag}S`);
      const failpoint = random.pick(POINTS);
      const killPoint: KillPoint = { failpoint, pass: 1 + random.below(beforeCommit) };
      if (failpoint === "afterInsert") killPoint.pass = 1 + random.below(afterInsert);
      const addViolation = (what: string) =>
        void violations.push(`kill ${kill} at ${failpoint} ${killPoint.pass} (seed ${seed}): ${what}`);
      await server.watch(killPoint);
      const first = await sendAll(beforeKill, "sent", server);
      // If the sends needed fewer commits this time, the failpoint was not reached.
      server.kill("SIGKILL");
      const passed = await server.passedAtEnd();
      server = await startFailpointServer(env);

      const scenario = onServerUrl(beforeKill, server.url);
      const storedRows = await rowsOf(scenario);
      stored += storedRows.size;
      for (const answer of first) {
        if (answer?.code !== 200) continue;
        answered++;
        if (storedRows.get(answer.data.tmpId ?? "")?.id !== answer.data.id)
          addViolation(`${answer.data.id} is lost`);
      }
      const isBeforeCommit = passed[failpoint] === killPoint.pass && BEFORE_COMMIT.includes(failpoint);
      if (isBeforeCommit) killedBeforeCommit++;
      if (isBeforeCommit && passed.afterCommit === undefined && storedRows.size > 0)
        addViolation(`${storedRows.size} rows of an unfinished commit are stored`);

      const again = await sendAll(scenario, changesTmpIds ? "again" : "sent");
      const end = await rowsOf(scenario);
      if (end.size !== SENDS) addViolation(`${end.size} rows of ${SENDS} sends`);
      for (const answer of again) {
        const row = end.get(answer?.data?.tmpId ?? "");
        if (answer?.code !== 200 || row?.id !== answer.data.id || row.sendTime !== answer.data.sendTime)
          addViolation(`the retry answered ${JSON.stringify(answer)}`);
      }
      for (const [tmpId, { id }] of storedRows)
        if (end.get(tmpId)?.id !== id) addViolation(`the row ${id} has another id after the retry`);
      const [mine, theirs] = [await pull(scenario.ann), await pull(scenario.bob)];
      for (const kind of ["private", "group"] as const) {
        const order = (rows: readonly { id: number; content: string }[]) =>
          rows.filter(({ content }) => content.startsWith("send ")).map(({ id }) => id);
        const ids = order(mine[kind]);
        if (ids.join() !== ids.toSorted((a, b) => a - b).join())
          addViolation("the rows are not in the order of their ids");
        if (ids.join() !== order(theirs[kind]).join()) addViolation("two people see different orders");
      }
    }
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
  return {
    name: "K2 killed in a group commit",
    done: `${kills} kills under ${SENDS} sends at once (seed ${seed}), ${killedBeforeCommit} of them before the end of a commit, ${(commits / kills).toFixed(1)} commits for ${SENDS}; ${answered} answered, ${stored} stored before the retry`,
    violations,
  };
}

/** How long the server is frozen, so that all requests are written to their sockets. */
const FROZEN_MS = 150;

/** Sends half of the messages to a friend and half to a group at once. A frozen server gets them together. An answer is undefined if its connection broke. */
async function sendAll(
  { ann, bob, groupId }: Scenario,
  name: string,
  frozen?: FailpointServer,
): Promise<Answer[]> {
  frozen?.kill("SIGSTOP");
  const sends = Array.from({ length: SENDS }, async (_, index): Promise<Answer> => {
    const message = { type: 0, content: `send ${index}`, tmpId: `${name} ${index}` };
    const call =
      index % 2 === 0
        ? ann.call("sendPrivateMessage", { body: { recvId: bob.id, ...message } })
        : ann.call("sendGroupMessage", { body: { groupId, ...message } });
    return call.then(
      ({ envelope }) => envelope,
      () => undefined,
    );
  });
  if (frozen !== undefined) await sleep(FROZEN_MS);
  frozen?.kill("SIGCONT");
  return Promise.all(sends);
}

async function rowsOf({ ann }: Scenario): Promise<Map<string, PrivateMessage | GroupMessage>> {
  const rows = await pull(ann);
  const sent = [...rows.private, ...rows.group].filter(({ content }) => content.startsWith("send "));
  return new Map(sent.map((row) => [row.tmpId ?? "", row]));
}

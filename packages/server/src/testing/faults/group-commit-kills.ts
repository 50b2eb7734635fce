/**
 * Fault K2 in a group commit: 50 sends are under way at once, so that many share a commit, and the server ends within one. What was
 * answered is there; of a commit that did not end nothing is; and all 50 sent again under their tmpIds are 50 rows in one order for everybody.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createPrng } from "@parley/core/testing/prng";
import type { Envelope } from "@parley/protocol/envelope";
import type { GroupMessage, PrivateMessage } from "@parley/protocol/message";
import type { Failpoint } from "../../ports/failpoints.ts";
import { type FailpointServer, startFailpointServer } from "../server-process.ts";
import type { KillPoint } from "../failpoint-server.ts";
import type { Report } from "./report.ts";
import { type Scenario, createScenario, onServerUrl, pull } from "./scenario.ts";

export interface GroupCommitKillsOptions {
  dataDir: string;
  seed: number;
  kills: number;
  /** Planted: a client that sends again under other tmpIds. */
  isForgetful?: boolean;
}

const SENDS = 50;
/** With them nothing is left of the commit that is under way. */
const WITHIN: readonly Failpoint[] = ["beforeBegin", "afterInsert", "beforeCommit"];
const POINTS: readonly Failpoint[] = [...WITHIN, "afterCommit", "beforePublish", "afterAnswer"];

type Answer = Envelope<PrivateMessage | GroupMessage> | undefined;

export async function runGroupCommitKills(options: GroupCommitKillsOptions): Promise<Report> {
  const { seed, kills, isForgetful = false } = options;
  const random = createPrng(seed);
  const env = { DATA_DIR: options.dataDir, RATE_LIMITS: "off" };
  const violations: string[] = [];
  let server: FailpointServer = await startFailpointServer(env);
  let [commits, within, answered, stored] = [0, 0, 0, 0];
  try {
    for (let kill = 0; kill < kills; kill++) {
      const tag = `G${kill}G`;
      const whole = await createScenario(server.url, `${tag}W`);
      // Connections that are open already: their requests are read in one turn.
      await sendAll(whole, "opening", server);
      await server.watch();
      await sendAll(whole, "whole", server);
      const { beforeCommit = 0, afterInsert = 0 } = await server.passed();
      commits += beforeCommit;

      const opened = await createScenario(server.url, `${tag}S`);
      const failpoint = random.pick(POINTS);
      const killPoint: KillPoint = { failpoint, pass: 1 + random.below(beforeCommit) };
      if (failpoint === "afterInsert") killPoint.pass = 1 + random.below(afterInsert);
      const wrong = (what: string) =>
        void violations.push(`kill ${kill} at ${failpoint} ${killPoint.pass} (seed ${seed}): ${what}`);
      await server.watch(killPoint);
      const first = await sendAll(opened, "sent", server);
      // Where the sends made fewer commits this time, the last of them is over.
      server.kill("SIGKILL");
      const passed = await server.passedAtEnd();
      server = await startFailpointServer(env);

      const scenario = onServerUrl(opened, server.url);
      const found = await rowsOf(scenario);
      stored += found.size;
      for (const answer of first) {
        if (answer?.code !== 200) continue;
        answered++;
        if (found.get(answer.data.tmpId ?? "")?.id !== answer.data.id) wrong(`${answer.data.id} is lost`);
      }
      const isWithin = passed[failpoint] === killPoint.pass && WITHIN.includes(failpoint);
      if (isWithin) within++;
      if (isWithin && passed.afterCommit === undefined && found.size > 0)
        wrong(`${found.size} rows of a commit that did not end`);

      const again = await sendAll(scenario, isForgetful ? "again" : "sent");
      const end = await rowsOf(scenario);
      if (end.size !== SENDS) wrong(`${end.size} rows of ${SENDS} sends`);
      for (const answer of again) {
        const row = end.get(answer?.data?.tmpId ?? "");
        if (answer?.code !== 200 || row?.id !== answer.data.id || row.sendTime !== answer.data.sendTime)
          wrong(`the retry answered ${JSON.stringify(answer)}`);
      }
      for (const [tmpId, { id }] of found) if (end.get(tmpId)?.id !== id) wrong(`${id} has another id`);
      const [mine, theirs] = [await pull(scenario.ann), await pull(scenario.bob)];
      for (const kind of ["private", "group"] as const) {
        const order = (rows: readonly { id: number; content: string }[]) =>
          rows.filter(({ content }) => content.startsWith("send ")).map(({ id }) => id);
        const ids = order(mine[kind]);
        if (ids.join() !== ids.toSorted((a, b) => a - b).join()) wrong("rows are not in the order of ids");
        if (ids.join() !== order(theirs[kind]).join()) wrong("two people see another order");
      }
    }
  } finally {
    server.kill("SIGKILL");
    await server.exited;
  }
  return {
    name: "K2 killed in a group commit",
    done: `${kills} kills under ${SENDS} sends at once (seed ${seed}), ${within} of them before the end of a commit, ${(commits / kills).toFixed(1)} commits for ${SENDS}; ${answered} answered, ${stored} stored before the retry`,
    violations,
  };
}

/** Long enough for the requests to be written to their sockets. */
const FROZEN_MS = 150;

/** Half to a friend, half to a group, all at once, found by a server that was frozen meanwhile; undefined for one whose connection broke. */
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

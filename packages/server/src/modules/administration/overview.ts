/** How the server is: counts, nodes and health. */
import type { AdminNode, AdminOverview, HealthCheck } from "@parley/protocol/admin-entities";
import { ChatType } from "@parley/protocol/codes";
import { type Finding, finding, findingSentence } from "@parley/protocol/findings";
import type { AdminHandlers } from "../../api/admin-act.ts";
import type { MissedPushReads } from "../../ports/missed-push-store.ts";
import type { Presence } from "../../ports/presence.ts";
import type { ReportReads } from "../../ports/report-store.ts";
import type { NodeRow, ServerStateReads } from "../../ports/server-state-store.ts";
import type { StatisticsReads } from "../../ports/statistics-store.ts";

/** A node that was not seen for so long has ended without saying so, or cannot reach the database. */
const ALIVE_MS = 30_000;
const OPEN_REPORTS = { offset: 0, limit: 0 };

/** One check of the health; `run` returns what is wrong. */
export interface OverviewCheck {
  name: HealthCheck;
  run(): Promise<Finding[]>;
}

export interface OverviewDeps {
  store: Pick<StatisticsReads, "countUsers" | "countFiles"> &
    Pick<ReportReads, "listReports"> &
    Pick<MissedPushReads, "newestIdOf"> &
    ServerStateReads;
  presence: Pick<Presence, "countOnline">;
  databaseBytes(): Promise<number>;
  /** Undefined if no server runs here. */
  ownNode: (() => NodeRow) | undefined;
  checks: readonly OverviewCheck[];
}

export function createOverview(deps: OverviewDeps): Pick<AdminHandlers, "loadOverview"> {
  const { store, presence, databaseBytes, ownNode, checks } = deps;
  const nodesAt = async (now: number): Promise<(NodeRow & { isAlive: boolean })[]> => {
    const own = ownNode?.();
    const others = (await store.listNodes()).filter(({ id }) => id !== own?.id);
    return [
      ...others.map((node) => ({ ...node, isAlive: now - node.seenAt <= ALIVE_MS })),
      ...(own === undefined ? [] : [{ ...own, isAlive: true }]),
    ];
  };
  const healthOf = async (
    nodes: readonly (NodeRow & { isAlive: boolean })[],
  ): Promise<AdminOverview["health"]> => {
    const lost = nodes.filter(({ isAlive }) => !isAlive).map(({ id }) => finding("nodeSilent", { node: id }));
    const results: [HealthCheck, Finding[]][] = [["nodes", lost]];
    for (const { name, run } of checks) results.push([name, await run()]);
    return results.map(([name, findings]) => ({
      name,
      ok: findings.length === 0,
      sentence: findings.map(findingSentence).join(" "),
      findings,
    }));
  };
  return {
    async loadOverview(act) {
      const { all, banned, unregistered } = await store.countUsers();
      const nodes = await nodesAt(act.at);
      const alive = nodes.filter(({ isAlive }) => isAlive);
      // A person may be connected to several nodes, which only presence knows. A single node may be asked about where there is no presence.
      const counted = alive.length > 1 ? await presence.countOnline() : undefined;
      const online = counted ?? alive.reduce((sum, { people }) => sum + people, 0);
      return {
        people: { all, banned, unregistered, online },
        // Rows are never deleted, so their newest ids count them.
        messages: (await store.newestIdOf(ChatType.PRIVATE)) + (await store.newestIdOf(ChatType.GROUP)),
        files: await store.countFiles(),
        databaseBytes: await databaseBytes(),
        openReports: (await store.listReports(true, OPEN_REPORTS)).total,
        nodes: nodes.map(nodeView),
        health: await healthOf(nodes),
      };
    },
  };
}

function nodeView({
  id,
  roles,
  version,
  startedAt,
  seenAt,
  sockets,
  isAlive,
}: NodeRow & { isAlive: boolean }): AdminNode {
  return { id, roles, version, startedTime: startedAt, seenTime: seenAt, isAlive, sockets };
}

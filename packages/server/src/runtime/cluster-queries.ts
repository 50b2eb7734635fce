/**
 * Asks the other nodes of the installation over the bus. Nobody knows how many there are, and the bus may lose a query or its answer, so each
 * query has a time limit, and silence is an answer as well.
 */
import { randomBytes } from "node:crypto";
import type { Bus, ClusterAnswer, ClusterQuery } from "../ports/bus.ts";

/** How long answers may take: much longer than the bus needs, and much shorter than a client waits for its request. */
const ANSWER_MAX_MS = 2_000;

/** Asks the other nodes. */
export interface ClusterQueries {
  /** Resolves with the first answer of another node, or undefined if none comes in time. At once if there are no other nodes. */
  ask(query: ClusterQuery): Promise<ClusterAnswer | undefined>;
}

/** What queries need. */
export interface ClusterQueriesDeps {
  bus: Bus;
  hasOtherNodes: boolean;
  /** Answers a query of another node; undefined if this node has nothing to say. */
  answer(query: ClusterQuery): ClusterAnswer | undefined;
}

/** Creates the queries of a node, and answers those of the others. */
export function createClusterQueries({ bus, hasOtherNodes, answer }: ClusterQueriesDeps): ClusterQueries {
  if (!hasOtherNodes) return { ask: async () => undefined };
  const pending = new Map<string, (answer: ClusterAnswer | undefined) => void>();

  bus.subscribe((event) => {
    if (event.kind === "answer") pending.get(event.id)?.(event.answer);
    if (event.kind !== "query" || pending.has(event.id)) return;
    const given = answer(event.query);
    if (given !== undefined) bus.publish({ kind: "answer", id: event.id, answer: given });
  });

  return {
    ask(query) {
      const id = randomBytes(12).toString("base64url");
      return new Promise((resolve) => {
        const settle = (given: ClusterAnswer | undefined) => {
          clearTimeout(timer);
          pending.delete(id);
          resolve(given);
        };
        const timer = setTimeout(() => settle(undefined), ANSWER_MAX_MS);
        timer.unref();
        pending.set(id, settle);
        bus.publish({ kind: "query", id, query });
      });
    },
  };
}

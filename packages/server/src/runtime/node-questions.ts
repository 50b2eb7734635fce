/**
 * Asks the other nodes over the bus. Nobody knows how many there are, and the bus may lose a question or its answer, so each question has
 * a time limit, and silence is an answer as well.
 */
import { randomBytes } from "node:crypto";
import type { Bus, NodeAnswer, NodeQuestion } from "../ports/bus.ts";

/** How long answers may take: much longer than the bus needs, and much shorter than a client waits for its request. */
const ANSWER_MAX_MS = 2_000;

/** Asks the other nodes. */
export interface NodeQuestions {
  /** Resolves with the first answer of another node, or undefined if none comes in time. At once if there are no other nodes. */
  ask(question: NodeQuestion): Promise<NodeAnswer | undefined>;
}

/** What questions need. */
export interface NodeQuestionsDeps {
  bus: Bus;
  hasOtherNodes: boolean;
  /** Answers a question of another node; undefined if this node has nothing to say. */
  answer(question: NodeQuestion): NodeAnswer | undefined;
}

/** Creates the questions of a node, and answers those of the others. */
export function createNodeQuestions({ bus, hasOtherNodes, answer }: NodeQuestionsDeps): NodeQuestions {
  if (!hasOtherNodes) return { ask: async () => undefined };
  const asked = new Map<string, (answer: NodeAnswer | undefined) => void>();

  bus.subscribe((event) => {
    if (event.kind === "answer") asked.get(event.id)?.(event.answer);
    if (event.kind !== "question" || asked.has(event.id)) return;
    const given = answer(event.question);
    if (given !== undefined) bus.publish({ kind: "answer", id: event.id, answer: given });
  });

  return {
    ask(question) {
      const id = randomBytes(12).toString("base64url");
      return new Promise((resolve) => {
        const settle = (given: NodeAnswer | undefined) => {
          clearTimeout(timer);
          asked.delete(id);
          resolve(given);
        };
        const timer = setTimeout(() => settle(undefined), ANSWER_MAX_MS);
        timer.unref();
        asked.set(id, settle);
        bus.publish({ kind: "question", id, question });
      });
    },
  };
}

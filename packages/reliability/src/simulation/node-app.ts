/** A node of the simulation: the same node as that of the server, but without a listening port. */
import type { HttpRequest } from "@parley/core/ports";
import { noRateLimiter } from "@parley/server/adapters/rate-limiter/memory-rate-limiter";
import type { Gateway } from "@parley/server/gateway/gateway";
import { type NodeParts, createNode } from "@parley/server/node";
import { noFailpoints } from "@parley/server/ports/failpoints";
import { type AnsweredRequest, answerRequest } from "./answer-request.ts";

/** What a node gets from the simulation. A planted bug may replace parts of it. */
export interface SimulatedParts extends Pick<
  NodeParts,
  "store" | "bus" | "presence" | "tokens" | "passwordHasher" | "now"
> {
  onError(error: unknown): void;
}

/** A running node. */
export interface NodeApp {
  readonly gateway: Gateway;
  answer(request: HttpRequest): Promise<AnsweredRequest>;
}

/** Builds a node. */
export function createNodeApp({ onError, ...parts }: SimulatedParts): NodeApp {
  const { gateway, sessions, handlers } = createNode({
    ...parts,
    rateLimiter: noRateLimiter,
    settings: {
      defaultLanguage: "en",
      isHttps: false,
      registration: { isOpen: true, isInviteCodeRequired: false, isAvatarRequired: false },
      isMoneyAllowed: false,
      systemConfig: {
        webrtc: { maxChannel: 9, heldOffer: false, iceServers: [] },
        message: { recallSeconds: 300, editSeconds: 3_600 },
        upload: { imageMax: 1, fileMax: 1 },
      },
    },
    gateway: {
      isOriginAllowed: () => true,
      addressOf: () => "127.0.0.1",
      newSocketsMax: Infinity,
      log: { debug: () => undefined, warn: (data) => onError(data) },
    },
    failpoint: noFailpoints,
    inBackground: (work) => void work.catch(onError),
    nextTurn: () => Promise.resolve(),
    // The simulation has no storage for files; what is marked stays marked.
    deleteReleasedFiles: () => undefined,
  });
  return {
    gateway,
    answer: (request) => answerRequest(request, { handlers, sessions, now: parts.now, onError }),
  };
}

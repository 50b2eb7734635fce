/** A node of the simulation: the same node as that of the server, but without a listening port. */
import { JoinMode } from "@parley/protocol/codes";
import type { HttpRequest } from "@parley/core/ports";
import { noRateLimiter } from "@parley/server/adapters/rate-limiter/memory-rate-limiter";
import type { Gateway } from "@parley/server/gateway/gateway";
import { type NodeParts, createNode } from "@parley/server/runtime/node";
import { noFailpoints } from "@parley/server/ports/failpoints";
import { noMetrics } from "@parley/server/ports/metrics";
import { type AnsweredRequest, answerRequest } from "./answer-request.ts";
import { createNodeFiles, type NodeFilesDeps, SIMULATED_FILE_MAX } from "./simulated-files.ts";

/** What a node gets from the simulation. A planted bug may replace parts of it. */
export interface SimulatedParts extends Pick<
  NodeParts,
  "store" | "bus" | "presence" | "tokens" | "passwordHasher" | "now" | "after"
> {
  onError(error: unknown): void;
  /** Where uploaded files go; without it nothing can be uploaded. */
  files?: Pick<NodeFilesDeps, "blobs" | "delays">;
}

/** A running node. */
export interface NodeApp {
  readonly gateway: Gateway;
  answer(request: HttpRequest): Promise<AnsweredRequest>;
}

/** Builds a node. */
export function createNodeApp({ onError, files: storage, ...parts }: SimulatedParts): NodeApp {
  const inBackground = (work: Promise<void>) => void work.catch(onError);
  const files = storage && createNodeFiles({ ...storage, store: parts.store, now: parts.now, inBackground });
  const fileMax = files === undefined ? 1 : SIMULATED_FILE_MAX;
  const { gateway, sessions, handlers } = createNode({
    ...parts,
    rateLimiter: noRateLimiter,
    settings: {
      defaultLanguage: "en",
      isHttps: false,
      registration: () => ({ isOpen: true, isInviteCodeRequired: false, isAvatarRequired: false }),
      isMoneyAllowed: false,
      ice: { urls: [], secret: "" },
      newGroupJoinMode: () => JoinMode.FREE,
      systemConfig: () => ({
        webrtc: { maxChannel: 9, heldOffer: false, iceServers: [] },
        message: { recallSeconds: 300, editSeconds: 3_600 },
        group: { joinMode: JoinMode.FREE },
        upload: { imageMax: 1, fileMax },
        webPush: null,
      }),
    },
    gateway: {
      isOriginAllowed: () => true,
      addressOf: () => "127.0.0.1",
      hasRole: true,
      newSocketsMax: Infinity,
      terminalSocketsMax: Infinity,
      log: { debug: () => undefined, warn: (data) => onError(data) },
    },
    failpoint: noFailpoints,
    metrics: noMetrics,
    // The simulated clients send their requests to the node that has their socket.
    hasOtherNodes: false,
    webPush: null,
    inBackground,
    nextTurn: () => Promise.resolve(),
    // Without a storage for files, what is marked stays marked.
    deleteReleasedFiles: () => files?.deleteReleasedFiles(),
  });
  return {
    gateway,
    answer: (request) =>
      answerRequest(request, {
        handlers: { ...handlers, ...files?.handlers },
        sessions,
        now: parts.now,
        onError,
      }),
  };
}

import { ChatType } from "@parley/protocol/codes";
import { sendMessage } from "../chats/chat-api.ts";
import type { ChatDeps } from "../chats/chat-store.ts";
import {
  type BroadcastInput,
  type BroadcastStep,
  broadcastTmpId,
  isRunning,
  nextStep,
} from "../model/broadcast/broadcast-run.ts";
import { chatKey } from "../model/chats/chat-rows.ts";
import type { BroadcastRun } from "../model/broadcast/broadcast.ts";
import type { Failure } from "../model/state.ts";
import type { Lifetime } from "../ports.ts";
import { mayPass } from "../storage/durable-queue.ts";

/**
 * Sends the messages of a broadcast one at a time, in one tab of the browser. The outbox does not fit: it sends to all chats at the same
 * time, shows each message before it is sent, and cannot take back one that waits. What they share is the send itself, and that a message
 * is sent again with the same tmpId while its answer is missing.
 */
export interface BroadcastSender {
  /** Sends what waits, if no other tab does. */
  wake(): void;
}

/** What the sender needs, and where it reports to. */
export interface BroadcastSenderDeps extends ChatDeps {
  readonly session: Lifetime;
  run(): BroadcastRun | null;
  dispatch(input: BroadcastInput): void;
  /** Whether an ordinary message is on its way; the broadcast waits for it. */
  isOutboxSending(): boolean;
  /** This tab has sent the last message that it could. */
  onEnded(run: BroadcastRun): void;
}

/** The pause after each message. The server takes 50 messages a second from a person; most of them stay for ordinary ones. */
const STEP_MS = 50;
/** After a missing answer, like the outbox. */
const RETRY_MS = 5_000;
/** How often a message is sent that the server answers with an error of its own, or with "too often", before it counts as failed. */
const TRIES_MAX = 3;

/** Creates the sender of one session. */
export function createBroadcastSender(deps: BroadcastSenderDeps): BroadcastSender {
  const { ports, me, session, run, dispatch } = deps;
  const { clock, environment, tabs } = ports;
  let isAwake = false;

  /** Resolves after this time, or earlier when the network comes or goes or the session ends. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const stops: (() => void)[] = [];
      const end = () => {
        for (const stop of stops) stop();
        resolve();
      };
      const hadNetwork = environment.hasNetwork();
      stops.push(clock.after(ms, end));
      stops.push(environment.onChange(() => environment.hasNetwork() !== hadNetwork && end()));
      stops.push(session.onEnd(end));
    });
  }

  function post({ userId, part, message }: BroadcastStep, runId: string): Promise<Failure | null> {
    const tmpId = broadcastTmpId(runId, { part, userId });
    const key = chatKey(ChatType.PRIVATE, userId);
    return sendMessage(deps, key, { ...message, tmpId, quoteMessageId: null });
  }

  async function sendAll(): Promise<void> {
    let tries = 0;
    for (;;) {
      const current = run();
      const step = current === null ? null : nextStep(current);
      if (session.isOver() || current === null || step === null) return;
      if (!environment.hasNetwork()) {
        await pause(RETRY_MS);
        continue;
      }
      if (deps.isOutboxSending()) {
        await pause(STEP_MS);
        continue;
      }
      const { userId, part } = step;
      const failure = await post(step, current.id);
      if (session.isOver()) return;
      tries++;
      const waitMs = failure === null ? null : waitAfter(failure, tries);
      if (waitMs !== null) {
        await pause(waitMs);
        continue;
      }
      tries = 0;
      if (failure === null) dispatch({ kind: "sent", runId: current.id, userId, part });
      else dispatch({ kind: "failed", runId: current.id, userId, failure });
      reportEnd(current.id);
      await pause(STEP_MS);
    }
  }

  function reportEnd(runId: string): void {
    const ended = run();
    const isCancelled = ended?.recipients.some(({ state }) => state === "cancelled") === true;
    if (ended?.id === runId && !isRunning(ended) && !isCancelled) deps.onEnded(ended);
  }

  function wake(): void {
    const current = run();
    if (isAwake || session.isOver() || current === null || !isRunning(current)) return;
    isAwake = true;
    tabs.exclusive(`broadcast ${me}`, sendAll).then(
      () => {
        isAwake = false;
        // Something may have been started again in the moment between.
        wake();
      },
      (error: unknown) => {
        isAwake = false;
        ports.log.error("a broadcast stopped", { reason: String(error) });
      },
    );
  }

  return { wake };
}

/** How long to wait before the same message is sent again; null: it has failed for good. */
function waitAfter(failure: Failure, tries: number): number | null {
  switch (failure.kind) {
    // No answer of the server: nobody knows whether it has the message.
    case "network":
    case "loggedOut":
      return RETRY_MS;
    case "http":
      return mayPass(failure) && tries < TRIES_MAX ? RETRY_MS : null;
    case "refused":
    case "fileLost":
      return null;
    default:
      return failure satisfies never;
  }
}

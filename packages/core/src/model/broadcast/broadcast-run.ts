import type { Failure } from "../state.ts";
import type { BroadcastCounts, BroadcastPart, BroadcastRecipient, BroadcastRun } from "./broadcast.ts";

/** What happens to a broadcast. All tabs apply the same inputs, so that they show the same. */
export type BroadcastInput =
  | { readonly kind: "start"; readonly run: BroadcastRun }
  /** The server has this part of the message to this recipient. */
  | { readonly kind: "sent"; readonly runId: string; readonly userId: number; readonly part: number }
  | { readonly kind: "failed"; readonly runId: string; readonly userId: number; readonly failure: Failure }
  /** What is not sent yet stays unsent. */
  | { readonly kind: "cancel"; readonly runId: string }
  /** Sends to the recipients that failed, and to no others, what they do not have yet. */
  | { readonly kind: "retry"; readonly runId: string }
  /** The person has seen the result. */
  | { readonly kind: "dismiss"; readonly runId: string };

/** One message to send. */
export interface BroadcastStep {
  readonly userId: number;
  /** Index of the part. */
  readonly part: number;
  readonly message: BroadcastPart;
}

/** A new broadcast; each recipient once. */
export function newRun(
  id: string,
  parts: readonly BroadcastPart[],
  userIds: readonly number[],
): BroadcastRun {
  const recipients = [...new Set(userIds)].map((userId) => ({
    userId,
    sentParts: 0,
    state: "waiting" as const,
    failure: null,
  }));
  return { id, parts, recipients };
}

/** Applies an input. A broadcast that is being sent is not replaced and not put away; inputs of another one change nothing. */
export function reduceRun(run: BroadcastRun | null, input: BroadcastInput): BroadcastRun | null {
  if (input.kind === "start") return run !== null && isRunning(run) ? run : input.run;
  if (run === null || run.id !== input.runId) return run;
  switch (input.kind) {
    case "sent":
      return withRecipients(run, (recipient) => {
        if (recipient.userId !== input.userId || input.part < recipient.sentParts) return recipient;
        const sentParts = input.part + 1;
        const isComplete = sentParts >= run.parts.length;
        return { ...recipient, sentParts, ...(isComplete && { state: "sent", failure: null }) };
      });
    case "failed":
      return withRecipients(run, (recipient) =>
        recipient.userId === input.userId && recipient.state === "waiting"
          ? { ...recipient, state: "failed", failure: input.failure }
          : recipient,
      );
    case "cancel":
      return withRecipients(run, (recipient) =>
        recipient.state === "waiting" ? { ...recipient, state: "cancelled" } : recipient,
      );
    case "retry":
      return withRecipients(run, (recipient) =>
        recipient.state === "failed" ? { ...recipient, state: "waiting", failure: null } : recipient,
      );
    case "dismiss":
      return isRunning(run) ? run : null;
    default:
      return input satisfies never;
  }
}

function withRecipients(
  run: BroadcastRun,
  change: (recipient: BroadcastRecipient) => BroadcastRecipient,
): BroadcastRun {
  const recipients = run.recipients.map(change);
  return recipients.every((recipient, index) => recipient === run.recipients[index])
    ? run
    : { ...run, recipients };
}

/** Whether something is still to be sent. */
export function isRunning(run: BroadcastRun): boolean {
  return run.recipients.some(({ state }) => state === "waiting");
}

/** The next message to send: a part goes to everybody before the next part goes to anybody (spec §5); null for none. */
export function nextStep(run: BroadcastRun): BroadcastStep | null {
  let next: BroadcastRecipient | null = null;
  for (const recipient of run.recipients)
    if (recipient.state === "waiting" && (next === null || recipient.sentParts < next.sentParts))
      next = recipient;
  const message = next === null ? undefined : run.parts[next.sentParts];
  return next === null || message === undefined
    ? null
    : { userId: next.userId, part: next.sentParts, message };
}

/** How many recipients got everything, failed, and so on. */
export function countRecipients({ recipients }: BroadcastRun): BroadcastCounts {
  const counts = { total: recipients.length, waiting: 0, sent: 0, failed: 0, cancelled: 0 };
  for (const { state } of recipients) counts[state]++;
  return counts;
}

/** How a broadcast has ended: the texts of spec §8. `cancelled`: by the person, before all was sent. */
export function outcomeOf({ sent, failed, cancelled }: BroadcastCounts) {
  if (cancelled > 0) return "cancelled";
  if (failed === 0) return "succeeded";
  return sent > 0 ? "partly" : "failed";
}

/** The tmpId of a part to a recipient: always the same, so that the server stores it once however often it is sent. */
export function broadcastTmpId(runId: string, { part, userId }: Pick<BroadcastStep, "part" | "userId">) {
  return `${runId}-${part}-${userId}`;
}

/** Which part to whom has this tmpId; null if it does not belong to the broadcast. */
export function stepOfTmpId(run: BroadcastRun, tmpId: string): Pick<BroadcastStep, "part" | "userId"> | null {
  if (!tmpId.startsWith(`${run.id}-`)) return null;
  const [part = NaN, userId = NaN] = tmpId
    .slice(run.id.length + 1)
    .split("-")
    .map(Number);
  return Number.isInteger(part) && part < run.parts.length && Number.isInteger(userId)
    ? { part, userId }
    : null;
}

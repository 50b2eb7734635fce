import type { Failure } from "../state.ts";
import type { BroadcastPart, BroadcastRecipient, BroadcastRun } from "./broadcast.ts";
import type { BroadcastInput } from "./broadcast-run.ts";

/** Reads what another page or an earlier one wrote, maybe another version of the client. Anything malformed is null. */

const STATES: readonly unknown[] = ["waiting", "sent", "failed", "cancelled"];
const FAILURES: readonly unknown[] = ["refused", "http", "network", "fileLost", "loggedOut"];

/** A broadcast. */
export function parseRun(value: unknown): BroadcastRun | null {
  const { id, parts, recipients } = fieldsOf(value);
  if (typeof id !== "string" || !Array.isArray(parts) || !Array.isArray(recipients)) return null;
  return parts.every(isPart) && recipients.every(isRecipient) ? { id, parts, recipients } : null;
}

/** An input of another tab. */
export function parseInput(value: unknown): BroadcastInput | null {
  const { kind, runId, userId, part, failure, run: runValue } = fieldsOf(value);
  if (kind === "start") {
    const run = parseRun(runValue);
    return run === null ? null : { kind, run };
  }
  if (typeof runId !== "string") return null;
  switch (kind) {
    case "cancel":
    case "retry":
    case "dismiss":
      return { kind, runId };
    case "sent":
      return isCount(userId) && isCount(part) ? { kind, runId, userId, part } : null;
    case "failed":
      return isCount(userId) && isFailure(failure) ? { kind, runId, userId, failure } : null;
    default:
      return null;
  }
}

function isPart(value: unknown): value is BroadcastPart {
  const { type, content } = fieldsOf(value);
  return typeof type === "number" && typeof content === "string";
}

function isRecipient(value: unknown): value is BroadcastRecipient {
  const { userId, sentParts, state, failure } = fieldsOf(value);
  return (
    isCount(userId) &&
    isCount(sentParts) &&
    STATES.includes(state) &&
    (failure === null || isFailure(failure))
  );
}

function isFailure(value: unknown): value is Failure {
  return FAILURES.includes(fieldsOf(value)["kind"]);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

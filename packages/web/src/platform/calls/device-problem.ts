import type { OpenedTrack } from "@parley/core/call-ports";

type ScreenProblem = Extract<OpenedTrack, { ok: false }>["problem"];
type DeviceProblem = Exclude<ScreenProblem, "cancelled">;

const PROBLEMS: Readonly<Record<string, DeviceProblem>> = {
  NotAllowedError: "denied",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "inUse",
  // Firefox.
  AbortError: "inUse",
};

/** Why a microphone or a camera was not opened. */
export function deviceProblem(error: unknown): DeviceProblem {
  return PROBLEMS[nameOf(error)] ?? "unknown";
}

/** Why no screen is shared. Browsers answer a person who chose none as one who refused; only the system is named. */
export function screenProblem(error: unknown): ScreenProblem {
  const problem = deviceProblem(error);
  return problem === "denied" && !/by system/i.test(messageOf(error)) ? "cancelled" : problem;
}

function nameOf(error: unknown): string {
  // An `OverconstrainedError` is no `Error` in some browsers.
  return typeof error === "object" && error !== null && "name" in error ? String(error.name) : "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : "";
}

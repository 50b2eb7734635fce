/** What a handler throws instead of an answer. Only use cases and the HTTP side decide such errors; adapters return outcomes. */
import type { ErrorParams } from "@parley/protocol/envelope";
import type { ErrorKey } from "@parley/protocol/errors";

/** An error that the caller gets as the answer. Its key, of a closed list, decides code, HTTP status and message. */
export class ApiError extends Error {
  readonly key: ErrorKey;
  readonly params: ErrorParams | undefined;
  constructor(key: ErrorKey, params?: ErrorParams) {
    super(key);
    this.name = "ApiError";
    this.key = key;
    this.params = params;
  }
}

/** The error for a field that is malformed in a way that its schema cannot express. */
export function malformedField(field: string, problem: string): ApiError {
  return new ApiError("request.malformed", { field, problem });
}

/** Throws `request.tooMany` unless the seconds to wait, as the rate limiter returns them, are 0. */
export function refuseIfLimited(seconds: number): void {
  if (seconds > 0) throw new ApiError("request.tooMany", { seconds });
}

/** Throws `request.malformed` if a field names a time that has passed. */
export function refusePast(field: string, time: number | null, now: number): void {
  if (time !== null && time <= now) throw malformedField(field, "has passed");
}

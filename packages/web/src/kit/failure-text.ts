import type { Failure } from "@parley/core/model/state";
import { hasText } from "./i18n.ts";
import type { Say } from "./i18n.ts";

/** The sentence a person reads when a call failed: our words by the refusal's key, else the server's own; spec §8 for HTTP statuses. */
export function failureText(say: Say, failure: Failure): string {
  switch (failure.kind) {
    case "refused": {
      if (failure.key === null) return failure.message || say("failure.unknown");
      const id = `error.${failure.key}` as const;
      return hasText(id) ? say(id, failure.params) : failure.message;
    }
    case "http":
      return httpText(say, failure.status, failure.message);
    case "network":
      return say(`failure.${failure.reason}`);
    case "loggedOut":
      return say("failure.loggedOut");
  }
}

function httpText(say: Say, status: number, message: string): string {
  if (status === 403) return say("failure.http403");
  if (status === 404) return say("failure.http404");
  if (status === 500) return say("failure.http500");
  return message === "" ? say("failure.httpOther", { status }) : message;
}

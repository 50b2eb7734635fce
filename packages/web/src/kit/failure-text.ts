import type { Failure } from "@parley/core/model/state";
import { hasText } from "./i18n.ts";
import type { Text } from "./i18n.ts";

/** The sentence a person reads when a call failed: our words by the refusal's key, else the server's own; spec §8 for HTTP statuses. */
export function failureText(failure: Failure, t: Text): string {
  switch (failure.kind) {
    case "refused": {
      if (failure.key === null) return failure.message || t("failure.unknown");
      const id = `error.${failure.key}` as const;
      return hasText(id) ? t(id, failure.params) : failure.message;
    }
    case "http":
      return httpText(t, failure.status, failure.message);
    case "network":
      return t(`failure.${failure.reason}`);
    case "loggedOut":
      return t("failure.loggedOut");
  }
}

function httpText(t: Text, status: number, message: string): string {
  if (status === 403) return t("failure.http403");
  if (status === 404) return t("failure.http404");
  if (status === 500) return t("failure.http500");
  return message === "" ? t("failure.httpOther", { status }) : message;
}

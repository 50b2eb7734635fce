import type { Failure } from "@parley/core/model/state";
import { hasText } from "./i18n.ts";
import type { Translate } from "./i18n.ts";

/** The sentence shown for a failed call: our text for the error's key, else the server's own text; HTTP statuses by spec §8. */
export function failureText(failure: Failure, t: Translate): string {
  switch (failure.kind) {
    case "refused": {
      const id = `error.${failure.key ?? ""}`;
      return hasText(id) ? t(id, failure.params) : failure.message || t("failure.unknown");
    }
    case "http":
      return httpText(t, failure.status, failure.message);
    case "network":
      return failure.reason === "foreign"
        ? httpText(t, failure.status, failure.message)
        : t(`failure.${failure.reason}`);
    case "fileLost":
      return t("failure.fileLost");
    case "loggedOut":
      return t("failure.loggedOut");
  }
}

function httpText(t: Translate, status: number, message: string): string {
  if (status === 403) return t("failure.http403");
  if (status === 404) return t("failure.http404");
  if (status === 500) return t("failure.http500");
  return message === "" ? t("failure.httpOther", { status }) : message;
}

import type { Failure } from "@parley/core/model/state";
import { useEffect } from "react";
import { hasText, loadTexts } from "./i18n.ts";
import type { Text } from "./i18n.ts";

/** The sentence a person reads when a call failed: our words by the refusal's key, else the server's own; spec §8 for HTTP statuses. */
export function failureText(failure: Failure, t: Text): string {
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

/** Most refusals have words that the first screens do without: they come when one is met. Without a network the server's own stay. */
export async function loadFailureText(failure: Failure): Promise<void> {
  if (!lacksText(failure)) return;
  await loadTexts("lazy").catch(() => undefined);
}

/** The same for whoever shows a failure in its place. */
export function useFailureText(failure: Failure | null): void {
  const isLacking = failure !== null && lacksText(failure);
  useEffect(() => {
    if (isLacking) loadTexts("lazy").catch(() => undefined);
  }, [isLacking]);
}

function lacksText(failure: Failure): boolean {
  return failure.kind === "refused" && failure.key !== null && !hasText(`error.${failure.key}`);
}

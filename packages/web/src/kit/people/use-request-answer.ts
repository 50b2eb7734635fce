import { useState } from "react";
import { RequestSource } from "@parley/protocol/codes";
import { useText } from "../i18n/i18n.ts";
import { toasts } from "../dialogs/toasts.ts";
import { useClient } from "../loading/use-client.ts";
import type { Translate, TextId } from "../i18n/i18n.ts";

/**
 * Answers a friend request or takes it back, one call at a time. The client's own notice reports a failure. After an approval a toast
 * offers to write to the new friend; `onWrite` opens their chat.
 */
export function useRequestAnswer(requestId: number, onWrite: (userId: number) => void) {
  const t = useText();
  const client = useClient();
  return useSingleAnswer(async (decision: "approve" | "reject" | "recall") => {
    const request = client.getState().contacts.requests.find(({ id }) => id === requestId);
    const result = await client.contacts[decision](requestId);
    if (!result.ok || decision !== "approve" || request === undefined) return;
    const openChat = () => onWrite(request.sendId);
    toasts.offer(t("request.accepted", { name: request.sendNickName }), {
      label: t("request.write"),
      run: openChat,
    });
  });
}

/** Answers a request to join a group, one call at a time. */
export function useGroupRequestAnswer(requestId: number) {
  const { groups } = useClient();
  return useSingleAnswer((decision: "approve" | "reject") => groups[decision](requestId));
}

/** Sends a decision and remembers that the call is running. */
function useSingleAnswer<Decision>(send: (decision: Decision) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const answer = async (decision: Decision) => {
    setBusy(true);
    await send(decision);
    setBusy(false);
  };
  return { isBusy, answer: (decision: Decision) => void answer(decision) };
}

const SOURCE_TEXTS: Readonly<Record<number, TextId>> = {
  [RequestSource.SEARCH]: "request.fromSearch",
  [RequestSource.GROUP]: "request.fromGroup",
  [RequestSource.CARD]: "request.fromCard",
};

/** Where the sender of a friend request found me; null if unknown, or a value of a newer server. */
export function sourceText(source: number | null | undefined, t: Translate): string | null {
  const id = SOURCE_TEXTS[source ?? 0];
  return id === undefined ? null : t(id);
}

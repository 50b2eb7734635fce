import { useState } from "react";
import { useText } from "./i18n.ts";
import { toasts } from "./toasts.ts";
import { useClient } from "./use-client.ts";

/**
 * Answers a friend request or takes it back; one at a time. A failure is told by the client's own notice; whoever accepts is offered to
 * write to the new friend, for which `onWrite` opens their chat.
 */
export function useRequestAnswer(requestId: number, onWrite: (userId: number) => void) {
  const t = useText();
  const client = useClient();
  return useSingleAnswer(async (what: "approve" | "reject" | "recall") => {
    const request = client.getState().contacts.requests.find(({ id }) => id === requestId);
    const result = await client.contacts[what](requestId);
    if (!result.ok || what !== "approve" || request === undefined) return;
    const run = () => onWrite(request.sendId);
    toasts.offer(t("request.accepted", { name: request.sendNickName }), { label: t("request.write"), run });
  });
}

/** The same for a request to join a group. */
export function useGroupRequestAnswer(requestId: number) {
  const { groups } = useClient();
  return useSingleAnswer((what: "approve" | "reject") => groups[what](requestId));
}

function useSingleAnswer<Answer>(send: (what: Answer) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const answer = async (what: Answer) => {
    setBusy(true);
    await send(what);
    setBusy(false);
  };
  return { isBusy, answer: (what: Answer) => void answer(what) };
}

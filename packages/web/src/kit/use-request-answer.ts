import { useState } from "react";
import { useClient } from "./use-client.ts";

/** Answers a friend request or takes it back; one at a time. A failure is told by the client's own notice. */
export function useRequestAnswer(requestId: number) {
  const { contacts } = useClient();
  return useOne((what: "approve" | "reject" | "recall") => contacts[what](requestId));
}

/** The same for a request to join a group. */
export function useGroupRequestAnswer(requestId: number) {
  const { groups } = useClient();
  return useOne((what: "approve" | "reject") => groups[what](requestId));
}

function useOne<Answer>(send: (what: Answer) => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const answer = async (what: Answer) => {
    setBusy(true);
    await send(what);
    setBusy(false);
  };
  return { isBusy, answer: (what: Answer) => void answer(what) };
}

import { useState } from "react";
import { useClient } from "./use-client.ts";

type Answer = "approve" | "reject" | "recall";

/** Answers a friend request or takes it back; one at a time. A failure is told by the client's own notice. */
export function useRequestAnswer(requestId: number) {
  const client = useClient();
  const [isBusy, setBusy] = useState(false);
  const send = async (what: Answer) => {
    setBusy(true);
    await client.contacts[what](requestId);
    setBusy(false);
  };
  return { isBusy, answer: (what: Answer) => void send(what) };
}

import { useEffect } from "react";
import { useClient, useClientState } from "../kit/use-client.ts";
import { startNotifications } from "./notifications.ts";

/** Shows system notifications while the shell is mounted. */
export function useNotifications(): void {
  const client = useClient();
  const me = useClientState(({ session }) => (session.kind === "anonymous" ? null : session.userId));
  useEffect(() => (me === null ? undefined : startNotifications(client, me)), [client, me]);
}

import { useEffect } from "react";
import { useClient, useClientState } from "../kit/use-client.ts";
import { chatPath } from "../kit/chat-path.ts";
import { goDown } from "../kit/go-up.ts";
import { useLocale } from "../kit/i18n.ts";
import { startNotifications } from "./notifications.ts";
import { startPushedNotifications } from "./pushed-notifications.ts";

/** Shows system notifications while the shell is mounted. */
export function useNotifications(): void {
  const client = useClient();
  const me = useClientState(({ session }) => (session.kind === "anonymous" ? null : session.userId));
  const locale = useLocale();
  useEffect(() => (me === null ? undefined : startNotifications(client, me)), [client, me]);
  useEffect(
    () => (me === null ? undefined : startPushedNotifications(client, me, (key) => goDown(chatPath(key)))),
    [client, me],
  );
  // The server words nothing, but it tells the service worker the language.
  useEffect(() => {
    if (me !== null) client.webPush.renew();
  }, [client, me, locale]);
}

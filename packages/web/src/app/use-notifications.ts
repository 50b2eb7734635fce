import { useEffect } from "react";
import { useLocation } from "wouter";
import { useClient, useClientState } from "../kit/use-client.ts";
import { setAlertTests } from "../kit/alert-tests.ts";
import { chatPath } from "../kit/chat-path.ts";
import { lazyHook } from "../kit/lazy-hook.ts";
import { sound } from "../platform/sound.ts";
import { useLocale } from "../kit/i18n.ts";

const loadNotifications = () => import("./notifications-chunk.ts");
const useNotificationsChunk = lazyHook(loadNotifications);

setAlertTests({
  playSound: () => sound.test("message"),
  showNotification: async (title, body) => (await loadNotifications()).testSystemNotification(title, body),
});

/** Shows system notifications while the shell is mounted. */
export function useNotifications(): void {
  const client = useClient();
  const me = useClientState(({ session }) => (session.kind === "anonymous" ? null : session.userId));
  const locale = useLocale();
  const [, navigate] = useLocation();
  const chunk = useNotificationsChunk(me !== null);
  useEffect(
    () => (me === null || chunk === null ? undefined : chunk.startNotifications(client, me)),
    [client, me, chunk],
  );
  useEffect(
    () =>
      me === null || chunk === null
        ? undefined
        : chunk.startPushedNotifications(client, me, (key) => navigate(chatPath(key))),
    [client, me, navigate, chunk],
  );
  // The server words nothing, but it tells the service worker the language.
  useEffect(() => {
    if (me !== null) client.webPush.renew();
  }, [client, me, locale]);
}

import { alertLevelEnd } from "@parley/core/model/chats/chat-prefs";
import type { Chat } from "@parley/core/model/state";
import { useLocale } from "../i18n/i18n.ts";
import { dueTime } from "../i18n/time-text.ts";
import { useClientState } from "../loading/use-client.ts";

/** When the alert level of a chat changes back by itself, as a text; null if it does not. */
export function useAlertLevelEnd(chat: Pick<Chat, "type" | "targetId"> | undefined): string | null {
  const locale = useLocale();
  const end = useClientState((state) => (chat === undefined ? null : alertLevelEnd(state, chat)));
  const now = Date.now();
  return end === null || end <= now ? null : dueTime(end, now, locale);
}

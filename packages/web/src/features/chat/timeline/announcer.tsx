import { useEffect, useRef, useState } from "react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { useClientState } from "../../../kit/use-client.ts";
import { messageSummary } from "../message/message-summary.ts";

/** The shortest time between two announcements. */
const INTERVAL_MS = 1_000;

interface AnnouncerProps {
  chat: Chat;
  nameOf: (message: ChatMessage) => string;
}

/**
 * Announces each new message of others in the open chat to screen readers. A live region on the list itself would also announce history,
 * local echoes and state changes, so only this element is one (interface §15).
 */
export function Announcer({ chat, nameOf }: AnnouncerProps) {
  const t = useText();
  const me = useClientState((state) => state.me?.id ?? null);
  const [announcement, setAnnouncement] = useState("");
  const announced = useRef<number | null>(null);
  const pending = useRef<string[]>([]);
  const timer = useRef(0);

  const { messages } = chat.window;
  useEffect(() => {
    const newest = messages.findLast((message) => message.id !== null)?.id ?? -1;
    const lastAnnounced = announced.current;
    announced.current = Math.max(newest, lastAnnounced ?? -1);
    // Messages that were there when the chat opened are not announced.
    if (lastAnnounced === null || lastAnnounced < 0 || !document.hasFocus()) return;
    for (const message of messages.slice(-20)) {
      if (message.selfSend || message.id === null || message.id <= lastAnnounced) continue;
      const text = messageSummary(message, t, me);
      pending.current.push(message.tip === null ? t("chat.announce", { name: nameOf(message), text }) : text);
    }
    if (pending.current.length === 0 || timer.current !== 0) return;
    const announce = () => {
      const [only, ...more] = pending.current;
      pending.current = [];
      timer.current = only === undefined ? 0 : window.setTimeout(announce, INTERVAL_MS);
      if (only === undefined) return;
      setAnnouncement(more.length === 0 ? only : t("chat.announceMany", { count: more.length + 1 }));
    };
    announce();
  }, [messages, nameOf, t, me]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  return (
    <div className="visually-hidden" aria-live="polite" data-announcer>
      {announcement}
    </div>
  );
}

import { useEffect, useRef, useState } from "react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n.ts";
import { useClientState } from "../../../kit/use-client.ts";
import { messageSummary } from "../message/message-summary.ts";

/** At most one announcement in this time. */
const EVERY_MS = 1_000;

interface AnnouncerProps {
  chat: Chat;
  nameOf: (message: ChatMessage) => string;
}

/**
 * Reads out what others write into the open chat, once each. A live region on the list itself would read history, echoes and state
 * changes as well, so the list is silent and this node speaks (interface §15).
 */
export function Announcer({ chat, nameOf }: AnnouncerProps) {
  const t = useText();
  const me = useClientState((state) => state.me?.id ?? null);
  const [announcement, setAnnouncement] = useState("");
  const announced = useRef<number | null>(null);
  const waiting = useRef<string[]>([]);
  const timer = useRef(0);

  const { messages } = chat.window;
  useEffect(() => {
    const newest = messages.findLast((message) => message.id !== null)?.id ?? -1;
    const before = announced.current;
    announced.current = Math.max(newest, before ?? -1);
    // Nothing that was there when the chat opened is news.
    if (before === null || before < 0 || !document.hasFocus()) return;
    for (const message of messages.slice(-20)) {
      if (message.selfSend || message.id === null || message.id <= before) continue;
      const text = messageSummary(message, t, me);
      waiting.current.push(message.tip === null ? t("chat.announce", { name: nameOf(message), text }) : text);
    }
    if (waiting.current.length === 0 || timer.current !== 0) return;
    const speak = () => {
      const [only, ...more] = waiting.current;
      waiting.current = [];
      timer.current = only === undefined ? 0 : window.setTimeout(speak, EVERY_MS);
      if (only === undefined) return;
      setAnnouncement(more.length === 0 ? only : t("chat.announceMany", { count: more.length + 1 }));
    };
    speak();
  }, [messages, nameOf, t, me]);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  return (
    <div className="visually-hidden" aria-live="polite" data-announcer>
      {announcement}
    </div>
  );
}

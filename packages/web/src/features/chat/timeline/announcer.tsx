import { useEffect, useRef, useState } from "react";
import type { Chat, ChatMessage } from "@parley/core/model/state";
import { useText } from "../../../kit/i18n/i18n.ts";
import { useClientState } from "../../../kit/loading/use-client.ts";
import { messageSummary } from "../message/message-summary.ts";

/** The shortest time between two announcements. */
const INTERVAL_MS = 1_000;
/** By then it was read. A text that stayed would be found again when somebody moves through the page. */
const SHOWN_MS = 5_000;

/** What the live region says, and the messages that it is about. */
interface Announcement {
  readonly text: string;
  readonly messages: readonly ChatMessage[];
}

const NOTHING: Announcement = { text: "", messages: [] };

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
  const [announcement, setAnnouncement] = useState(NOTHING);
  const announced = useRef<number | null>(null);
  const pending = useRef<readonly ChatMessage[]>([]);
  const timer = useRef(0);

  const { messages } = chat.window;
  useEffect(() => {
    const newest = messages.findLast((message) => message.id !== null)?.id ?? -1;
    const lastAnnounced = announced.current;
    announced.current = Math.max(newest, lastAnnounced ?? -1);
    // Messages that were there when the chat opened are not announced.
    if (lastAnnounced === null || lastAnnounced < 0 || !document.hasFocus()) return;
    const isThere = ({ id, type }: ChatMessage) =>
      messages.some((message) => message.id === id && message.type === type);
    pending.current = [
      ...pending.current.filter(isThere),
      ...messages.slice(-20).filter(({ selfSend, id }) => !selfSend && id !== null && id > lastAnnounced),
    ];
    // Recalled and deleted messages are no longer read out.
    setAnnouncement((shown) => (shown.messages.every(isThere) ? shown : NOTHING));
    if (pending.current.length === 0 || timer.current !== 0) return;
    const announce = () => {
      const [only, ...more] = pending.current;
      const shown = pending.current;
      pending.current = [];
      timer.current = only === undefined ? 0 : window.setTimeout(announce, INTERVAL_MS);
      if (only === undefined) return;
      const summary = messageSummary(only, t, me);
      const one = only.tip === null ? t("chat.announce", { name: nameOf(only), text: summary }) : summary;
      const text = more.length === 0 ? one : t("chat.announceMany", { count: more.length + 1 });
      setAnnouncement({ text, messages: shown });
    };
    announce();
  }, [messages, nameOf, t, me]);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useEffect(() => {
    if (announcement === NOTHING) return;
    const end = window.setTimeout(setAnnouncement, SHOWN_MS, NOTHING);
    return () => window.clearTimeout(end);
  }, [announcement]);

  return (
    <div className="visually-hidden" aria-live="polite" data-announcer>
      {announcement.text}
    </div>
  );
}

import type { DesktopInput } from "@parley/desktop/bridge/desktop-bridge";

/** What the main process takes at most; the contract with it has the same numbers. */
const TAG_MAX = 200;
const TITLE_MAX = 300;
const BODY_MAX = 2_000;
const LABEL_MAX = 60;

type DesktopNotification = DesktopInput<"showNotification">;

/** The tag as the main process takes it. The end tells chats apart; the beginning is the address of a server. */
export function fitTag(tag: string): string {
  return tag.slice(-TAG_MAX);
}

/** Shortens what is too long for the main process. */
export function fitNotification(notification: DesktopNotification): DesktopNotification {
  const { tag, title, body, actions } = notification;
  return {
    ...notification,
    tag: fitTag(tag),
    title: start(title, TITLE_MAX),
    body: start(body, BODY_MAX),
    actions: actions.map(({ action, label }) => ({ action, label: start(label, LABEL_MAX) })),
  };
}

/** The start of a text, without half a character at its end. */
function start(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
}

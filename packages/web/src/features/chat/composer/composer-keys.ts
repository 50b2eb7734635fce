import { useEffect } from "react";
import type { KeyboardEvent as ReactKeyboardEvent, RefObject } from "react";
import type { Client } from "@parley/core/client-api";
import type { ChatKey } from "@parley/core/model/state";
import { isDialogOpen } from "../../../kit/dialogs/open-dialog.ts";
import type { SendKey } from "../../../kit/settings/user-settings.ts";
import type { ComposerHandle, ConversationUi } from "../message/conversation-ui.ts";
import { actionConditions, lastEditable, MESSAGE_ACTIONS } from "../message/message-actions.ts";

interface EnterPress {
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/**
 * What Enter does in the field: send, insert a new line, or leave the key to the browser. On touch devices the
 * keyboard's Enter is always a new line, and people send with the button.
 */
export function enterAction(
  press: EnterPress,
  sendKey: SendKey,
  isCoarse: boolean,
): "send" | "newLine" | "browser" {
  if (press.altKey || press.shiftKey) return "browser";
  const isCtrl = press.ctrlKey || press.metaKey;
  if (sendKey === "ctrlEnter") return isCtrl ? "send" : "browser";
  if (isCtrl) return "newLine";
  return isCoarse ? "browser" : "send";
}

/** In an empty field ↑ edits the last text that may still be edited; Ctrl with ↑ or ↓ selects the message to quote. */
export function handleArrowKey(
  event: ReactKeyboardEvent<HTMLTextAreaElement>,
  client: Client,
  ui: ConversationUi,
  chatKey: ChatKey,
): void {
  if (event.currentTarget.value !== "" || event.altKey || event.shiftKey) return;
  const state = client.getState();
  const chat = state.chats.byKey[chatKey];
  const conditions = actionConditions(state, chatKey, true);
  if (event.ctrlKey || event.metaKey) {
    const messages = chat?.window.messages ?? [];
    const quotable = messages.filter((message) => MESSAGE_ACTIONS.quote.isOffered(message, conditions));
    const step = event.key === "ArrowUp" ? -1 : 1;
    event.preventDefault();
    client.chats.setQuote(chatKey, nextQuoted(quotable, chat?.draftQuote?.id ?? null, step));
  } else if (event.key === "ArrowUp") {
    const last = lastEditable(chat?.window, conditions);
    if (last === null) return;
    event.preventDefault();
    ui.set({ editing: last });
  }
}

/** The next older (-1) or newer (1) message to quote; null after the newest one. */
export function nextQuoted(
  messages: readonly { readonly id: number | null }[],
  current: number | null,
  step: 1 | -1,
): number | null {
  const found = current === null ? messages.length : messages.findIndex(({ id }) => id === current);
  const next = Math.max(0, (found < 0 ? messages.length : found) + step);
  return messages[next]?.id ?? null;
}

/** Moves the focus to the composer when somebody types or pastes anywhere on the page (interface §12). */
export function useTypeAnywhere(composer: RefObject<ComposerHandle | null>): void {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (!isComposer(event.target) && isKeyForComposer(event)) composer.current?.focus();
    };
    // By the menu, by Shift+Insert, or by a key that has no "v" in the layout of the person. Files never come here.
    const handlePaste = (event: ClipboardEvent) => {
      if (event.defaultPrevented || isComposer(event.target) || !isForComposer(event.target)) return;
      const text = event.clipboardData?.getData("text/plain").replaceAll(/\r\n?/g, "\n") ?? "";
      // Nobody would see what a paste adds to the draft under a recorder.
      if (text === "" || composer.current === null || composer.current.isHidden) return;
      event.preventDefault();
      composer.current.focus();
      composer.current.insert(text);
    };
    document.addEventListener("keydown", handleKeyDown);
    document.addEventListener("paste", handlePaste);
    return () => {
      document.removeEventListener("keydown", handleKeyDown);
      document.removeEventListener("paste", handlePaste);
    };
  }, [composer]);
}

const ARROW_KEY_TARGETS = '[role="listbox"], [role="article"], [role="log"]';

/** Whether a pressed key should go to the composer: a paste, and characters, unless the focused element uses them. */
function isKeyForComposer(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || !isForComposer(event.target)) return false;
  // A browser may report a paste only while a field has the focus.
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === "v";
  if ([...event.key].length !== 1 && event.key !== "Process") return false;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(ARROW_KEY_TARGETS)) return false;
  return event.key !== " " || !target?.closest("button, a");
}

/** What uses keys and pastes itself. */
const USERS =
  'input, textarea, select, [contenteditable="true"], [role="dialog"], [role="alertdialog"], [role="menu"]';

/** Whether what is typed or pasted here belongs to the composer: in its field, or where nothing else uses it. */
export function isForComposer(target: EventTarget | null): boolean {
  if (isDialogOpen()) return false;
  const user = target instanceof Element ? target.closest(USERS) : null;
  return user === null || isComposer(user);
}

/** Whether this is the composer's own field. */
function isComposer(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("[data-composer]");
}

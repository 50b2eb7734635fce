import { createContext, createElement, type FunctionComponent, type ReactNode, use } from "react";
import { createStore, type StoreApi, useStore } from "zustand";
import type { Client } from "@parley/core/client-api";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";
import { DELETE_BATCH_MAX } from "@parley/protocol/limits";
import { currentText } from "../../../kit/i18n/i18n.ts";
import type { lazyComponent } from "../../../kit/loading/lazy-component.tsx";
import { toasts } from "../../../kit/dialogs/toasts.ts";

/** A lazy dialog over the conversation, with properties that say what it is about. */
type ConversationDialog<Props> = FunctionComponent<
  Props & { readonly onClose: () => void; readonly onMissing: () => void }
>;

/** A lazy dialog that sends a kind of message to the conversation around. */
export type SendDialog = ReturnType<typeof lazyComponent<{ onClose: () => void }>>;

/** A person to mention, with the name that all members of the group see. */
export interface MentionTarget {
  /** -1 is everyone. */
  readonly userId: number;
  readonly name: string;
}

/** What is open or in progress in the conversation. */
interface ConversationUiState {
  /** The open message menu: the key of its message, and its position. */
  readonly messageMenu: { readonly key: string; readonly x: number; readonly y: number } | null;
  /** The open menu of a group member who has written a message. */
  readonly personMenu: {
    readonly userId: number;
    readonly name: string;
    readonly x: number;
    readonly y: number;
  } | null;
  /** The message for which a reaction is chosen from all, and where. */
  readonly reactionPicker: { readonly key: string; readonly x: number; readonly y: number } | null;
  /** The own message that is being edited. */
  readonly editing: ChatMessage | null;
  /** The selected messages by key; null if no selection is in progress. */
  readonly selected: ReadonlyMap<string, ChatMessage> | null;
  /** Renders the open dialog. */
  readonly dialog: ((onClose: () => void) => ReactNode) | null;
  /** People whom the composer should mention as soon as it is ready. */
  readonly pendingMentions: readonly MentionTarget[] | null;
}

/** What other components can do with the composer. */
export interface ComposerHandle {
  /** A recorder is in the place of the field. */
  readonly isHidden: boolean;
  focus(): void;
  /** Gives the field the focus again after something else was used; does nothing on a touch device. */
  returnFocus(): void;
  /** Inserts a text at the caret. */
  insert(text: string): void;
}

/** The UI state that the parts of one open conversation share. */
export interface ConversationUi {
  readonly key: ChatKey;
  readonly composer: { current: ComposerHandle | null };
  get(): ConversationUiState;
  set(part: Partial<ConversationUiState>): void;
  readonly store: StoreApi<ConversationUiState>;
}

/** What an action in a conversation works with. */
export interface ActionContext {
  readonly client: Client;
  readonly ui: ConversationUi;
}

/** Creates the UI state of a conversation, with nothing open. */
export function createConversationUi(key: ChatKey): ConversationUi {
  const store = createStore<ConversationUiState>(() => ({
    messageMenu: null,
    personMenu: null,
    reactionPicker: null,
    editing: null,
    selected: null,
    dialog: null,
    pendingMentions: null,
  }));
  return { key, composer: { current: null }, get: store.getState, set: store.setState, store };
}

/** Registers the composer that is mounted now. Returns a function that removes it. */
export function registerComposer(ui: ConversationUi, handle: ComposerHandle): () => void {
  ui.composer.current = handle;
  return () => {
    if (ui.composer.current === handle) ui.composer.current = null;
  };
}

/** Opens a dialog over the conversation. It replaces the open one. */
export function showDialog<Props extends object>(
  ui: ConversationUi,
  Dialog: ConversationDialog<Props>,
  props: Props,
): void {
  ui.set({ dialog: (onClose) => createElement(Dialog, { ...props, onClose, onMissing: onClose }) });
}

/** Adds or removes a message and starts the selection if needed. At most as many messages as one call can delete; a toast says so. */
export function toggleSelected(ui: ConversationUi, message: ChatMessage): void {
  const selected = new Map(ui.get().selected);
  if (!selected.delete(message.key)) {
    if (selected.size < DELETE_BATCH_MAX) selected.set(message.key, message);
    else toasts.error(currentText()("choose.tooMany", { max: DELETE_BATCH_MAX }));
  }
  ui.set({ selected, messageMenu: null });
}

const ConversationUiContext = createContext<ConversationUi | null>(null);

/** Provides the UI state to the parts of a conversation. */
export const ConversationUiProvider = ConversationUiContext.Provider;

/** The UI state of the conversation around. */
export function useConversationUi(): ConversationUi {
  const ui = use(ConversationUiContext);
  if (ui === null) throw new Error("useConversationUi needs a ConversationUiProvider above");
  return ui;
}

/** A part of the UI state. `select` must return the same value for the same state. */
export function useConversationUiState<Part>(select: (state: ConversationUiState) => Part): Part {
  const ui = useConversationUi();
  return useStore(ui.store, select);
}

const CanWrite = createContext(false);

/** Provides `useCanWrite`. */
export const CanWriteProvider = CanWrite.Provider;

/** Whether messages can be sent in the conversation around. */
export function useCanWrite(): boolean {
  return use(CanWrite);
}

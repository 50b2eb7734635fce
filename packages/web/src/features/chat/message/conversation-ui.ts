import { createContext, use, useCallback, useSyncExternalStore } from "react";
import { DELETE_BATCH_MAX } from "@parley/protocol/limits";
import type { ChatKey, ChatMessage } from "@parley/core/model/state";

/** What asks for an answer in the middle of a conversation. */
export type ConversationDialog =
  | { readonly kind: "forward"; readonly ids: readonly number[] }
  | { readonly kind: "delete"; readonly ids: readonly number[] }
  /** A message of somebody else in a group. */
  | { readonly kind: "recall"; readonly id: number; readonly name: string }
  | { readonly kind: "readers"; readonly id: number }
  | { readonly kind: "sendCard" }
  | { readonly kind: "sendLocation" };

/** Somebody to be named in a text, by the name that all in the group see. */
export interface MentionTarget {
  /** -1 is everyone. */
  readonly userId: number;
  readonly name: string;
}

/** What a conversation is in the middle of, beside reading and writing. */
export interface ConversationUiState {
  /** The message whose menu is open, by its key, and where. */
  readonly messageMenu: { readonly key: string; readonly x: number; readonly y: number } | null;
  /** The menu of somebody who has written in a group. */
  readonly personMenu: {
    readonly userId: number;
    readonly name: string;
    readonly x: number;
    readonly y: number;
  } | null;
  /** The message of one's own that is being edited. */
  readonly editing: ChatMessage | null;
  /** The messages chosen, by their keys; null: nobody is choosing. */
  readonly selected: ReadonlyMap<string, ChatMessage> | null;
  readonly dialog: ConversationDialog | null;
  /** People whom the composer shall name, once it is there. */
  readonly pendingMentions: readonly MentionTarget[] | null;
}

/** What the composer does for others. */
export interface ComposerHandle {
  focus(): void;
  /** Puts a text at the caret. */
  insert(text: string): void;
}

/** One open conversation as its parts share it. */
export interface ConversationUi {
  readonly key: ChatKey;
  readonly composer: { current: ComposerHandle | null };
  get(): ConversationUiState;
  set(part: Partial<ConversationUiState>): void;
  subscribe(listener: () => void): () => void;
}

export function createConversationUi(key: ChatKey): ConversationUi {
  let state: ConversationUiState = {
    messageMenu: null,
    personMenu: null,
    editing: null,
    selected: null,
    dialog: null,
    pendingMentions: null,
  };
  const listeners = new Set<() => void>();
  return {
    key,
    composer: { current: null },
    get: () => state,
    set(part) {
      state = { ...state, ...part };
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** For whoever has the field at present. Answers what ends it. */
export function registerComposer(ui: ConversationUi, handle: ComposerHandle): () => void {
  ui.composer.current = handle;
  return () => {
    if (ui.composer.current === handle) ui.composer.current = null;
  };
}

/** Takes a message in or out of the chosen ones, and begins choosing. No more than one call may delete. */
export function toggleSelected(ui: ConversationUi, message: ChatMessage): void {
  const selected = new Map(ui.get().selected);
  if (!selected.delete(message.key) && selected.size < DELETE_BATCH_MAX) selected.set(message.key, message);
  ui.set({ selected, messageMenu: null });
}

const ConversationUiContext = createContext<ConversationUi | null>(null);

export const ConversationUiProvider = ConversationUiContext.Provider;

export function useConversationUi(): ConversationUi {
  const ui = use(ConversationUiContext);
  if (ui === null) throw new Error("no DeskProvider above");
  return ui;
}

/** A part of what the conversation is in the middle of; `select` must answer the same thing for the same state. */
export function useConversationUiState<Part>(select: (state: ConversationUiState) => Part): Part {
  const ui = useConversationUi();
  const subscribe = useCallback((listener: () => void) => ui.subscribe(listener), [ui]);
  return useSyncExternalStore(subscribe, () => select(ui.get()));
}
